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

/// A question that was asked often enough.
struct UnansweredWait {
  var set: UInt64
  var asked: Int64
  var source: IPAddress
  var type: DNSRecordType
  var name: HistoryNameRing.Reference
}

/// The rules for how often and how long a question is asked.
extension LintHistory {
  /// query-interval and qu-repeated (RFC 6762 sections 5.2 and 5.4).
  mutating func judgeInterval(
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
    } else if before.last >= 0 {
      judgeGap(gap, before, entry, message, question, set, context, into: &findings)
    }
  }

  /// query-interval: a gap that is too short, or twice in a row not about twice the one before.
  private mutating func judgeGap(
    _ gap: Int64, _ before: AskedHistory, _ entry: Int, _ message: Span<UInt8>,
    _ question: DNSQuestionView, _ set: UInt64, _ context: HistoryContext,
    into findings: inout [Finding]
  ) {
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
  mutating func noteQuestion(
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
