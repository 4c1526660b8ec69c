import LanSystem

/// A table on a terminal that is drawn again in its place (ECMA-48 cursor control).
///
/// The rest of the terminal stays as it is, so that the table is still there after the end.
struct TableView {
  private let style: TerminalStyle
  /// How wide the lines are that were drawn last.
  private var drawn: [Int] = []

  init(style: TerminalStyle) { self.style = style }

  /// Draws the rows that fit, in place of those drawn before.
  mutating func draw(
    _ rows: [BrowseTable.Row], isSearching: Bool, width: Int, height: Int,
    to out: inout OutputBuffer
  ) {
    let (title, lines) = BrowseTable.lines(rows, width: Self.room(width))
    var wanted: [(text: String, tone: TerminalStyle.Tone)] = []
    if !rows.isEmpty {
      wanted.append((title, .dim))
      // The line of the cursor stays free, and one says how many rows have no place.
      let places = max(height - 2, 1)
      let shown = rows.count > places ? max(places - 1, 0) : rows.count
      for index in 0..<shown { wanted.append((lines[index], rows[index].isOwn ? .dim : .plain)) }
      if shown < rows.count { wanted.append(("... and \(rows.count - shown) more", .dim)) }
    } else if isSearching {
      wanted.append(("searching ...", .dim))
    }
    goToStart(width: width, height: height, to: &out)
    drawn = []
    for line in wanted {
      let text = line.text.cut(to: Self.room(width))
      write(text, line.tone, to: &out)
      drawn.append(text.columns)
    }
    out.append("\u{1B}[J")
  }

  /// Writes all rows, to stay.
  func print(_ rows: [BrowseTable.Row], width: Int, to out: inout OutputBuffer) {
    if rows.isEmpty { return }
    let (title, lines) = BrowseTable.lines(rows, width: Self.room(width))
    write(title, .dim, to: &out)
    for (row, line) in zip(rows, lines) { write(line, row.isOwn ? .dim : .plain, to: &out) }
  }

  /// Takes the table away.
  mutating func clear(to out: inout OutputBuffer) {
    if drawn.isEmpty { return }
    goToStart(
      width: TerminalOutput.columns ?? 80, height: TerminalOutput.lines ?? 24, to: &out)
    out.append("\u{1B}[J")
    drawn = []
  }

  /// One column stays free: a full line would move some terminals' cursor to the next.
  private static func room(_ width: Int) -> Int { max(width - 1, 1) }

  private func write(_ text: String, _ tone: TerminalStyle.Tone, to out: inout OutputBuffer) {
    style.begin(tone, to: &out)
    out.append(text: text, escape: .shown)
    if tone != .plain { style.end(to: &out) }
    out.append("\u{1B}[K\n")
  }

  /// Moves the cursor to the first line of the table.
  ///
  /// A terminal that has become narrower has broken the lines that were wider.
  private func goToStart(width: Int, height: Int, to out: inout OutputBuffer) {
    let lines = drawn.reduce(0) { $0 + max(1, ($1 + width - 1) / max(width, 1)) }
    if lines > 0 { out.append(text: "\r\u{1B}[\(min(lines, max(height - 1, 1)))A") }
  }
}
