import LanCore
import LanWire

/// Responses of a DNS server, in few words.
enum Unicast {
  static let server = IPAddress.v4(IPv4Address(bits: 0xC000_0235))
  static let second: Int64 = 1_000_000_000

  static func name(_ text: String) -> DNSName { (try? DNSName(text)) ?? .root }

  static func question(_ text: String, _ type: DNSRecordType) -> DNSQuestion {
    DNSQuestion(name: name(text), type: type)
  }

  static func record(_ owner: String, _ data: DNSRecordData, ttl: UInt32 = 120) -> DNSRecord {
    DNSRecord(name: name(owner), ttl: ttl, data: data)
  }

  static func ptr(_ owner: String, _ target: String, ttl: UInt32 = 120) -> DNSRecord {
    record(owner, .ptr(name(target)), ttl: ttl)
  }

  static func srv(
    _ owner: String, _ target: String, port: UInt16 = 80, priority: UInt16 = 0,
    weight: UInt16 = 0, ttl: UInt32 = 120
  ) -> DNSRecord {
    record(
      owner, .srv(priority: priority, weight: weight, port: port, target: name(target)), ttl: ttl)
  }

  static func txt(_ owner: String, _ strings: String...) -> DNSRecord {
    record(owner, .txt(strings.map { Array($0.utf8) }))
  }

  static func a(_ owner: String, _ last: UInt8, ttl: UInt32 = 120) -> DNSRecord {
    record(owner, .a(address(last)), ttl: ttl)
  }

  static func aaaa(_ owner: String, _ last: UInt64) -> DNSRecord {
    record(owner, .aaaa(IPv6Address(high: 0x2001_0DB8 << 32, low: last)))
  }

  static func address(_ last: UInt8) -> IPv4Address {
    IPv4Address(bits: 0xC000_0200 | UInt32(last))
  }

  static func soa(_ owner: String, minimum: UInt32, ttl: UInt32 = 600) -> DNSRecord {
    record(
      owner,
      .soa(
        DNSStartOfAuthority(
          primary: name("ns"), mailbox: name("root"), serial: 1, refresh: 1, retry: 1, expire: 1,
          minimum: minimum)), ttl: ttl)
  }

  /// A response; `flags` are QR and AA unless said otherwise.
  static func message(
    _ answers: [DNSRecord] = [], authorities: [DNSRecord] = [], additionals: [DNSRecord] = [],
    flags: UInt16 = 0x8400
  ) -> DNSMessage {
    DNSMessage(
      flags: flags, answers: answers, authorities: authorities, additionals: additionals)
  }
}

/// Conventional DNS of a test: a zone that answers a machine's questions in no time.
struct UnicastZone {
  var records: [DNSRecord] { didSet { index = Self.index(records) } }
  /// What is added unasked to a list.
  var additionals: [DNSRecord] = []
  /// Names that fail.
  var failures: [DNSName: UnicastFailure] = [:]
  /// Everything that was asked, in order.
  var asked: [DNSQuestion] = []
  private var index: [DNSName: [DNSRecord]]

  init(_ records: [DNSRecord]) {
    self.records = records
    index = Self.index(records)
  }

  private static func index(_ records: [DNSRecord]) -> [DNSName: [DNSRecord]] {
    Dictionary(grouping: records, by: \.name)
  }

  func outcome(_ question: DNSQuestion) -> UnicastOutcome {
    if let failure = failures[question.name] { return .failed(failure) }
    guard let all = index[question.name] else { return .nxdomain(ttl: 60) }
    let answers = all.filter { $0.type == question.type }
    if answers.isEmpty { return .noData(ttl: 60) }
    let more = question.type == .ptr ? additionals : []
    return .answers(Unicast.message(answers, additionals: more))
  }
}
