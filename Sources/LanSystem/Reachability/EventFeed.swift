import LanCore
import LanWire

/// The event sockets of a monitor, set up after the number of addresses that it watches.
///
/// With few, one socket hears everything in its order, and a filter in the kernel drops the routes
/// that cannot matter. With many, routes come over a socket of their own that is emptied at
/// intervals, so that a storm of them costs a few wake-ups; once some were lost there, all targets
/// are looked up anyway, and until calm returns the queue may as well overflow. Neighbours, the
/// busiest group, always have a socket of their own.
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
  private let onLoss: (ReachabilityMachine.Loss) -> Void
  private var slow: Set<ReachabilityMachine.Loss> = []
  /// Short enough that a storm of routes does not overflow the queue that any user may have.
  private static let linger = Duration.milliseconds(10)
  /// The distance of looks at a queue that overflows.
  private static let longLinger = Duration.milliseconds(200)
  /// A batch with fewer messages is the end of a storm.
  private static let calmCount = 64

  init(
    _ reactor: Reactor, receiveBuffer: Int, recorder: NetlinkRecorder?,
    onMessage: @escaping NetlinkEventSource.MessageHandler,
    onBatch: @escaping (NetlinkEventSource.Batch) -> Void,
    onLoss: @escaping (ReachabilityMachine.Loss) -> Void
  ) {
    self.reactor = reactor
    self.receiveBuffer = receiveBuffer
    self.recorder = recorder
    self.onMessage = onMessage
    self.onBatch = onBatch
    self.onLoss = onLoss
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
    to addresses: [IPAddress], all: () -> [IPAddress]
  ) throws(NetlinkError) -> Bool {
    let isFirst = watched == nil
    // Every route is heard already.
    if routes != nil { return false }
    var wanted = (watched ?? []).union(addresses)
    if wanted == watched { return false }
    if wanted.count > RouteEventFilter.maximumTargets { wanted = Set(all()) }
    if isFirst {
      let new = try source([.neighbours])
      neighbours = new
      try start(new, .neighbours)
    }
    watched = wanted
    if let facts, facts.hearRoutes(to: Array(wanted)) { return false }
    if isFirst, try listenFiltered(wanted) { return false }
    let newFacts = try source(NetlinkGroup.facts)
    let newRoutes = try source(NetlinkGroup.routes)
    facts?.stop()
    (facts, routes) = (newFacts, newRoutes)
    try newFacts.start(on: reactor, onMessage: onMessage, onBatch: onBatch)
    try start(newRoutes, .routes)
    return !isFirst
  }

  /// One socket for everything but neighbours; false where there are too many addresses for it.
  private func listenFiltered(_ addresses: Set<IPAddress>) throws(NetlinkError) -> Bool {
    guard addresses.count <= RouteEventFilter.maximumTargets else { return false }
    let new = try source(NetlinkGroup.facts + NetlinkGroup.routes)
    guard new.hearRoutes(to: Array(addresses)) else { return false }
    try new.start(on: reactor, onMessage: onMessage, onBatch: onBatch)
    facts = new
    return true
  }

  func stop() {
    for source in [facts, routes, neighbours] { source?.stop() }
    (facts, routes, neighbours) = (nil, nil, nil)
  }

  private func source(_ groups: [NetlinkGroup]) throws(NetlinkError) -> NetlinkEventSource {
    try NetlinkEventSource(groups: groups, receiveBuffer: receiveBuffer, recorder: recorder)
  }

  /// Starts a socket whose messages may be many, and whose losses concern `kind` alone.
  private func start(
    _ source: NetlinkEventSource, _ kind: ReachabilityMachine.Loss
  ) throws(NetlinkError) {
    let linger = slow.contains(kind) ? Self.longLinger : Self.linger
    try source.start(on: reactor, linger: linger, onMessage: onMessage) {
      [weak self, weak source] batch in
      guard let self, let source else { return }
      var rest = batch
      rest.isOverrun = false
      onBatch(rest)
      if batch.isOverrun { onLoss(kind) }
      let isStorm = batch.isOverrun || slow.contains(kind) && batch.messages >= Self.calmCount
      if isStorm != slow.contains(kind) { change(source, kind, isSlow: isStorm) }
    }
  }

  /// Changes the distance of looks; not at once, since the source is at work.
  private func change(
    _ source: NetlinkEventSource, _ kind: ReachabilityMachine.Loss, isSlow: Bool
  ) {
    if isSlow { slow.insert(kind) } else { slow.remove(kind) }
    reactor.schedule(after: .zero) { [weak self, weak source] in
      guard let self, let source, source === routes || source === neighbours else { return }
      // Starts on a descriptor that is watched already, so that nothing can go wrong.
      try? start(source, kind)
    }
  }
}
