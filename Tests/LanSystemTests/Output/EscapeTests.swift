import LanSystem
import TestKit
import Testing

/// Escaping as the styles' descriptions say, one character at a time.
private enum SlowEscape {
  static let steering: [ClosedRange<UInt32>] = [
    0x80...0x9F, 0x61C...0x61C, 0x180E...0x180E, 0x200B...0x200B, 0x200E...0x200F,
    0x2028...0x202E, 0x2060...0x206F, 0xFEFF...0xFEFF, 0xFFF9...0xFFFB, 0xE0000...0xE0FFF,
  ]

  static func escape(_ bytes: [UInt8], _ style: EscapeStyle) -> [UInt8] {
    let isJSON = style == .jsonLabel || style == .jsonText
    let isLabel = style == .jsonLabel || style == .textLabel
    var text: [UInt8] = []
    var rest = bytes[...]
    while let byte = rest.first {
      let (scalar, size) = decode(rest)
      let raw = rest.prefix(size)
      rest = rest.dropFirst(size)
      guard let scalar, scalar >= 0x20, scalar != 0x7F,
        isJSON || !steering.contains(where: { $0.contains(scalar) })
      else {
        for byte in raw { text += number(byte) }
        continue
      }
      if isLabel, byte == 0x2E || byte == 0x5C { text.append(0x5C) }
      if style == .text, byte == 0x5C { text.append(0x5C) }
      text += raw
    }
    return isJSON ? text.flatMap { $0 == 0x22 || $0 == 0x5C ? [0x5C, $0] : [$0] } : text
  }

  private static func decode(_ bytes: ArraySlice<UInt8>) -> (UInt32?, Int) {
    for size in 1...4 where bytes.count >= size {
      if let text = String(validating: bytes.prefix(size), as: UTF8.self),
        text.unicodeScalars.count == 1, let scalar = text.unicodeScalars.first
      {
        return (scalar.value, size)
      }
    }
    return (nil, 1)
  }

  private static func number(_ byte: UInt8) -> [UInt8] {
    [0x5C, 0x30 + byte / 100, 0x30 + byte / 10 % 10, 0x30 + byte % 10]
  }
}

extension EscapeStyle {
  fileprivate static let all: [EscapeStyle] = [
    .jsonLabel, .textLabel, .jsonText, .text, .shown,
  ]
}

private func escaped(_ bytes: [UInt8], _ style: EscapeStyle) -> [UInt8] {
  var out = OutputBuffer(capacity: 1)
  out.append(bytes.span, 0..<bytes.count, escape: style)
  return out.withBytes { written in written.indices.map { written[$0] } }
}

@Suite("Bytes from the network, made safe") struct EscapeTests {
  private static let pieces: [[UInt8]] = [
    Array("plain label".utf8), Array("\\.\"".utf8), Array("é日😀".utf8), [0, 0x1B, 0x0A, 0x7F],
    [0x80], [0xC2, 0x9B], [0xE2, 0x80, 0xAE], [0xE2, 0x80, 0xA8], [0xF3, 0xA0, 0x81, 0x81],
    [0xFF, 0xFE], [0xE2, 0x80], [0xF0, 0x9F], [0x20], [0x7E], [0x2F, 0x2D, 0x5B, 0x5D, 0x21, 0x23],
  ]

  @Test("2,000 random strings of a style come out as the rule says", arguments: EscapeStyle.all)
  func random(_ style: EscapeStyle) {
    var generator = SeededGenerator(seed: 23)
    var failures: [[UInt8]] = []
    for _ in 0..<2_000 {
      var bytes: [UInt8] = []
      for _ in 0..<Int.random(in: 0...8, using: &generator) {
        if Bool.random(using: &generator) {
          bytes += Self.pieces[Int.random(in: 0..<Self.pieces.count, using: &generator)]
        } else {
          bytes.append(UInt8.random(in: 0...255, using: &generator))
        }
      }
      if escaped(bytes, style) != SlowEscape.escape(bytes, style) { failures.append(bytes) }
    }
    #expect(failures == [])
  }

  @Test("every byte at every place of a word is escaped alike", arguments: EscapeStyle.all)
  func places(_ style: EscapeStyle) {
    var failures: [[UInt8]] = []
    for byte in UInt8.min...UInt8.max {
      for place in 0..<17 {
        var bytes = [UInt8](repeating: 0x61, count: 17)
        bytes[place] = byte
        if escaped(bytes, style) != SlowEscape.escape(bytes, style) { failures.append(bytes) }
      }
    }
    #expect(failures == [])
  }

  @Test("the widest escapes fit, and only the given part is written") func wide() {
    let bytes = [UInt8](repeating: 0, count: 1_000)
    #expect(escaped(bytes, .jsonLabel).count == 5_000)
    var out = OutputBuffer(capacity: 1)
    let text = Array("ab\u{1B}cd".utf8)
    out.append(text.span, 1..<4, escape: .text)
    let written = out.withBytes { written in written.indices.map { written[$0] } }
    #expect(String(decoding: written, as: UTF8.self) == "b\\027c")
  }

  @Test(
    "text for people never carries a control or direction character",
    arguments: [
      EscapeStyle.textLabel, .text, .shown,
    ])
  func harmless(_ style: EscapeStyle) {
    let hostile = "\u{1B}[31m\r\n\u{7F}\u{9B}2J\u{202E}\u{2066}\u{2028}\u{200E}\u{FEFF}"
    let shown = String(decoding: escaped(Array(hostile.utf8), style), as: UTF8.self)
    #expect(shown.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value < 0x7F })
  }
}
