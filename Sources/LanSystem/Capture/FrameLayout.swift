import LanWire

/// Where a frame keeps what a filter expression is mostly about, behind tags and extension headers.
struct FrameLayout {
  /// Bytes of the link header, without tags; an IP header or a tag follows.
  var linkLength: Int
  /// Where the link header names its payload; nil for bare IP.
  var typeOffset: Int?
  /// The type of what follows the tags (0x0800, 0x86dd).
  var type: UInt16
  /// Where the network header starts, behind all tags.
  var network: Int
  /// Where the transport header starts and what it is, if IPv6 extension headers stand before it.
  var behindExtensions: (offset: Int, next: UInt8)?
  /// A fragment that is not the first, and so holds no ports.
  var isLaterFragment = false

  /// True if the plain expression sees the frame as it is.
  var isPlain: Bool { network == linkLength && behindExtensions == nil && !isLaterFragment }

  /// Looks at a frame; nil where the link type is not one that filters need help with.
  init?(_ frame: Span<UInt8>, linkType: Int) {
    switch linkType {
    case 1: (linkLength, typeOffset) = (14, 12)
    case 113: (linkLength, typeOffset) = (16, 14)
    case 276: (linkLength, typeOffset) = (20, 0)
    case 12, 14, 101, 228, 229: (linkLength, typeOffset) = (0, nil)
    default: return nil
    }
    guard frame.count > linkLength else { return nil }
    network = linkLength
    if let typeOffset {
      type = frame.uint16(at: typeOffset)
      while Self.isTag(type), network &+ 4 < frame.count {
        type = frame.uint16(at: network &+ 2)
        network &+= 4
      }
    } else {
      type = frame[0] >> 4 == 6 ? 0x86DD : 0x0800
    }
    if type == 0x0800, network &+ 20 <= frame.count {
      isLaterFragment = frame.uint16(at: network &+ 6) & 0x1FFF != 0
    } else if type == 0x86DD {
      readExtensions(frame)
    }
  }

  private static func isTag(_ type: UInt16) -> Bool {
    type == 0x8100 || type == 0x88A8 || type == 0x9100 || type == 0x9200
  }

  private mutating func readExtensions(_ frame: Span<UInt8>) {
    var offset = network &+ 40
    guard offset <= frame.count else { return }
    var next = frame[network &+ 6]
    // Each header takes at least eight bytes, so this ends with the frame.
    while offset &+ 8 <= frame.count {
      let length: Int
      switch next {
      case 0, 43, 60: length = (Int(frame[offset &+ 1]) &+ 1) &* 8
      case 44: length = 8
      case 51: length = (Int(frame[offset &+ 1]) &+ 2) &* 4
      default: return
      }
      if next == 44, frame.uint16(at: offset &+ 2) >> 3 != 0 { isLaterFragment = true }
      next = frame[offset]
      offset &+= max(length, 8)
      guard offset <= frame.count else { return }
      behindExtensions = (offset, next)
    }
  }

  /// Writes the frame without its tags, its extension headers, or both, into `plain`.
  func write(
    _ frame: Span<UInt8>, withoutTags: Bool, withoutExtensions: Bool, into plain: inout [UInt8]
  ) {
    plain.removeAll(keepingCapacity: true)
    plain.reserveCapacity(frame.count)
    Self.append(frame, 0..<(withoutTags ? linkLength : network), to: &plain)
    if withoutTags, let typeOffset {
      plain[typeOffset] = UInt8(type >> 8)
      plain[typeOffset &+ 1] = UInt8(truncatingIfNeeded: type)
    }
    guard withoutExtensions, let (offset, next) = behindExtensions else {
      return Self.append(frame, network..<frame.count, to: &plain)
    }
    let header = plain.count
    Self.append(frame, network..<(network &+ 40), to: &plain)
    let payload = Int(frame.uint16(at: network &+ 4)) &- (offset &- network &- 40)
    plain[header &+ 4] = UInt8(truncatingIfNeeded: max(payload, 0) >> 8)
    plain[header &+ 5] = UInt8(truncatingIfNeeded: max(payload, 0))
    plain[header &+ 6] = next
    Self.append(frame, offset..<frame.count, to: &plain)
  }

  private static func append(_ frame: Span<UInt8>, _ range: Range<Int>, to out: inout [UInt8]) {
    for index in range { out.append(frame[index]) }
  }
}
