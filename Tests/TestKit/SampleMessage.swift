public import LanWire

/// DNS messages as tests of what is shown need them.
public enum SampleMessage {
  /// A query for `names`.
  public static func query(
    _ names: [String], type: DNSRecordType = .ptr, unicast: Bool = false,
    known: [DNSRecord] = [], proposed: [DNSRecord] = [], additionals: [DNSRecord] = []
  ) throws -> [UInt8] {
    let questions = try names.map {
      DNSQuestion(name: try DNSName($0), type: type, wantsUnicastResponse: unicast)
    }
    return try DNSMessage(
      questions: questions, answers: known, authorities: proposed, additionals: additionals
    ).encoded(compression: .multicast)
  }

  /// A response with these records.
  public static func response(
    _ answers: [DNSRecord], authorities: [DNSRecord] = [], additionals: [DNSRecord] = [],
    flags: UInt16 = 0x8400
  ) throws -> [UInt8] {
    try DNSMessage(
      flags: flags, answers: answers, authorities: authorities, additionals: additionals
    ).encoded(compression: .multicast)
  }

  /// A record of class IN.
  public static func record(
    _ name: String, ttl: UInt32 = 120, flush: Bool = false, _ data: DNSRecordData
  ) throws -> DNSRecord {
    DNSRecord(name: try DNSName(name), cacheFlush: flush, ttl: ttl, data: data)
  }

  /// A PTR record.
  public static func pointer(
    _ name: String, to target: String, ttl: UInt32 = 4500
  ) throws -> DNSRecord {
    try record(name, ttl: ttl, .ptr(try DNSName(target)))
  }

  /// An A record of 10.0.0.`last`.
  public static func address(
    _ name: String, last: UInt8 = 7, ttl: UInt32 = 120
  ) throws -> DNSRecord {
    try record(name, ttl: ttl, flush: true, .a(IPv4Address(bits: 0x0A00_0000 | UInt32(last))))
  }
}
