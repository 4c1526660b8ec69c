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
    /// The only interfaces for multicast DNS, by number; empty for all.
    public var interfaces: Set<UInt32> = []
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
  let reactor: Reactor
  let names: NameResolver

  private static let sizeLimit = 16 << 20

  /// A context that asks nobody yet.
  public init(_ configuration: Configuration = Configuration(), on reactor: Reactor) {
    self.configuration = configuration
    self.reactor = reactor
    names = NameResolver(reactor)
    hosts = HostsFile(SmallFile.read(configuration.hostsPath, limit: Self.sizeLimit) ?? [])
    nameServices = NameServiceSwitch(SmallFile.read(configuration.switchPath, limit: 1 << 16) ?? [])
  }

  /// Forgets all questions.
  public func stop() { names.stop() }

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
