public import LanCore
public import LanWire

/// Why a browser does not search.
public enum ServiceBrowserError: Error, Hashable, Sendable {
  /// It searches already: one search at a time.
  case alreadyActive
  /// What is to be searched for makes no sense; the reason is for people.
  case badArgument(String)
  /// Multicast DNS cannot be spoken.
  case mdns(MDNSError)

  /// The number that NSNetServices has for it.
  public var code: Int {
    switch self {
    case .alreadyActive: -72003
    case .badArgument: -72004
    case .mdns(.unknownInterface): -72004
    case .mdns(.noMulticastInterface), .mdns(.portInUse): -72006
    case .mdns: -72000
    }
  }
}

extension ServiceBrowserError: CustomStringConvertible {
  /// The reason, and what to do, in one line.
  public var description: String {
    switch self {
    case .alreadyActive: "the browser searches already; stop it first"
    case .badArgument(let reason): reason
    case .mdns(let error): "\(error)"
    }
  }
}

/// Is told what a `ServiceBrowser` finds, in the order and manners of NSNetServiceBrowser.
///
/// Called on the reactor's thread. `moreComing` is false when nothing waits now: the moment to
/// sort and to redraw; it does not mean that the search is over, which runs until it is stopped.
public protocol ServiceBrowserDelegate: AnyObject {
  /// The search begins; comes before anything else.
  func serviceBrowserWillSearch(_ browser: ServiceBrowser)
  /// The search could not begin.
  func serviceBrowser(_ browser: ServiceBrowser, didNotSearch reason: ServiceBrowserError)
  /// The search was stopped; nothing comes after it.
  func serviceBrowserDidStopSearch(_ browser: ServiceBrowser)
  /// An instance was found.
  func serviceBrowser(
    _ browser: ServiceBrowser, didFind service: DiscoveredService, moreComing: Bool)
  /// Something about an instance is different.
  func serviceBrowser(
    _ browser: ServiceBrowser, didUpdate service: DiscoveredService, moreComing: Bool)
  /// An instance went.
  func serviceBrowser(
    _ browser: ServiceBrowser, didRemove service: DiscoveredService, cause: MDNSRemovalCause,
    moreComing: Bool)
  /// A domain is recommended.
  func serviceBrowser(
    _ browser: ServiceBrowser, didFindDomain domain: DNSName, _ kind: BrowsingDomainKind,
    moreComing: Bool)
  /// A domain is recommended no more.
  func serviceBrowser(
    _ browser: ServiceBrowser, didRemoveDomain domain: DNSName, _ kind: BrowsingDomainKind,
    moreComing: Bool)
}

extension ServiceBrowserDelegate {
  /// Does nothing.
  public func serviceBrowserWillSearch(_ browser: ServiceBrowser) {}
  /// Does nothing.
  public func serviceBrowser(_ browser: ServiceBrowser, didNotSearch reason: ServiceBrowserError) {}
  /// Does nothing.
  public func serviceBrowserDidStopSearch(_ browser: ServiceBrowser) {}
  /// Does nothing.
  public func serviceBrowser(
    _ browser: ServiceBrowser, didFind service: DiscoveredService, moreComing: Bool
  ) {}
  /// Does nothing.
  public func serviceBrowser(
    _ browser: ServiceBrowser, didUpdate service: DiscoveredService, moreComing: Bool
  ) {}
  /// Does nothing.
  public func serviceBrowser(
    _ browser: ServiceBrowser, didRemove service: DiscoveredService, cause: MDNSRemovalCause,
    moreComing: Bool
  ) {}
  /// Does nothing.
  public func serviceBrowser(
    _ browser: ServiceBrowser, didFindDomain domain: DNSName, _ kind: BrowsingDomainKind,
    moreComing: Bool
  ) {}
  /// Does nothing.
  public func serviceBrowser(
    _ browser: ServiceBrowser, didRemoveDomain domain: DNSName, _ kind: BrowsingDomainKind,
    moreComing: Bool
  ) {}
}
