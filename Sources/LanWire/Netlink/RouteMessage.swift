/// A route, or the answer of a route look-up (RTM_NEWROUTE, RTM_DELROUTE; `struct rtmsg`).
public struct RouteMessage: Hashable, Sendable {
  /// The IP version.
  public var family: NetlinkAddressFamily
  /// Leading bits of the destination that the route matches; 0 is the default route.
  public var destinationLength: UInt8
  /// Leading bits of the source that the route matches.
  public var sourceLength: UInt8
  /// The type of service that it matches.
  public var serviceType: UInt8
  /// The number of the table.
  public var table: UInt32
  /// Who installed it (`RTPROT_*`): 2 kernel, 3 boot, 4 administrator, 9 router advertisement, 16 DHCP.
  public var origin: UInt8
  /// How far the destination is: 0 everywhere, 253 on the link, 254 on this host.
  public var scope: UInt8
  /// What it does with a packet.
  public var type: RouteType
  /// The low bits of `rtm_flags` (`RTNH_F_*`): the state of the only next hop.
  public var nextHopFlags: NextHopFlags
  /// All bits of `rtm_flags`, with `RTM_F_*` above `RTNH_F_*`.
  public var flags: UInt32
  /// The destination; nil for the default route.
  public var destination: IPAddress?
  /// The source that it matches; nil for any.
  public var source: IPAddress?
  /// The index of the outgoing link.
  public var outputIndex: UInt32?
  /// The index of the incoming link.
  public var inputIndex: UInt32?
  /// The gateway, of either family.
  public var gateway: IPAddress?
  /// The source address that packets get.
  public var preferredSource: IPAddress?
  /// The metric: the lowest one wins.
  public var priority: UInt32?
  /// The path's largest packet in bytes, where the route fixes it.
  public var mtu: UInt32?
  /// The legs of a multipath route; empty for a route with one next hop.
  public var nextHops: [RouteNextHop] = []
  /// The number of a next hop object.
  public var nextHopID: UInt32?
  /// Hundredths of a second until it expires; negative when that is past, nil for never.
  ///
  /// Told only by look-ups with `matchesFIB` and by dumps.
  public var expires: Int32?
  /// The error number that packets meet; 0 for none.
  public var error: Int32 = 0
  /// The preference of an IPv6 router (RFC 4191): 0 medium, 1 high, 3 low.
  public var preference: UInt8?
  /// What packets are wrapped into (`LWTUNNEL_ENCAP_*`); nil for nothing.
  public var encapsulation: UInt16?
  /// The user that was looked up for.
  public var user: UInt32?
  /// The packet mark that was looked up for.
  public var mark: UInt32?

  /// A route of `type` to a destination, without attributes.
  public init(family: NetlinkAddressFamily, type: RouteType = .unicast, table: UInt32 = 254) {
    self.family = family
    self.type = type
    self.table = table
    (destinationLength, sourceLength, serviceType, origin, scope) = (0, 0, 0, 0, 0)
    nextHopFlags = []
    flags = 0
  }

  /// Reads a message of type `.newRoute` or `.deleteRoute` from the bytes that it was found in.
  ///
  /// - Throws: `.truncated` or `.badLength`, for the message or a nest in it.
  public init(_ message: NetlinkMessage, in bytes: Span<UInt8>) throws(WireError) {
    var (start, attributes) = try message.split(bytes, after: 12)
    self.init(
      family: NetlinkAddressFamily(rawValue: bytes[start]),
      type: RouteType(rawValue: bytes[start &+ 7]), table: UInt32(bytes[start &+ 4]))
    destinationLength = bytes[start &+ 1]
    sourceLength = bytes[start &+ 2]
    serviceType = bytes[start &+ 3]
    origin = bytes[start &+ 5]
    scope = bytes[start &+ 6]
    flags = bytes.littleUInt32(at: start &+ 8)
    nextHopFlags = NextHopFlags(rawValue: flags & 0xFF)
    while let attribute = try attributes.next(bytes) { try read(attribute, bytes) }
  }

  /// All ways out: the legs, or the only next hop; empty where the message tells of none.
  public var ways: [RouteNextHop] {
    guard nextHops.isEmpty else { return nextHops }
    guard outputIndex != nil || gateway != nil else { return [] }
    return [
      RouteNextHop(
        index: outputIndex ?? 0, gateway: gateway, flags: nextHopFlags, encapsulation: encapsulation
      )
    ]
  }

  /// A switch over the attributes, with nothing else in it.
  private mutating func read(
    _ attribute: NetlinkAttribute, _ bytes: Span<UInt8>
  ) throws(WireError) {
    switch attribute.type {
    case 1: destination = attribute.address(bytes, family)
    case 2: source = attribute.address(bytes, family)
    case 3: inputIndex = attribute.uint32(bytes)
    case 4: outputIndex = attribute.uint32(bytes)
    case 5: gateway = attribute.address(bytes, family)
    case 6: priority = attribute.uint32(bytes)
    case 7: preferredSource = attribute.address(bytes, family)
    case 8: try readMetrics(attribute.value, bytes)
    case 9: try readLegs(attribute.value, bytes)
    case 12: readCache(attribute, bytes)
    case 15: table = attribute.uint32(bytes) ?? table
    case 16: mark = attribute.uint32(bytes)
    case 18: gateway = attribute.viaAddress(bytes) ?? gateway
    case 20: preference = attribute.uint8(bytes)
    case 21: encapsulation = attribute.uint16(bytes)
    case 25: user = attribute.uint32(bytes)
    case 30: nextHopID = attribute.uint32(bytes)
    default: break
    }
  }

  private mutating func readCache(_ attribute: NetlinkAttribute, _ bytes: Span<UInt8>) {
    let ticks = attribute.uint32(bytes, at: 8).map { Int32(bitPattern: $0) }
    expires = ticks.flatMap { $0 == 0 ? nil : $0 }
    // The kernel's numbers are negative in some replies and positive in others.
    let number = attribute.uint32(bytes, at: 12).map { Int32(bitPattern: $0) } ?? 0
    error = Int32(clamping: number.magnitude)
  }

  private mutating func readMetrics(
    _ range: Range<Int>, _ bytes: Span<UInt8>
  ) throws(WireError) {
    var metrics = NetlinkAttributes(bytes, range)
    while let metric = try metrics.next(bytes) {
      if metric.type == 2 { mtu = metric.uint32(bytes) }
    }
  }

  /// Reads `struct rtnexthop` with its attributes, one after the other.
  private mutating func readLegs(_ range: Range<Int>, _ bytes: Span<UInt8>) throws(WireError) {
    var offset = range.lowerBound
    while range.upperBound &- offset >= 8 {
      let length = Int(bytes.littleUInt16(at: offset))
      guard length >= 8, length <= range.upperBound &- offset else {
        throw WireError(length < 8 ? .badLength : .truncated, at: offset)
      }
      var leg = RouteNextHop(
        index: bytes.littleUInt32(at: offset &+ 4),
        flags: NextHopFlags(rawValue: UInt32(bytes[offset &+ 2])),
        weight: UInt16(bytes[offset &+ 3]) &+ 1)
      var attributes = NetlinkAttributes(bytes, (offset &+ 8)..<(offset &+ length))
      while let attribute = try attributes.next(bytes) {
        switch attribute.type {
        case 5: leg.gateway = attribute.address(bytes, family)
        case 18: leg.gateway = attribute.viaAddress(bytes) ?? leg.gateway
        case 21: leg.encapsulation = attribute.uint16(bytes)
        default: break
        }
      }
      nextHops.append(leg)
      offset &+= (length &+ 3) & ~3
    }
  }
}

extension NetlinkAttribute {
  /// The gateway of another family (`struct rtvia`): its family in host order, then the address.
  func viaAddress(_ bytes: Span<UInt8>) -> IPAddress? {
    guard holds(2, bytes) else { return nil }
    let family = bytes.littleUInt16(at: value.lowerBound)
    let rest = NetlinkAttribute(type: type, value: (value.lowerBound &+ 2)..<value.upperBound)
    return rest.address(bytes, NetlinkAddressFamily(rawValue: UInt8(clamping: family)))
  }
}
