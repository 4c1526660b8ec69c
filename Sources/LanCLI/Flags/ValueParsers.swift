/// A span of time as an option gives it.
enum TimeLimit: Equatable, Sendable {
  /// `none`.
  case never
  /// A span above zero.
  case after(Duration)
}

/// Reads what stands behind options; every error says what would be right.
enum ValueParser {
  /// A time span: a number with `ms`, `s`, `m` or `h`, a bare number of seconds, or `none`.
  static func timeLimit(_ text: String) throws(ValueError) -> TimeLimit {
    if text == "none" { return .never }
    if text == "0" {
      throw ValueError(reason: "0 could mean no time or no limit; for no limit say 'none'")
    }
    let form = ValueError(reason: "expected a time such as 250ms, 3s, 2m, 1h or none")
    guard let (number, unit) = split(text) else { throw form }
    let scales: [String: Int64] = [
      "us": 1_000, "ms": 1_000_000, "": 1_000_000_000, "s": 1_000_000_000,
      "m": 60_000_000_000, "h": 3_600_000_000_000, "d": 86_400_000_000_000,
    ]
    guard let scale = scales[unit] else { throw form }
    guard let nanoseconds = number.scaled(by: scale) else {
      throw ValueError(reason: "more than can be counted")
    }
    guard nanoseconds > 0 else { throw ValueError(reason: "must be above zero") }
    return .after(.nanoseconds(nanoseconds))
  }

  /// A number of bytes: `K`, `KiB` and so on are powers of 1024, `KB` and so on powers of 1000.
  static func byteSize(_ text: String, in range: ClosedRange<Int>) throws(ValueError) -> Int {
    let form = ValueError(reason: "expected a size such as 512, 64K, 10M, 2GiB or 10MB")
    guard let (number, unit) = split(text) else { throw form }
    let scales: [String: Int64] = [
      "": 1, "b": 1, "k": 1 << 10, "kib": 1 << 10, "m": 1 << 20, "mib": 1 << 20, "g": 1 << 30,
      "gib": 1 << 30, "kb": 1_000, "mb": 1_000_000, "gb": 1_000_000_000,
    ]
    guard let scale = scales[unit.lowercased()] else { throw form }
    guard let size = number.scaled(by: scale) else {
      throw ValueError(reason: "more than can be counted")
    }
    guard range.contains(Int(size)) else { throw outside(range, "bytes") }
    return Int(size)
  }

  /// A whole number in decimal digits.
  static func count(_ text: String, in range: ClosedRange<Int>) throws(ValueError) -> Int {
    guard text.utf8.first.map(isDigitOrMinus) == true,
      text.utf8.dropFirst().allSatisfy(isDigit), text != "-"
    else { throw ValueError(reason: "expected a whole number") }
    guard let number = Int(text) else { throw ValueError(reason: "more than can be counted") }
    guard range.contains(number) else { throw outside(range, "") }
    return number
  }

  /// One of the words of `choices`.
  static func choice(_ text: String, of choices: [Choice]) throws(ValueError) -> String {
    let words = choices.map(\.word)
    if words.contains(text) { return text }
    throw ValueError(
      reason: "expected \(alternatives(words))",
      suggestion: Suggestion.closest(to: text, among: words))
  }

  /// Words separated by commas, none of them empty.
  static func list(_ text: String) throws(ValueError) -> [String] {
    let words = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    guard !words.contains("") else {
      throw ValueError(reason: "expected words separated by single commas")
    }
    return words
  }

  /// Words of `choices` separated by commas.
  static func choices(_ text: String, of choices: [Choice]) throws(ValueError) -> [String] {
    var words: [String] = []
    for word in try list(text) {
      do { words.append(try choice(word, of: choices)) } catch {
        let start = text == word ? "" : "'\(printable(Array(word.utf8)))' is none of these; "
        throw ValueError(reason: start + error.reason, suggestion: error.suggestion)
      }
    }
    return words
  }

  /// `a, b or c`.
  static func alternatives(_ words: [String]) -> String {
    guard let last = words.last, words.count > 1 else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " or " + last
  }

  private static func outside(_ range: ClosedRange<Int>, _ unit: String) -> ValueError {
    let unit = unit.isEmpty ? "" : " \(unit)"
    if range.upperBound == Int.max {
      return ValueError(reason: "expected \(range.lowerBound)\(unit) or more")
    }
    return ValueError(reason: "expected \(range.lowerBound) to \(range.upperBound)\(unit)")
  }

  private static func split(_ text: String) -> (Decimal, unit: String)? {
    let digits = text.utf8.prefix { isDigit($0) || $0 == UInt8(ascii: ".") }
    guard let number = Decimal(String(digits) ?? "") else { return nil }
    return (number, String(text.dropFirst(digits.count)))
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static func isDigitOrMinus(_ byte: UInt8) -> Bool {
    isDigit(byte) || byte == UInt8(ascii: "-")
  }
}

/// A decimal number above or equal to zero, exact to nine places.
private struct Decimal {
  private var whole: Int64
  private var billionths: Int64

  init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 2, let whole = Int64(parts.first ?? "") else { return nil }
    self.whole = whole
    billionths = 0
    guard parts.count == 2 else { return }
    guard (1...9).contains(parts[1].count), let digits = Int64(parts[1]) else { return nil }
    billionths = (parts[1].count..<9).reduce(digits) { value, _ in value * 10 }
  }

  /// The number times `scale`, cut to a whole; nil where that overflows.
  func scaled(by scale: Int64) -> Int64? {
    let (product, overflow) = whole.multipliedReportingOverflow(by: scale)
    let wide = billionths.multipliedFullWidth(by: scale)
    let (part, _) = Int64(1_000_000_000).dividingFullWidth(wide)
    let (sum, carry) = product.addingReportingOverflow(part)
    return overflow || carry ? nil : sum
  }
}
