/// Finds well-formed UTF-8 (RFC 3629 section 4) among arbitrary bytes.
public enum UTF8Sequence {
  /// The length of the well-formed sequence at `offset`, or 0 where there is none before `end`.
  @inlinable public static func length(_ bytes: Span<UInt8>, at offset: Int, end: Int) -> Int {
    guard offset >= 0, offset < end, end <= bytes.count else { return 0 }
    let first = bytes[offset]
    if first < 0x80 { return 1 }
    // Neither overlong forms, nor surrogates, nor numbers beyond U+10FFFF.
    let length: Int
    var low: UInt8 = 0x80
    var high: UInt8 = 0xBF
    switch first {
    case 0xC2...0xDF: length = 2
    case 0xE0...0xEF:
      length = 3
      if first == 0xE0 { low = 0xA0 }
      if first == 0xED { high = 0x9F }
    case 0xF0...0xF4:
      length = 4
      if first == 0xF0 { low = 0x90 }
      if first == 0xF4 { high = 0x8F }
    default: return 0
    }
    guard length <= end &- offset else { return 0 }
    let second = bytes[offset &+ 1]
    guard second >= low, second <= high else { return 0 }
    for index in 2..<max(length, 2) where bytes[offset &+ index] & 0xC0 != 0x80 { return 0 }
    return length
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
  /// - Returns: whether it is one of those.
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
      let size = length(part, at: index, end: part.count)
      // C1 controls are U+0080 to U+009F: C2 80 to C2 9F.
      guard size > 0, !(byte == 0xC2 && part[index &+ 1] < 0xA0) else { return false }
      index &+= size
    }
    return true
  }
}
