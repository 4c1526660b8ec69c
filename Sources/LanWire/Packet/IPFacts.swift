/// What the innermost IP header of a packet says.
@frozen public struct IPFacts: Hashable, Sendable {
  /// Source address.
  public var source: IPAddress
  /// Destination address.
  public var destination: IPAddress
  /// IPv4 time to live, IPv6 hop limit.
  public var hopLimit: UInt8
  /// True when the header's length field is 0 (segmentation offload, jumbogram) and the length
  /// was taken from the capture.
  public var isLengthFromCapture: Bool

  init(source: IPAddress, destination: IPAddress, hopLimit: UInt8) {
    self.source = source
    self.destination = destination
    self.hopLimit = hopLimit
    isLengthFromCapture = false
  }
}

/// Which bytes the ranges of a decoded packet count in.
@frozen public enum PacketStorage: UInt8, Sendable {
  /// The frame's bytes.
  case frame
  /// The buffer of the reassembler that put the packet together.
  case reassembled
}

/// One layer of a tunnel around a packet.
@frozen public struct Tunnel: Hashable, Sendable {
  /// How the packet was wrapped.
  @frozen public enum Kind: String, Sendable {
    /// Generic routing encapsulation, plain or bridged (RFC 2784, RFC 2890).
    case gre
    /// A port mirror's ERSPAN within GRE.
    case erspan
    /// VXLAN (RFC 7348).
    case vxlan
    /// Geneve (RFC 8926).
    case geneve
    /// GTP-U version 1.
    case gtp
    /// IPv4 in IPv4 (RFC 2003).
    case ipip
    /// IPv6 in IPv4 (RFC 4213).
    case sixInFour = "6in4"
    /// IPv4 in IPv6 (RFC 2473).
    case fourInSix = "4in6"
    /// IPv6 in IPv6 (RFC 2473).
    case sixInSix = "6in6"
  }

  /// How the packet was wrapped.
  public var kind: Kind
  /// Source address of the outer packet.
  public var source: IPAddress
  /// Destination address of the outer packet.
  public var destination: IPAddress
}

/// The tunnels around a packet, as a place in `FrameEvents.tunnels`.
@frozen public struct TunnelList: Hashable, Sendable {
  @usableFromInline var start: UInt32 = 0
  /// How many there are, at most `FrameDecoder.tunnelDepth`.
  public var count: UInt8 = 0

  /// No tunnels.
  @inlinable public init() {}
}
