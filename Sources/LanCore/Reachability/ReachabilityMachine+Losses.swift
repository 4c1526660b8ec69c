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
}
