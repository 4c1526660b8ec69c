import LanWire

/// Judges one message at a time by the rules that it shows by itself.
///
/// The walk notes breaches as numbers (`marks`); a message without any costs no allocation.
struct MessageRules: Sendable {
  /// The breaches of the message that was judged last, each rule once.
  private(set) var marks: [MessageMark] = []
  private var marked: UInt64 = 0

  // What the walk knows of the message at hand.
  var isResponse = false
  var isMulticast = false
  var isLegacyResponse = false
  var notes: [RecordNote] = []
  var nsecCount = 0
  var addressCount = 0
  var aliasCount = 0
  var optCount = 0
  private var lastService: (offset: Int32, fault: MessageDetail) = (-1, .none)
  private var factsCache = InlineArray<16, MessageNameFacts>(repeating: MessageNameFacts())
  private var factsKeys = InlineArray<16, UInt64>(repeating: 0)
  private var generation: UInt64 = 0

  /// A record in short, for the rules that compare records of one message.
  struct RecordNote: Sendable {
    var fingerprint: UInt64
    var start: Int32
    var record: Int32
    var type: DNSRecordType
    var ttl: UInt32
  }

  /// Judges a message; the result is in `marks`.
  mutating func judge(
    _ message: Span<UInt8>, _ view: DNSMessageView, _ index: DNSMessageIndex,
    _ envelope: MessageEnvelope, _ nameProtocol: NameProtocol
  ) {
    begin()
    judgeForm(message, view, envelope, nameProtocol)
    guard nameProtocol == .mdns, message.count >= DNSLimits.headerOctets else { return }
    isResponse = view.header.isResponse
    isMulticast = envelope.destination.isMDNSGroup
    isLegacyResponse = isResponse && !isMulticast && envelope.destinationPort != 5353
    judgeHeader(view, envelope)
    // Sections of other operations mean other things, and receivers ignore them.
    guard view.header.opcode == 0 else { return }
    for position in view.questions { judgeQuestion(message, index.questions[position]) }
    for position in view.records { judgeRecord(message, index.records[position], position) }
    judgeSets(message, index)
  }

  /// Forgets the message judged before.
  mutating func begin() {
    if marked != 0 {
      marks.removeAll(keepingCapacity: true)
      marked = 0
    }
    notes.removeAll(keepingCapacity: true)
    nsecCount = 0
    addressCount = 0
    aliasCount = 0
    optCount = 0
    lastService = (-1, .none)
    generation &+= 1
  }

  /// Notes a breach; a second one of the same rule counts, and replaces a milder one.
  @inline(never) mutating func mark(
    _ rule: MessageRule, _ severity: FindingSeverity? = nil, _ detail: MessageDetail = .none,
    name: Int = -1, type: DNSRecordType = DNSRecordType(rawValue: 0), value: Int = 0
  ) {
    let severity = severity ?? rule.rule.severity
    let bit: UInt64 = 1 << UInt64(rule.rawValue)
    var new = MessageMark(
      rule: rule, severity: severity, detail: detail, name: name, type: type, value: value,
      count: 1)
    if marked & bit != 0, let old = marks.firstIndex(where: { $0.rule == rule }) {
      if severity > marks[old].severity {
        new.count = marks[old].count &+ 1
        marks[old] = new
      } else {
        marks[old].count &+= 1
      }
      return
    }
    marked |= bit
    marks.append(new)
  }

  /// The facts of the name at `offset`, which the decoder has accepted.
  mutating func facts(_ message: Span<UInt8>, at offset: Int) -> MessageNameFacts {
    var start = offset
    var jumps = 0
    while start &+ 1 < message.count, message[start] >= 0xC0, jumps < DNSLimits.pointerJumps {
      start = Int(message.uint16(at: start) & 0x3FFF)
      jumps &+= 1
    }
    let slot = start & 15
    let key = generation << 16 | UInt64(truncatingIfNeeded: start & 0xFFFF)
    if factsKeys[slot] == key { return factsCache[slot] }
    let facts = MessageNameFacts(message, start: start)
    factsKeys[slot] = key
    factsCache[slot] = facts
    return facts
  }

  /// What is wrong with the service name of `facts`, once for each place that it stands in.
  mutating func serviceFault(
    _ message: Span<UInt8>, _ facts: MessageNameFacts
  ) -> MessageDetail {
    if lastService.offset != facts.service.offset {
      lastService = (facts.service.offset, Self.serviceFault(message, facts.service))
    }
    return lastService.fault
  }
}
