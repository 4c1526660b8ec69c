import LanCore
import LanWire

/// A record for a built message; the data is given as bytes.
struct SampleRecord {
  var name: [UInt8]
  var type: UInt16
  var ttl: UInt32
  var data: [UInt8]
  var rawClass: UInt16

  init(_ name: [UInt8], _ type: UInt16, ttl: UInt32 = 120, _ data: [UInt8], class: UInt16 = 0x8001)
  {
    self.name = name
    self.type = type
    self.ttl = ttl
    self.data = data
    rawClass = `class`
  }

  var bytes: [UInt8] {
    name + be16(type) + be16(rawClass) + be16(UInt16(ttl >> 16)) + be16(UInt16(ttl & 0xFFFF))
      + be16(UInt16(data.count)) + data
  }
}

/// A message with the way it travelled.
struct MessageSample {
  var bytes: [UInt8]
  var envelope = MessageEnvelope(
    frame: 7, nanoseconds: 1_000_000_000, source: .v4(IPv4Address(bits: 0xC000_0201)),
    destination: .v4(.mdnsGroup))

  init(bytes: [UInt8]) { self.bytes = bytes }

  init(
    id: UInt16 = 0, flags: UInt16, questions: [[UInt8]] = [], answers: [SampleRecord] = [],
    authority: [SampleRecord] = [], additional: [SampleRecord] = [], tail: [UInt8] = []
  ) {
    bytes = be16(id) + be16(flags) + be16(UInt16(questions.count)) + be16(UInt16(answers.count))
    bytes += be16(UInt16(authority.count)) + be16(UInt16(additional.count))
    bytes += questions.flatMap { $0 }
    bytes += (answers + authority + additional).flatMap(\.bytes)
    bytes += tail
  }

  func with(_ change: (inout MessageEnvelope) -> Void) -> MessageSample {
    var copy = self
    change(&copy.envelope)
    return copy
  }

  /// What the linter says of it.
  func findings(_ nameProtocol: NameProtocol = .mdns) -> [Finding] {
    var linter = Linter()
    return findings(&linter, nameProtocol)
  }

  func findings(_ linter: inout Linter, _ nameProtocol: NameProtocol = .mdns) -> [Finding] {
    var index = DNSMessageIndex()
    let view = index.read(bytes.span)
    var findings: [Finding] = []
    linter.handle(
      bytes.span, view, index, envelope, protocol: nameProtocol,
      kind: view.header.isResponse ? .announcement : .query, into: &findings)
    return findings
  }
}

func be16(_ value: UInt16) -> [UInt8] { [UInt8(value >> 8), UInt8(value & 0xFF)] }

/// A name on the wire, without compression.
func wire(_ name: String) -> [UInt8] {
  name.split(separator: ".").flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) } + [0]
}

func question(_ name: String, _ type: UInt16, class: UInt16 = 1) -> [UInt8] {
  wire(name) + be16(type) + be16(`class`)
}

/// TXT data of these strings.
func txt(_ strings: String...) -> [UInt8] {
  strings.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
}

func srv(_ target: String, port: UInt16 = 80, priority: UInt16 = 0, weight: UInt16 = 0) -> [UInt8] {
  be16(priority) + be16(weight) + be16(port) + wire(target)
}
