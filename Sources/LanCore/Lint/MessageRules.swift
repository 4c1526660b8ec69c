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
  private var factsCache = InlineArray<16, MessageNameFacts>(repeating: MessageNameFacts())
  private var factsKeys = InlineArray<16, UInt64>(repeating: 0)
  private var generation: UInt64 = 0

  /// A record in short, for the rules that compare records of one message.
  struct RecordNote: Sendable {
    var fingerprint: UInt32
    var start: UInt16
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
  ///
  /// What a pointer leads to is looked at once for all names that end with it.
  mutating func facts(
    _ message: Span<UInt8>, at offset: Int, jumps: Int = 0
  ) -> MessageNameFacts {
    var start = offset
    var jumps = jumps
    while start &+ 1 < message.count, message[start] >= 0xC0, jumps < DNSLimits.pointerJumps {
      start = Int(message.uint16(at: start) & 0x3FFF)
      jumps &+= 1
    }
    let slot = (start ^ start &>> 4) & 15
    let key = generation << 16 | UInt64(truncatingIfNeeded: start & 0xFFFF)
    if factsKeys[slot] == key { return factsCache[slot] }
    let facts = newFacts(message, start, jumps)
    factsKeys[slot] = key
    factsCache[slot] = facts
    return facts
  }

  private mutating func newFacts(
    _ message: Span<UInt8>, _ start: Int, _ jumps: Int
  ) -> MessageNameFacts {
    var labels = InlineArray<8, UInt16>(repeating: 0)
    var count = 0
    var position = start
    while position < message.count, count < 8 {
      let length = Int(message[position])
      if length == 0 || length >= 64 || length >= message.count &- position { break }
      labels[count] = UInt16(truncatingIfNeeded: position)
      count &+= 1
      position &+= length &+ 1
    }
    var facts = MessageNameFacts()
    let isMore = position < message.count && message[position] != 0
    if isMore, jumps < DNSLimits.pointerJumps {
      facts = self.facts(message, at: position, jumps: jumps &+ 1)
    }
    while count > 0 {
      count &-= 1
      let offset = Int(labels[count])
      facts.prepend(
        MessageNameFacts.Label(offset: offset &+ 1, length: Int(message[offset])), message)
    }
    facts.start = UInt16(truncatingIfNeeded: start)
    return facts
  }
}
