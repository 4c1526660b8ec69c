import LanWire

extension ReachabilityMachine {
  mutating func beginRound(at now: Int64) {
    let ids = dirty.sorted()
    dirty = []
    markedPrefixes = []
    hasMarkedAll = false
    roundDue = nil
    if rulesChanged { output.append(.readRules) }
    rulesChanged = false
    var causes: [Int: ChangeCause] = [:]
    for id in ids {
      causes[id] = targets[id]?.cause ?? .poll
      targets[id]?.cause = nil
    }
    round = Round(began: now, causes: causes)
    var lookups: [KernelLookup] = []
    for id in ids {
      guard let question = targets[id]?.question else { continue }
      let wanted = evaluator.initialLookups(question)
      if wanted.isEmpty {
        judge(id, at: now, &lookups)
      } else {
        request(wanted, for: id, &lookups)
      }
    }
    finish(lookups)
  }

  private mutating func request(
    _ wanted: [KernelLookup], for id: Int, _ lookups: inout [KernelLookup]
  ) {
    for lookup in wanted where round?.replies[lookup] == nil {
      round?.outstanding[id, default: 0] += 1
      if round?.waiting[lookup]?.append(id) == nil {
        round?.waiting[lookup] = [id]
        lookups.append(lookup)
      }
    }
  }

  /// Takes the kernel's answer to a look-up; one that nobody waits for is ignored.
  public mutating func handle(_ reply: KernelReply, to lookup: KernelLookup, at now: Int64) {
    guard let ids = round?.waiting.removeValue(forKey: lookup) else { return }
    round?.replies[lookup] = reply
    learnRoute(reply, lookup, ids)
    if case .neighbour(let key) = lookup {
      if case .neighbour(let state) = reply {
        evaluator.facts.neighbours.learn(key, state)
      } else {
        evaluator.facts.neighbours.learn(key, .unknown)
      }
    }
    var lookups: [KernelLookup] = []
    for id in ids {
      let rest = (round?.outstanding[id] ?? 1) - 1
      round?.outstanding[id] = rest > 0 ? rest : nil
      if rest == 0 { judge(id, at: now, &lookups) }
    }
    finish(lookups)
  }

  /// Learns the default routes that were there before the first message or after a loss.
  ///
  /// Not in other rounds: there the message about a new route may still be on its way, and is an
  /// event when it comes.
  private mutating func learnRoute(
    _ reply: KernelReply, _ lookup: KernelLookup, _ ids: [Int]
  ) {
    guard tellsEvents, case .route(let question) = lookup, question.matchesFIB,
      case .route(let answer) = reply
    else { return }
    let isFirst = ids.contains {
      let cause = round?.causes[$0]
      return cause == .start || cause == .resync
    }
    if isFirst { defaultRoutes.learn(answer) }
  }

  /// Asks for all answers of the round again that have not come, as the questions were lost.
  mutating func abandonRound(at now: Int64) {
    guard let lost = round else { return }
    round = nil
    for id in Set(lost.outstanding.keys) { markOne(id, lost.causes[id] ?? .poll, at: now) }
    roundDue = now
  }

  private mutating func finish(_ lookups: [KernelLookup]) {
    if !lookups.isEmpty { output.append(.lookups(lookups)) }
    guard round?.waiting.isEmpty == true else { return }
    round = nil
    // First hops of former ways are not followed for ever.
    let index = index
    if evaluator.facts.neighbours.count > 2 * index.firstHopCount + 64 {
      evaluator.facts.neighbours.keep { index.isFirstHop($0) }
    }
  }

  private mutating func judge(_ id: Int, at now: Int64, _ lookups: inout [KernelLookup]) {
    guard let target = targets[id], let replies = round?.replies else { return }
    let cause = round?.causes[id] ?? .poll
    let answers = evaluator.initialLookups(target.question).compactMap { replies[$0] }
    // A poll that found what is known already ends here.
    if cause == .poll, !answers.isEmpty, answers == target.answers, target.verdict != nil { return }
    let evaluation = evaluator.evaluate(target.question, replies)
    evaluationCount += 1
    let missing = evaluation.missing.filter { replies[$0] == nil }
    guard missing.isEmpty else { return request(missing, for: id, &lookups) }
    targets[id]?.answers = answers
    conclude(id, evaluation, cause, at: now)
  }

  private mutating func conclude(
    _ id: Int, _ evaluation: Evaluation, _ cause: ChangeCause, at now: Int64
  ) {
    guard let question = targets[id]?.question else { return }
    index.set(id, evaluation.dependencies, destinations: evaluator.destinations(question))
    setExpiry(expiry(evaluation, at: now), of: id)
    let verdict = evaluation.verdict
    let previous = targets[id]?.verdict
    targets[id]?.verdict = verdict
    if let name = question.name, let previous, !previous.means(sameAs: verdict) {
      hurry(name, at: now)
    }
    if verdict.reason == .pending, let name = question.name, let state = names[name],
      targets[id]?.settle.told == nil, now < later(state.firstAsked, timing.firstResolution)
    {
      // The resolver is given a moment before "unknown" is said.
      setExpiry(later(state.firstAsked, timing.firstResolution), of: id)
      return
    }
    if let news = targets[id]?.settle.submit(verdict, cause: cause, at: now) {
      tell(id, news, at: now)
    }
    if let deadline = targets[id]?.settle.deadline {
      settleFloor = min(settleFloor ?? .max, deadline)
    }
  }

  /// When a route or the source address of the verdict comes to its end.
  private func expiry(_ evaluation: Evaluation, at now: Int64) -> Int64? {
    var ends: [Int64] = []
    if let ticks = evaluation.expiresTicks {
      ends.append(later(now, Int64(ticks) * 10_000_000 + timing.expiryMargin))
    }
    for source in [evaluation.verdict.ipv4?.source, evaluation.verdict.ipv6?.source] {
      guard let source, let entry = evaluator.facts.addresses.holding(source).first else {
        continue
      }
      for seconds in [entry.preferredSeconds, entry.validSeconds] {
        guard let seconds, seconds > 0 else { continue }
        ends.append(later(now, Int64(seconds) * 1_000_000_000 + timing.expiryMargin))
      }
    }
    return ends.min()
  }

  mutating func tell(_ id: Int, _ news: SettleFilter.News, at now: Int64) {
    guard let question = targets[id]?.question else { return }
    output.append(
      .report(
        ReachabilityReport(
          target: id, question: question, verdict: news.verdict, previous: news.previous,
          cause: news.cause, time: now, suppressedChanges: news.suppressed)))
  }
}
