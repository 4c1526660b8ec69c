/// A message of rtnetlink by its meaning.
public enum RouteNetlinkEvent: Hashable, Sendable {
  /// A link is there or changed.
  case link(LinkMessage)
  /// A link went.
  case linkRemoved(LinkMessage)
  /// An address is there or changed.
  case address(AddressMessage)
  /// An address went.
  case addressRemoved(AddressMessage)
  /// A route is there or changed.
  case route(RouteMessage)
  /// A route went.
  case routeRemoved(RouteMessage)
  /// A policy rule is there.
  case rule(RuleMessage)
  /// A policy rule went.
  case ruleRemoved(RuleMessage)
  /// A neighbour is there or changed.
  case neighbour(NeighbourMessage)
  /// A neighbour went.
  case neighbourRemoved(NeighbourMessage)
  /// A next hop object is there or changed.
  case nextHop(NextHopMessage)
  /// A next hop object went.
  case nextHopRemoved(NextHopMessage)
  /// A router announced options for user space.
  case routerOption(RouterOptionMessage)
  /// Another message, whose coming is all that is known here.
  case other(NetlinkType)

  /// Reads `message` from the bytes that it was found in.
  ///
  /// - Throws: `.truncated` or `.badLength`.
  public init(_ message: NetlinkMessage, in bytes: Span<UInt8>) throws(WireError) {
    switch message.header.type {
    case .newLink: self = .link(try LinkMessage(message, in: bytes))
    case .deleteLink: self = .linkRemoved(try LinkMessage(message, in: bytes))
    case .newAddress: self = .address(try AddressMessage(message, in: bytes))
    case .deleteAddress: self = .addressRemoved(try AddressMessage(message, in: bytes))
    case .newRoute: self = .route(try RouteMessage(message, in: bytes))
    case .deleteRoute: self = .routeRemoved(try RouteMessage(message, in: bytes))
    case .newRule: self = .rule(try RuleMessage(message, in: bytes))
    case .deleteRule: self = .ruleRemoved(try RuleMessage(message, in: bytes))
    case .newNeighbour: self = .neighbour(try NeighbourMessage(message, in: bytes))
    case .deleteNeighbour: self = .neighbourRemoved(try NeighbourMessage(message, in: bytes))
    case .newNextHop: self = .nextHop(try NextHopMessage(message, in: bytes))
    case .deleteNextHop: self = .nextHopRemoved(try NextHopMessage(message, in: bytes))
    case .newUserOption: self = .routerOption(try RouterOptionMessage(message, in: bytes))
    default: self = .other(message.header.type)
    }
  }
}
