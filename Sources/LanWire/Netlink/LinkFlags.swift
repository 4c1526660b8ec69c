/// The flags of a link (`IFF_*` of netdevice(7)).
@frozen public struct LinkFlags: OptionSet, Hashable, Sendable {
  /// The kernel's bits.
  public var rawValue: UInt32

  /// Flags of the kernel's bits.
  @inlinable public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Switched on.
  public static let up = LinkFlags(rawValue: 0x1)
  /// Broadcast works.
  public static let broadcast = LinkFlags(rawValue: 0x2)
  /// The loopback.
  public static let loopback = LinkFlags(rawValue: 0x8)
  /// A point-to-point link.
  public static let pointToPoint = LinkFlags(rawValue: 0x10)
  /// Operational by RFC 2863; not the carrier.
  public static let running = LinkFlags(rawValue: 0x40)
  /// No neighbour resolution.
  public static let noARP = LinkFlags(rawValue: 0x80)
  /// Multicast works.
  public static let multicast = LinkFlags(rawValue: 0x1000)
  /// The driver says that there is a carrier.
  public static let lowerUp = LinkFlags(rawValue: 0x10000)
  /// The driver says that the link is dormant.
  public static let dormant = LinkFlags(rawValue: 0x20000)
}

/// The operational state of a link (RFC 2863 with the kernel's numbers, `IF_OPER_*`).
@frozen public struct OperationalState: Hashable, Sendable {
  /// The kernel's number.
  public var rawValue: UInt8

  /// The state of number `rawValue`.
  @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The driver does not tell: the carrier decides.
  public static let unknown = OperationalState(rawValue: 0)
  /// Parts are missing.
  public static let notPresent = OperationalState(rawValue: 1)
  /// Down.
  public static let down = OperationalState(rawValue: 2)
  /// Down because of a link below.
  public static let lowerLayerDown = OperationalState(rawValue: 3)
  /// Being tested.
  public static let testing = OperationalState(rawValue: 4)
  /// Waiting for something outside, such as authentication or a packet to send.
  public static let dormant = OperationalState(rawValue: 5)
  /// Up.
  public static let up = OperationalState(rawValue: 6)
}

/// What a link's next upward transition leads to (`IF_LINK_MODE_*`).
@frozen public struct LinkMode: Hashable, Sendable {
  /// The kernel's number.
  public var rawValue: UInt8

  /// The mode of number `rawValue`.
  @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The link goes up.
  public static let normal = LinkMode(rawValue: 0)
  /// The link stops at dormant until user space releases it.
  public static let dormant = LinkMode(rawValue: 1)
  /// The link stops at testing.
  public static let testing = LinkMode(rawValue: 2)
}

/// The hardware type of a link (`ARPHRD_*`).
@frozen public struct HardwareType: Hashable, Sendable {
  /// The kernel's number.
  public var rawValue: UInt16

  /// The type of number `rawValue`.
  @inlinable public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// Ethernet and what looks like it.
  public static let ethernet = HardwareType(rawValue: 1)
  /// Serial Line IP.
  public static let slip = HardwareType(rawValue: 256)
  /// InfiniBand.
  public static let infiniband = HardwareType(rawValue: 32)
  /// PPP.
  public static let ppp = HardwareType(rawValue: 512)
  /// IP without a link header, as modems have it.
  public static let rawIP = HardwareType(rawValue: 519)
  /// An IPv4 tunnel.
  public static let tunnel = HardwareType(rawValue: 768)
  /// An IPv6 tunnel.
  public static let tunnel6 = HardwareType(rawValue: 769)
  /// The loopback.
  public static let loopback = HardwareType(rawValue: 772)
  /// IPv6 in IPv4.
  public static let sit = HardwareType(rawValue: 776)
  /// GRE over IPv4.
  public static let ipGRE = HardwareType(rawValue: 778)
  /// IEEE 802.11.
  public static let wireless = HardwareType(rawValue: 801)
  /// IEEE 802.11 with a Prism header.
  public static let wirelessPrism = HardwareType(rawValue: 802)
  /// IEEE 802.11 with a radiotap header.
  public static let wirelessRadiotap = HardwareType(rawValue: 803)
  /// The data pipe of a Phonet modem.
  public static let phonetPipe = HardwareType(rawValue: 821)
  /// GRE over IPv6.
  public static let ip6GRE = HardwareType(rawValue: 823)
  /// A netlink monitor.
  public static let netlink = HardwareType(rawValue: 824)
  /// IPv6 over low-power networks.
  public static let lowPAN = HardwareType(rawValue: 825)
  /// No hardware at all.
  public static let none = HardwareType(rawValue: 0xFFFE)
}
