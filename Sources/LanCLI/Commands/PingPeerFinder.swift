import LanCore
import LanSystem
import LanWire

/// A peer that was found, on whatever links it is.
struct FoundPeer: Hashable {
  var name: ServiceInstanceName
  /// The same instance on each link.
  var services: [DiscoveredService]

  /// The instance's name, for people.
  var title: String { String(decoding: name.instance, as: UTF8.self) }
  /// True for a service of this host.
  var isOwn: Bool { services.contains(where: \.isOwn) }
  /// True once something is known that can be connected to.
  var isComplete: Bool { services.contains { $0.isComplete && !$0.isPlaceholder } }

  /// The peers of a list of services, by name.
  static func list(_ services: [DiscoveredService]) -> [FoundPeer] {
    var peers: [FoundPeer] = []
    for service in services {
      if let index = peers.firstIndex(where: { $0.name.name == service.name }) {
        peers[index].services.append(service)
      } else if let name = ServiceInstanceName(service.name) {
        peers.append(FoundPeer(name: name, services: [service]))
      }
    }
    return peers.sorted {
      ($0.title.lowercased(), "\($0.name.type)") < ($1.title.lowercased(), "\($1.name.type)")
    }
  }
}

/// Looks for services for a while, before anything is measured.
final class PingPeerFinder {
  /// Called when the list is different, and no more is at hand.
  var onChange: (() -> Void)?
  /// Called once, when the list is as complete as one can know, or the time is over.
  var onEnd: (() -> Void)?

  private let browser: ServiceBrowser
  private let reactor: Reactor
  private var timer: TimerToken?
  private(set) var isOver = false

  init(
    _ types: [ServiceType], _ configuration: PingPeerConfiguration, node: MDNSNode,
    on reactor: Reactor
  ) {
    var search = ServiceBrowserMachine.Configuration(domain: .local)
    search.types = types
    search.families = configuration.families
    self.reactor = reactor
    browser = ServiceBrowser(ServiceBrowser.Configuration(search), node: node)
  }

  /// Begins; it ends after `patience` at the latest.
  func start(_ patience: Duration) throws(ServiceBrowserError) {
    browser.onEvent = { [unowned self] event in
      switch event {
      case .batchEnded: onChange?()
      case .settled: end()
      default: break
      }
    }
    try browser.start()
    timer = reactor.schedule(after: patience) { [unowned self] in end() }
  }

  /// The peers that are known.
  var peers: [FoundPeer] { FoundPeer.list(browser.services) }

  /// Goes on with the search as long as somebody is choosing; `onEnd` has been called then.
  private func end() {
    guard !isOver else { return }
    isOver = true
    onEnd?()
  }

  /// Ends the search: no question is asked any more, and nothing is told.
  func stop() {
    isOver = true
    if let timer { reactor.cancel(timer) }
    timer = nil
    (onChange, onEnd) = (nil, nil)
    browser.stop()
  }
}
