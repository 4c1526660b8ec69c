/// Writes pcap files, little-endian, into bytes that the caller owns and sends on.
public struct PcapWriter: Sendable {
  /// How fine times are written.
  public enum Resolution: Sendable {
    /// Six digits, which every reader knows.
    case microseconds
    /// Nine digits.
    case nanoseconds
  }

  private let resolution: Resolution

  /// A writer of files of `resolution`.
  public init(_ resolution: Resolution) { self.resolution = resolution }

  /// Appends the 24-byte file header.
  public func appendHeader(
    linkType: LinkType, snapLength: UInt32, to output: inout [UInt8]
  ) {
    output.appendLittle(resolution == .nanoseconds ? 0xA1B2_3C4D : 0xA1B2_C3D4 as UInt32)
    output.appendLittle(2 as UInt16)
    output.appendLittle(4 as UInt16)
    output.appendLittle(0 as UInt64)
    output.appendLittle(snapLength)
    output.appendLittle(UInt32(linkType.rawValue))
  }

  /// Appends one record: `bytes` captured at `time` of a frame `originalLength` bytes long.
  ///
  /// Times outside of 1970 to 2106 do not fit the format and are held at its ends.
  public func appendPacket(
    _ bytes: Span<UInt8>, time: CaptureTime?, originalLength: Int, to output: inout [UInt8]
  ) {
    let nanoseconds = max(time?.nanoseconds ?? 0, 0)
    let fraction = UInt32(nanoseconds % 1_000_000_000)
    output.appendLittle(UInt32(clamping: nanoseconds / 1_000_000_000))
    output.appendLittle(resolution == .nanoseconds ? fraction : fraction / 1000)
    output.appendLittle(UInt32(clamping: bytes.count))
    output.appendLittle(UInt32(clamping: max(originalLength, bytes.count)))
    output.append(span: bytes)
  }
}

extension [UInt8] {
  mutating func appendLittle<T: FixedWidthInteger>(_ value: T) {
    var rest = value
    for _ in 0..<(T.bitWidth / 8) {
      append(UInt8(truncatingIfNeeded: rest))
      rest >>= 8
    }
  }

  mutating func append(span bytes: Span<UInt8>) {
    reserveCapacity(Swift.max(capacity, count + bytes.count))
    for index in bytes.indices { append(bytes[index]) }
  }
}
