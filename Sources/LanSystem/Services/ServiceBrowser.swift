public import LanCore
import LanWire

/// Finds services on the links of this host by multicast DNS, and keeps an eye on them.
///
/// One search at a time; it runs until it is stopped. Everything happens on the reactor's thread:
/// `start`, `stop` and the properties belong there too; the streams may be read anywhere. What is
/// told comes in the same order to `onEvent`, the delegate and the streams; the delegate gets each
/// event once the next one, or the end of the batch, says whether more is coming.
public final class ServiceBrowser {
  /// What is searched for, and where.
  public struct Configuration: Hashable, Sendable {
    /// What is searched for; `interfaces` in it are numbers, and better left empty.
    public var search: ServiceBrowserMachine.Configuration
    /// The only interfaces, by name; empty for each that is fit for multicast DNS.
    public var interfaces: [String] = []
    /// The versions of IP that are spoken; not for a browser with a node of others.
    public var families: MDNSFamilies = .both
    /// Whether `start` fails where no interface can be used now.
    public var requiresInterface = true

    /// A search on every interface.
    public init(_ search: ServiceBrowserMachine.Configuration) { self.search = search }

    /// What a node for this search alone has set.
    var node: MDNSNode.Configuration {
      var node = MDNSNode.Configuration()
      node.interfaces = interfaces
      node.families = families
      node.isPassive = search.isPassive
      node.requiresInterface = requiresInterface
      return node
    }
  }

  /// Called with everything that the search tells, on the reactor's thread.
  public var onEvent: ((ServiceEvent) -> Void)?
  /// Called with what is amiss, on the reactor's thread.
  public var onDiagnostic: ((MDNSNodeDiagnostic) -> Void)?
  /// Is told the same in the manners of NSNetServiceBrowser.
  public weak var delegate: (any ServiceBrowserDelegate)?
  /// What is searched for, and where.
  public let configuration: Configuration
  /// Who speaks multicast DNS for the browser.
  public let node: MDNSNode
  /// True between `start` and `stop`.
  public private(set) var isSearching = false

  private let ownsNode: Bool
  private var machine: ServiceBrowserMachine
  private var links: Set<UInt32> = []
  private var held: ServiceEvent?
  private var isTelling = false
  /// Counts the searches, so that nothing of an earlier one is told in a later one.
  private var search = 0
  private var streams: [AsyncStream<ServiceEvent>.Continuation] = []

  /// A browser that does nothing yet, with a node of its own.
  public init(_ configuration: Configuration, on reactor: Reactor) {
    self.configuration = configuration
    node = MDNSNode(configuration.node, on: reactor)
    ownsNode = true
    machine = ServiceBrowserMachine(configuration.search)
  }

  /// A browser that does nothing yet and shares `node` with others; it starts the node if that is
  /// needed, and leaves it running.
  public init(_ configuration: Configuration, node: MDNSNode) {
    self.configuration = configuration
    self.node = node
    ownsNode = false
    machine = ServiceBrowserMachine(configuration.search)
  }

  // MARK: Searching

  /// Begins the search.
  ///
  /// - Throws: `ServiceBrowserError`; the delegate is told it too, unless a search is under way.
  public func start() throws(ServiceBrowserError) {
    guard !isSearching else { throw .alreadyActive }
    machine = ServiceBrowserMachine(configuration.search)
    (links, held) = ([], nil)
    search += 1
    delegate?.serviceBrowserWillSearch(self)
    do throws(MDNSError) {
      try node.start()
    } catch {
      delegate?.serviceBrowser(self, didNotSearch: .mdns(error))
      throw .mdns(error)
    }
    isSearching = true
    machine.start(at: MonotonicClock.now)
    node.add(self)
  }

  /// Ends the search and the streams; a second time does nothing.
  public func stop() {
    guard isSearching else { return }
    isSearching = false
    flush(moreComing: false)
    node.remove(self)
    if ownsNode { node.stop() }
    for stream in streams { stream.finish() }
    streams = []
    delegate?.serviceBrowserDidStopSearch(self)
  }

  /// The instances that are known, by name, then by link.
  public var services: [DiscoveredService] {
    machine.services.sorted {
      let (left, right) = ("\($0.name)", "\($1.name)")
      return left == right
        ? ($0.interfaceIndex ?? 0) < ($1.interfaceIndex ?? 0) : left < right
    }
  }

  /// What is told from now on, after an `added` for each instance that is known and the end of that
  /// batch.
  ///
  /// A consumer that falls behind loses the oldest of 4,096 and one more for each instance known at
  /// the beginning; one that ends does not end the search. `stop` ends the stream.
  public var events: AsyncStream<ServiceEvent> {
    let known = services
    let limit = 4_096 + known.count
    return AsyncStream(bufferingPolicy: .bufferingNewest(limit)) { stream in
      for service in known { stream.yield(.added(service)) }
      if !known.isEmpty { stream.yield(.batchEnded) }
      streams.append(stream)
    }
  }

  // MARK: Telling

  /// Tells what the machine has to tell.
  private func tellEvents() {
    // A listener that stops and starts in its call must not come in between.
    guard !isTelling else { return }
    isTelling = true
    defer { isTelling = false }
    while !machine.events.isEmpty {
      let events = machine.events
      machine.events = []
      let current = search
      for event in events where isSearching && search == current { tell(event) }
    }
  }

  private func tell(_ event: ServiceEvent) {
    streams.removeAll {
      // The consumer went: nobody else ends a stream before `stop`.
      if case .terminated = $0.yield(event) { true } else { false }
    }
    onEvent?(event)
    guard isSearching, delegate != nil else { return }
    switch event {
    case .batchEnded: flush(moreComing: false)
    case .added, .updated, .removed, .domainAdded, .domainRemoved:
      flush(moreComing: true)
      held = event
    case .typeAdded, .typeRemoved, .settled, .diagnostic: break
    }
  }

  /// Gives the delegate the event that was held back.
  private func flush(moreComing: Bool) {
    guard let event = held else { return }
    held = nil
    switch event {
    case .added(let service):
      delegate?.serviceBrowser(self, didFind: service, moreComing: moreComing)
    case .updated(let service):
      delegate?.serviceBrowser(self, didUpdate: service, moreComing: moreComing)
    case .removed(let service, let cause):
      delegate?.serviceBrowser(self, didRemove: service, cause: cause, moreComing: moreComing)
    case .domainAdded(let domain, let kind, _):
      delegate?.serviceBrowser(self, didFindDomain: domain, kind, moreComing: moreComing)
    case .domainRemoved(let domain, let kind, _):
      delegate?.serviceBrowser(self, didRemoveDomain: domain, kind, moreComing: moreComing)
    case .typeAdded, .typeRemoved, .batchEnded, .settled, .diagnostic: break
    }
  }
}

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
