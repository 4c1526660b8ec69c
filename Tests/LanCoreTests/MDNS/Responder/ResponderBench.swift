import LanCore
import LanWire
import TestKit

/// A responder with a clock that tests turn, and a record of all that it gave.
struct ResponderBench {
  static let millisecond: Int64 = 1_000_000
  static let second: Int64 = 1_000_000_000

  /// A packet, and what it says.
  struct Sent {
    var time: Int64
    var packet: MDNSPacket
    var message: DNSMessage
  }

  var responder: MDNSResponder
  var now: Int64 = 1_000 * second
  var sent: [Sent] = []
  var events: [(time: Int64, event: MDNSResponderEvent)] = []
  /// Packets that are no sound messages, or have a record twice.
  var faults: [String] = []
  /// Own packets come back, as they do from the kernel.
  var isLooped = true
  /// The host that asks and says things.
  var peer = IPAddress.v4(IPv4Address(bits: 0x0A00_0009))

  init(
    host: String = "deck", seed: UInt64 = 1, links: [MDNSLink] = [Self.link(1)],
    _ change: (inout MDNSResponder.Configuration) -> Void = { _ in }
  ) {
    var configuration = MDNSResponder.Configuration(hostLabel: Array(host.utf8))
    change(&configuration)
    responder = MDNSResponder(configuration, seed: seed)
    for link in links { responder.setLink(link, at: now) }
    collect()
  }

  /// A link with 10.0.x.1/24 and fe80::x/64 as its own addresses.
  static func link(
    _ index: UInt32, families: MDNSFamilies = .both, mtu: Int = 1_500,
    addresses: [IPAddress]? = nil
  ) -> MDNSLink {
    let own: [IPAddress] = addresses ?? [four(UInt8(index), 1), six(UInt8(index))]
    return MDNSLink(
      index: index, name: "v\(index)", families: families,
      prefixes: own.map { IPPrefix($0, $0.isIPv6 ? 64 : 24) }, mtu: mtu)
  }

  /// 10.0.x.y; link 1 has the net 10.0.0.0, which `peer` is in.
  static func four(_ net: UInt8, _ host: UInt8) -> IPAddress {
    .v4(IPv4Address(bits: 0x0A00_0000 | UInt32(net - 1) << 8 | UInt32(host)))
  }

  static func six(_ host: UInt8) -> IPAddress {
    .v6(IPv6Address(high: 0xFE80 << 48, low: UInt64(host)))
  }

  static func service(_ instance: String = "Deck", port: UInt16 = 4_242) -> MDNSService {
    MDNSService(
      instance: Array(instance.utf8), type: ServiceType(service: "t", transport: "tcp"),
      port: port)
  }

  /// Nanoseconds as whole milliseconds.
  static func milliseconds(_ time: Int64) -> Double { Double(time / millisecond) }

  // MARK: Driving

  mutating func collect() {
    let output = responder.output
    responder.output = MDNSResponderOutput()
    events += output.events.map { (now, $0) }
    for packet in output.packets {
      do {
        let message = try DNSMessage(packet.bytes.span)
        check(message, packet)
        sent.append(Sent(time: now, packet: packet, message: message))
      } catch {
        faults.append("\(error): \(packet.bytes)")
      }
    }
    guard isLooped else { return }
    for packet in output.packets where packet.destination == nil {
      guard let source = source(on: packet.interfaceIndex) else { continue }
      take(packet.bytes, on: packet.interfaceIndex, from: source)
    }
  }

  private func source(on index: UInt32) -> IPAddress? {
    index < 200 ? Self.four(UInt8(index), 1) : nil
  }

  /// No record may stand twice in a packet, nothing may be cut or larger than allowed.
  private mutating func check(_ message: DNSMessage, _ packet: MDNSPacket) {
    var seen: Set<DNSRecord> = []
    for record in message.answers + message.authorities + message.additionals {
      var bare = record
      (bare.ttl, bare.cacheFlush) = (0, false)
      if !seen.insert(bare).inserted { faults.append("twice: \(record)") }
    }
    if packet.bytes.count > 8_952 { faults.append("too large: \(packet.bytes.count)") }
    guard message.flags & 0x8000 != 0 else { return }
    if packet.destination == nil, message.id != 0 || !message.questions.isEmpty {
      faults.append("id or question in a response")
    }
    if message.flags != 0x8400 { faults.append("flags \(message.flags)") }
    if message.answers.isEmpty, packet.destination == nil { faults.append("no answer") }
  }

  /// Does what is due up to `seconds` from now, and stands there then.
  mutating func run(_ seconds: Double) { run(until: now + Int64(seconds * 1e9)) }

  mutating func run(until end: Int64) {
    while let deadline = responder.nextDeadline, deadline <= end {
      now = max(now, deadline)
      responder.deadlineReached(at: now)
      collect()
    }
    now = max(now, end)
  }

  /// Publishes a service, and lets it be announced and fall silent.
  @discardableResult
  mutating func establish(
    _ service: MDNSService = Self.service(), settle: Double = 5
  ) -> MDNSService.ID {
    let id = publish(service)
    run(settle)
    sent.removeAll()
    return id
  }

  @discardableResult
  mutating func publish(
    _ service: MDNSService = Self.service(), on interfaces: Set<UInt32>? = nil
  ) -> MDNSService.ID {
    defer { collect() }
    return responder.publish(service, on: interfaces, at: now)
  }

  /// Hands in a datagram.
  mutating func take(
    _ bytes: [UInt8], on interface: UInt32 = 1, from source: IPAddress? = nil,
    port: UInt16 = 5_353, isMulticast: Bool = true
  ) {
    responder.handle(
      bytes.span,
      MDNSArrival(
        interfaceIndex: interface, source: source ?? peer, sourcePort: port,
        isMulticast: isMulticast), at: now)
    collect()
  }

  /// Asks one question.
  mutating func ask(
    _ name: String, _ type: DNSRecordType, unicast: Bool = false, known: [DNSRecord] = [],
    truncated: Bool = false, class dnsClass: DNSClass = .in, on interface: UInt32 = 1,
    from source: IPAddress? = nil, port: UInt16 = 5_353, isMulticast: Bool = true, id: UInt16 = 0
  ) throws {
    let message = DNSMessage(
      id: id, flags: truncated ? DNSHeader.truncatedFlag : 0,
      questions: [
        DNSQuestion(
          name: try DNSName(name), type: type, class: dnsClass, wantsUnicastResponse: unicast)
      ], answers: known)
    take(
      try message.encoded(), on: interface, from: source, port: port, isMulticast: isMulticast)
  }

  /// Asks several questions in one message.
  mutating func ask(
    _ questions: [(String, DNSRecordType)], known: [DNSRecord] = [], from source: IPAddress? = nil
  ) throws {
    let message = DNSMessage(
      questions: try questions.map { DNSQuestion(name: try DNSName($0.0), type: $0.1) },
      answers: known)
    take(try message.encoded(), from: source)
  }

  /// Another host proposes records for a name.
  mutating func probe(
    _ name: String, _ proposed: [DNSRecord], unicast: Bool = true, on interface: UInt32 = 1
  ) throws {
    let message = DNSMessage(
      questions: [
        DNSQuestion(name: try DNSName(name), type: .any, wantsUnicastResponse: unicast)
      ], authorities: proposed)
    take(try message.encoded(), on: interface)
  }

  /// Another host says something.
  mutating func hear(
    _ records: DNSRecord..., on interface: UInt32 = 1, from source: IPAddress? = nil,
    isMulticast: Bool = true
  ) throws {
    take(
      try SampleMessage.response(records), on: interface, from: source, isMulticast: isMulticast)
  }

  // MARK: What came

  /// Everything that was sent since the last call.
  mutating func take() -> [Sent] {
    defer { sent.removeAll() }
    return sent
  }

  var probes: [Sent] { sent.filter { !$0.message.authorities.isEmpty } }
  var responses: [Sent] { sent.filter { $0.message.flags & 0x8000 != 0 } }
  var multicasts: [Sent] { responses.filter { $0.packet.destination == nil } }

  /// Milliseconds from `origin` to each response with a record of this type, alive, as an answer.
  func answered(_ type: DNSRecordType, since origin: Int64, _ name: String? = nil) -> [Double] {
    responses.filter { item in
      item.message.answers.contains {
        $0.type == type && $0.ttl > 0 && (name == nil || $0.name.description == name)
      }
    }.map { Self.milliseconds($0.time - origin) }
  }
}

extension ResponderBench.Sent {
  /// The types among answers, sorted by number.
  var answerTypes: [DNSRecordType] {
    message.answers.map(\.type).sorted { $0.rawValue < $1.rawValue }
  }
  var additionalTypes: [DNSRecordType] {
    message.additionals.map(\.type).sorted { $0.rawValue < $1.rawValue }
  }
}

/// What the tests publish, as records.
enum ResponderSample {
  static let type = "_t._tcp.local"
  static let instance = "Deck._t._tcp.local"
  static let host = "deck.local"
  static let enumeration = "_services._dns-sd._udp.local"

  static func pointer(ttl: UInt32 = 4_500, to target: String = instance) throws -> DNSRecord {
    try SampleMessage.pointer(type, to: target, ttl: ttl)
  }

  static func service(
    _ name: String = instance, port: UInt16 = 4_242, host: String = host, ttl: UInt32 = 120,
    flush: Bool = true, priority: UInt16 = 0
  ) throws -> DNSRecord {
    try SampleMessage.record(
      name, ttl: ttl, flush: flush,
      .srv(priority: priority, weight: 0, port: port, target: try DNSName(host)))
  }

  static func address(_ last: UInt8 = 1, _ name: String = host, ttl: UInt32 = 120) throws
    -> DNSRecord
  {
    try SampleMessage.address(name, last: last, ttl: ttl)
  }
}
