import LanSystem

/// The last line of a terminal, below what was written so far: how it stands, drawn in place.
struct StatusLine {
  /// Nothing can be said in fewer columns.
  private static let least = 8

  private var picture = LivePicture()
  private let style: TerminalStyle

  init(style: TerminalStyle) { self.style = style }

  /// Writes `text`, cut to a terminal of `width` columns, in place of the text before.
  mutating func draw(_ text: String, width: Int, to out: inout OutputBuffer) {
    let room = LivePicture.room(width)
    let text = text.shown.shortened(to: room)
    let lines = room < Self.least || text.isEmpty ? 0 : 1
    picture.draw(lines, width: width, height: 0, to: &out) { [style] _, out in
      style.begin(.dim, to: &out)
      out.append(text: text)
      style.end(to: &out)
    }
  }

  /// Takes the line away, so that others can be written in its place.
  mutating func clear(to out: inout OutputBuffer) { picture.clear(to: &out) }

  /// Takes the line for lost: others have written to the terminal since.
  mutating func forget() { picture.forget() }
}
