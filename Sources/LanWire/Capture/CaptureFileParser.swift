/// Reads pcap and pcapng files piece by piece from bytes that are lent to each call.
///
/// The content decides the format. The parser keeps no bytes: on `.needMore` the caller moves
/// the unread bytes to the front of its buffer, appends more and calls again. Frames are counted
/// as Wireshark counts them, so pcapng custom and journal blocks use up a number.
public struct CaptureFileParser: Sendable {
  enum Format { case unknown, pcap, pcapng }

  /// What the packet path needs of an interface, without its texts.
  struct Facts {
    var linkType: LinkType
    var fcsLength: Int
    var snapLength: UInt32
    var clock = CaptureClock.microseconds
  }

  /// The interfaces declared so far, over all sections.
  public internal(set) var interfaces: [CaptureInterface] = []
  /// Frames counted so far.
  public internal(set) var frames = 0
  /// Offset in the file of the next unread byte.
  public internal(set) var position = 0

  var format = Format.unknown
  var isBigEndian = false
  var facts: [Facts] = []
  /// Size of a pcap record header: 16, or 24 in "modified" files.
  var recordHeader = 16
  /// Nanoseconds in a unit of a pcap record's fraction.
  var fractionUnit: Int64 = 1000
  var fractionDigits: UInt8 = 6
  var link = Facts(linkType: .ethernet, fcsLength: 0, snapLength: 0)
  /// Index of the current section's first interface.
  var sectionBase = 0
  /// Bytes of an uninteresting pcapng block that are still to be stepped over.
  var skip = 0
  /// Length of that block, which its trailer must repeat.
  var skippedLength = 0

  /// A parser at the start of a file.
  public init() {}

  /// Reads up to the next frame from `bytes` at `offset`, which it moves behind what it read.
  ///
  /// `isEnd` says that no bytes follow those lent. Throws a `CaptureFileError` with an offset in the
  /// file; after a throw the parser must not be called again.
  public mutating func next(
    _ bytes: Span<UInt8>, at offset: inout Int, isEnd: Bool
  ) throws(CaptureFileError) -> CaptureStep {
    guard offset >= 0, offset <= bytes.count else { return .needMore(minimum: 0) }
    if format == .unknown, let missing = try readStart(bytes, at: &offset, isEnd: isEnd) {
      return .needMore(minimum: missing)
    }
    return format == .pcap
      ? try nextRecord(bytes, at: &offset, isEnd: isEnd)
      : try nextBlock(bytes, at: &offset, isEnd: isEnd)
  }

  mutating func consume(_ count: Int, _ offset: inout Int) {
    offset &+= count
    position &+= count
  }

  /// Either a request for more bytes or, at the end of the file, the fault of a cut tail.
  func missing(_ minimum: Int, isEnd: Bool) throws(CaptureFileError) -> CaptureStep {
    if isEnd { throw CaptureFileError(.endsInsideRecord, at: position) }
    return .needMore(minimum: minimum)
  }
}

extension CaptureFileParser {
  /// Recognises the file; returns how many bytes it takes when there are too few.
  private mutating func readStart(
    _ bytes: Span<UInt8>, at offset: inout Int, isEnd: Bool
  ) throws(CaptureFileError) -> Int? {
    let count = bytes.count &- offset
    guard count >= 4 else {
      guard isEnd else { return 4 }
      throw CaptureFileError(count == 0 ? .empty : .notACapture, at: 0)
    }
    let magic = bytes.uint32(at: offset)
    if magic == 0x0A0D_0D0A {
      format = .pcapng
      return nil
    }
    guard setFormat(magic) else { throw CaptureFileError(Self.strange(magic), at: 0) }
    guard count >= 24 else {
      guard isEnd else { return 24 }
      throw CaptureFileError(.endsInsideRecord, at: 0)
    }
    try readFileHeader(bytes, at: offset)
    format = .pcap
    consume(24, &offset)
    return nil
  }

  /// Takes byte order, resolution and record size from a pcap magic number.
  private mutating func setFormat(_ magic: UInt32) -> Bool {
    let value = magic >> 16 == 0xA1B2 ? magic : magic.byteSwapped
    isBigEndian = value == magic
    switch value {
    case 0xA1B2_C3D4: break
    case 0xA1B2_CD34: recordHeader = 24
    case 0xA1B2_3C4D:
      fractionUnit = 1
      fractionDigits = 9
    default: return false
    }
    return true
  }

  private mutating func readFileHeader(_ bytes: Span<UInt8>, at offset: Int)
    throws(CaptureFileError)
  {
    let major = Int(bytes.uint16(at: offset &+ 4, isBigEndian))
    guard major <= 2 else { throw CaptureFileError(.version(major), at: position) }
    let network = bytes.uint32(at: offset &+ 20, isBigEndian)
    link = Facts(
      linkType: LinkType(rawValue: UInt16(truncatingIfNeeded: network)),
      // Bit 26 says that bits 28 to 31 hold the frame check sequence's length in 16-bit words.
      fcsLength: network & 0x0400_0000 != 0 ? Int(network >> 28) &* 2 : 0,
      snapLength: bytes.uint32(at: offset &+ 16, isBigEndian))
    var interface = CaptureInterface(linkType: link.linkType, snapLength: link.snapLength)
    interface.fcsLength = link.fcsLength
    interface.fractionDigits = fractionDigits
    interfaces.append(interface)
  }

  private static func strange(_ magic: UInt32) -> CaptureFileError.Reason {
    switch magic {
    case 0x28B5_2FFD: .compressed(.zstd)
    case 0x0422_4D18: .compressed(.lz4)
    case 0xFD37_7A58: .compressed(.xz)
    case _ where magic >> 16 == 0x1F8B: .compressed(.gzip)
    case _ where magic >> 8 == 0x42_5A68: .compressed(.bzip2)
    default: .notACapture
    }
  }
}

extension CaptureFileParser {
  /// Reads one pcap record.
  private mutating func nextRecord(
    _ bytes: Span<UInt8>, at offset: inout Int, isEnd: Bool
  ) throws(CaptureFileError) -> CaptureStep {
    let count = bytes.count &- offset
    guard count >= recordHeader else {
      return count == 0 && isEnd ? .end : try missing(recordHeader, isEnd: isEnd)
    }
    let header = bytes.extracting(offset..<(offset &+ 16))
    let length = Int(header.word32(8, isBigEndian))
    guard length <= CaptureLimits.frameBytes else {
      throw CaptureFileError(.frameLength(length), at: position)
    }
    guard count >= recordHeader &+ length else {
      return try missing(recordHeader &+ length, isEnd: isEnd)
    }
    // Fractions above a second are legal; neither factor can overflow 64 bits.
    let nanoseconds =
      Int64(header.word32(0, isBigEndian)) &* 1_000_000_000
      &+ Int64(header.word32(4, isBigEndian)) &* fractionUnit
    frames &+= 1
    let start = offset &+ recordHeader
    let packet = CapturedPacket(
      bytes: start..<(start &+ length),
      originalLength: Int(header.word32(12, isBigEndian)),
      time: CaptureTime(nanoseconds: nanoseconds, fractionDigits: fractionDigits),
      frame: frames, interface: 0, linkType: link.linkType, fcsLength: link.fcsLength,
      isBigEndian: isBigEndian)
    consume(recordHeader &+ length, &offset)
    return .packet(packet)
  }
}
