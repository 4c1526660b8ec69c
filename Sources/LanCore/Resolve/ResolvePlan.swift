import LanWire

/// Somebody who can be asked.
public enum ResolveSource: Hashable, Sendable, CaseIterable {
  /// The hosts file alone.
  case hosts
  /// The system's resolver: nsswitch and with it the hosts file.
  case system
  /// Multicast DNS.
  case mdns
  /// Conventional DNS.
  case dns
  /// Conventional DNS, provided that it serves `local` (an SOA record of `local.` says so).
  case dnsIfLocalIsServed
}

/// Who is asked about a query, and whose answers count.
public struct ResolvePlan: Hashable, Sendable {
  /// What the plan rests on.
  public struct Facts: Hashable, Sendable {
    /// The hosts file has the name or address.
    public var isInHostsFile = false
    /// The address is on a link of this host.
    public var isOnLink = false
    /// The caller named a DNS server.
    public var hasServer = false
    /// Every source is to be shown.
    public var isAll = false

    /// None of it.
    public init() {}
  }

  /// Whose answers count; all are asked at once.
  public var deciding: [ResolveSource]
  /// Asked only to see whether they contradict.
  public var checking: [ResolveSource] = []

  /// The plan for a query (RFC 6762 sections 3 and 4).
  ///
  /// The hosts file comes first, by way of the system's resolver; `local` and the link-local
  /// reverse names go to multicast DNS, and where DNS serves `local`, or a host name in it has
  /// three labels or more, to DNS as well; reverse names of on-link addresses go to both.
  public init(_ query: ResolveQuery, _ facts: Facts) {
    let isLocal = query.name?.isLinkLocal ?? false
    switch query.subject {
    case .host:
      if facts.hasServer {
        deciding = [.dns]
      } else if facts.isInHostsFile {
        deciding = [.system]
        if isLocal { checking = [.mdns] }
      } else if isLocal {
        deciding = [.mdns, Self.dns(beside: query)]
      } else {
        deciding = [.system]
      }
    case .address:
      if facts.hasServer {
        deciding = [.dns]
      } else if facts.isInHostsFile {
        deciding = [.system]
      } else if isLocal {
        deciding = [.mdns]
      } else {
        deciding = facts.isOnLink ? [.mdns, .system] : [.system]
      }
    case .service(let service):
      let isMulticast = service.domain.isLinkLocal && !facts.hasServer
      deciding = isMulticast ? [.mdns, .dnsIfLocalIsServed] : [.dns]
    case .record:
      deciding = isLocal && !facts.hasServer ? [.mdns, Self.dns(beside: query)] : [.dns]
    }
    if facts.isAll { showAll(query, isLocal, facts) }
  }

  /// A single label below `local` is a multicast name; more of them may be somebody's zone.
  private static func dns(beside query: ResolveQuery) -> ResolveSource {
    guard let name = query.name, name.hasSuffix(.local), name.labelCount >= 3 else {
      return .dnsIfLocalIsServed
    }
    let isService = name.labels.contains { $0.first == UInt8(ascii: "_") }
    return isService ? .dnsIfLocalIsServed : .dns
  }

  private mutating func showAll(_ query: ResolveQuery, _ isLocal: Bool, _ facts: Facts) {
    var all = deciding + checking
    switch query.subject {
    case .host:
      all = [.hosts, .system] + (isLocal ? [.mdns] : []) + [.dns]
    case .address:
      all = [.hosts, .system] + (isLocal || facts.isOnLink ? [.mdns] : []) + [.dns]
    case .service, .record: break
    }
    deciding = all
    checking = []
  }
}
