import LanSystem

/// A curve of times in one line of text.
enum Sparkline {
  private static let bars: [Character] =
    TerminalOutput.isWithoutUTF8
    ? [".", ":", "-", "=", "+", "*", "#", "@"] : ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

  /// A bar for each of the last `width` values, the least the lowest and the greatest the highest.
  static func text(_ values: [Int64], width: Int) -> String {
    let shown = values.suffix(max(width, 0))
    guard let low = shown.min(), let high = shown.max() else { return "" }
    // Differences that nobody would call any are no mountains.
    let range = max(high - low, high / 10, 1)
    return String(
      shown.map { value in
        bars[min(Int((Double(value - low) / Double(range) * 8).rounded(.down)), 7)]
      })
  }
}
