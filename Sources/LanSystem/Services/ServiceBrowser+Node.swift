public import LanCore

extension ServiceBrowser: MDNSClient {
  /// Takes a link from the node.
  public func setLink(_ link: MDNSLink, at now: Int64) {
    // A link that was chosen by its name stays so under another.
    guard
      configuration.interfaces.isEmpty || ownsNode || links.contains(link.index)
        || configuration.interfaces.contains(link.name)
    else { return }
    links.insert(link.index)
    machine.setLink(link, at: now)
  }

  /// Takes the loss of a link from the node.
  public func removeLink(_ index: UInt32, at now: Int64) {
    if links.remove(index) != nil { machine.removeLink(index, at: now) }
  }

  /// Takes a change from the node.
  public func handle(_ change: MDNSChange, at now: Int64) {
    if isOnLink(change) { machine.handle(change, at: now) }
  }

  /// A node that others use as well may hear more than this browser is to see.
  private func isOnLink(_ change: MDNSChange) -> Bool {
    if ownsNode || configuration.interfaces.isEmpty { return true }
    return switch change {
    case .added(let answer), .heardOver(let answer), .removed(let answer, _):
      links.contains(answer.interfaceIndex)
    case .denied(_, let index), .exhausted(_, let index): links.contains(index)
    }
  }

  /// Ends a batch.
  public func batchEnded(at now: Int64) {
    machine.batchEnded(at: now)
    tellEvents()
  }

  /// When the machine wants to be called, in nanoseconds of `MonotonicClock`.
  public var nextDeadline: Int64? { isSearching ? machine.nextDeadline : nil }

  /// Does what is due.
  public func deadlineReached(at now: Int64) {
    machine.deadlineReached(at: now)
    tellEvents()
  }

  /// What the machine wants of the querier.
  public func takeDemands() -> [MDNSDemand] {
    let demands = machine.demands
    machine.demands = []
    tellEvents()
    return demands.map { MDNSDemand($0) }
  }

  /// Passes on what is amiss.
  public func nodeDidReport(_ diagnostic: MDNSNodeDiagnostic) { onDiagnostic?(diagnostic) }
}

extension MDNSDemand {
  /// The demand of a browser's machine.
  init(_ demand: ServiceBrowserMachine.Demand) {
    self =
      switch demand {
      case .start(let question, let effort): .start(question, effort)
      case .stop(let question): .stop(question)
      case .reconfirm(let name, let type, let data, let index):
        .reconfirm(name, type, data, interfaceIndex: index)
      }
  }
}
