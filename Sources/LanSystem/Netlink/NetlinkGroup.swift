/// A multicast group of rtnetlink (`RTNLGRP_*`), or one of a generic family by its number.
public struct NetlinkGroup: Hashable, Sendable {
  /// The number.
  public var rawValue: UInt32

  /// The group of number `rawValue`.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Links.
  public static let links = NetlinkGroup(rawValue: 1)
  /// Neighbours: the busiest group, for a source of its own.
  public static let neighbours = NetlinkGroup(rawValue: 3)
  /// IPv4 addresses.
  public static let ipv4Addresses = NetlinkGroup(rawValue: 5)
  /// IPv4 routes.
  public static let ipv4Routes = NetlinkGroup(rawValue: 7)
  /// IPv4 policy rules.
  public static let ipv4Rules = NetlinkGroup(rawValue: 8)
  /// IPv6 addresses.
  public static let ipv6Addresses = NetlinkGroup(rawValue: 9)
  /// IPv6 routes.
  public static let ipv6Routes = NetlinkGroup(rawValue: 11)
  /// IPv6 settings of links.
  public static let ipv6Links = NetlinkGroup(rawValue: 12)
  /// IPv6 prefixes that routers announce.
  public static let ipv6Prefixes = NetlinkGroup(rawValue: 18)
  /// IPv6 policy rules.
  public static let ipv6Rules = NetlinkGroup(rawValue: 19)
  /// Options of router advertisements for user space.
  public static let routerOptions = NetlinkGroup(rawValue: 20)
  /// IPv4 settings such as forwarding.
  public static let ipv4Settings = NetlinkGroup(rawValue: 24)
  /// IPv6 settings such as forwarding.
  public static let ipv6Settings = NetlinkGroup(rawValue: 25)
  /// Next hop objects (Linux 5.3 and later).
  public static let nextHops = NetlinkGroup(rawValue: 32)

  /// What tells of links, addresses, rules, settings and next hops: rare, and worth each message.
  public static let facts: [NetlinkGroup] = [
    .links, .ipv4Addresses, .ipv6Addresses, .ipv4Rules, .ipv6Rules, .ipv6Links, .ipv6Prefixes,
    .routerOptions, .ipv4Settings, .ipv6Settings, .nextHops,
  ]
  /// The routes of both families: perhaps many, and only a sign that something changed.
  public static let routes: [NetlinkGroup] = [.ipv4Routes, .ipv6Routes]
}
