/// One attribute in lent bytes: its type and where its value is (`struct nlattr`, `struct rtattr`).
@frozen public struct NetlinkAttribute: Hashable, Sendable {
  /// The type without the bits for nesting and byte order.
  public var type: UInt16
  /// Where the value is.
  public var value: Range<Int>

  @inlinable init(type: UInt16, value: Range<Int>) {
    self.type = type
    self.value = value
  }

  /// The value as 8 bits; nil where it is too short.
  ///
  /// Longer values are read from their start, as the kernel may have extended them.
  @inlinable public func uint8(_ bytes: Span<UInt8>) -> UInt8? {
    holds(1, bytes) ? bytes[value.lowerBound] : nil
  }

  /// The value as 16 bits in host order; nil where it is too short.
  @inlinable public func uint16(_ bytes: Span<UInt8>) -> UInt16? {
    holds(2, bytes) ? bytes.littleUInt16(at: value.lowerBound) : nil
  }

  /// The value as 32 bits in host order; nil where it is too short.
  @inlinable public func uint32(_ bytes: Span<UInt8>) -> UInt32? {
    uint32(bytes, at: 0)
  }

  /// The 32 bits at `offset` of a structure in host order; nil where it is too short.
  @inlinable public func uint32(_ bytes: Span<UInt8>, at offset: Int) -> UInt32? {
    holds(offset &+ 4, bytes) ? bytes.littleUInt32(at: value.lowerBound &+ offset) : nil
  }

  /// The value as 32 signed bits in host order; nil where it is too short.
  @inlinable public func int32(_ bytes: Span<UInt8>) -> Int32? {
    uint32(bytes).map { Int32(bitPattern: $0) }
  }

  /// The value as an address of `family`; nil where it has not just the right size.
  @inlinable public func address(
    _ bytes: Span<UInt8>, _ family: NetlinkAddressFamily
  ) -> IPAddress? {
    switch family {
    case .ipv4 where value.count == 4 && holds(4, bytes):
      .v4(IPv4Address(bytes, at: value.lowerBound))
    case .ipv6 where value.count == 16 && holds(16, bytes):
      .v6(IPv6Address(bytes, at: value.lowerBound))
    default: nil
    }
  }

  /// The value as a 48-bit link-layer address; nil for another size.
  @inlinable public func mac(_ bytes: Span<UInt8>) -> MACAddress? {
    value.count == 6 && holds(6, bytes) ? MACAddress(bytes, at: value.lowerBound) : nil
  }

  /// The value up to its first zero byte as text; ill-formed UTF-8 is repaired.
  public func text(_ bytes: Span<UInt8>) -> String {
    guard value.upperBound <= bytes.count else { return "" }
    var text: [UInt8] = []
    for index in value {
      if bytes[index] == 0 { break }
      text.append(bytes[index])
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The value as bytes.
  public func array(_ bytes: Span<UInt8>) -> [UInt8] {
    guard value.upperBound <= bytes.count else { return [] }
    return value.map { bytes[$0] }
  }

  @inlinable func holds(_ count: Int, _ bytes: Span<UInt8>) -> Bool {
    value.count >= count && value.upperBound <= bytes.count
  }
}

/// Walks attributes in lent bytes.
///
/// Unknown types are the caller's to skip. A nest is walked by a new walk over its value.
@frozen public struct NetlinkAttributes: Sendable {
  @usableFromInline var offset: Int
  @usableFromInline let end: Int

  /// A walk over the attributes in `range`; what of it lies outside of `bytes` is ignored.
  @inlinable public init(_ bytes: Span<UInt8>, _ range: Range<Int>) {
    let reader = ByteReader(bytes, from: range.lowerBound, to: range.upperBound)
    offset = reader.offset
    end = reader.end
  }

  /// The next attribute; nil at the end, where up to 3 bytes are padding.
  ///
  /// - Throws: `.badLength` for a length below 4, `.truncated` for one beyond the end; the walk is
  ///   over then.
  @inlinable public mutating func next(
    _ bytes: Span<UInt8>
  ) throws(WireError) -> NetlinkAttribute? {
    guard end &- offset >= 4, end <= bytes.count else { return nil }
    let start = offset
    let length = Int(bytes.littleUInt16(at: start))
    guard length >= 4, length <= end &- start else {
      offset = end
      throw WireError(length < 4 ? .badLength : .truncated, at: start)
    }
    offset = min(start &+ (length &+ 3) & ~3, end)
    return NetlinkAttribute(
      type: bytes.littleUInt16(at: start &+ 2) & 0x3FFF,
      value: (start &+ 4)..<(start &+ length))
  }
}

extension NetlinkMessage {
  /// Cuts a structure of `size` bytes off the payload.
  ///
  /// - Returns: Where it starts, and the attributes behind it.
  /// - Throws: `.truncated` where the payload is shorter.
  @inlinable func split(
    _ bytes: Span<UInt8>, after size: Int
  ) throws(WireError) -> (start: Int, attributes: NetlinkAttributes) {
    guard payload.upperBound <= bytes.count, payload.count >= size else {
      throw WireError(.truncated, at: min(payload.upperBound, bytes.count))
    }
    let behind = min(payload.lowerBound &+ (size &+ 3) & ~3, payload.upperBound)
    return (payload.lowerBound, NetlinkAttributes(bytes, behind..<payload.upperBound))
  }
}
