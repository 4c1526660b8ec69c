/// A next hop object (RTM_NEWNEXTHOP, RTM_DELNEXTHOP; `struct nhmsg`).
public struct NextHopMessage: Hashable, Sendable {
  /// A member of a group.
  public struct Member: Hashable, Sendable {
    /// The number of the object.
    public var id: UInt32
    /// Its share of the flows.
    public var weight: UInt16

    /// A member from its facts.
    public init(id: UInt32, weight: UInt16 = 1) {
      self.id = id
      self.weight = weight
    }
  }

  /// The IP version; `.unspecified` for a group.
  public var family: NetlinkAddressFamily
  /// Who installed it (`RTPROT_*`).
  public var origin: UInt8
  /// Its state.
  public var flags: NextHopFlags
  /// Its number.
  public var id: UInt32 = 0
  /// The members of a group; empty for a single one.
  public var group: [Member] = []
  /// It drops packets.
  public var isBlackhole = false
  /// The index of the link.
  public var index: UInt32?
  /// The gateway.
  public var gateway: IPAddress?
  /// What packets are wrapped into (`LWTUNNEL_ENCAP_*`); nil for nothing.
  public var encapsulation: UInt16?

  /// Reads a message of type `.newNextHop` or `.deleteNextHop` from the bytes that it was found in.
  ///
  /// - Throws: `.truncated` or `.badLength`.
  public init(_ message: NetlinkMessage, in bytes: Span<UInt8>) throws(WireError) {
    var (start, attributes) = try message.split(bytes, after: 8)
    family = NetlinkAddressFamily(rawValue: bytes[start])
    origin = bytes[start &+ 2]
    flags = NextHopFlags(rawValue: bytes.littleUInt32(at: start &+ 4))
    while let attribute = try attributes.next(bytes) {
      switch attribute.type {
      case 1: id = attribute.uint32(bytes) ?? 0
      case 2: readGroup(attribute, bytes)
      case 4: isBlackhole = true
      case 5: index = attribute.uint32(bytes)
      case 6: gateway = attribute.address(bytes, family)
      case 7: encapsulation = attribute.uint16(bytes)
      default: break
      }
    }
  }

  private mutating func readGroup(_ attribute: NetlinkAttribute, _ bytes: Span<UInt8>) {
    for offset in stride(from: 0, to: attribute.value.count &- 7, by: 8) {
      guard let id = attribute.uint32(bytes, at: offset),
        let rest = attribute.uint32(bytes, at: offset &+ 4)
      else { return }
      // The kernel stores one less; newer ones put the high byte of the weight behind the low one.
      group.append(Member(id: id, weight: UInt16(truncatingIfNeeded: rest) &+ 1))
    }
  }
}
