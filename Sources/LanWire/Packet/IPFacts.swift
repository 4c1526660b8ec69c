/// What the innermost IP header of a packet says.
@frozen public struct IPFacts: Hashable, Sendable {
  // Whole words instead of two enumerations: events are copied for each packet. IPv4
  // addresses are in the low halves.
  @usableFromInline var sourceHigh: UInt64 = 0
  @usableFromInline var sourceLow: UInt64
  @usableFromInline var destinationHigh: UInt64 = 0
  @usableFromInline var destinationLow: UInt64
  /// True for IPv6.
  public let isIPv6: Bool
  /// IPv4 time to live, IPv6 hop limit.
  public var hopLimit: UInt8
  /// True when the header's length field is 0 (segmentation offload, jumbogram) and the length
  /// was taken from the capture.
  public var isLengthFromCapture: Bool

  /// The facts of an IPv4 header whose 20 fixed bytes are `header`.
  @inline(__always) init(v4 header: Span<UInt8>) {
    sourceLow = UInt64(header.word32(12))
    destinationLow = UInt64(header.word32(16))
    isIPv6 = false
    hopLimit = header[8]
    isLengthFromCapture = false
  }

  /// The facts of an IPv6 header whose 40 bytes are `header`.
  @inline(__always) init(v6 header: Span<UInt8>) {
    sourceHigh = header.word64(8)
    sourceLow = header.word64(16)
    destinationHigh = header.word64(24)
    destinationLow = header.word64(32)
    isIPv6 = true
    hopLimit = header[7]
    isLengthFromCapture = false
  }

  /// Source address.
  @inlinable public var source: IPAddress { address(sourceHigh, sourceLow) }
  /// Destination address.
  @inlinable public var destination: IPAddress { address(destinationHigh, destinationLow) }

  @inlinable func address(_ high: UInt64, _ low: UInt64) -> IPAddress {
    isIPv6
      ? .v6(IPv6Address(high: high, low: low))
      : .v4(IPv4Address(bits: UInt32(truncatingIfNeeded: low)))
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
