public import LanWire

/// Judges what only several messages show: intervals, probes, conflicts, goodbyes, loops.
///
/// Feed it every message in the order of the capture, with the time of the capture; it keeps a
/// bounded memory of names, records and hosts as hashes, and appends a finding when a message, or
/// the silence after one, completes a proof. Nothing is judged that began before the capture.
public struct LintHistory: Sendable {
  var start: Int64?
  var now: Int64 = 0
  /// Since when everything on the link was seen.
  var settled: Int64 = 0

  var hosts = HistoryTable<HistoryHost>(limit: 4_096)
  var aliases = HistoryTable<UInt64>(limit: 4_096)
  var payloads = HistoryTable<PayloadHistory>(limit: 2_048)
  var questions = HistoryTable<QuestionHistory>(limit: 16_384)
  var asked = HistoryTable<AskedHistory>(limit: 16_384)
  var unicastWishes = HistoryTable<Int64>(limit: 4_096)
  var knownAnswers = HistoryTable<KnownAnswerHistory>(limit: 16_384)
  var records = HistoryTable<RecordHistory>(limit: 32_768)
  var assertions = HistoryTable<AssertionHistory>(limit: 65_536)
  var sets = HistoryTable<SetHistory>(limit: 16_384)
  var answers = HistoryTable<AnswerHistory>(limit: 16_384)
  var probes = HistoryTable<ProbeHistory>(limit: 8_192)
  var probedNames = HistoryTable<ProbedName>(limit: 8_192)
  var stems = HistoryTable<StemHistory>(limit: 4_096)
  var impostors = HistoryTable<ImpostorHistory>(limit: 4_096)

  var truncated = HistoryQueue<TruncatedWait>(limit: 1_024)
  var unanswered = HistoryQueue<UnansweredWait>(limit: 1_024)
  var announced = HistoryQueue<AnnouncedWait>(limit: 1_024)
  var references = HistoryQueue<ReferenceWait>(limit: 1_024)
  var names = HistoryNameRing()

  var scratch: [HistoryRecord] = []
  var prefixes: [LinkPrefix] = []
  var segment = RateHistory()
  var segmentStorm: Int64 = .min / 4
  var seenScopes = ScopeHistory()
  var querier = QuerierHistory()

  /// A history of nothing.
  public init() {}

  /// True once a limit of its memory was hit: breaches by what was dropped may go unnoticed.
  public var isIncomplete: Bool {
    hosts.hasDropped || questions.hasDropped || asked.hasDropped || records.hasDropped
      || assertions.hasDropped || sets.hasDropped || answers.hasDropped || probes.hasDropped
      || truncated.hasDropped || unanswered.hasDropped || announced.hasDropped
      || references.hasDropped
  }

  /// Says that packets were lost before this moment, so that silence proves nothing.
  public mutating func packetsWereLost() { settled = now }

  /// Takes one message in and appends what it proves.
  ///
  /// - Parameters:
  ///   - message: the bytes of the message.
  ///   - view: where its entries are in `index`.
  ///   - index: the entries.
  ///   - envelope: how it travelled; its time drives every waiting rule.
  ///   - kind: what it is for.
  ///   - protocol: multicast DNS and LLMNR are judged, unicast DNS is not.
  ///   - findings: where findings go.
  public mutating func handle(
    _ message: Span<UInt8>, _ view: DNSMessageView, _ index: DNSMessageIndex,
    _ envelope: MessageEnvelope, kind: MessageKind, protocol: NameProtocol,
    into findings: inout [Finding]
  ) {
    guard `protocol` != .dns else { return }
    advance(to: envelope.nanoseconds, into: &findings)
    guard isWhole(view), !envelope.isCut, view.header.opcode == 0 else { return }
    var context = HistoryContext(envelope, now: now, kind: kind)
    context.payload = HistoryHash.bytes(message, 0..<message.count) ^ context.salt
    let copies = copies(of: context.payload, envelope)
    if case .mirrored = copies { return }
    context.host = hostKey(message, view, index, envelope)
    context.isNewHost = enterHost(context)
    if context.hasMAC { context.shown = withHost(context) { $0.source } ?? context.shown }
    if `protocol` == .llmnr {
      handleLLMNR(message, view, index, context, into: &findings)
      return
    }
    judgeSource(context, envelope, into: &findings)
    judgeRate(context, into: &findings)
    if view.header.isResponse {
      judgeReflection(message, view, index, context, copies, into: &findings)
      handleResponse(message, view, index, context, into: &findings)
    } else {
      handleQuery(message, view, index, context, envelope, into: &findings)
    }
  }

  /// Tells that the capture has ended at `nanoseconds` (or has run until then), and appends what
  /// the silence proves.
  public mutating func finish(at nanoseconds: Int64, into findings: inout [Finding]) {
    advance(to: nanoseconds, into: &findings)
    judgeMembership(into: &findings)
  }

  /// True when every announced entry could be read; noise on the port is not judged.
  private func isWhole(_ view: DNSMessageView) -> Bool {
    Int(view.questionCount) == Int(view.header.questionCount)
      && Int(view.answerCount) == Int(view.header.answerCount)
      && Int(view.authorityCount) == Int(view.header.authorityCount)
      && Int(view.additionalCount) == Int(view.header.additionalCount)
  }

  /// Moves time on and lets waiting rules speak.
  ///
  /// Time may go back a little between interfaces; a larger step is another capture.
  mutating func advance(to nanoseconds: Int64, into findings: inout [Finding]) {
    let time = min(max(nanoseconds, 0), 1 << 62)
    if start == nil {
      start = time
      settled = time
      now = time
    } else if time < now &- 5 * second {
      let kept = prefixes
      self = LintHistory()
      prefixes = kept
      start = time
      settled = time
      now = time
    }
    now = max(now, time)
    while let wait = truncated.next(at: now) { judgeTruncated(wait, into: &findings) }
    while let wait = unanswered.next(at: now) { judgeUnanswered(wait, into: &findings) }
    while let wait = announced.next(at: now) { judgeAnnounced(wait, into: &findings) }
    while let wait = references.next(at: now) { judgeReference(wait, into: &findings) }
  }

  private mutating func handleResponse(
    _ message: Span<UInt8>, _ view: DNSMessageView, _ index: DNSMessageIndex,
    _ context: HistoryContext, into findings: inout [Finding]
  ) {
    judgeDestination(context, into: &findings)
    collect(message, view, index, context)
    // The order matters: each rule looks at what was known before this message.
    judgeImpostor(message, index, context, into: &findings)
    judgeAnswers(message, index, context, into: &findings)
    judgeTimes(message, index, context, into: &findings)
    judgeAnnouncement(message, index, context, into: &findings)
    judgeSets(message, index, context, into: &findings)
    judgeAddresses(message, index, context, into: &findings)
    noteReferences(message, index, context)
  }

  /// Hashes the records of a response once for all rules.
  private mutating func collect(
    _ message: Span<UInt8>, _ view: DNSMessageView, _ index: DNSMessageIndex,
    _ context: HistoryContext
  ) {
    scratch.removeAll(keepingCapacity: true)
    var memo = HistoryNameMemo(salt: context.salt)
    for position in view.records {
      let record = index.records[position]
      guard record.problem == nil, record.dnsClass == .in, record.type != .opt else { continue }
      scratch.append(HistoryRecord(message, record, position, &memo))
    }
  }
}

let second: Int64 = 1_000_000_000
let millisecond: Int64 = 1_000_000

/// What rules ask about the message at hand beside its records.
struct HistoryContext {
  var now: Int64
  var frame: Int
  /// A hash of the whole message on this interface.
  var payload: UInt64 = 0
  var host: UInt64 = 0
  var isNewHost = false
  var source: IPAddress
  /// The address that findings name the host by: its IPv4 address, where it has shown one.
  var shown: IPAddress
  var destination: IPAddress
  var salt: UInt64
  /// 1 over IPv4, 2 over IPv6.
  var family: UInt64
  var toGroup: Bool
  var fromPort5353: Bool
  var hasMAC: Bool
  var isTunnelled: Bool
  var interface: Int32
  var kind: MessageKind

  init(_ envelope: MessageEnvelope, now: Int64, kind: MessageKind) {
    self.now = now
    self.kind = kind
    frame = envelope.frame
    source = envelope.source
    shown = envelope.source
    destination = envelope.destination
    interface = envelope.interface
    salt = UInt64(truncatingIfNeeded: interface) &* 0x9E37_79B9_7F4A_7C15
    family = envelope.source.isIPv6 ? 2 : 1
    toGroup = envelope.destination.isMDNSGroup
    fromPort5353 = envelope.sourcePort == 5353
    hasMAC = envelope.sourceMAC != nil
    isTunnelled = envelope.isTunnelled
  }
}

/// The hashes of one record.
struct HistoryRecord {
  /// Index in the `DNSMessageIndex`.
  var position: Int32
  var type: DNSRecordType
  var section: DNSSection
  var sharing: HistorySharing
  var cacheFlush: Bool
  var ttl: UInt32
  /// Hash of the owner on this interface.
  var name: UInt64
  /// Hash of owner and type.
  var set: UInt64
  /// Hash of the data.
  var data: UInt64
  /// Hash of owner, type and data.
  var key: UInt64

  init(
    _ message: Span<UInt8>, _ record: DNSRecordView, _ position: Int,
    _ memo: inout HistoryNameMemo
  ) {
    self.position = Int32(truncatingIfNeeded: position)
    type = record.type
    section = record.section
    sharing = HistoryNames.sharing(message, record)
    cacheFlush = record.cacheFlush
    ttl = record.ttl
    name = memo.hash(message, at: Int(record.name))
    set = HistoryHash.mix(name, UInt64(record.type.rawValue))
    data = HistoryNames.dataHash(message, record)
    key = HistoryHash.mix(set, data)
  }

  /// When it expires, if it was heard at `now`.
  func expiry(_ now: Int64) -> Int64 { now &+ Int64(min(ttl, 1 << 31)) &* second }
}

/// Remembers the hashes of names that compression pointers of one message lead to.
struct HistoryNameMemo {
  private var offsets: (Int, Int, Int, Int) = (-1, -1, -1, -1)
  private var hashes: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
  private let salt: UInt64

  init(salt: UInt64) { self.salt = salt }

  /// The hash of the name at `offset`, as `DNSNameView.hash` on this interface.
  mutating func hash(_ message: Span<UInt8>, at offset: Int) -> UInt64 {
    var place = offset
    if message[place] >= 0xC0, place &+ 1 < message.count {
      place = Int(message[place] & 0x3F) << 8 | Int(message[place &+ 1])
    }
    if place == offsets.0 { return hashes.0 }
    if place == offsets.1 { return hashes.1 }
    if place == offsets.2 { return hashes.2 }
    if place == offsets.3 { return hashes.3 }
    let hash = DNSNameView.hash(message, at: offset) ^ salt
    offsets = (place, offsets.0, offsets.1, offsets.2)
    hashes = (hash, hashes.0, hashes.1, hashes.2)
    return hash
  }
}
