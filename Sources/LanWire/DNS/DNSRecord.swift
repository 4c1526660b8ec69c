/// A question (RFC 1035 section 4.1.2).
public struct DNSQuestion: Hashable, Sendable {
  /// The name asked for.
  public var name: DNSName
  /// The type asked for.
  public var type: DNSRecordType
  /// The class as on the wire; the top bit is multicast DNS's unicast-response bit.
  public var rawClass: UInt16

  /// A question; `wantsUnicastResponse` is multicast DNS's QU bit (RFC 6762 section 5.4).
  public init(
    name: DNSName, type: DNSRecordType, class dnsClass: DNSClass = .in,
    wantsUnicastResponse: Bool = false
  ) {
    self.name = name
    self.type = type
    rawClass = dnsClass.rawValue | (wantsUnicastResponse ? 0x8000 : 0)
  }

  /// Copies a question out of its message; throws only when `view` was not read from it.
  public init(_ view: DNSQuestionView, _ message: Span<UInt8>) throws(WireError) {
    name = try DNSName(message, at: Int(view.name))
    type = view.type
    rawClass = view.rawClass
  }

  /// The class without the top bit.
  public var dnsClass: DNSClass { DNSClass(rawValue: rawClass & 0x7FFF) }
  /// QU: a unicast response is wanted (RFC 6762 section 5.4).
  public var wantsUnicastResponse: Bool { rawClass & 0x8000 != 0 }
}

/// A record (RFC 1035 section 4.1.3).
public struct DNSRecord: Hashable, Sendable {
  /// The owner name.
  public var name: DNSName
  /// The class as on the wire; the top bit is multicast DNS's cache-flush bit.
  public var rawClass: UInt16
  /// Seconds to live, as on the wire.
  public var ttl: UInt32
  /// The data, which knows the type.
  public var data: DNSRecordData

  /// A record; `cacheFlush` is multicast DNS's bit (RFC 6762 section 10.2), `ttl` in seconds.
  public init(
    name: DNSName, class dnsClass: DNSClass = .in, cacheFlush: Bool = false, ttl: UInt32,
    data: DNSRecordData
  ) {
    self.name = name
    rawClass = dnsClass.rawValue | (cacheFlush ? 0x8000 : 0)
    self.ttl = ttl
    self.data = data
  }

  /// Copies a record out of its message; throws only when `view` was not read from it.
  public init(_ view: DNSRecordView, _ message: Span<UInt8>) throws(WireError) {
    name = try DNSName(message, at: Int(view.name))
    rawClass = view.rawClass
    ttl = view.ttl
    data = try DNSRecordData(view, message)
  }

  /// The type.
  public var type: DNSRecordType { data.type }
  /// The class without the top bit.
  public var dnsClass: DNSClass { DNSClass(rawValue: rawClass & 0x7FFF) }
  /// The cache-flush bit (RFC 6762 section 10.2).
  public var cacheFlush: Bool {
    get { rawClass & 0x8000 != 0 }
    set { rawClass = rawClass & 0x7FFF | (newValue ? 0x8000 : 0) }
  }
}

/// What an OPT record says in its class and TTL fields (RFC 6891 section 6.1.3).
extension DNSRecord {
  /// An OPT record.
  ///
  /// - Parameters:
  ///   - udpPayloadSize: bytes that the sender takes in one datagram.
  ///   - extendedRcode: the upper eight bits of the response code.
  ///   - version: the EDNS version.
  ///   - dnssecOk: the DO bit (RFC 3225).
  ///   - options: the options.
  /// - Returns: the record, for the additional section.
  public static func opt(
    udpPayloadSize: UInt16, extendedRcode: UInt8 = 0, version: UInt8 = 0, dnssecOk: Bool = false,
    options: [DNSOption] = []
  ) -> DNSRecord {
    let ttl = UInt32(extendedRcode) << 24 | UInt32(version) << 16 | (dnssecOk ? 0x8000 : 0)
    var record = DNSRecord(name: .root, ttl: ttl, data: .opt(options))
    record.rawClass = udpPayloadSize
    return record
  }

  /// Bytes that the sender of an OPT record takes in one datagram.
  public var udpPayloadSize: UInt16 { rawClass }
  /// The upper eight bits of the response code in an OPT record.
  public var extendedRcode: UInt8 { UInt8(truncatingIfNeeded: ttl >> 24) }
  /// The EDNS version in an OPT record.
  public var ednsVersion: UInt8 { UInt8(truncatingIfNeeded: ttl >> 16) }
  /// The DO bit in an OPT record (RFC 3225).
  public var dnssecOk: Bool { ttl & 0x8000 != 0 }
}
