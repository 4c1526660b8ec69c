public import LanWire

/// An address prefix: the first `length` bits of `address`.
public struct IPPrefix: Hashable, Sendable {
  /// The address; the bits behind the prefix are kept as given.
  public var address: IPAddress
  /// 0 to 32 or 128.
  public var length: UInt8

  /// A prefix; a `length` beyond the family's is held at it.
  public init(_ address: IPAddress, _ length: UInt8) {
    self.address = address
    self.length = min(length, address.isIPv6 ? 128 : 32)
  }

  /// The prefix of all addresses of a family.
  public static func all(isIPv6: Bool) -> IPPrefix {
    IPPrefix(isIPv6 ? .v6(IPv6Address(high: 0, low: 0)) : .v4(IPv4Address(bits: 0)), 0)
  }

  /// The first address in it.
  public var first: IPAddress {
    switch address {
    case .v4(let value): .v4(IPv4Address(bits: value.bits & Self.mask32(length)))
    case .v6(let value):
      .v6(
        IPv6Address(
          high: value.high & Self.mask64(min(length, 64)),
          low: value.low & Self.mask64(length > 64 ? length - 64 : 0)))
    }
  }

  /// The last address in it.
  public var last: IPAddress {
    switch address {
    case .v4(let value): .v4(IPv4Address(bits: value.bits | ~Self.mask32(length)))
    case .v6(let value):
      .v6(
        IPv6Address(
          high: value.high | ~Self.mask64(min(length, 64)),
          low: value.low | ~Self.mask64(length > 64 ? length - 64 : 0)))
    }
  }

  /// True if `other` is in it.
  public func contains(_ other: IPAddress) -> Bool {
    IPPrefix(other, length).first == first
  }

  private static func mask32(_ length: UInt8) -> UInt32 {
    length == 0 ? 0 : UInt32.max << (32 - UInt32(length))
  }

  private static func mask64(_ length: UInt8) -> UInt64 {
    length == 0 ? 0 : UInt64.max << (64 - UInt64(length))
  }
}

extension IPPrefix: CustomStringConvertible {
  /// The address, a slash and the length.
  public var description: String { "\(address)/\(length)" }
}
