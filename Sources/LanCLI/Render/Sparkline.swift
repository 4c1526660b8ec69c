import LanSystem

/// A curve of times in one line of text.
enum Sparkline {
  private static let bars: [Character] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

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

/// The last line of a terminal: the last times as a curve, redrawn in place.
struct PingPeerLine {
  private var isShown = false
  private let style: TerminalStyle
  var width: Int

  init(style: TerminalStyle, width: Int) {
    self.style = style
    self.width = width
  }

  /// Takes the line away, so that others can be written in its place.
  mutating func clear(to out: inout OutputBuffer) {
    if isShown { out.append("\r\u{1B}[K") }
    isShown = false
  }

  /// Writes the line.
  mutating func draw(_ text: String, to out: inout OutputBuffer) {
    clear(to: &out)
    // One column stays free: a full line would move some terminals' cursor to the next.
    let room = max(width - 1, 0)
    guard room > 8, !text.isEmpty else { return }
    style.begin(.dim, to: &out)
    out.append(text: text.cut(to: room), escape: .shown)
    style.end(to: &out)
    isShown = true
  }
}
