/// Something that the decoder found in a frame.
@frozen public enum FrameEvent: Sendable {
  /// A UDP datagram.
  case datagram(UDPDatagram)
  /// Another IP packet.
  case packet(IPPacket)
  /// An IP fragment, for a reassembler.
  case fragment(IPFragment)
  /// An IGMP or MLD message about one group; `packet` precedes it.
  case membership(GroupMembership)
  /// A prefix of an IPv6 router advertisement; `packet` precedes it.
  case prefix(RouterPrefix)
  /// An ARP message.
  case arp(ARPMessage)
  /// Headers that cannot be right, with the offset in the frame.
  case malformed(WireError)
  /// A link type that is not decoded.
  case unsupported(LinkType)
}

/// An IP packet that holds no UDP.
@frozen public struct IPPacket: Sendable {
  /// Protocol number of what follows the IP headers: 6 for TCP, 59 for nothing.
  public var protocolNumber: UInt8
  /// TCP source port; nil for other protocols.
  public var sourcePort: UInt16?
  /// TCP destination port; nil for other protocols.
  public var destinationPort: UInt16?
  /// Where the bytes behind the last known header are (behind the TCP header, with TCP).
  public var payload: Range<Int>
  /// Which bytes `payload` counts in.
  public var storage: PacketStorage
  /// True when the capture has not the whole packet.
  public var isCut: Bool
  /// The innermost IP header.
  public var ip: IPFacts
  /// The outermost link layer.
  public var link: LinkFacts
  /// Tunnels around it.
  public var tunnels: TunnelList
}

/// A part of an IP packet (RFC 791 section 3.2, RFC 8200 section 4.5); it has no ports.
@frozen public struct IPFragment: Sendable {
  /// Protocol number of the whole packet's payload.
  public var protocolNumber: UInt8
  /// Number that the parts of one packet share.
  public var identification: UInt32
  /// Where the part belongs, in bytes.
  public var offset: Int
  /// True when more parts follow behind this one.
  public var hasMore: Bool
  /// Where its bytes are.
  public var payload: Range<Int>
  /// Which bytes `payload` counts in.
  public var storage: PacketStorage
  /// True when the capture has not all its bytes.
  public var isCut: Bool
  /// The IP header.
  public var ip: IPFacts
  /// The outermost link layer.
  public var link: LinkFacts
  /// Tunnels around it.
  public var tunnels: TunnelList
  var depth: UInt8
}

/// What a host or a querier says about a multicast group (RFC 3376, RFC 3810).
@frozen public struct GroupMembership: Sendable {
  /// What is said.
  @frozen public enum Kind: UInt8, Sendable {
    /// A querier asks who listens; the group is unspecified in a general query.
    case query
    /// A host listens.
    case report
    /// A host stops listening.
    case leave
  }

  /// What is said.
  public var kind: Kind
  /// The group.
  public var group: IPAddress
  /// The IP header.
  public var ip: IPFacts
  /// The link layer.
  public var link: LinkFacts
}

/// A prefix information option of a router advertisement (RFC 4861 section 4.6.2).
@frozen public struct RouterPrefix: Sendable {
  /// The prefix.
  public var prefix: IPv6Address
  /// How many of its bits count, 0 to 128.
  public var length: UInt8
  /// True when addresses of the prefix are on the link.
  public var isOnLink: Bool
  /// The IP header.
  public var ip: IPFacts
  /// The link layer.
  public var link: LinkFacts
}

/// An ARP message about IPv4 over Ethernet (RFC 826).
@frozen public struct ARPMessage: Sendable {
  /// 1 for a request, 2 for a reply.
  public var operation: UInt16
  /// Link-layer address of the sender.
  public var senderMAC: MACAddress
  /// Address of the sender.
  public var sender: IPv4Address
  /// Address asked for, or of the one who asked.
  public var target: IPv4Address
  /// The link layer.
  public var link: LinkFacts
}
