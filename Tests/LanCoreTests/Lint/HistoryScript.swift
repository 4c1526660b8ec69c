import LanCore
import LanWire

/// A record of a scripted message.
struct ScriptRecord {
  var name: String
  var type: DNSRecordType
  var ttl: UInt32
  var flush: Bool
  var data: [UInt8]

  static func a(_ name: String, _ last: UInt8, ttl: UInt32 = 120) -> ScriptRecord {
    ScriptRecord(name: name, type: .a, ttl: ttl, flush: true, data: [10, 0, 0, last])
  }
  static func address(_ name: String, _ bytes: [UInt8]) -> ScriptRecord {
    ScriptRecord(
      name: name, type: bytes.count == 4 ? .a : .aaaa, ttl: 120, flush: true, data: bytes)
  }
  static func aaaa(_ name: String, _ last: UInt8, ttl: UInt32 = 120) -> ScriptRecord {
    let data: [UInt8] = [0x20, 1, 0x0D, 0xB8] + [UInt8](repeating: 0, count: 11) + [last]
    return ScriptRecord(name: name, type: .aaaa, ttl: ttl, flush: true, data: data)
  }
  static func ptr(_ name: String, _ target: String, ttl: UInt32 = 4500) -> ScriptRecord {
    ScriptRecord(name: name, type: .ptr, ttl: ttl, flush: false, data: wire(target))
  }
  static func srv(_ name: String, _ target: String, port: UInt8 = 80) -> ScriptRecord {
    ScriptRecord(
      name: name, type: .srv, ttl: 120, flush: true, data: [0, 0, 0, 0, 0, port] + wire(target))
  }
  static func txt(_ name: String, _ text: String = "a=1") -> ScriptRecord {
    let data = [UInt8(text.utf8.count)] + [UInt8](text.utf8)
    return ScriptRecord(name: name, type: .txt, ttl: 4500, flush: true, data: data)
  }
  /// Says that the name has only these types.
  static func nsec(_ name: String, only types: [UInt16]) -> ScriptRecord {
    var bitmap = [UInt8](repeating: 0, count: 6)
    for type in types { bitmap[Int(type / 8)] |= 0x80 >> UInt8(type % 8) }
    return ScriptRecord(
      name: name, type: .nsec, ttl: 120, flush: true, data: wire(name) + [0, 6] + bitmap)
  }

  static func wire(_ name: String) -> [UInt8] {
    name.split(separator: ".").flatMap { [UInt8($0.utf8.count)] + [UInt8]($0.utf8) } + [0]
  }
}

/// A question of a scripted message.
struct ScriptQuestion {
  var name: String
  var type: DNSRecordType = .ptr
  var unicast = false
}

/// A link in virtual time: messages of numbered hosts, and what history finds in them.
struct HistoryScript {
  static let start: Int64 = 1_700_000_000_000_000_000
  var history = LintHistory()
  var findings: [Finding] = []
  var frame = 0
  var usesMAC = true

  /// A link on which a message was seen 100 s before time 0.
  init() {
    query(-100, from: 99, [ScriptQuestion(name: "_start._tcp.local")])
  }

  static func address(_ host: UInt8, v6: Bool = false) -> IPAddress {
    v6
      ? .v6(IPv6Address(high: 0xFE80_0000_0000_0000, low: UInt64(host)))
      : .v4(IPv4Address(bits: 0x0A00_0000 | UInt32(host)))
  }

  mutating func query(
    _ time: Double, from host: UInt8, _ questions: [ScriptQuestion], known: [ScriptRecord] = [],
    proposed: [ScriptRecord] = [], truncated: Bool = false, v6: Bool = false, port: UInt16 = 5353,
    protocol: NameProtocol = .mdns
  ) {
    var bytes: [UInt8] = [0, 0, truncated ? 2 : 0, 0]
    for count in [questions.count, known.count, proposed.count, 0] { bytes += [0, UInt8(count)] }
    for question in questions {
      let type = question.type.rawValue
      bytes += ScriptRecord.wire(question.name)
      bytes += [UInt8(type >> 8), UInt8(type & 255), question.unicast ? 0x80 : 0, 1]
    }
    for record in known { append(record, to: &bytes, flush: false) }
    for record in proposed { append(record, to: &bytes, flush: false) }
    let group: IPAddress = v6 ? .v6(.mdnsGroup) : .v4(.mdnsGroup)
    send(
      time, bytes, host, to: group, v6: v6, kind: proposed.isEmpty ? .query : .probe, port: port,
      protocol: `protocol`)
  }

  mutating func respond(
    _ time: Double, from host: UInt8, _ answers: [ScriptRecord],
    additional: [ScriptRecord] = [], to destination: IPAddress? = nil, v6: Bool = false,
    kind: MessageKind = .response, protocol: NameProtocol = .mdns
  ) {
    var bytes: [UInt8] = [0, 0, 0x84, 0]
    for count in [0, answers.count, 0, additional.count] { bytes += [0, UInt8(count)] }
    for record in answers + additional { append(record, to: &bytes, flush: record.flush) }
    let group: IPAddress = v6 ? .v6(.mdnsGroup) : .v4(.mdnsGroup)
    send(
      time, bytes, host, to: destination ?? group, v6: v6, kind: kind, port: 5353,
      protocol: `protocol`)
  }

  private func append(_ record: ScriptRecord, to bytes: inout [UInt8], flush: Bool) {
    let type = record.type.rawValue
    bytes += ScriptRecord.wire(record.name)
    bytes += [UInt8(type >> 8), UInt8(type & 255), flush ? 0x80 : 0, 1]
    bytes += (0..<4).map { UInt8(truncatingIfNeeded: record.ttl >> UInt32(24 - 8 * $0)) }
    bytes += [UInt8(record.data.count >> 8), UInt8(record.data.count & 255)] + record.data
  }

  static func nanoseconds(_ time: Double) -> Int64 { start + Int64((time * 1e6).rounded()) * 1000 }

  private mutating func send(
    _ time: Double, _ bytes: [UInt8], _ host: UInt8, to destination: IPAddress, v6: Bool,
    kind: MessageKind, port: UInt16, protocol: NameProtocol
  ) {
    frame += 1
    let envelope = MessageEnvelope(
      frame: frame, nanoseconds: Self.nanoseconds(time), source: Self.address(host, v6: v6),
      destination: destination,
      sourceMAC: usesMAC ? MACAddress(bits: 0x0200_0000_0000 | UInt64(host)) : nil,
      sourcePort: port)
    var index = DNSMessageIndex()
    let view = index.read(bytes.span)
    history.handle(
      bytes.span, view, index, envelope, kind: kind, protocol: `protocol`, into: &findings)
  }

  mutating func finish(_ time: Double) {
    history.finish(at: Self.nanoseconds(time), into: &findings)
  }

  /// The findings of a rule.
  func found(_ id: String) -> [Finding] { findings.filter { $0.rule.id == id } }
}

/// Findings of `rule` on a link where `play` happens.
func count(
  _ rule: LintRule, until end: Double = 100, _ play: (inout HistoryScript) -> Void
) -> Int {
  var script = HistoryScript()
  play(&script)
  script.finish(end)
  return script.found(rule.id).count
}
