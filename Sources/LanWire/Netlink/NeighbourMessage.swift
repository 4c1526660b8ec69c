/// The state of a neighbour (`NUD_*`); the kernel sets one bit at a time.
@frozen public struct NeighbourState: OptionSet, Hashable, Sendable {
  /// The kernel's bits; 0 is an entry that was only just made.
  public var rawValue: UInt16

  /// The state of the kernel's bits.
  @inlinable public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// Asked, no answer yet.
  public static let incomplete = NeighbourState(rawValue: 0x1)
  /// Answered recently.
  public static let reachable = NeighbourState(rawValue: 0x2)
  /// Answered once, to be verified when used.
  public static let stale = NeighbourState(rawValue: 0x4)
  /// Used, waiting for a sign before it is asked again.
  public static let delay = NeighbourState(rawValue: 0x8)
  /// Being asked again.
  public static let probe = NeighbourState(rawValue: 0x10)
  /// Did not answer.
  public static let failed = NeighbourState(rawValue: 0x20)
  /// The link needs no resolution.
  public static let noARP = NeighbourState(rawValue: 0x40)
  /// Set by hand, never asked.
  public static let permanent = NeighbourState(rawValue: 0x80)
}

/// A neighbour on a link (RTM_NEWNEIGH, RTM_DELNEIGH; `struct ndmsg`).
public struct NeighbourMessage: Hashable, Sendable {
  /// The IP version, or `.bridge` for an entry of a bridge's table.
  public var family: NetlinkAddressFamily
  /// The index of the link.
  public var index: UInt32
  /// The state.
  public var state: NeighbourState
  /// The kernel's bits (`NTF_*`).
  public var flags: UInt8
  /// The type of the route to it (`RTN_*`).
  public var type: RouteType
  /// The neighbour's address.
  public var destination: IPAddress?
  /// Its 48-bit link-layer address, where it is known and has that size.
  public var mac: MACAddress?

  /// It said that it is a router (NTF_ROUTER; IPv6).
  public var isRouter: Bool { flags & 0x80 != 0 }

  /// A neighbour from its facts.
  public init(
    _ destination: IPAddress, index: UInt32, state: NeighbourState, mac: MACAddress? = nil,
    flags: UInt8 = 0
  ) {
    family = NetlinkAddressFamily(of: destination)
    self.destination = destination
    self.index = index
    self.state = state
    self.mac = mac
    self.flags = flags
    type = .unicast
  }

  /// Reads a message of type `.newNeighbour` or `.deleteNeighbour` from the bytes it was found in.
  ///
  /// - Throws: `.truncated` or `.badLength`.
  public init(_ message: NetlinkMessage, in bytes: Span<UInt8>) throws(WireError) {
    var (start, attributes) = try message.split(bytes, after: 12)
    family = NetlinkAddressFamily(rawValue: bytes[start])
    index = bytes.littleUInt32(at: start &+ 4)
    state = NeighbourState(rawValue: bytes.littleUInt16(at: start &+ 8))
    flags = bytes[start &+ 10]
    type = RouteType(rawValue: bytes[start &+ 11])
    while let attribute = try attributes.next(bytes) {
      switch attribute.type {
      case 1: destination = attribute.address(bytes, family)
      case 2: mac = attribute.mac(bytes)
      default: break
      }
    }
  }
}
