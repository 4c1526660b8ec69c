/// An IPv4 address (RFC 791), as a number in host order.
@frozen public struct IPv4Address: Hashable, Sendable {
  /// The 32 bits; 192.0.2.1 is `0xC0000201`.
  public let bits: UInt32

  /// An address from its 32 bits.
  @inlinable public init(bits: UInt32) { self.bits = bits }

  /// The address in the four bytes at `offset`, which must be in bounds.
  @inlinable public init(_ bytes: Span<UInt8>, at offset: Int) {
    bits = bytes.uint32(at: offset)
  }

  /// True for 224.0.0.0/4 (RFC 5771).
  @inlinable public var isMulticast: Bool { bits >> 28 == 0xE }
  /// True for 169.254.0.0/16 (RFC 3927).
  @inlinable public var isLinkLocal: Bool { bits >> 16 == 0xA9FE }
  /// True for 127.0.0.0/8.
  @inlinable public var isLoopback: Bool { bits >> 24 == 127 }
  /// True for 0.0.0.0.
  @inlinable public var isUnspecified: Bool { bits == 0 }

  /// 224.0.0.251, the multicast DNS group (RFC 6762 section 3).
  public static let mdnsGroup = IPv4Address(bits: 0xE000_00FB)
  /// 224.0.0.252, the LLMNR group (RFC 4795 section 2).
  public static let llmnrGroup = IPv4Address(bits: 0xE000_00FC)
}

/// An IPv6 address (RFC 4291) without a zone.
@frozen public struct IPv6Address: Hashable, Sendable {
  /// The first eight bytes, in host order.
  public let high: UInt64
  /// The last eight bytes, in host order.
  public let low: UInt64

  /// An address from its two halves.
  @inlinable public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// The address in the sixteen bytes at `offset`, which must be in bounds.
  @inlinable public init(_ bytes: Span<UInt8>, at offset: Int) {
    high = bytes.uint64(at: offset)
    low = bytes.uint64(at: offset &+ 8)
  }

  /// True for ff00::/8.
  @inlinable public var isMulticast: Bool { high >> 56 == 0xFF }
  /// True for fe80::/10.
  @inlinable public var isLinkLocal: Bool { high >> 54 == 0x3FA }
  /// True for ::1.
  @inlinable public var isLoopback: Bool { high == 0 && low == 1 }
  /// True for ::.
  @inlinable public var isUnspecified: Bool { high == 0 && low == 0 }

  /// ff02::fb, the multicast DNS group (RFC 6762 section 3).
  public static let mdnsGroup = IPv6Address(high: 0xFF02_0000_0000_0000, low: 0xFB)
  /// ff02::1:3, the LLMNR group (RFC 4795 section 2).
  public static let llmnrGroup = IPv6Address(high: 0xFF02_0000_0000_0000, low: 0x1_0003)
}

/// An IPv4 or IPv6 address.
@frozen public enum IPAddress: Hashable, Sendable {
  /// An IPv4 address.
  case v4(IPv4Address)
  /// An IPv6 address.
  case v6(IPv6Address)

  /// True for a multicast address of either family.
  @inlinable public var isMulticast: Bool {
    switch self {
    case .v4(let address): address.isMulticast
    case .v6(let address): address.isMulticast
    }
  }

  /// True for a link-local address of either family.
  @inlinable public var isLinkLocal: Bool {
    switch self {
    case .v4(let address): address.isLinkLocal
    case .v6(let address): address.isLinkLocal
    }
  }

  /// True for an IPv6 address.
  @inlinable public var isIPv6: Bool {
    if case .v6 = self { true } else { false }
  }

  /// True for 224.0.0.251 and ff02::fb.
  @inlinable public var isMDNSGroup: Bool {
    switch self {
    case .v4(let address): address.bits == 0xE000_00FB
    case .v6(let address): address.high == 0xFF02_0000_0000_0000 && address.low == 0xFB
    }
  }
}
