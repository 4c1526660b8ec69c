extension ReachabilityMachine {
  /// Takes what the resolver said about a name.
  public mutating func resolved(_ name: String, _ resolution: NameResolution, at now: Int64) {
    guard var state = names[name] else { return }
    state.isAsked = false
    switch resolution {
    case .pending: return
    case .addresses(let addresses) where !addresses.isEmpty:
      state.retry = timing.resolutionRetry
      state.due = timing.resolution.map { later(now, $0) }
    default:
      state.due = later(now, state.retry)
      state.retry = min(later(state.retry, state.retry), timing.resolutionRetryLimit)
    }
    names[name] = state
    let previous = evaluator.facts.names[name]
    guard previous != resolution else { return }
    // A resolver that cannot tell does not take the addresses away that it told before.
    if case .failed = resolution, case .addresses? = previous { return }
    evaluator.facts.names[name] = resolution
    for (id, target) in targets where target.question.name == name {
      noteDestinations(id)
      markOne(id, .resolver, at: now)
      if round == nil { roundDue = now }
    }
  }

  mutating func follow(_ name: String, at now: Int64) {
    guard names[name] == nil else { return }
    names[name] = NameState(due: now, retry: timing.resolutionRetry, firstAsked: now)
    evaluator.facts.names[name] = .pending
  }

  mutating func resolveDue(at now: Int64) {
    for name in names.keys.sorted() {
      guard let state = names[name], let due = state.due, due <= now else { continue }
      names[name]?.due = nil
      guard !state.isAsked else { continue }
      names[name]?.isAsked = true
      output.append(.resolve(name))
    }
  }

  /// After a change of the way the name is asked for again, but not with every change.
  mutating func hurry(_ name: String, at now: Int64) {
    guard let state = names[name], !state.isAsked else { return }
    let soon = later(now, timing.resolutionRetry)
    names[name]?.due = min(state.due ?? .max, soon)
  }

  /// What may have brought the network back is a reason to ask for unresolved names again.
  mutating func hurryUnresolved(at now: Int64) {
    // Many such changes within the shortest wait would ask no sooner than the first.
    if let last = lastHurry, now - last < timing.resolutionRetry / 2 { return }
    lastHurry = now
    for (name, state) in names where !state.isAsked {
      if case .addresses? = evaluator.facts.names[name] { continue }
      names[name]?.retry = timing.resolutionRetry
      hurry(name, at: now)
    }
  }
}
