/// The type of a netlink message: those of every protocol, then those of rtnetlink.
///
/// Above 15 the meaning is the protocol's own: in generic netlink it is the number of a family.
@frozen public struct NetlinkType: Hashable, Sendable {
  /// The number on the wire.
  public var rawValue: UInt16

  /// The type of number `rawValue`.
  @inlinable public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// Nothing: to be skipped (NLMSG_NOOP).
  public static let noop = NetlinkType(rawValue: 1)
  /// An error or, with number 0, an acknowledgement (NLMSG_ERROR).
  public static let error = NetlinkType(rawValue: 2)
  /// The end of a dump (NLMSG_DONE).
  public static let done = NetlinkType(rawValue: 3)
  /// Data was lost (NLMSG_OVERRUN).
  public static let overrun = NetlinkType(rawValue: 4)

  /// A link is there or changed.
  public static let newLink = NetlinkType(rawValue: 16)
  /// A link went.
  public static let deleteLink = NetlinkType(rawValue: 17)
  /// Asks for links.
  public static let getLink = NetlinkType(rawValue: 18)
  /// An address is there or changed.
  public static let newAddress = NetlinkType(rawValue: 20)
  /// An address went.
  public static let deleteAddress = NetlinkType(rawValue: 21)
  /// Asks for addresses.
  public static let getAddress = NetlinkType(rawValue: 22)
  /// A route is there or changed, or is the answer of a look-up.
  public static let newRoute = NetlinkType(rawValue: 24)
  /// A route went.
  public static let deleteRoute = NetlinkType(rawValue: 25)
  /// Looks a route up.
  public static let getRoute = NetlinkType(rawValue: 26)
  /// A neighbour is there or changed.
  public static let newNeighbour = NetlinkType(rawValue: 28)
  /// A neighbour went.
  public static let deleteNeighbour = NetlinkType(rawValue: 29)
  /// Asks for neighbours.
  public static let getNeighbour = NetlinkType(rawValue: 30)
  /// A policy rule is there.
  public static let newRule = NetlinkType(rawValue: 32)
  /// A policy rule went.
  public static let deleteRule = NetlinkType(rawValue: 33)
  /// Asks for policy rules.
  public static let getRule = NetlinkType(rawValue: 34)
  /// An IPv6 prefix was announced by a router.
  public static let newPrefix = NetlinkType(rawValue: 52)
  /// A router announced an option for user space.
  public static let newUserOption = NetlinkType(rawValue: 68)
  /// A setting of an interface changed.
  public static let newNetconf = NetlinkType(rawValue: 80)
  /// A next hop object is there or changed.
  public static let newNextHop = NetlinkType(rawValue: 104)
  /// A next hop object went.
  public static let deleteNextHop = NetlinkType(rawValue: 105)
  /// Asks for next hop objects.
  public static let getNextHop = NetlinkType(rawValue: 106)

  /// The controller family of generic netlink (GENL_ID_CTRL).
  public static let genericController = NetlinkType(rawValue: 16)
}

/// The address family in the first byte of most rtnetlink messages, as Linux numbers it.
@frozen public struct NetlinkAddressFamily: Hashable, Sendable {
  /// The number, as in AF_INET.
  public var rawValue: UInt8

  /// The family of number `rawValue`.
  @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// All families, or none.
  public static let unspecified = NetlinkAddressFamily(rawValue: 0)
  /// IPv4.
  public static let ipv4 = NetlinkAddressFamily(rawValue: 2)
  /// The ports of bridges: link messages of this family do not tell the state of the link.
  public static let bridge = NetlinkAddressFamily(rawValue: 7)
  /// IPv6.
  public static let ipv6 = NetlinkAddressFamily(rawValue: 10)

  /// The family of an address.
  @inlinable public init(of address: IPAddress) { self = address.isIPv6 ? .ipv6 : .ipv4 }
}
