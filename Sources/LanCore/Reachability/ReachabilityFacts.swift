public import LanWire

/// A policy rule, as far as it can be told which one led to a table.
public struct PolicyRule: Hashable, Sendable {
  /// True for IPv6.
  public var isIPv6: Bool
  /// Its place; lower comes first.
  public var priority: UInt32
  /// The table that it leads to; nil for a rule that refuses.
  public var table: UInt32?
  /// The firewall mark that it asks for.
  public var mark: UInt32?
  /// The bits of the mark that it looks at.
  public var mask: UInt32 = .max
  /// True if it holds for all others instead.
  public var isInverted = false

  /// A rule of its parts.
  public init(isIPv6: Bool, priority: UInt32, table: UInt32?, mark: UInt32? = nil) {
    self.isIPv6 = isIPv6
    self.priority = priority
    self.table = table
    self.mark = mark
  }
}

/// What routers of a link announced for user space.
public struct RouterNotice: Hashable, Sendable {
  /// What was announced.
  public enum Content: Hashable, Sendable {
    /// The address of a captive portal's API (RFC 8910).
    case portal(String)
    /// A NAT64 prefix (RFC 8781).
    case nat64(IPPrefix)
  }

  /// The number of the interface.
  public var interfaceIndex: UInt32
  /// What was announced.
  public var content: Content
  /// The router.
  public var router: IPAddress?
  /// Seconds for which it holds; nil where the announcement does not say, 0 takes it back.
  public var lifetimeSeconds: UInt32?

  /// A notice of its parts.
  public init(
    interfaceIndex: UInt32, content: Content, router: IPAddress? = nil,
    lifetimeSeconds: UInt32? = nil
  ) {
    self.interfaceIndex = interfaceIndex
    self.content = content
    self.router = router
    self.lifetimeSeconds = lifetimeSeconds
  }
}

/// All that is known of the host apart from the answers to look-ups.
public struct ReachabilityFacts: Sendable {
  /// The links.
  public var links = LinkTable()
  /// The addresses.
  public var addresses = AddressTable()
  /// The first hops.
  public var neighbours = NeighbourTable()
  /// The policy rules, if they were asked for.
  public var rules: [PolicyRule] = []
  /// What sysfs says, by link.
  public var devices: [UInt32: DeviceFacts] = [:]
  /// What nl80211 says, by link.
  public var wireless: [UInt32: WirelessFacts] = [:]
  /// The radio switches; nil where the kernel does not tell.
  public var radios: [RadioSwitch]?
  /// What routers announced.
  public var notices: [RouterNotice] = []
  /// Names of links that the user says are cellular.
  public var cellularNames: Set<String> = []
  /// The answers of the resolver, by name.
  public var names: [String: NameResolution] = [:]

  /// Nothing is known.
  public init() {}
}

/// The answers to the look-ups of one evaluation.
public typealias KernelReplies = [KernelLookup: KernelReply]

/// The destinations that stand for "anywhere": one in each half of each family's space.
///
/// Nothing is ever sent to them; they are only looked up in the kernel's tables. Two halves also
/// see a default route that is split in two, as tunnels install it.
public struct PathProbes: Hashable, Sendable {
  /// One in 0.0.0.0/1 and one in 128.0.0.0/1.
  public var ipv4: [IPAddress] = [
    .v4(IPv4Address(bits: 0x0800_0001)), .v4(IPv4Address(bits: 0xC005_05F1)),
  ]
  /// One in 2000::/4 and one in 3000::/4.
  public var ipv6: [IPAddress] = [
    .v6(IPv6Address(high: 0x2001_0500_002F_0000, low: 0xF)),
    .v6(IPv6Address(high: 0x3000_0000_0000_0000, low: 0x1)),
  ]

  /// The usual ones.
  public init() {}
}
