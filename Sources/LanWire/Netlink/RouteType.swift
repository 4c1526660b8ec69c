/// What a route does with a packet (`RTN_*`).
@frozen public struct RouteType: Hashable, Sendable {
  /// The kernel's number.
  public var rawValue: UInt8

  /// The type of number `rawValue`.
  @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Sends it to a gateway or a link.
  public static let unicast = RouteType(rawValue: 1)
  /// Takes it: an own address.
  public static let local = RouteType(rawValue: 2)
  /// Takes it as broadcast, and sends it as such.
  public static let broadcast = RouteType(rawValue: 3)
  /// Takes it as broadcast, but sends it to one.
  public static let anycast = RouteType(rawValue: 4)
  /// A group.
  public static let multicast = RouteType(rawValue: 5)
  /// Drops it silently.
  public static let blackhole = RouteType(rawValue: 6)
  /// Refuses it: unreachable.
  public static let unreachable = RouteType(rawValue: 7)
  /// Refuses it: prohibited.
  public static let prohibit = RouteType(rawValue: 8)
  /// Goes on with the next policy rule.
  public static let `throw` = RouteType(rawValue: 9)
}

/// Flags of one next hop (`RTNH_F_*`).
@frozen public struct NextHopFlags: OptionSet, Hashable, Sendable {
  /// The kernel's bits.
  public var rawValue: UInt32

  /// Flags of the kernel's bits.
  @inlinable public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Not usable.
  public static let dead = NextHopFlags(rawValue: 0x1)
  /// The gateway is on the link whatever the addresses say.
  public static let onLink = NextHopFlags(rawValue: 0x4)
  /// The link has no carrier.
  public static let linkDown = NextHopFlags(rawValue: 0x10)
}

/// One way out of a route: a leg of a multipath route, or the only one.
public struct RouteNextHop: Hashable, Sendable {
  /// The index of the link; 0 where the message has none.
  public var index: UInt32
  /// The gateway, of either family; nil for a destination on the link.
  public var gateway: IPAddress?
  /// Its flags; told only by look-ups with `matchesFIB` and by events.
  public var flags: NextHopFlags
  /// Its share of the flows.
  public var weight: UInt16
  /// What packets are wrapped into (`LWTUNNEL_ENCAP_*`); nil for nothing.
  public var encapsulation: UInt16?

  /// A next hop from its facts.
  public init(
    index: UInt32, gateway: IPAddress? = nil, flags: NextHopFlags = [], weight: UInt16 = 1,
    encapsulation: UInt16? = nil
  ) {
    self.index = index
    self.gateway = gateway
    self.flags = flags
    self.weight = weight
    self.encapsulation = encapsulation
  }
}
