/// A 48-bit link-layer address (IEEE 802), in the low bits of a number.
@frozen public struct MACAddress: Hashable, Sendable {
  /// The 48 bits; 02:00:00:00:00:01 is `0x0200_0000_0001`.
  public let bits: UInt64

  /// An address from its 48 bits.
  @inlinable public init(bits: UInt64) { self.bits = bits & 0xFFFF_FFFF_FFFF }

  /// The address in the six bytes at `offset`, which must be in bounds.
  @inlinable public init(_ bytes: Span<UInt8>, at offset: Int) {
    bits = UInt64(bytes.uint32(at: offset)) << 16 | UInt64(bytes.uint16(at: offset &+ 4))
  }
}
