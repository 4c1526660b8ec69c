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
    _ = enterHost(&context)
    if context.hasMAC { context.shown = hosts[context.hostIndex].source }
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
    } else if time < now &- 5 * oneSecond {
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
