import LanWire

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
}
