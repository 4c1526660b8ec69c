/// Appends integers and bytes up to a limit, in a buffer that keeps its memory.
///
/// Nothing is appended beyond `limit`: `hasOverflowed` becomes true instead and stays so until
/// `truncate`, so a caller checks once after a whole part and cuts that part off again.
public struct ByteWriter: Sendable {
  /// What was written.
  public private(set) var bytes: [UInt8] = []
  /// How many bytes may be written.
  public var limit: Int
  /// True when something did not fit.
  public private(set) var hasOverflowed = false

  /// An empty buffer that takes `limit` bytes.
  public init(limit: Int) { self.limit = limit }

  /// How many bytes were written.
  public var count: Int { bytes.count }

  private mutating func hasRoom(_ count: Int) -> Bool {
    if hasOverflowed || count > limit - bytes.count { hasOverflowed = true }
    return !hasOverflowed
  }

  /// Appends one byte.
  public mutating func append(_ value: UInt8) {
    if hasRoom(1) { bytes.append(value) }
  }

  /// Appends 16 bits in network byte order.
  public mutating func appendUInt16(_ value: UInt16) {
    guard hasRoom(2) else { return }
    bytes.append(UInt8(truncatingIfNeeded: value >> 8))
    bytes.append(UInt8(truncatingIfNeeded: value))
  }

  /// Appends 32 bits in network byte order.
  public mutating func appendUInt32(_ value: UInt32) {
    guard hasRoom(4) else { return }
    appendUInt16(UInt16(truncatingIfNeeded: value >> 16))
    appendUInt16(UInt16(truncatingIfNeeded: value))
  }

  /// Appends 64 bits in network byte order.
  public mutating func appendUInt64(_ value: UInt64) {
    guard hasRoom(8) else { return }
    appendUInt32(UInt32(truncatingIfNeeded: value >> 32))
    appendUInt32(UInt32(truncatingIfNeeded: value))
  }

  /// Appends bytes, all or none.
  public mutating func append(contentsOf values: [UInt8]) {
    if hasRoom(values.count) { bytes.append(contentsOf: values) }
  }

  /// Appends the first `count` of `values`, all or none.
  public mutating func append(prefix count: Int, of values: [UInt8]) {
    if hasRoom(min(count, values.count)) { bytes.append(contentsOf: values.prefix(count)) }
  }

  /// Writes 16 bits over those at `offset`; nothing happens where there are none.
  public mutating func patchUInt16(_ value: UInt16, at offset: Int) {
    guard offset >= 0, offset + 2 <= bytes.count else { return }
    bytes[offset] = UInt8(truncatingIfNeeded: value >> 8)
    bytes[offset + 1] = UInt8(truncatingIfNeeded: value)
  }

  /// Cuts off what stands behind `count` bytes, keeps the memory and forgets an overflow.
  public mutating func truncate(to count: Int) {
    hasOverflowed = false
    if count < bytes.count { bytes.removeSubrange(max(count, 0)...) }
  }
}
