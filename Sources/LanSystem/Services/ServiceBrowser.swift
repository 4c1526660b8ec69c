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

  let ownsNode: Bool
  var machine: ServiceBrowserMachine
  var links: Set<UInt32> = []
  private var held: ServiceEvent?
  private var isTelling = false
  /// Counts the searches, so that nothing of an earlier one is told in a later one.
  private var search = 0
  private var streams = EventStreams<ServiceEvent>()

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
    streams.finish()
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
    streams.add(knowing: services)
  }

  // MARK: Telling

  /// Tells what the machine has to tell.
  func tellEvents() {
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
    streams.tell(event)
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

extension EventStreams<ServiceEvent> {
  /// A stream that begins with an `added` for each instance that is known and the end of that batch.
  mutating func add(knowing services: [DiscoveredService]) -> AsyncStream<ServiceEvent> {
    add(after: services.isEmpty ? [] : services.map { .added($0) } + [.batchEnded])
  }
}
