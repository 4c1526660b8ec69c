/// The pcapng half: blocks, sections and interfaces; packet blocks are in a file of their own.
extension CaptureFileParser {
  enum BlockType {
    static let section: UInt32 = 0x0A0D_0D0A
    static let interface: UInt32 = 1
    static let oldPacket: UInt32 = 2
    static let simplePacket: UInt32 = 3
    static let statistics: UInt32 = 5
    static let enhancedPacket: UInt32 = 6
    static let journal: UInt32 = 9
    static let custom: UInt32 = 0xBAD
    static let customNoCopy: UInt32 = 0x4000_0BAD
  }

  /// Reads blocks up to the next frame.
  mutating func nextBlock(
    _ bytes: Span<UInt8>, at offset: inout Int, isEnd: Bool
  ) throws(CaptureFileError) -> CaptureStep {
    while true {
      if skip > 0, let step = try stepOver(bytes, at: &offset, isEnd: isEnd) { return step }
      let count = bytes.count &- offset
      guard count >= 12 else {
        return count == 0 && isEnd ? .end : try missing(12, isEnd: isEnd)
      }
      let length = try blockLength(bytes, at: offset)
      let type = bytes.uint32(at: offset, isBigEndian)
      guard Self.isRead(type) else {
        startSkipping(type, length, &offset)
        continue
      }
      guard length <= CaptureLimits.blockBytes else {
        throw CaptureFileError(.blockLength(length), at: position)
      }
      guard count >= length else { return try missing(length, isEnd: isEnd) }
      try checkTrailer(bytes, at: offset &+ length &- 4, length)
      // The body is what is between the two lengths.
      let body = (offset &+ 8)..<(offset &+ length &- 4)
      let packet = try read(type, bytes, body)
      consume(length, &offset)
      if let packet { return .packet(packet) }
    }
  }

  private static func isRead(_ type: UInt32) -> Bool {
    switch type {
    case BlockType.section, BlockType.interface, BlockType.oldPacket, BlockType.simplePacket,
      BlockType.statistics, BlockType.enhancedPacket:
      true
    default: false
    }
  }

  /// The length of the block at `offset`; a section header also sets the byte order.
  private mutating func blockLength(_ bytes: Span<UInt8>, at offset: Int) throws(CaptureFileError)
    -> Int
  {
    if bytes.uint32(at: offset) == BlockType.section {
      switch bytes.uint32(at: offset &+ 8) {
      case 0x1A2B_3C4D: isBigEndian = true
      case 0x4D3C_2B1A: isBigEndian = false
      default: throw CaptureFileError(.byteOrderMark, at: position)
      }
    }
    let length = Int(bytes.uint32(at: offset &+ 4, isBigEndian))
    guard length >= 12, length % 4 == 0 else {
      throw CaptureFileError(.blockLength(length), at: position)
    }
    return length
  }

  private func checkTrailer(_ bytes: Span<UInt8>, at offset: Int, _ length: Int)
    throws(CaptureFileError)
  {
    let trailer = Int(bytes.uint32(at: offset, isBigEndian))
    guard trailer == length else {
      throw CaptureFileError(.blockTrailer(length, trailer), at: position)
    }
  }

  /// Begins to step over a block that needs not be in memory as a whole.
  private mutating func startSkipping(_ type: UInt32, _ length: Int, _ offset: inout Int) {
    switch type {
    case BlockType.journal, BlockType.custom, BlockType.customNoCopy: frames &+= 1
    default: break
    }
    skippedLength = length
    skip = length &- 8
    consume(8, &offset)
  }

  /// Steps on; nil when the block is behind.
  private mutating func stepOver(
    _ bytes: Span<UInt8>, at offset: inout Int, isEnd: Bool
  ) throws(CaptureFileError) -> CaptureStep? {
    consume(min(bytes.count &- offset, skip &- 4), &offset, skipping: true)
    guard skip == 4, bytes.count &- offset >= 4 else {
      if isEnd { throw CaptureFileError(.endsInsideRecord, at: blockStart) }
      return .needMore(minimum: min(skip, 65_536))
    }
    let trailer = Int(bytes.uint32(at: offset, isBigEndian))
    guard trailer == skippedLength else {
      throw CaptureFileError(.blockTrailer(skippedLength, trailer), at: blockStart)
    }
    consume(4, &offset, skipping: true)
    return nil
  }

  private var blockStart: Int { position &- (skippedLength &- skip) }

  private mutating func consume(_ count: Int, _ offset: inout Int, skipping: Bool) {
    skip &-= count
    consume(count, &offset)
  }

  private mutating func read(
    _ type: UInt32, _ bytes: Span<UInt8>, _ body: Range<Int>
  ) throws(CaptureFileError) -> CapturedPacket? {
    switch type {
    case BlockType.enhancedPacket: return try enhancedPacket(bytes, body)
    case BlockType.simplePacket: return try simplePacket(bytes, body)
    case BlockType.oldPacket: return try oldPacket(bytes, body)
    case BlockType.interface: try readInterface(bytes, body)
    case BlockType.statistics: try readStatistics(bytes, body)
    default: try readSection(bytes, body)
    }
    return nil
  }

  func require(_ count: Int, in body: Range<Int>) throws(CaptureFileError) {
    guard body.count >= count else {
      throw CaptureFileError(.blockLength(body.count &+ 12), at: position)
    }
  }

  private mutating func readSection(_ bytes: Span<UInt8>, _ body: Range<Int>)
    throws(CaptureFileError)
  {
    try require(16, in: body)
    let major = Int(bytes.uint16(at: body.lowerBound &+ 4, isBigEndian))
    guard major == 1 else { throw CaptureFileError(.version(major), at: position) }
    sectionBase = interfaces.count
  }

  private mutating func readInterface(
    _ bytes: Span<UInt8>, _ body: Range<Int>
  ) throws(CaptureFileError) {
    try require(8, in: body)
    guard interfaces.count < CaptureLimits.interfaces else {
      throw CaptureFileError(.tooManyInterfaces, at: position)
    }
    let start = body.lowerBound
    var interface = CaptureInterface(
      linkType: LinkType(rawValue: bytes.uint16(at: start, isBigEndian)),
      snapLength: bytes.uint32(at: start &+ 4, isBigEndian))
    var fact = Facts(
      linkType: interface.linkType, fcsLength: 0, snapLength: interface.snapLength)
    var options = PcapngOptions((start &+ 8)..<body.upperBound, isBigEndian: isBigEndian)
    while let option = options.next(bytes) {
      apply(option, bytes, &interface, &fact)
    }
    interface.fcsLength = fact.fcsLength
    interface.fractionDigits = fact.clock.time(0).fractionDigits
    interfaces.append(interface)
    facts.append(fact)
  }

  private func apply(
    _ option: PcapngOptions.Option, _ bytes: Span<UInt8>,
    _ interface: inout CaptureInterface, _ fact: inout Facts
  ) {
    let value = option.value
    switch (option.code, value.count) {
    case (2, _): interface.name = bytes.text(value)
    case (3, _): interface.details = bytes.text(value)
    case (9, 1...): fact.clock.setResolution(bytes[value.lowerBound])
    // The first byte of if_filter says which kind of filter follows; 0 is text.
    case (11, 1...) where bytes[value.lowerBound] == 0:
      interface.filter = bytes.text((value.lowerBound &+ 1)..<value.upperBound)
    case (13, 1...): fact.fcsLength = min(Int(bytes[value.lowerBound]), 16)
    case (14, 8...):
      fact.clock.offsetSeconds = Int64(
        bitPattern: bytes.uint64(at: value.lowerBound, isBigEndian))
    default: break
    }
  }

  private mutating func readStatistics(
    _ bytes: Span<UInt8>, _ body: Range<Int>
  ) throws(CaptureFileError) {
    try require(12, in: body)
    let number = Int(bytes.uint32(at: body.lowerBound, isBigEndian))
    guard number < interfaces.count &- sectionBase else { return }
    let index = sectionBase &+ number
    var dropped: UInt64?
    let range = (body.lowerBound &+ 12)..<body.upperBound
    var options = PcapngOptions(range, isBigEndian: isBigEndian)
    while let option = options.next(bytes) {
      guard option.value.count >= 8 else { continue }
      let count = bytes.uint64(at: option.value.lowerBound, isBigEndian)
      switch option.code {
      case 4: interfaces[index].received = count
      case 5, 7: dropped = (dropped ?? 0).addingReportingOverflow(count).partialValue
      default: break
      }
    }
    if let dropped { interfaces[index].dropped = dropped }
  }
}
