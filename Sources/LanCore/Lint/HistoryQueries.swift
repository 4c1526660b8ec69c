import LanWire

/// A question, whoever asks.
struct QuestionHistory {
  var last: Int64 = .min / 4
  var asker: UInt64 = 0
  /// When somebody else than `asker` asked.
  var otherLast: Int64 = .min / 4
  /// True when the last time it stood in a query with the TC bit.
  var isTruncated = false
  var lastFrame = 0
  /// The last askings that stood alone and listed no answer, newest first.
  var times = InlineArray<4, Int64>(repeating: .min / 4)
  var frames = InlineArray<4, Int>(repeating: 0)
  var askers = InlineArray<4, UInt64>(repeating: 0)
  /// Families of the askings since it was last answered over a family that asked.
  var families: UInt64 = 0
  var splits = 0

  mutating func push(_ time: Int64, _ frame: Int, _ host: UInt64) {
    for index in [3, 2, 1] {
      times[index] = times[index &- 1]
      frames[index] = frames[index &- 1]
      askers[index] = askers[index &- 1]
    }
    times[0] = time
    frames[0] = frame
    askers[0] = host
  }
}

/// A question of one host over one family.
struct AskedHistory {
  var last: Int64
  var lastFrame: Int
  var beforeFrame = 0
  var gap: Int64 = 0
  var breaches = 0
}

/// A record that a query listed as known.
struct KnownAnswerHistory {
  var time: Int64
  var frame: Int
  var ttl: UInt32
  var asker: UInt64
}

/// A query whose known answers go on.
struct TruncatedWait {
  var host: UInt64
  var frame: Int
  var source: IPAddress
}

/// A question that was asked often enough.
struct UnansweredWait {
  var set: UInt64
  var asked: Int64
  var source: IPAddress
  var type: DNSRecordType
  var name: HistoryNameRing.Reference
}

extension LintHistory {
  mutating func handleQuery(
    _ message: Span<UInt8>, _ view: DNSMessageView, _ index: DNSMessageIndex,
    _ context: HistoryContext, _ envelope: MessageEnvelope, into findings: inout [Finding]
  ) {
    noteUnicastWish(view, index, context)
    guard context.toGroup else { return }
    judgeTruncation(view, context, into: &findings)
    collectQuery(message, view, index, context)
    noteKnownAnswers(message, index, context, into: &findings)
    let hasKnown = view.answerCount > 0
    for position in view.questions {
      let question = index.questions[position]
      let name = DNSNameView.hash(message, at: Int(question.name)) ^ context.salt
      if judgeProbe(message, view, question, name, index, context, into: &findings) { continue }
      guard question.type != .any else { continue }
      let set = HistoryHash.mix(name, UInt64(question.type.rawValue))
      judgeInterval(message, question, set, context, into: &findings)
      noteQuestion(message, view, question, set, context, hasKnown: hasKnown)
    }
  }

  /// Hashes known answers and proposed records; a query is mostly without any.
  private mutating func collectQuery(
    _ message: Span<UInt8>, _ view: DNSMessageView, _ index: DNSMessageIndex,
    _ context: HistoryContext
  ) {
    scratch.removeAll(keepingCapacity: true)
    var memo = HistoryNameMemo(salt: context.salt)
    for position in view.records {
      let record = index.records[position]
      guard record.problem == nil, record.type != .opt else { continue }
      scratch.append(HistoryRecord(message, record, position, &memo))
    }
  }

  private mutating func noteUnicastWish(
    _ view: DNSMessageView, _ index: DNSMessageIndex, _ context: HistoryContext
  ) {
    var wishes = !context.toGroup || !context.fromPort5353
    for position in view.questions where index.questions[position].wantsUnicastResponse {
      wishes = true
    }
    guard wishes else { return }
    let key = HistoryHash.mix(Self.hash(context.source), context.salt)
    if let entry = unicastWishes.find(key) {
      unicastWishes[entry] = now
    } else {
      _ = unicastWishes.insert(key, now)
    }
  }

  /// resp-dst-unasked (RFC 6762 sections 5.4, 6 and 6.7).
  mutating func judgeDestination(_ context: HistoryContext, into findings: inout [Finding]) {
    guard !context.toGroup, now &- settled >= 2 * oneSecond else { return }
    let key = HistoryHash.mix(Self.hash(context.destination), context.salt)
    if let entry = unicastWishes.find(key), now &- unicastWishes[entry] <= 2 * oneSecond { return }
    findings.append(
      Finding(
        LintRules.unaskedUnicast,
        text: "\(context.shown) answers \(context.destination), which asked for no unicast "
          + "response within 2 s",
        frames: [context.frame], source: context.shown))
  }

  /// empty-query, and the start and end of tc-without-follow-up (RFC 6762 section 7.2).
  private mutating func judgeTruncation(
    _ view: DNSMessageView, _ context: HistoryContext, into findings: inout [Finding]
  ) {
    let time = now
    let since = time &- hosts[context.hostIndex].truncatedAt
    if view.questionCount == 0, since > 500 * oneMillisecond, now &- settled > 500 * oneMillisecond
    {
      findings.append(
        Finding(
          LintRules.emptyQuery,
          text: "\(context.shown) sends a query without a question and without a truncated "
            + "query before it",
          frames: [context.frame], source: context.shown))
    }
    withHost(context) { host in
      host.queriedAt = time
      host.followsUp = true
      if view.header.isTruncated {
        host.truncatedAt = time
        host.truncatedFrame = context.frame
        host.followsUp = false
      }
    }
    if view.header.isTruncated {
      truncated.append(
        TruncatedWait(host: context.host, frame: context.frame, source: context.shown),
        due: now &+ 500 * oneMillisecond)
    }
  }

  /// tc-without-follow-up.
  mutating func judgeTruncated(_ wait: TruncatedWait, into findings: inout [Finding]) {
    guard let index = hosts.find(wait.host), !hosts[index].followsUp,
      hosts[index].truncatedFrame == wait.frame
    else { return }
    hosts[index].followsUp = true
    findings.append(
      Finding(
        LintRules.truncatedAlone,
        text: "\(wait.source) says that more known answers follow, and sends nothing for 500 ms",
        frames: [wait.frame], source: wait.source))
  }

  /// stale-known-answer, and what known-answer-ignored needs (RFC 6762 section 7.1).
  private mutating func noteKnownAnswers(
    _ message: Span<UInt8>, _ index: DNSMessageIndex, _ context: HistoryContext,
    into findings: inout [Finding]
  ) {
    for record in scratch where record.section == .answer {
      let known = KnownAnswerHistory(
        time: now, frame: context.frame, ttl: record.ttl, asker: context.host)
      if let entry = knownAnswers.find(record.key) {
        knownAnswers[entry] = known
      } else {
        _ = knownAnswers.insert(record.key, known)
      }
      guard let entry = records.find(record.key), records[entry].ttl > 0,
        UInt64(record.ttl) &* 2 &+ 1 < UInt64(records[entry].ttl)
      else { continue }
      let name = Int(index.records[Int(record.position)].name)
      findings.append(
        Finding(
          LintRules.staleKnownAnswer,
          text: "\(context.shown) lists \(DNSNameText.string(message, at: name)) \(record.type) "
            + "as known with \(record.ttl) s left of \(records[entry].ttl) s",
          frames: [records[entry].frame, context.frame], source: context.shown))
    }
  }

  /// query-interval and qu-repeated (RFC 6762 sections 5.2 and 5.4).
  private mutating func judgeInterval(
    _ message: Span<UInt8>, _ question: DNSQuestionView, _ set: UInt64,
    _ context: HistoryContext, into findings: inout [Finding]
  ) {
    guard context.fromPort5353 else { return }
    let isUnicast = question.wantsUnicastResponse
    let key = HistoryHash.mix(set, context.host &+ context.family &+ (isUnicast ? 4 : 0))
    guard let entry = asked.find(key) else {
      _ = asked.insert(key, AskedHistory(last: now, lastFrame: context.frame))
      if isUnicast { restartSeries(set, context) }
      return
    }
    let before = asked[entry]
    let gap = now &- before.last
    asked[entry].last = now
    asked[entry].beforeFrame = before.lastFrame
    asked[entry].lastFrame = context.frame
    guard gap > oneMillisecond else { return }
    if isUnicast {
      restartSeries(set, context)
      if gap < 3_600 * oneSecond {
        findings.append(
          Finding(
            LintRules.unicastRepeated,
            text: "\(context.shown) asks again for a unicast response to "
              + "\(DNSNameText.string(message, at: Int(question.name))) \(question.type), "
              + "\(seconds(gap)) after the first time",
            frames: [before.lastFrame, context.frame], source: context.shown))
      }
      return
    }
    guard before.last >= 0 else { return }
    asked[entry].gap = gap
    let isShort = gap < 990 * oneMillisecond
    let isFlat = before.gap > 0 && gap < min(before.gap, 1_800 * oneSecond) * 18 / 10
    // One step back is a new series, of a program that was started again or of a record that
    // is about to expire; the second in a row is none.
    let breaches = isFlat && !isRefresh(set) ? before.breaches &+ 1 : 0
    asked[entry].breaches = breaches
    guard isShort || breaches >= 2 else { return }
    let then = isShort ? "" : ", the gap before was \(seconds(before.gap))"
    findings.append(
      Finding(
        LintRules.queryInterval,
        text: "\(context.shown) asks for \(DNSNameText.string(message, at: Int(question.name))) "
          + "\(question.type) again after \(seconds(gap))\(then)",
        frames: breaches >= 2 && before.beforeFrame > 0
          ? [before.beforeFrame, before.lastFrame, context.frame]
          : [before.lastFrame, context.frame],
        source: context.shown))
  }

  /// A question for a unicast response starts a new series of questions (section 5.4).
  private mutating func restartSeries(_ set: UInt64, _ context: HistoryContext) {
    guard let entry = asked.find(HistoryHash.mix(set, context.host &+ context.family)) else {
      return
    }
    asked[entry].last = .min / 4
    asked[entry].gap = 0
    asked[entry].breaches = 0
  }

  /// True when a query may serve to keep an answer alive: it is at 80 % of its TTL or beyond, or
  /// there are several answers of different ages.
  private func isRefresh(_ set: UInt64) -> Bool {
    guard let entry = answers.find(set) else { return false }
    let answer = answers[entry]
    if answer.isPlural { return true }
    return now &- answer.last >= Int64(min(answer.ttl, 1 << 31)) &* (oneSecond / 100 * 78)
  }

  /// Notes who asks for what, and starts waiting when it was asked three times.
  private mutating func noteQuestion(
    _ message: Span<UInt8>, _ view: DNSMessageView, _ question: DNSQuestionView, _ set: UInt64,
    _ context: HistoryContext, hasKnown: Bool
  ) {
    let entry = questions.find(set) ?? questions.insert(set, QuestionHistory())
    if questions[entry].asker != context.host {
      questions[entry].otherLast = questions[entry].last
      questions[entry].asker = context.host
    }
    let gap = now &- questions[entry].last
    questions[entry].last = now
    questions[entry].lastFrame = context.frame
    questions[entry].isTruncated = view.header.isTruncated
    if gap > 10 * oneSecond { questions[entry].families = 0 }
    questions[entry].families |= context.family
    guard !hasKnown, gap >= 100 * oneMillisecond, !question.wantsUnicastResponse else { return }
    questions[entry].push(now, context.frame, context.host)
    guard now &- questions[entry].times[2] <= 10 * oneSecond, !isAlive(set) else { return }
    unanswered.append(
      UnansweredWait(
        set: set, asked: now, source: context.shown, type: question.type,
        name: names.store(message, at: Int(question.name))),
      due: now &+ oneSecond)
  }

  /// True when somebody's record of this name and type has not expired.
  func isAlive(_ set: UInt64) -> Bool {
    answers.find(set).map { answers[$0].expiry > now } ?? false
  }

  /// unanswered.
  mutating func judgeUnanswered(_ wait: UnansweredWait, into findings: inout [Finding]) {
    if let entry = answers.find(wait.set), answers[entry].expiry > wait.asked { return }
    guard let entry = questions.find(wait.set) else { return }
    var frames: [Int] = []
    var askers: [UInt64] = []
    for position in 0..<4 where wait.asked &- questions[entry].times[position] <= 10 * oneSecond {
      frames.insert(questions[entry].frames[position], at: 0)
      let asker = questions[entry].askers[position]
      if !askers.contains(asker) { askers.append(asker) }
    }
    let who = askers.map { address(of: $0) }.joined(separator: ", ")
    findings.append(
      Finding(
        LintRules.unanswered,
        text: "nobody answers \(names.text(wait.name)) \(wait.type), asked \(frames.count) times "
          + "within 10 s by \(who)",
        frames: frames, source: wait.source))
  }
}
