/// The three packet blocks of pcapng.
extension CaptureFileParser {
  mutating func enhancedPacket(
    _ bytes: Span<UInt8>, _ body: Range<Int>
  ) throws(CaptureError) -> CapturedPacket {
    try require(20, in: body)
    let number = Int(bytes.uint32(at: body.lowerBound, isBigEndian))
    return try timedPacket(bytes, body, interface: number)
  }

  /// The obsolete packet block: a 16-bit interface number and a 16-bit drop count.
  mutating func oldPacket(
    _ bytes: Span<UInt8>, _ body: Range<Int>
  ) throws(CaptureError) -> CapturedPacket {
    try require(20, in: body)
    let number = Int(bytes.uint16(at: body.lowerBound, isBigEndian))
    let packet = try timedPacket(bytes, body, interface: number)
    let drops = bytes.uint16(at: body.lowerBound &+ 2, isBigEndian)
    // All bits set means that the count is not known.
    if drops != 0, drops != .max { countDrops(UInt64(drops), packet.interface) }
    return packet
  }

  /// A frame without a time, of the section's first interface, cut at its limit.
  mutating func simplePacket(
    _ bytes: Span<UInt8>, _ body: Range<Int>
  ) throws(CaptureError) -> CapturedPacket {
    try require(4, in: body)
    guard sectionBase < facts.count else {
      throw CaptureError(.undeclaredInterface(0), at: position)
    }
    let fact = facts[sectionBase]
    let original = Int(bytes.uint32(at: body.lowerBound, isBigEndian))
    let limit = fact.snapLength == 0 ? original : min(original, Int(fact.snapLength))
    let length = min(limit, body.count &- 4)
    guard length <= CaptureLimits.frameBytes else {
      throw CaptureError(.frameLength(length), at: position)
    }
    let start = body.lowerBound &+ 4
    frames &+= 1
    return CapturedPacket(
      bytes: start..<(start &+ length), originalLength: original, time: nil, frame: frames,
      interface: sectionBase, linkType: fact.linkType, fcsLength: fact.fcsLength,
      isBigEndian: isBigEndian)
  }

  /// What enhanced and obsolete packet blocks share; the caller checked the 20 fixed bytes.
  private mutating func timedPacket(
    _ bytes: Span<UInt8>, _ body: Range<Int>, interface number: Int
  ) throws(CaptureError) -> CapturedPacket {
    guard number < facts.count &- sectionBase else {
      throw CaptureError(.undeclaredInterface(number), at: position)
    }
    let fact = facts[sectionBase &+ number]
    let fixed = body.lowerBound
    let header = bytes.extracting(fixed..<(fixed &+ 20))
    let length = Int(header.word32(12, isBigEndian))
    guard length <= CaptureLimits.frameBytes else {
      throw CaptureError(.frameLength(length), at: position)
    }
    let start = fixed &+ 20
    guard length <= body.upperBound &- start else {
      throw CaptureError(.blockContent(length), at: position)
    }
    let units =
      UInt64(header.word32(4, isBigEndian)) << 32 | UInt64(header.word32(8, isBigEndian))
    frames &+= 1
    var packet = CapturedPacket(
      bytes: start..<(start &+ length),
      originalLength: Int(header.word32(16, isBigEndian)),
      time: fact.clock.time(units), frame: frames, interface: sectionBase &+ number,
      linkType: fact.linkType, fcsLength: fact.fcsLength, isBigEndian: isBigEndian)
    let end = min(start &+ (length &+ 3) & ~3, body.upperBound)
    if end < body.upperBound {
      packet.options = end..<body.upperBound
      readOptions(bytes, &packet)
    }
    return packet
  }

  private mutating func readOptions(_ bytes: Span<UInt8>, _ packet: inout CapturedPacket) {
    var options = PcapngOptions(packet.options, isBigEndian: isBigEndian)
    while let option = options.next(bytes) {
      let value = option.value
      switch (option.code, value.count) {
      case (1, _): packet.commentCount &+= 1
      case (2, 4...):
        let flags = bytes.uint32(at: value.lowerBound, isBigEndian)
        packet.direction = CapturedPacket.Direction(rawValue: UInt8(flags & 3)) ?? .unknown
        // Bits 5 to 8: length of the frame check sequence, which overrides the interface's.
        let fcs = Int(flags >> 5 & 15)
        if fcs != 0 { packet.fcsLength = fcs }
      case (4, 8...):
        countDrops(bytes.uint64(at: value.lowerBound, isBigEndian), packet.interface)
      default: break
      }
    }
  }

  private mutating func countDrops(_ count: UInt64, _ index: Int) {
    let total = interfaces[index].droppedBetweenPackets
    interfaces[index].droppedBetweenPackets = total.addingReportingOverflow(count).partialValue
  }
}
