public import LanCore
import LanWire

/// What several resolvers on one loop share: threads for the system's resolver, the hosts file, and
/// the multicast DNS node.
///
/// It belongs to the reactor's thread.
public final class ResolverContext {
  /// Where things are found, and who else is asked.
  public struct Configuration: Hashable, Sendable {
    /// The hosts file.
    public var hostsPath = "/etc/hosts"
    /// The order of the system's resolver.
    public var switchPath = "/etc/nsswitch.conf"
    /// The only interfaces for multicast DNS, by name; empty for all.
    public var interfaces: [String] = []
    /// Waits for an interface where there is none, instead of failing.
    public var waitsForInterface = false
    /// The DNS servers; empty for those of the system.
    public var servers: [SocketEndpoint] = []

    /// The system's files and servers.
    public init() {}
  }

  /// Where things are found, and who else is asked.
  public let configuration: Configuration
  /// The hosts file as it was at the start.
  public let hosts: HostsFile
  /// Whom the system's resolver asks.
  public let nameServices: NameServiceSwitch
  /// Called with what is amiss, on the reactor's thread.
  public var onDiagnostic: ((MDNSNodeDiagnostic) -> Void)?
  let reactor: Reactor
  let names: NameResolver
  let dns: UnicastResolver
  private var node: MDNSNode?
  private var ownsNode = true

  private static let sizeLimit = 16 << 20

  /// A context that asks nobody yet.
  ///
  /// - Parameters:
  ///   - configuration: Where things are found, and who else is asked.
  ///   - node: Who speaks multicast DNS, shared with others; nil for a node of its own.
  ///   - reactor: The loop that everything happens on.
  public init(
    _ configuration: Configuration = Configuration(), node: MDNSNode? = nil, on reactor: Reactor
  ) {
    self.configuration = configuration
    self.node = node
    ownsNode = node == nil
    var servers = UnicastResolver.Configuration()
    servers.servers = configuration.servers
    dns = UnicastResolver(servers, on: reactor)
    self.reactor = reactor
    names = NameResolver(reactor)
    hosts = HostsFile(SmallFile.read(configuration.hostsPath, limit: Self.sizeLimit) ?? [])
    nameServices = NameServiceSwitch(SmallFile.read(configuration.switchPath, limit: 1 << 16) ?? [])
  }

  /// Forgets all questions, and ends the node unless others have it too.
  public func stop() {
    names.stop()
    dns.cancelAll()
    guard ownsNode else { return }
    node?.stop()
    node = nil
  }

  /// Who speaks multicast DNS, begun if need be.
  func runningNode() throws(MDNSError) -> MDNSNode {
    let node = node ?? makeNode()
    self.node = node
    try node.start()
    return node
  }

  private func makeNode() -> MDNSNode {
    var settings = MDNSNode.Configuration()
    settings.interfaces = configuration.interfaces
    settings.requiresInterface = !configuration.waitsForInterface
    let node = MDNSNode(settings, on: reactor)
    node.onDiagnostic = { [weak self] in self?.onDiagnostic?($0) }
    return node
  }

  /// What the plan of a query rests on.
  func facts(_ query: ResolveQuery, isAll: Bool) -> ResolvePlan.Facts {
    var facts = ResolvePlan.Facts()
    facts.isAll = isAll
    facts.hasServer = !configuration.servers.isEmpty
    switch query.subject {
    case .host(let name): facts.isInHostsFile = !hosts.entries(of: name).isEmpty
    case .address(let address, let zone):
      facts.isInHostsFile = !hosts.entries(of: address, zone: zone).isEmpty
      facts.isOnLink = Self.isOnLink(address)
    case .service, .record: break
    }
    return facts
  }

  private static func isOnLink(_ address: IPAddress) -> Bool {
    guard !address.isLoopback, let interfaces = try? InterfaceList.multicast() else { return false }
    return interfaces.contains { interface in
      interface.addresses.contains { own in
        own.address.isIPv6 == address.isIPv6
          && own.address.commonPrefixLength(with: address) >= own.prefixLength
      }
    }
  }
}
