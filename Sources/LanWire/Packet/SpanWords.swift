/// Words out of a header that was cut to its size first.
///
/// On a span of known size and with constant offsets the bounds checks fold away, which they do
/// not on the whole frame; the packet paths cut each header once and read it with these.
extension Span where Element == UInt8 {
  @inline(__always) func word16(_ offset: Int) -> UInt16 {
    UInt16(self[offset]) << 8 | UInt16(self[offset &+ 1])
  }

  @inline(__always) func word32(_ offset: Int) -> UInt32 {
    UInt32(self[offset]) << 24 | UInt32(self[offset &+ 1]) << 16
      | UInt32(self[offset &+ 2]) << 8 | UInt32(self[offset &+ 3])
  }

  @inline(__always) func word64(_ offset: Int) -> UInt64 {
    UInt64(word32(offset)) << 32 | UInt64(word32(offset &+ 4))
  }

  @inline(__always) func word32(_ offset: Int, _ isBigEndian: Bool) -> UInt32 {
    let value = word32(offset)
    return isBigEndian ? value : value.byteSwapped
  }

  @inline(__always) func mac(_ offset: Int) -> MACAddress {
    MACAddress(bits: UInt64(word32(offset)) << 16 | UInt64(word16(offset &+ 4)))
  }
}
