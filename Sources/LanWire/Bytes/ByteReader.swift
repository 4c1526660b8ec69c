/// A position in bytes that are lent to each call; the only bounds check of the codecs.
///
/// It owns no memory, so it can be stored, copied and cut freely. `end` bounds what it reads:
/// cut a length-prefixed part first (`slice`) and parse inside the cut.
@frozen public struct ByteReader: Sendable {
  /// Offset of the next byte to be read.
  public var offset: Int
  /// Offset behind the last byte that may be read.
  public let end: Int

  /// A reader of `bytes` from `offset` up to `end` (the end of the bytes by default).
  @inlinable public init(_ bytes: Span<UInt8>, from offset: Int = 0, to end: Int? = nil) {
    let limit = min(end ?? bytes.count, bytes.count)
    self.end = max(limit, 0)
    self.offset = min(max(offset, 0), self.end)
  }

  @usableFromInline init(offset: Int, end: Int) {
    self.offset = offset
    self.end = end
  }

  /// How many bytes are left.
  @inlinable public var remaining: Int { end &- offset }

  @inlinable func require(_ count: Int) throws(WireError) {
    guard count >= 0, count <= end &- offset else { throw WireError(.truncated, at: offset) }
  }

  /// Reads one byte; throws `.truncated` at the end.
  @inlinable public mutating func readUInt8(_ bytes: Span<UInt8>) throws(WireError) -> UInt8 {
    try require(1)
    let value = bytes[offset]
    offset &+= 1
    return value
  }

  /// Reads 16 bits in network byte order; throws `.truncated`.
  @inlinable public mutating func readUInt16(_ bytes: Span<UInt8>) throws(WireError) -> UInt16 {
    try require(2)
    let value = bytes.uint16(at: offset)
    offset &+= 2
    return value
  }

  /// Reads 32 bits in network byte order; throws `.truncated`.
  @inlinable public mutating func readUInt32(_ bytes: Span<UInt8>) throws(WireError) -> UInt32 {
    try require(4)
    let value = bytes.uint32(at: offset)
    offset &+= 4
    return value
  }

  /// Steps over `count` bytes; throws `.truncated`.
  @inlinable public mutating func skip(_ count: Int) throws(WireError) {
    try require(count)
    offset &+= count
  }

  /// Cuts the next `count` bytes out as a reader of their own and steps behind them; throws
  /// `.truncated`.
  @inlinable public mutating func slice(_ count: Int) throws(WireError) -> ByteReader {
    try require(count)
    let part = ByteReader(offset: offset, end: offset &+ count)
    offset &+= count
    return part
  }
}

extension Span where Element == UInt8 {
  /// The 16 bits at `offset` in network byte order.
  ///
  /// Out of bounds is a trap: check first.
  @inlinable @inline(__always) public func uint16(at offset: Int) -> UInt16 {
    UInt16(self[offset]) << 8 | UInt16(self[offset &+ 1])
  }

  /// The 32 bits at `offset` in network byte order.
  ///
  /// Out of bounds is a trap: check first.
  @inlinable @inline(__always) public func uint32(at offset: Int) -> UInt32 {
    UInt32(uint16(at: offset)) << 16 | UInt32(uint16(at: offset &+ 2))
  }

  /// The 64 bits at `offset` in network byte order.
  ///
  /// Out of bounds is a trap: check first.
  @inlinable @inline(__always) public func uint64(at offset: Int) -> UInt64 {
    UInt64(uint32(at: offset)) << 32 | UInt64(uint32(at: offset &+ 4))
  }

  /// The 16 bits at `offset` in little-endian order.
  ///
  /// Out of bounds is a trap: check first.
  @inlinable @inline(__always) public func littleUInt16(at offset: Int) -> UInt16 {
    uint16(at: offset).byteSwapped
  }

  /// The 32 bits at `offset` in little-endian order.
  ///
  /// Out of bounds is a trap: check first.
  @inlinable @inline(__always) public func littleUInt32(at offset: Int) -> UInt32 {
    uint32(at: offset).byteSwapped
  }
}
