import LanWire
import TestKit
import Testing

private func length(_ bytes: [UInt8], at offset: Int = 0, end: Int? = nil) -> Int {
  UTF8Sequence.length(bytes.span, at: offset, end: end ?? bytes.count)
}

private func isPrintable(_ bytes: [UInt8]) -> Bool {
  UTF8Sequence.isPrintable(bytes.span, 0..<bytes.count)
}

@Suite("UTF-8 among arbitrary bytes") struct UTF8SequenceTests {
  /// The length by the standard library's own decoder.
  private func reference(_ bytes: ArraySlice<UInt8>) -> Int {
    for length in 1...4 where bytes.count >= length {
      let head = bytes.prefix(length)
      if let text = String(validating: head, as: UTF8.self), text.unicodeScalars.count == 1 {
        return length
      }
    }
    return 0
  }

  @Test("every scalar value is well-formed in full length, and not in any shorter one")
  func scalars() {
    var failures: [UInt32] = []
    for value in stride(from: UInt32(0), through: 0x10FFFF, by: 7) {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let bytes = Array(String(scalar).utf8)
      let isWhole = length(bytes) == bytes.count
      let isCut = bytes.count == 1 || length(bytes, end: bytes.count - 1) == 0
      if !isWhole || !isCut { failures.append(value) }
    }
    #expect(failures == [])
  }

  @Test("two and three arbitrary bytes are judged as the standard library judges them")
  func pairs() {
    var failures = 0
    for first in UInt8(0x80)...0xFF {
      for second in UInt8.min...UInt8.max {
        let bytes = [first, second, 0x80, 0xBF]
        if length(bytes) != reference(bytes[...]) { failures += 1 }
      }
    }
    #expect(failures == 0)
  }

  @Test(
    "overlong forms, surrogates and numbers beyond the last are none",
    arguments: [
      "c080", "c1bf", "e08080", "e09fbf", "eda080", "edbfbf", "f08080 80", "f08fbfbf", "f4908080",
      "f5808080", "80", "bf", "ff", "fe", "c3", "e282", "f09f98",
    ])
  func malformed(_ digits: String) {
    let bytes = hex(digits)
    #expect(length(bytes) == 0)
    #expect(!isPrintable(bytes))
  }

  @Test("places outside of the bytes have no sequence") func outside() {
    let bytes: [UInt8] = [0x41]
    for place in [-1, 1, 2, Int.max, Int.min] {
      #expect(length(bytes, at: place, end: 1) == 0)
    }
    #expect(length(bytes, end: 2) == 0)
  }

  @Test(
    "what turns the direction, hides or steers is told from letters and emoji",
    arguments: [
      ("\u{85}", true), ("\u{9B}", true), ("\u{A0}", false), ("é", false), ("\u{61C}", true),
      ("\u{200B}", true), ("\u{200C}", false), ("\u{200D}", false), ("\u{200E}", true),
      ("\u{202A}", true), ("\u{202E}", true), ("\u{2028}", true), ("\u{2029}", true),
      ("\u{2066}", true), ("\u{2069}", true), ("\u{FEFF}", true), ("\u{E0041}", true),
      ("日", false), ("😀", false),
    ])
  func steering(_ text: String, _ steers: Bool) {
    let bytes = Array(text.utf8)
    let found = UTF8Sequence.steers(bytes.span, at: 0, bytes.count)
    #expect(found == steers)
  }

  @Test(
    "printable text has no control characters of either set",
    arguments: [
      ("", true), ("plain text", true), ("Büro 日本 😀", true), ("a\tb", false), ("a\u{7F}", false),
      ("\u{80}", false), ("\u{9F}", false), ("\u{A0}", true), ("\u{0}", false), ("~ ", true),
    ])
  func printable(_ text: String, _ expected: Bool) {
    #expect(isPrintable(Array(text.utf8)) == expected)
  }
}
