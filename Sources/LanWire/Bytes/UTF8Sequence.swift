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
}
