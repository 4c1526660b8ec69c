extension ReachabilityMachine {
  /// What was lost when only messages of one kind were.
  public enum Loss: String, Hashable, Sendable, CaseIterable {
    /// Messages about routes: all targets are looked up again.
    case routes
    /// Messages about neighbours: first hops are asked for again.
    case neighbours
  }

  /// Takes the loss of messages of one kind, after which links and addresses are still known.
  ///
  /// Unlike `overrun` nothing is read anew; the owner tells the user.
  public mutating func lost(_ losses: Set<Loss>, at now: Int64) {
    overrunCount += 1
    if losses.contains(.routes) { defaultRoutes.removeAll() }
    if losses.contains(.neighbours) { evaluator.facts.neighbours.removeAll() }
    markAll(.resync, at: now)
  }

  /// Takes the loss of messages: the state will be read anew, while look-ups go on.
  public mutating func overrun(at now: Int64) {
    overrunCount += 1
    untoldOverruns += 1
    if let last = lastOverrun, now - last < timing.resyncLimit {
      resyncWait = min(resyncWait * 2, timing.resyncLimit)
    } else {
      resyncWait = timing.resync
    }
    lastOverrun = now
    if resyncDue == nil { resyncDue = later(now, resyncWait) }
    evaluator.facts.neighbours.removeAll()
    markAll(.resync, at: now)
  }

  /// Takes links and addresses that were read anew; only real differences become events.
  ///
  /// Not consistent means that the kernel marked every attempt as interrupted: the lists are the
  /// union of the attempts then, and another reading is asked for.
  public mutating func resynchronised(
    links: [LinkState], addresses: [InterfaceAddress], isConsistent: Bool = true, at now: Int64
  ) {
    for change in evaluator.facts.links.replace(with: links) { noteLink(change, at: now) }
    for change in evaluator.facts.addresses.replace(with: addresses) {
      noteAddress(change, at: now)
    }
    evaluator.facts.neighbours.removeAll()
    defaultRoutes.removeAll()
    markAll(.resync, at: now)
    if round == nil { roundDue = now }
    if untoldOverruns > 0 { output.append(.resync(overruns: untoldOverruns)) }
    untoldOverruns = 0
    if !isConsistent { resyncDue = later(now, timing.resyncLimit) }
  }
}
