/// Why a target is not reachable, or why nothing can be said about it.
public enum VerdictReason: String, Hashable, Sendable, CaseIterable {
  /// Nothing is known yet.
  case pending
  /// No route covers the destination.
  case noRoute = "no-route"
  /// An `unreachable` route covers it.
  case routeUnreachable = "route-unreachable"
  /// A `prohibit` route or rule covers it.
  case routeProhibited = "route-prohibited"
  /// A `blackhole` route, rule or next hop covers it.
  case routeBlackhole = "route-blackhole"
  /// The interface that was asked for does not exist.
  case noSuchInterface = "no-such-interface"
  /// An IPv6 link-local address without an interface would lead to an arbitrary one.
  case ambiguousScope = "ambiguous-scope"
  /// The kernel lacks the address family.
  case familyUnavailable = "family-unavailable"
  /// The kernel refused the question.
  case lookupFailed = "lookup-failed"
  /// The link of the way is switched off.
  case linkDown = "link-down"
  /// The link of the way has no carrier.
  case noCarrier = "no-carrier"
  /// The link has a carrier but is not operational (testing, lower layer down).
  case linkNotOperational = "link-not-operational"
  /// A protocol daemon holds the link down.
  case protocolDown = "proto-down"
  /// The link waits for something that does not come by itself, such as authentication.
  case linkDormant = "link-dormant"
  /// A radio is blocked by switch or software.
  case radioBlocked = "radio-blocked"
  /// A bridge, bond or team has no member.
  case noMembers = "no-members"
  /// The kernel marks every next hop as dead.
  case nextHopsDead = "next-hops-dead"
  /// The loopback is switched off, so that own addresses are deaf.
  case loopbackDown = "loopback-down"
  /// There is no usable address to send from.
  case noSource = "no-source"
  /// The only source address is still being checked for duplicates.
  case sourceTentative = "source-tentative"
  /// The only source address is a duplicate of another host's.
  case sourceFailed = "source-dadfailed"
  /// The only source address is link-local, the target is not.
  case sourceLinkLocal = "source-linklocal"
  /// The local address of a pair is none of this host's.
  case sourceForeign = "source-not-local"
  /// The local address of a pair and its remote address are of different families.
  case sourceFamily = "source-family"
  /// The name does not exist.
  case nameNotFound = "name-not-found"
  /// The resolver could not tell whether the name exists.
  case resolverFailed = "resolver-failed"
}
