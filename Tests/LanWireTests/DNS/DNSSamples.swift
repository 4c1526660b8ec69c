import LanWire

/// Records of every type for tests that write messages.
enum DNSSamples {
  static func data() throws -> [DNSRecordData] {
    let host = try DNSName("Host.local")
    let other = try DNSName("other.host.local")
    return [
      .a(IPv4Address(bits: 0xC000_0201)), .aaaa(IPv6Address(high: 0xFE80 << 48, low: 1)),
      .ns(host), .cname(other), .ptr(host), .dname(host),
      .mailName(DNSRecordType(rawValue: 7), other), .mailName(DNSRecordType(rawValue: 3), host),
      .soa(
        DNSStartOfAuthority(
          primary: host, mailbox: other, serial: 1, refresh: 2, retry: 3, expire: 4,
          minimum: .max)),
      .mx(preference: 10, exchange: host),
      .rankedName(DNSRecordType(rawValue: 18), rank: 1, name: other),
      .rankedName(DNSRecordType(rawValue: 36), rank: 2, name: host),
      .txt([]), .txt([[]]), .txt([Array("k=v".utf8), [], [UInt8](repeating: 7, count: 255)]),
      .srv(priority: 1, weight: 2, port: 631, target: host),
      .srv(priority: 0, weight: 0, port: 0, target: .root),
      .hinfo(cpu: Array("ARM".utf8), os: []),
      .minfo(responsible: host, errors: other), .rp(mailbox: host, text: .root),
      .nsec(next: host, types: [.a, .txt, .aaaa, .srv]), .nsec(next: host, types: []),
      .nsec(next: host, types: [.a, .any, DNSRecordType(rawValue: 257), .init(rawValue: 65535)]),
      .opt([]), .opt([DNSOption(code: 4, value: [0, 1, 2]), DNSOption(code: 10, value: [])]),
      .svcb(DNSServiceBinding(priority: 0, target: other)),
      .https(
        DNSServiceBinding(
          priority: 1, target: .root, parameters: [DNSOption(code: 1, value: [2, 104, 50])])),
      .caa(flags: 128, tag: Array("issue".utf8), value: Array("ca.example".utf8)),
      .naptr(
        DNSNamingAuthority(
          order: 1, preference: 2, flags: Array("U".utf8), services: Array("SIP+D2U".utf8),
          expression: [], replacement: other)),
      .sshfp(algorithm: 4, fingerprintType: 2, fingerprint: [1, 2, 3]),
      .unknown(DNSRecordType(rawValue: 65_280), [0, 1, 2]),
      .unknown(DNSRecordType(rawValue: 65280), []),
      .unknown(DNSRecordType(rawValue: 65280), [0xC0, 0x0C]),
    ]
  }

  /// A message with every sample in every section.
  static func message() throws -> DNSMessage {
    let records = try data().map {
      DNSRecord(name: try DNSName("Owner.local"), cacheFlush: true, ttl: 120, data: $0)
    }
    return DNSMessage(
      id: 0x1234, flags: 0x8400,
      questions: [
        DNSQuestion(name: try DNSName("_ipp._tcp.local"), type: .ptr, wantsUnicastResponse: true),
        DNSQuestion(name: .root, type: .any, class: .any),
      ],
      answers: records, authorities: records.reversed(), additionals: records)
  }
}

/// Reads a sound message. (A span of a temporary in a throwing expression crashes the compiler.)
func readMessage(_ bytes: [UInt8]) throws(WireError) -> DNSMessage { try DNSMessage(bytes.span) }
