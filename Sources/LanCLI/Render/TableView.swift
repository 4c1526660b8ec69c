import LanSystem

/// A table on a terminal that is drawn again in its place.
///
/// The rest of the terminal stays as it is, so that the table is still there after the end.
struct TableView {
  private let style: TerminalStyle
  private var picture = LivePicture()

  init(style: TerminalStyle) { self.style = style }

  /// Draws the rows that fit, in place of those drawn before.
  mutating func draw(
    _ rows: [BrowseTable.Row], isSearching: Bool, width: Int, height: Int,
    to out: inout OutputBuffer
  ) {
    // One line stays free, for what the terminal shows of keys.
    let places = max(height - 1, 1)
    // The title goes first where there is no room.
    let hasTitle = !rows.isEmpty && places > 2
    let free = places - (hasTitle ? 1 : 0)
    let shown = rows.count > free ? free - 1 : rows.count
    let room = LivePicture.room(width)
    let table = BrowseTable.lines(rows, width: room)
    var lines: [(line: TableLine, tone: TerminalStyle.Tone)] = []
    if hasTitle { lines.append((table.title, .dim)) }
    for index in 0..<shown { lines.append((table.lines[index], rows[index].isOwn ? .dim : .plain)) }
    var note = rows.isEmpty && isSearching ? "searching ..." : ""
    if shown < rows.count {
      note = shown == 0 ? "\(rows.count) services" : "... and \(rows.count - shown) more"
    }
    if !note.isEmpty { lines.append((.init(note.shortened(to: room)), .dim)) }
    picture.draw(lines.count, width: width, height: height, to: &out) { [style] index, out in
      Self.write(lines[index].line, lines[index].tone, style, to: &out)
    }
  }

  /// Writes all rows, to stay.
  func print(_ rows: [BrowseTable.Row], width: Int, to out: inout OutputBuffer) {
    if rows.isEmpty { return }
    let table = BrowseTable.lines(rows, width: LivePicture.room(width))
    Self.write(table.title, .dim, style, to: &out)
    out.append("\n")
    for (row, line) in zip(rows, table.lines) {
      Self.write(line, row.isOwn ? .dim : .plain, style, to: &out)
      out.append("\n")
    }
  }

  /// Takes the table away.
  mutating func clear(to out: inout OutputBuffer) { picture.clear(to: &out) }

  /// Lets the table stand and goes below it.
  mutating func leave(to out: inout OutputBuffer) { picture.leave(to: &out) }

  /// Takes the table for lost: others have written to the terminal since.
  mutating func forget() { picture.forget() }

  private static func write(
    _ line: TableLine, _ tone: TerminalStyle.Tone, _ style: TerminalStyle,
    to out: inout OutputBuffer
  ) {
    style.begin(tone, to: &out)
    line.append(to: &out)
    if tone != .plain { style.end(to: &out) }
  }
}
