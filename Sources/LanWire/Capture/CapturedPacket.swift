/// One frame of a capture file, as places in the bytes that were lent to the parser.
///
/// The places hold until the caller refills or moves those bytes.
@frozen public struct CapturedPacket: Sendable {
  /// Which way a frame went, where the file tells.
  @frozen public enum Direction: UInt8, Sendable {
    /// The file does not tell.
    case unknown
    /// Received by the capturing host.
    case inbound
    /// Sent by the capturing host.
    case outbound
  }

  /// Where the frame's captured bytes are.
  public var bytes: Range<Int>
  /// Length of the frame on the wire, in bytes.
  public var originalLength: Int
  /// When it was captured; nil for a simple packet block, which has no time.
  public var time: CaptureTime?
  /// Number of the frame in the file, from 1, counted as Wireshark counts.
  public var frame: Int
  /// Index into `CaptureFileParser.interfaces`, running over all sections of the file.
  public var interface: Int
  /// How the frame begins.
  public var linkType: LinkType
  /// Bytes of frame check sequence at the end of the frame, as far as the file tells.
  public var fcsLength: Int
  /// Which way it went.
  public var direction: Direction
  /// How many comments the file's author attached.
  public var commentCount: Int
  /// Where the block's options are, for `comment(_:in:)`.
  @usableFromInline var options: Range<Int>
  /// Byte order of the section.
  @usableFromInline var isBigEndian: Bool

  init(
    bytes: Range<Int>, originalLength: Int, time: CaptureTime?, frame: Int, interface: Int,
    linkType: LinkType, fcsLength: Int, isBigEndian: Bool
  ) {
    self.bytes = bytes
    self.originalLength = originalLength
    self.time = time
    self.frame = frame
    self.interface = interface
    self.linkType = linkType
    self.fcsLength = fcsLength
    self.isBigEndian = isBigEndian
    direction = .unknown
    commentCount = 0
    options = 0..<0
  }

  /// Where comment `index` (from 0) is in the lent bytes; nil when there are fewer.
  public func comment(_ index: Int, in lent: Span<UInt8>) -> Range<Int>? {
    var walk = PcapngOptions(options, isBigEndian: isBigEndian)
    var left = index
    while let option = walk.next(lent) {
      guard option.code == 1 else { continue }
      if left == 0 { return option.value }
      left -= 1
    }
    return nil
  }
}

/// What one call of `CaptureFileParser.next` found.
@frozen public enum CaptureStep: Sendable {
  /// A frame.
  case packet(CapturedPacket)
  /// Too few bytes: call again with all unread ones and at least `minimum` of them.
  case needMore(minimum: Int)
  /// The file ended properly.
  case end
}
