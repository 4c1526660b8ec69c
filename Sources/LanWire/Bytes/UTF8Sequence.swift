/// Which bytes are well-formed UTF-8 (Unicode 15, table 3-7), without copying.
public enum UTF8Sequence {
  /// Bytes of the well-formed sequence of two to four bytes at `offset`; 0 when there is none.
  @inlinable public static func length(_ bytes: Span<UInt8>, at offset: Int) -> Int {
    let first = bytes[offset]
    let size = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
    guard first >= 0xC2, first <= 0xF4, bytes.count &- offset >= size else { return 0 }
    let second = bytes[offset &+ 1]
    let lowest: UInt8 = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80
    let highest: UInt8 = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF
    guard second >= lowest, second <= highest else { return 0 }
    for step in 2..<max(size, 2) where bytes[offset &+ step] & 0xC0 != 0x80 { return 0 }
    return size
  }

  /// True for characters that could steer a terminal or the direction of a line.
  ///
  /// C1 controls, bidi controls, line and paragraph separators, zero-width space, interlinear
  /// marks and tags. Joiners are none: emoji and several scripts need them.
  ///
  /// - Parameters:
  ///   - bytes: the text.
  ///   - offset: where a well-formed sequence starts.
  ///   - size: its length, from `length`.
  public static func steers(_ bytes: Span<UInt8>, at offset: Int, _ size: Int) -> Bool {
    var scalar = UInt32(bytes[offset]) & (size == 2 ? 0x1F : size == 3 ? 0x0F : 0x07)
    for step in 1..<size { scalar = scalar << 6 | UInt32(bytes[offset + step] & 0x3F) }
    switch scalar {
    case 0x80...0x9F, 0x061C, 0x180E, 0x200B, 0x200E, 0x200F, 0x2028...0x202E, 0x2060...0x206F,
      0xFEFF, 0xFFF9...0xFFFB, 0xE0000...0xE0FFF:
      return true
    default: return false
    }
  }

  /// True when the bytes in `range` are well-formed UTF-8 without control characters.
  @inlinable public static func isPrintable(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
    let part = bytes.extracting(range)
    var index = 0
    while index < part.count {
      let byte = part[index]
      if byte &- 0x20 < 0x5F {
        index &+= 1
        continue
      }
      guard byte >= 0x80 else { return false }
      let size = length(part, at: index)
      // C1 controls are U+0080 to U+009F: C2 80 to C2 9F.
      guard size > 0, !(byte == 0xC2 && part[index &+ 1] < 0xA0) else { return false }
      index &+= size
    }
    return true
  }
}
