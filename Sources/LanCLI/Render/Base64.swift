import LanSystem

extension OutputBuffer {
  /// Writes the bytes of `source` in `range` in base64 (RFC 4648 section 4).
  mutating func append(base64 source: Span<UInt8>, _ range: Range<Int>) {
    var index = range.lowerBound
    while index < range.upperBound {
      let left = range.upperBound - index
      let first = source[index]
      let second = left > 1 ? source[index + 1] : 0
      let third = left > 2 ? source[index + 2] : 0
      append(byte: Self.base64Digit(first >> 2))
      append(byte: Self.base64Digit((first & 3) << 4 | second >> 4))
      append(byte: left > 1 ? Self.base64Digit((second & 15) << 2 | third >> 6) : 0x3D)
      append(byte: left > 2 ? Self.base64Digit(third & 63) : 0x3D)
      index += 3
    }
  }

  private static func base64Digit(_ value: UInt8) -> UInt8 {
    switch value {
    case 0..<26: 0x41 + value
    case 26..<52: 0x61 + value - 26
    case 52..<62: 0x30 + value - 52
    case 62: 0x2B
    default: 0x2F
    }
  }

}
