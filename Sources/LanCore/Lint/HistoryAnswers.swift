import LanWire

/// A name and type that somebody has records of.
struct AnswerHistory {
  var last: Int64
  var expiry: Int64
  var ttl: UInt32
  var data: UInt64
  /// True when there is more than one record.
  var isPlural = false
  var host: UInt64
  var frame: Int
  /// Another host that asserted it before.
  var otherHost: UInt64 = 0
  var otherFrame = 0
  var otherLast: Int64 = .min / 4
  /// The two hosts that were seen to send at one moment, as `host ^ otherHost`.
  var twins: UInt64 = 0
}

extension LintHistory {
  /// known-answer-ignored, answer-late and family-split; then notes the answers.
  mutating func judgeAnswers(
    _ message: Span<UInt8>, _ index: DNSMessageIndex, _ context: HistoryContext,
    into findings: inout [Finding]
  ) {
    var late = false
    for record in scratch {
      guard record.ttl > 0 else {
        if let entry = answers.find(record.set), !answers[entry].isPlural,
          answers[entry].data == record.data
        {
          answers[entry].expiry = now
        }
        continue
      }
      if record.section == .answer, let entry = questions.find(record.set) {
        judgeKnown(message, index, record, context, questions[entry], into: &findings)
        if !late {
          late = judgeLate(message, index, record, context, questions[entry], into: &findings)
        }
        judgeFamily(message, index, record, context, entry, into: &findings)
      }
      note(record, context)
    }
  }

  private mutating func note(_ record: HistoryRecord, _ context: HistoryContext) {
    let expiry = record.expiry(now)
    if let entry = answers.find(record.set) {
      let isExpired = answers[entry].expiry < now
      if answers[entry].data != record.data { answers[entry].isPlural = !isExpired }
      let before = answers[entry].last
      answers[entry].last = now
      answers[entry].expiry = max(answers[entry].expiry, expiry)
      answers[entry].ttl = record.ttl
      answers[entry].data = record.data
      if answers[entry].host != context.host {
        answers[entry].otherHost = answers[entry].host
        answers[entry].otherFrame = answers[entry].frame
        answers[entry].otherLast = before
        answers[entry].host = context.host
      }
      answers[entry].frame = context.frame
    } else {
      _ = answers.insert(
        record.set,
        AnswerHistory(
          last: now, expiry: expiry, ttl: record.ttl, data: record.data, host: context.host,
          frame: context.frame))
    }
  }

  /// known-answer-ignored (RFC 6762 section 7.1).
  private func judgeKnown(
    _ message: Span<UInt8>, _ index: DNSMessageIndex, _ record: HistoryRecord,
    _ context: HistoryContext, _ question: QuestionHistory, into findings: inout [Finding]
  ) {
    guard let entry = knownAnswers.find(record.key) else { return }
    let known = knownAnswers[entry]
    let others = question.asker == known.asker ? question.otherLast : question.last
    guard now &- known.time <= 500 * oneMillisecond, known.asker != context.host,
      UInt64(known.ttl) &* 2 >= UInt64(record.ttl), question.lastFrame == known.frame,
      now &- others > oneSecond, !wasProbed(record.name, within: oneSecond)
    else { return }
    let name = Int(index.records[Int(record.position)].name)
    findings.append(
      Finding(
        LintRules.knownAnswerIgnored,
        text: "\(context.shown) answers \(DNSNameText.string(message, at: name)) \(record.type), "
          + "which the query listed as known with \(known.ttl) s left",
        frames: [known.frame, context.frame], source: context.shown))
  }

  /// answer-late (RFC 6762 section 6): only for hosts and records known before the question, as
  /// others may announce themselves.
  private func judgeLate(
    _ message: Span<UInt8>, _ index: DNSMessageIndex, _ record: HistoryRecord,
    _ context: HistoryContext, _ question: QuestionHistory, into findings: inout [Finding]
  ) -> Bool {
    let delay = now &- question.last
    guard context.toGroup, delay > (question.isTruncated ? 1_500 : 1_000) * oneMillisecond,
      delay <= 3 * oneSecond, question.last &- settled > oneSecond, question.asker != context.host,
      let answer = answers.find(record.set), answers[answer].last < question.last,
      let own = assertions.find(assertionKey(record, context)),
      assertions[own].last < question.last, assertions[own].streak == 0
    else { return false }
    if let known = knownAnswers.find(record.key),
      knownAnswers[known].frame == question.lastFrame
    {
      return false
    }
    let name = Int(index.records[Int(record.position)].name)
    findings.append(
      Finding(
        LintRules.answerLate,
        text: "\(context.shown) answers \(DNSNameText.string(message, at: name)) \(record.type) "
          + "\(milliseconds(delay)) after the question",
        frames: [question.lastFrame, context.frame], source: context.shown))
    return true
  }

  /// family-split (RFC 6762 section 20): three answers in a row over the other family only.
  private mutating func judgeFamily(
    _ message: Span<UInt8>, _ index: DNSMessageIndex, _ record: HistoryRecord,
    _ context: HistoryContext, _ entry: Int, into findings: inout [Finding]
  ) {
    let question = questions[entry]
    guard now &- question.last <= oneSecond, question.asker != context.host else { return }
    if question.families & context.family != 0 {
      questions[entry].splits = 0
      return
    }
    questions[entry].splits &+= 1
    guard questions[entry].splits % 3 == 0 else { return }
    let name = Int(index.records[Int(record.position)].name)
    let (asked, answered) = context.family == 2 ? ("IPv4", "IPv6") : ("IPv6", "IPv4")
    findings.append(
      Finding(
        LintRules.familySplit,
        text: "\(DNSNameText.string(message, at: name)) \(record.type) is asked for over \(asked) "
          + "and answered over \(answered) only",
        frames: [question.lastFrame, context.frame], source: context.shown))
  }
}
