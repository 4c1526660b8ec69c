public import LanWire

/// How a DNS message travelled: what is known of it beside its own bytes.
@frozen public struct MessageEnvelope: Sendable {
  /// Number of the frame that completed it, 1-based, as Wireshark counts.
  public var frame: Int
  /// Nanoseconds since the epoch; for a frame without a time that of the frame before it.
  public var nanoseconds: Int64
  /// Index of the interface in the capture, or the kernel's interface index when live.
  public var interface: Int32
  /// The sender's address (the inner one of a tunnel).
  public var source: IPAddress
  /// Where it went (the inner address of a tunnel).
  public var destination: IPAddress
  /// The sender's link-layer address, where the link has one.
  public var sourceMAC: MACAddress?
  /// The sender's UDP port.
  public var sourcePort: UInt16
  /// The UDP port it went to.
  public var destinationPort: UInt16
  /// IPv4 TTL or IPv6 hop limit.
  public var hopLimit: UInt8
  /// True inside a tunnel: rules about the link do not apply.
  public var isTunnelled: Bool
  /// True when it came in more than one IP fragment.
  public var isFragmented: Bool
  /// True when the capture holds only the first part of it.
  public var isCut: Bool

  /// An envelope of these facts.
  @inlinable public init(
    frame: Int, nanoseconds: Int64, interface: Int32 = 0, source: IPAddress,
    destination: IPAddress, sourceMAC: MACAddress? = nil, sourcePort: UInt16 = 5353,
    destinationPort: UInt16 = 5353, hopLimit: UInt8 = 255, isTunnelled: Bool = false,
    isFragmented: Bool = false, isCut: Bool = false
  ) {
    self.frame = frame
    self.nanoseconds = nanoseconds
    self.interface = interface
    self.source = source
    self.destination = destination
    self.sourceMAC = sourceMAC
    self.sourcePort = sourcePort
    self.destinationPort = destinationPort
    self.hopLimit = hopLimit
    self.isTunnelled = isTunnelled
    self.isFragmented = isFragmented
    self.isCut = isCut
  }
}

/// The protocol that a message belongs to, by its UDP port.
@frozen public enum NameProtocol: UInt8, Sendable, CaseIterable {
  /// Multicast DNS, port 5353 on either side (RFC 6762).
  case mdns
  /// Link-local multicast name resolution, port 5355 (RFC 4795).
  case llmnr
  /// Unicast DNS, port 53 (RFC 1035).
  case dns

  /// The protocol of a datagram between these ports; nil for none of the three.
  @inlinable public init?(sourcePort: UInt16, destinationPort: UInt16) {
    if sourcePort == 5353 || destinationPort == 5353 {
      self = .mdns
    } else if sourcePort == 5355 || destinationPort == 5355 {
      self = .llmnr
    } else if sourcePort == 53 || destinationPort == 53 {
      self = .dns
    } else {
      return nil
    }
  }
}

/// What a message is for.
@frozen public enum MessageKind: UInt8, Sendable, CaseIterable {
  /// A query without records in its authority section.
  case query
  /// A query with records in its authority section (RFC 6762 section 8.1).
  case probe
  /// A response to a question that was seen.
  case response
  /// A response to the group whose answers no question of the last second asked for (RFC 6762
  /// section 8.3).
  case announcement
  /// A response whose answers all have TTL 0 (RFC 6762 section 10.1).
  case goodbye
}

extension MessageEnvelope {
  /// How a datagram of `frame` travelled.
  init(_ datagram: UDPDatagram, _ frame: SniffedFrame, at now: Int64) {
    self.init(
      frame: frame.number, nanoseconds: now, interface: Int32(truncatingIfNeeded: frame.interface),
      source: datagram.source, destination: datagram.destination,
      sourceMAC: datagram.link.sourceMAC, sourcePort: datagram.sourcePort,
      destinationPort: datagram.destinationPort, hopLimit: datagram.hopLimit,
      isTunnelled: datagram.tunnels.count > 0, isFragmented: datagram.isFragmented,
      isCut: datagram.isCut)
  }
}
