public import LanWire

/// A question to the kernel that an evaluation needs answered.
public enum KernelLookup: Hashable, Sendable {
  /// Which route a packet takes.
  case route(RouteLookup)
  /// The neighbour entry of a first hop.
  case neighbour(NeighbourKey)
  /// A next hop object, by its number.
  case nextHop(UInt32)
}

/// The kernel's answer to a `KernelLookup`.
public enum KernelReply: Hashable, Sendable {
  /// A route.
  case route(RouteAnswer)
  /// The state of a neighbour.
  case neighbour(NextHopState)
  /// A next hop object.
  case nextHop(NextHopObject)
  /// A refusal.
  case failure(LookupFailure)
}

/// A route as a look-up shows it.
public struct RouteAnswer: Hashable, Sendable {
  /// What the route does with packets.
  public var kind: RouteKind
  /// The routing table; before the first policy rule, local routes claim the main one.
  public var table: UInt32
  /// The prefix that matched; the destination itself in the answer to a plain question.
  public var prefix: IPPrefix
  /// Who made the route (`RTPROT_*`).
  public var originProtocol: UInt8
  /// The metric.
  public var priority: UInt32?
  /// The next hops: the chosen one for a plain question, all of them for a table match.
  public var legs: [RouteLeg]
  /// The address that packets would be sent from.
  public var source: IPAddress?
  /// Hundredths of a second until the route ends by itself; nil for never.
  public var expiresTicks: Int32?
  /// The number of the next hop object; its legs may have to be asked for.
  public var nextHopID: UInt32?

  /// A route with its next hops.
  public init(
    kind: RouteKind = .unicast, table: UInt32 = 254, prefix: IPPrefix, originProtocol: UInt8 = 0,
    legs: [RouteLeg] = [], source: IPAddress? = nil
  ) {
    self.kind = kind
    self.table = table
    self.prefix = prefix
    self.originProtocol = originProtocol
    self.legs = legs
    self.source = source
  }
}

/// A next hop object (`ip nexthop`).
public struct NextHopObject: Hashable, Sendable {
  /// The next hop; nil for a group or a blackhole.
  public var leg: RouteLeg?
  /// The numbers of a group's members.
  public var members: [UInt32]
  /// It drops packets.
  public var isBlackhole: Bool

  /// An object of its parts.
  public init(leg: RouteLeg? = nil, members: [UInt32] = [], isBlackhole: Bool = false) {
    self.leg = leg
    self.members = members
    self.isBlackhole = isBlackhole
  }
}

/// Why the kernel refused a question.
public enum LookupFailure: Hashable, Sendable {
  /// No route (ENETUNREACH); also an `unreachable` rule, and IPv6 switched off.
  case noRoute
  /// An `unreachable` route, or no entry in the tables (EHOSTUNREACH).
  case unreachable
  /// A `prohibit` route or rule (EACCES).
  case prohibited
  /// A `blackhole` route, rule or next hop (EINVAL without a text).
  case blackhole
  /// No such interface (ENODEV).
  case noSuchInterface
  /// The kernel lacks the family (EOPNOTSUPP, EAFNOSUPPORT).
  case familyUnavailable
  /// No such object (ENOENT).
  case notFound
  /// Anything else, among it a question that the kernel did not understand.
  case other(number: Int32, text: String?)

  /// What an error number means, with the text of the extended acknowledgement if there was one.
  public init(number: Int32, text: String?) {
    self =
      switch (number, text) {
      case (101, _): .noRoute
      case (113, _): .unreachable
      case (13, _): .prohibited
      case (22, nil): .blackhole
      case (19, _): .noSuchInterface
      case (95, _), (97, _): .familyUnavailable
      case (2, _): .notFound
      default: .other(number: number, text: text)
      }
  }

  /// The reason of a verdict that rests on the refusal.
  public var reason: VerdictReason {
    switch self {
    case .noRoute: .noRoute
    case .unreachable: .routeUnreachable
    case .prohibited: .routeProhibited
    case .blackhole: .routeBlackhole
    case .noSuchInterface: .noSuchInterface
    case .familyUnavailable: .familyUnavailable
    case .notFound, .other: .lookupFailed
    }
  }
}

extension RouteKind {
  /// Why packets do not go, for the kinds that refuse them; nil for those that take them.
  public var refusal: VerdictReason? {
    switch self {
    case .unicast, .local, .broadcast, .anycast, .multicast: nil
    case .blackhole: .routeBlackhole
    case .unreachable: .routeUnreachable
    case .prohibit: .routeProhibited
    case .throwAway: .noRoute
    case .other: .lookupFailed
    }
  }
}
