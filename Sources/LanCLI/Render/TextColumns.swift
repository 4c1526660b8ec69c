extension Unicode.Scalar {
  /// How many columns of a terminal the scalar takes: 0, 1, or 2 for East Asian wide ones.
  var columns: Int {
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control: return 0
    default: break
    }
    switch value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
      0xA000...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
      0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F900...0x1F9FF, 0x20000...0x3FFFD:
      return 2
    default: return 1
    }
  }
}

extension String {
  /// How many columns of a terminal the text takes.
  var columns: Int { unicodeScalars.reduce(0) { $0 + $1.columns } }

  /// The text with blanks up to `width` columns.
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - columns))
  }

  /// The text cut to `width` columns.
  func cut(to width: Int) -> String {
    guard columns > width else { return self }
    var used = 0
    var result = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      used += scalar.columns
      if used > width { break }
      result.append(scalar)
    }
    return String(result)
  }
}
