/// Writes pcapng files, little-endian and with nanoseconds, into bytes that the caller owns.
///
/// Begin with `appendSection`, then `appendInterface` for each interface, then packets.
public struct PcapngWriter: Sendable {
  private var interfaces: UInt32 = 0

  /// A writer at the start of a file.
  public init() {}

  /// Appends a section header that names the writing `application`.
  public mutating func appendSection(application: String, to output: inout [UInt8]) {
    interfaces = 0
    let start = Self.begin(CaptureFileParser.BlockType.section, &output)
    output.appendLittle(0x1A2B_3C4D as UInt32)
    output.appendLittle(1 as UInt16)
    output.appendLittle(0 as UInt16)
    output.appendLittle(UInt64.max)
    Self.option(4, application, &output)
    Self.endOptions(&output)
    Self.end(start, &output)
  }

  /// Appends an interface and returns its number for `appendPacket`.
  public mutating func appendInterface(
    linkType: LinkType, snapLength: UInt32, name: String?, to output: inout [UInt8]
  ) -> UInt32 {
    let start = Self.begin(CaptureFileParser.BlockType.interface, &output)
    output.appendLittle(linkType.rawValue)
    output.appendLittle(0 as UInt16)
    output.appendLittle(snapLength)
    if let name { Self.option(2, name, &output) }
    // if_tsresol: 10 to the minus 9 seconds.
    output.append(contentsOf: [9, 0, 1, 0, 9, 0, 0, 0])
    Self.endOptions(&output)
    Self.end(start, &output)
    defer { interfaces &+= 1 }
    return interfaces
  }

  /// Appends an enhanced packet block; a frame without a time gets time 0.
  public func appendPacket(
    _ bytes: Span<UInt8>, interface: UInt32, time: CaptureTime?, originalLength: Int,
    direction: CapturedPacket.Direction = .unknown, comment: String? = nil,
    to output: inout [UInt8]
  ) {
    let start = Self.begin(CaptureFileParser.BlockType.enhancedPacket, &output)
    let nanoseconds = UInt64(max(time?.nanoseconds ?? 0, 0))
    output.appendLittle(interface)
    output.appendLittle(UInt32(nanoseconds >> 32))
    output.appendLittle(UInt32(truncatingIfNeeded: nanoseconds))
    output.appendLittle(UInt32(clamping: bytes.count))
    output.appendLittle(UInt32(clamping: max(originalLength, bytes.count)))
    output.append(span: bytes)
    Self.pad(bytes.count, &output)
    if let comment { Self.option(1, comment, &output) }
    if direction != .unknown {
      output.append(contentsOf: [2, 0, 4, 0, direction.rawValue, 0, 0, 0])
    }
    if comment != nil || direction != .unknown { Self.endOptions(&output) }
    Self.end(start, &output)
  }

  /// Appends interface statistics: frames received and frames dropped by the system.
  public func appendStatistics(
    interface: UInt32, time: CaptureTime, received: UInt64, dropped: UInt64,
    to output: inout [UInt8]
  ) {
    let start = Self.begin(CaptureFileParser.BlockType.statistics, &output)
    let nanoseconds = UInt64(max(time.nanoseconds, 0))
    output.appendLittle(interface)
    output.appendLittle(UInt32(nanoseconds >> 32))
    output.appendLittle(UInt32(truncatingIfNeeded: nanoseconds))
    output.append(contentsOf: [4, 0, 8, 0])
    output.appendLittle(received)
    output.append(contentsOf: [7, 0, 8, 0])
    output.appendLittle(dropped)
    Self.endOptions(&output)
    Self.end(start, &output)
  }

  private static func begin(_ type: UInt32, _ output: inout [UInt8]) -> Int {
    let start = output.count
    output.appendLittle(type)
    output.appendLittle(0 as UInt32)
    return start
  }

  /// Writes the block's length in front and behind.
  private static func end(_ start: Int, _ output: inout [UInt8]) {
    let length = UInt32(clamping: output.count - start + 4)
    for index in 0..<4 {
      output[start + 4 + index] = UInt8(truncatingIfNeeded: length >> UInt32(8 * index))
    }
    output.appendLittle(length)
  }

  private static func option(_ code: UInt16, _ text: String, _ output: inout [UInt8]) {
    let bytes = text.utf8.prefix(Int(UInt16.max) - 3)
    output.appendLittle(code)
    output.appendLittle(UInt16(clamping: bytes.count))
    output.append(contentsOf: bytes)
    pad(bytes.count, &output)
  }

  private static func endOptions(_ output: inout [UInt8]) {
    output.appendLittle(0 as UInt32)
  }

  private static func pad(_ count: Int, _ output: inout [UInt8]) {
    for _ in 0..<(-count & 3) { output.append(0) }
  }
}
