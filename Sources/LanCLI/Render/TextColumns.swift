import LanSystem

extension Unicode.Scalar {
  /// How many columns of a terminal the scalar takes: 0, 1, or 2 for wide ones.
  ///
  /// As Unicode Standard Annex #11 and `wcwidth` have it; controls are not written.
  var columns: Int {
    if value < 0x7F { return value < 0x20 ? 0 : 1 }
    switch value {
    // A soft hyphen shows, and so do the signs that stand around a number.
    case 0xAD, 0x0600...0x0605, 0x06DD, 0x070F, 0x0890...0x0891, 0x08E2, 0x110BD, 0x110CD: return 1
    // The vowels and final consonants of a Hangul syllable stand in the place of the first one.
    case 0x1160...0x11FF, 0xD7B0...0xD7FF: return 0
    default: break
    }
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control: return 0
    default: return isWide ? 2 : 1
    }
  }

  private var isWide: Bool {
    guard value >= 0x1100 else { return false }
    switch value {
    case 0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x3247, 0x3250...0x4DBF,
      0x4E00...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19,
      0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18CFF, 0x18D00...0x18DFF,
      0x1AFF0...0x1B2FF, 0x1F200...0x1F202, 0x1F210...0x1F23B, 0x1F240...0x1F248,
      0x1F250...0x1F251, 0x1F260...0x1F265, 0x20000...0x2FFFD, 0x30000...0x3FFFD:
      return true
    // Letters of a flag: one alone is narrow, and two make a flag of two columns.
    case 0x1F1E6...0x1F1FF: return false
    default: return properties.isEmojiPresentation
    }
  }
}

extension String {
  /// How many columns of a terminal the text takes, where terminals differ the most of them.
  var columns: Int {
    if utf8.allSatisfy({ $0 < 0x80 }) { return utf8.count { $0 >= 0x20 && $0 < 0x7F } }
    var (sum, last) = (0, Unicode.Scalar(0x20 as UInt8))
    for scalar in unicodeScalars {
      sum += Self.columns(of: scalar, after: last)
      last = scalar
    }
    return sum
  }

  /// A selector makes an emoji of a sign that is one column wide as text.
  private static func columns(of scalar: Unicode.Scalar, after last: Unicode.Scalar) -> Int {
    guard scalar.value == 0xFE0F, last.properties.isEmoji else { return scalar.columns }
    return last.columns == 1 ? 1 : 0
  }

  /// The text with blanks up to `width` columns.
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - columns))
  }

  /// The text cut to `width` columns.
  func cut(to width: Int) -> String {
    guard columns > width else { return self }
    var (used, last) = (0, Unicode.Scalar(0x20 as UInt8))
    var result = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      used += Self.columns(of: scalar, after: last)
      if used > width { break }
      result.append(scalar)
      last = scalar
    }
    // A joiner would take in what is written next.
    while result.last?.value == 0x200D { result.removeLast() }
    return String(result)
  }

  /// The text cut to `width` columns, with a sign that it was.
  func shortened(to width: Int) -> String {
    guard columns > width else { return self }
    return width > 3 ? cut(to: width - 1) + "~" : cut(to: width)
  }

  /// The text as it is written to a terminal: what could steer that is escaped, and whatever is no
  /// ASCII where the terminal does not take UTF-8.
  ///
  /// Columns are counted of this. It changes no more when it is done twice.
  var shown: String { shown(isASCII: TerminalOutput.isWithoutUTF8) }

  /// The text as it is written to a terminal that takes nothing but ASCII, or UTF-8.
  func shown(isASCII: Bool) -> String {
    if utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return self }
    var out = OutputBuffer(capacity: 128)
    var (text, joiners) = (self, "")
    // A joiner at the end would take in what is written next.
    while text.unicodeScalars.last?.value == 0x200D {
      text.unicodeScalars.removeLast()
      joiners += #"\226\128\141"#
    }
    out.append(text: text + joiners, escape: .shown)
    if isASCII { out.escapeNonASCII() }
    return out.withBytes { bytes in
      String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
    }
  }
}
