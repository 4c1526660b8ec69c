/// One UDP datagram (RFC 768) that a frame holds or completes.
@frozen public struct UDPDatagram: Sendable {
  /// What is wrong with the length in the UDP header.
  @frozen public enum LengthFault: UInt8, Sendable {
    /// Nothing.
    case none
    /// Below the 8 bytes of the header itself; the payload is empty.
    case tooSmall
    /// More than the IP packet has; the payload is what there is.
    case longerThanPacket
    /// Less than the IP packet has; the bytes behind are ignored.
    case shorterThanPacket
  }

  /// Where the payload is, in the bytes that `storage` names.
  ///
  /// The UDP header is the 8 bytes before it.
  public var payload: Range<Int>
  /// Which bytes `payload` counts in.
  public var storage: PacketStorage
  /// True when the capture has not the whole payload.
  public var isCut: Bool
  /// True when it came in IP fragments.
  public var isFragmented: Bool
  /// True when fragments overlapped with differing bytes; those that came first were kept.
  public var hasOverlap: Bool
  /// What is wrong with the UDP length.
  public var lengthFault: LengthFault
  /// Source port.
  public var sourcePort: UInt16
  /// Destination port.
  public var destinationPort: UInt16
  /// The innermost IP header.
  public var ip: IPFacts
  /// The outermost link layer.
  public var link: LinkFacts
  /// Tunnels around it, for `FrameEvents.tunnel(_:of:)`.
  public var tunnels: TunnelList

  /// Source address.
  @inlinable public var source: IPAddress { ip.source }
  /// Destination address.
  @inlinable public var destination: IPAddress { ip.destination }
  /// IPv4 time to live, IPv6 hop limit.
  @inlinable public var hopLimit: UInt8 { ip.hopLimit }
}
