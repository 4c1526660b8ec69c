public import LanWire

/// The IP versions that something is sent or was heard over.
public struct MDNSFamilies: OptionSet, Hashable, Sendable {
  /// The bits.
  public let rawValue: UInt8
  /// A set of these bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }
  /// IPv4: 224.0.0.251.
  public static let ipv4 = MDNSFamilies(rawValue: 1)
  /// IPv6: FF02::FB.
  public static let ipv6 = MDNSFamilies(rawValue: 2)
  /// Both.
  public static let both: MDNSFamilies = [.ipv4, .ipv6]

  /// The family of an address.
  public init(_ address: IPAddress) { self = address.isIPv6 ? .ipv6 : .ipv4 }
}

/// An interface that multicast DNS is spoken on, with the own addresses there.
public struct MDNSLink: Hashable, Sendable {
  /// The kernel's number.
  public var index: UInt32
  /// The name.
  public var name: String
  /// The versions whose group was joined, so that questions can be sent over them.
  public var families: MDNSFamilies
  /// The own addresses with their prefix lengths: who is inside is on-link (RFC 6762 section 11).
  public var prefixes: [IPPrefix]
  /// Octets of an IP packet that the link carries.
  public var mtu: Int

  /// A link of these facts.
  public init(
    index: UInt32, name: String, families: MDNSFamilies, prefixes: [IPPrefix] = [],
    mtu: Int = 1_500
  ) {
    self.index = index
    self.name = name
    self.families = families
    self.prefixes = prefixes
    self.mtu = mtu
  }
}

/// How a datagram came in.
public struct MDNSArrival: Hashable, Sendable {
  /// The interface that it came in on.
  public var interfaceIndex: UInt32
  /// Who sent it.
  public var source: IPAddress
  /// The port that it was sent from.
  public var sourcePort: UInt16
  /// Sent to a group and not to an own address.
  public var isMulticast: Bool
  /// TTL or hop limit as received; nil where it is not known.
  public var hopLimit: UInt8?

  /// A datagram to the group from port 5353 unless said otherwise.
  public init(
    interfaceIndex: UInt32, source: IPAddress, sourcePort: UInt16 = 5_353,
    isMulticast: Bool = true, hopLimit: UInt8? = nil
  ) {
    self.interfaceIndex = interfaceIndex
    self.source = source
    self.sourcePort = sourcePort
    self.isMulticast = isMulticast
    self.hopLimit = hopLimit
  }
}
