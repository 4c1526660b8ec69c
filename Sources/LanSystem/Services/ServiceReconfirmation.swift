public import LanCore
public import LanWire

/// Keeps an eye on the records that a service or host was reached by, and doubts them where using
/// them failed (RFC 6762 section 10.4).
///
/// It sends nothing before `reconfirm`: what others send is heard. Everything happens on the thread
/// of the node's reactor.
public final class ServiceReconfirmation {
  /// Called with everything that it tells.
  public var onEvent: ((ReconfirmationMachine.Event) -> Void)?

  private var machine: ReconfirmationMachine
  private let node: MDNSNode

  /// Keeps an eye on a service, and on the host that it runs on.
  ///
  /// - Parameters:
  ///   - service: The service; nil for a host alone.
  ///   - host: The host.
  ///   - families: The versions of IP whose addresses matter.
  ///   - node: Who speaks multicast DNS; it has to run.
  public init(
    _ service: ServiceInstanceName?, host: DNSName, families: MDNSFamilies, node: MDNSNode
  ) {
    machine = ReconfirmationMachine(service, host: host, families: families)
    self.node = node
  }

  /// Begins to listen.
  public func start() {
    // What the cache knows is told before this returns.
    node.add(self)
    machine.began()
  }

  /// Ends; a second time does nothing.
  public func stop() { node.remove(self) }

  /// Follows a service to another host.
  public func follow(_ host: DNSName) {
    machine.follow(host)
    node.update()
    machine.began()
  }

  /// Doubts the records, because using them failed; `announced`, `gone` or `changed` follows.
  public func reconfirm() {
    machine.reconfirm(at: MonotonicClock.now)
    node.update()
  }

  private func tell() {
    let events = machine.events
    machine.events = []
    for event in events { onEvent?(event) }
  }
}

extension ServiceReconfirmation: MDNSClient {
  /// Does nothing: questions are asked on every link.
  public func setLink(_ link: MDNSLink, at now: Int64) {}

  /// Does nothing: what was heard there is removed by the node.
  public func removeLink(_ index: UInt32, at now: Int64) {}

  /// Takes a change from the node.
  public func handle(_ change: MDNSChange, at now: Int64) { machine.handle(change) }

  /// Ends a batch.
  public func batchEnded(at now: Int64) {
    machine.batchEnded(at: now)
    tell()
  }

  /// When the machine wants to be called, in nanoseconds of `MonotonicClock`.
  public var nextDeadline: Int64? { machine.nextDeadline }

  /// Does what is due.
  public func deadlineReached(at now: Int64) {
    machine.deadlineReached(at: now)
    tell()
  }

  /// What the machine wants of the querier.
  public func takeDemands() -> [MDNSDemand] {
    let demands = machine.demands
    machine.demands = []
    return demands.map { MDNSDemand($0) }
  }
}
