public import LanWire

/// An interface by name and number.
public struct InterfaceName: Hashable, Sendable {
  /// The kernel's number.
  public var index: UInt32
  /// The name.
  public var name: String

  /// An interface.
  public init(index: UInt32, name: String) {
    self.index = index
    self.name = name
  }
}

/// The way to one destination, or the best of several.
public struct WayVerdict: Hashable, Sendable {
  /// How it can be reached.
  public var flags: ReachabilityFlags = []
  /// The status that follows.
  public var status: ReachabilityStatus = .notReachable
  /// Why not, where it is not reachable.
  public var reason: VerdictReason?
  /// The link that packets leave by.
  public var interface: InterfaceName?
  /// The kind of that link.
  public var medium: Medium = .unknown
  /// The names of a bridge's or bond's members that carry packets.
  public var members: [String] = []
  /// The address that packets are sent from.
  public var source: IPAddress?
  /// The router that they go to first; nil on the link itself.
  public var gateway: IPAddress?
  /// What is known of the first hop.
  public var nextHop: NextHopState = .unknown
  /// Only some of the next hops, or one half of the space, work.
  public var isPartial = false

  /// Not reachable, for no reason yet.
  public init() {}

  /// True if packets can leave, if need be by themselves bringing the link up.
  public var isReachable: Bool { status.isReachable }

  /// How good the way is; a better one wins over a worse.
  var rank: Int {
    if status == .unknown { return 1 }
    guard flags.contains(.reachable) else { return 0 }
    guard flags.contains(.connectionRequired) else { return 4 }
    return status.isReachable ? 3 : 2
  }

  /// True if a change from one to the other is worth telling.
  ///
  /// A neighbour that goes stale and comes back is not; one that fails is.
  public func means(sameAs other: WayVerdict) -> Bool {
    var same = other
    if (nextHop == .failed) == (other.nextHop == .failed) { same.nextHop = nextHop }
    return same == self
  }
}

/// What is to be said about a target.
public struct Verdict: Hashable, Sendable {
  /// The way that decides: the best of all.
  public var best: WayVerdict
  /// The way by IPv4; nil where it was not asked for or the target has none.
  public var ipv4: WayVerdict?
  /// The way by IPv6; nil where it was not asked for or the target has none.
  public var ipv6: WayVerdict?
  /// Each address of a name with its way, in the resolver's order.
  public var addresses: [AddressVerdict]
  /// The facts behind it, in order.
  public var why: [WhyFact]

  /// One address of a name.
  public struct AddressVerdict: Hashable, Sendable {
    /// The address.
    public var address: IPAddress
    /// The way to it.
    public var way: WayVerdict
  }

  /// A verdict of its parts.
  public init(
    best: WayVerdict, ipv4: WayVerdict? = nil, ipv6: WayVerdict? = nil,
    addresses: [AddressVerdict] = [], why: [WhyFact] = []
  ) {
    self.best = best
    self.ipv4 = ipv4
    self.ipv6 = ipv6
    self.addresses = addresses
    self.why = why
  }

  /// How the target can be reached.
  public var flags: ReachabilityFlags { best.flags }
  /// AFNetworking's status.
  public var status: ReachabilityStatus { best.status }
  /// What stands between the flags and traffic.
  public var connection: ReachabilityConnection { ReachabilityConnection(best.flags) }
  /// Why not, where it is not reachable.
  public var reason: VerdictReason? { best.reason }

  /// True if a change from one to the other is worth telling.
  public func means(sameAs other: Verdict) -> Bool {
    best.means(sameAs: other.best) && Self.same(ipv4, other.ipv4) && Self.same(ipv6, other.ipv6)
      && addresses.count == other.addresses.count
      && zip(addresses, other.addresses).allSatisfy {
        $0.address == $1.address && $0.way.means(sameAs: $1.way)
      }
  }

  private static func same(_ left: WayVerdict?, _ right: WayVerdict?) -> Bool {
    guard let left, let right else { return left == nil && right == nil }
    return left.means(sameAs: right)
  }
}
