public import LanWire

/// One next hop of a route.
public struct RouteLeg: Hashable, Sendable {
  /// The number of the interface; 0 where the kernel named none.
  public var interfaceIndex: UInt32
  /// The gateway; nil for a destination on the link.
  public var gateway: IPAddress?
  /// The kernel does not use it.
  public var isDead: Bool
  /// Its link lost the carrier.
  public var isLinkDown: Bool
  /// The route wraps packets (MPLS, segment routing, lightweight tunnels).
  public var isEncapsulated: Bool

  /// A next hop.
  public init(
    interfaceIndex: UInt32, gateway: IPAddress? = nil, isDead: Bool = false,
    isLinkDown: Bool = false, isEncapsulated: Bool = false
  ) {
    self.interfaceIndex = interfaceIndex
    self.gateway = gateway
    self.isDead = isDead
    self.isLinkDown = isLinkDown
    self.isEncapsulated = isEncapsulated
  }
}

/// A route that a message told.
public struct RouteChange: Hashable, Sendable {
  /// Where it leads.
  public var destination: IPPrefix
  /// What it does with packets.
  public var kind: RouteKind
  /// The routing table.
  public var table: UInt32
  /// The metric; lower is better.
  public var priority: UInt32
  /// The next hops; may be left out for a route that is no default route.
  public var legs: [RouteLeg]
  /// The message replaces what was there (NLM_F_REPLACE).
  public var isReplacement: Bool

  /// A route as a message told it.
  public init(
    _ destination: IPPrefix, kind: RouteKind = .unicast, table: UInt32 = 254,
    priority: UInt32 = 0, legs: [RouteLeg] = [], isReplacement: Bool = false
  ) {
    self.destination = destination
    self.kind = kind
    self.table = table
    self.priority = priority
    self.legs = legs
    self.isReplacement = isReplacement
  }

  /// True if the route leads everywhere, or to a half of everything.
  ///
  /// The rule: unicast, and a prefix length of 0 (all) or 1 (the halves that tunnels install so
  /// that they win over the default route), or 2000::/3. A host route to the zero address is
  /// neither, nor is a route that refuses.
  public var isDefault: Bool {
    guard kind == .unicast, table != 255 else { return false }
    if destination.length <= 1 { return true }
    guard case .v6(let address) = destination.address else { return false }
    return destination.length == 3 && address.high >> 61 == 1
  }
}

/// What a route does with packets (`RTN_*`).
public enum RouteKind: String, Hashable, Sendable, CaseIterable {
  /// Sends them on.
  case unicast
  /// Takes them in.
  case local
  /// Sends them to all.
  case broadcast
  /// Takes them in, as one of several hosts.
  case anycast
  /// Sends them to a group.
  case multicast
  /// Drops them silently.
  case blackhole
  /// Refuses them: unreachable.
  case unreachable
  /// Refuses them: prohibited.
  case prohibit
  /// Leaves them to the next table.
  case throwAway = "throw"
  /// Something else.
  case other
}
