import LanCore
import LanWire
import TestKit

/// A querier with a clock that tests turn, and a record of all that it gave.
struct QuerierBench {
  static let millisecond: Int64 = 1_000_000
  static let second: Int64 = 1_000_000_000
  static let hour: Int64 = 3_600 * second

  var querier: MDNSQuerier
  var now: Int64 = 1_000 * second
  /// What was sent, in order.
  var sent: [(time: Int64, packet: MDNSPacket, message: DNSMessage)] = []
  /// What was told, in order.
  var told: [(time: Int64, change: MDNSChange)] = []
  var diagnostics: [MDNSDiagnostic] = []
  /// How often a deadline came.
  var wakes = 0
  /// The host that `hear` speaks for.
  var peer = IPAddress.v4(IPv4Address(bits: 0x0A00_0009))

  init(
    seed: UInt64 = 1, links: [MDNSLink] = [Self.link(1)],
    _ change: (inout MDNSQuerier.Configuration) -> Void = { _ in }
  ) {
    var configuration = MDNSQuerier.Configuration()
    change(&configuration)
    querier = MDNSQuerier(configuration, seed: seed)
    for link in links { querier.setLink(link, at: now) }
    collect()
  }

  /// A link with 10.0.0.1/24 as its own address.
  static func link(
    _ index: UInt32, families: MDNSFamilies = .both, mtu: Int = 1_500
  ) -> MDNSLink {
    MDNSLink(
      index: index, name: "v\(index)", families: families,
      prefixes: [IPPrefix(.v4(IPv4Address(bits: 0x0A00_0001)), 24)], mtu: mtu)
  }

  mutating func collect() {
    for packet in querier.output.packets {
      let message = DNSMessage.lenient(packet.bytes.span).message
      sent.append((now, packet, message))
    }
    told += querier.output.changes.map { (now, $0) }
    diagnostics += querier.output.diagnostics
    querier.output = MDNSOutput()
  }

  mutating func start(_ name: String, _ type: DNSRecordType, _ effort: MDNSEffort = .unlimited)
    throws
  {
    querier.start(MDNSQuestion(try DNSName(name), type), effort, at: now)
    collect()
  }

  mutating func stop(_ name: String, _ type: DNSRecordType) throws {
    querier.stop(MDNSQuestion(try DNSName(name), type), at: now)
    collect()
  }

  /// Hands in a datagram.
  mutating func take(
    _ bytes: [UInt8], on interface: UInt32 = 1, from source: IPAddress? = nil,
    port: UInt16 = 5_353, isMulticast: Bool = true
  ) {
    querier.handle(
      bytes.span,
      MDNSArrival(
        interfaceIndex: interface, source: source ?? peer, sourcePort: port,
        isMulticast: isMulticast), at: now)
    collect()
  }

  /// Hands in a response.
  mutating func hear(_ records: DNSRecord..., on interface: UInt32 = 1) throws {
    take(try SampleMessage.response(records), on: interface)
  }

  /// Does what is due up to `seconds` from now, and stands there then.
  mutating func run(_ seconds: Double) {
    run(until: now + Int64(seconds * 1e9))
  }

  /// Does what is due up to `end`, and stands there then.
  mutating func run(until end: Int64) {
    while let deadline = querier.nextDeadline, deadline <= end {
      now = max(now, deadline)
      wakes += 1
      querier.deadlineReached(at: now)
      collect()
    }
    now = max(now, end)
  }

  /// When each question for a name and type was sent, in seconds since `origin`.
  func asked(_ name: String, _ type: DNSRecordType, since origin: Int64 = 0) throws -> [Double] {
    let name = try DNSName(name)
    return sent.filter { item in
      item.message.questions.contains { $0.name == name && $0.type == type }
    }.map { Double($0.time - origin) / 1e9 }
  }

  /// What was told since the last call.
  mutating func news() -> [MDNSChange] {
    defer { told.removeAll() }
    return told.map(\.change)
  }
}

/// The common records of these tests.
enum MDNSSample {
  static let type = "_t._tcp.local"

  static func pointer(_ instance: String, ttl: UInt32 = 4_500) throws -> DNSRecord {
    try SampleMessage.pointer(type, to: "\(instance)._t._tcp.local", ttl: ttl)
  }

  static func service(
    _ instance: String, port: UInt16 = 80, host: String = "h.local", ttl: UInt32 = 120
  ) throws -> DNSRecord {
    try SampleMessage.record(
      "\(instance)._t._tcp.local", ttl: ttl, flush: true,
      .srv(priority: 0, weight: 0, port: port, target: try DNSName(host)))
  }

  static func denial(
    _ name: String, has types: [DNSRecordType], ttl: UInt32 = 120, next: String? = nil
  ) throws -> DNSRecord {
    try SampleMessage.record(
      name, ttl: ttl, flush: true, .nsec(next: try DNSName(next ?? name), types: types))
  }
}
