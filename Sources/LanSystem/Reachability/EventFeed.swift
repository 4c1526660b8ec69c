import LanCore
import LanWire

/// The event sockets of a monitor, set up after the number of addresses that it watches.
///
/// With few, one socket hears everything in its order, and a filter in the kernel drops the routes
/// that cannot matter. With many, routes come over a socket of their own that is emptied at
/// intervals, so that a storm of them costs a few wake-ups. Neighbours, the busiest group, always
/// have one of their own.
final class EventFeed {
  private let reactor: Reactor
  private let receiveBuffer: Int
  private let recorder: NetlinkRecorder?
  private let onMessage: NetlinkEventSource.MessageHandler
  private let onBatch: (NetlinkEventSource.Batch) -> Void
  private var facts: NetlinkEventSource?
  private var routes: NetlinkEventSource?
  private var neighbours: NetlinkEventSource?
  private var watched: Set<IPAddress>?
  private static let linger = Duration.milliseconds(50)

  init(
    _ reactor: Reactor, receiveBuffer: Int, recorder: NetlinkRecorder?,
    onMessage: @escaping NetlinkEventSource.MessageHandler,
    onBatch: @escaping (NetlinkEventSource.Batch) -> Void
  ) {
    self.reactor = reactor
    self.receiveBuffer = receiveBuffer
    self.recorder = recorder
    self.onMessage = onMessage
    self.onBatch = onBatch
  }

  /// Groups that this kernel does not have.
  var missing: [NetlinkGroup] { [facts, routes, neighbours].flatMap { $0?.missing ?? [] } }
  /// Datagrams that did not come from the kernel.
  var forged: Int { [facts, routes, neighbours].reduce(0) { $0 + ($1?.forged ?? 0) } }

  /// Listens, with a view to `addresses`; call it again with any that are new.
  ///
  /// Addresses that are not watched any more do no harm, so that they are only counted out where
  /// there are too many.
  ///
  /// - Parameters:
  ///   - addresses: What is watched, or what is new in it.
  ///   - all: All that is watched now; asked for where the filter is full.
  /// - Returns: True if what happened lately may be unknown, so that the state must be read.
  /// - Throws: `NetlinkError`; what was heard before is heard still.
  func listen(
    to addresses: [IPAddress], all: () -> Set<IPAddress>
  ) throws(NetlinkError) -> Bool {
    let isFirst = watched == nil
    // Every route is heard already.
    if routes != nil { return false }
    var wanted = (watched ?? []).union(addresses)
    if wanted == watched { return false }
    if wanted.count > RouteEventFilter.maximumTargets { wanted = all() }
    if isFirst { neighbours = try source([.neighbours], linger: Self.linger) }
    watched = wanted
    if let facts, facts.hearRoutes(to: Array(wanted)) { return false }
    if isFirst, try listenFiltered(wanted) { return false }
    let newFacts = try source(NetlinkGroup.facts, linger: .zero)
    let newRoutes = try source(NetlinkGroup.routes, linger: Self.linger)
    facts?.stop()
    (facts, routes) = (newFacts, newRoutes)
    return !isFirst
  }

  /// One socket for everything but neighbours; false where there are too many addresses for it.
  private func listenFiltered(_ addresses: Set<IPAddress>) throws(NetlinkError) -> Bool {
    guard addresses.count <= RouteEventFilter.maximumTargets else { return false }
    let new = try NetlinkEventSource(
      groups: NetlinkGroup.facts + NetlinkGroup.routes, receiveBuffer: receiveBuffer,
      recorder: recorder)
    guard new.hearRoutes(to: Array(addresses)) else { return false }
    try start(new, linger: .zero)
    facts = new
    return true
  }

  func stop() {
    for source in [facts, routes, neighbours] { source?.stop() }
    (facts, routes, neighbours) = (nil, nil, nil)
  }

  private func source(
    _ groups: [NetlinkGroup], linger: Duration
  ) throws(NetlinkError) -> NetlinkEventSource {
    let source = try NetlinkEventSource(
      groups: groups, receiveBuffer: receiveBuffer, recorder: recorder)
    try start(source, linger: linger)
    return source
  }

  private func start(
    _ source: NetlinkEventSource, linger: Duration
  ) throws(NetlinkError) {
    try source.start(on: reactor, linger: linger, onMessage: onMessage, onBatch: onBatch)
  }
}
