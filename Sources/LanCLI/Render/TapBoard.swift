import LanCore
import LanSystem
import LanWire

/// A 3×3 board of tiles on a terminal, drawn again in its place.
struct TapBoard {
  private let style: TerminalStyle
  /// How many lines were drawn, and how wide they are.
  private var drawn: [Int] = []

  init(style: TerminalStyle) { self.style = style }

  /// What a tile shows: pressed by the other player, here, by both or by nobody.
  struct Tile: Hashable {
    var isDownThere = false
    var isDownHere = false
  }

  /// Draws the board below what was written before.
  mutating func draw(
    _ tiles: [Tile], _ status: String, width: Int, to out: inout OutputBuffer
  ) {
    clear(width: width, to: &out)
    let room = max(width - 1, 1)
    let cell = Self.cellWidth(room)
    for row in 0..<3 {
      for column in 0..<3 {
        let number = row * 3 + column
        append(number, number < tiles.count ? tiles[number] : Tile(), cell, to: &out)
      }
      out.append("\n")
      drawn.append(cell * 3)
    }
    let line = status.cut(to: room)
    style.begin(.dim, to: &out)
    out.append(text: line, escape: .shown)
    style.end(to: &out)
    out.append("\n")
    drawn.append(line.columns)
  }

  /// Takes the board away.
  mutating func clear(width: Int, to out: inout OutputBuffer) {
    if drawn.isEmpty { return }
    // A terminal that has become narrower has broken lines.
    let lines = drawn.reduce(0) { $0 + max(1, ($1 + width - 1) / max(width, 1)) }
    out.append(text: "\r\u{1B}[\(lines)A\u{1B}[J")
    drawn = []
  }

  /// Columns of a tile: as much as three find room for, within reason.
  static func cellWidth(_ room: Int) -> Int { min(max(room / 3, 1), 9) }

  private func append(_ number: Int, _ tile: Tile, _ width: Int, to out: inout OutputBuffer) {
    let text = Self.text(number, tile, width)
    if tile.isDownThere || tile.isDownHere {
      // Reversed: it must show without colours too.
      out.append("\u{1B}[7m")
      if style.isOn { out.append(tile.isDownThere ? "\u{1B}[32m" : "\u{1B}[34m") }
      out.append(text: text)
      out.append("\u{1B}[0m")
    } else {
      out.append(text: text)
    }
  }

  /// A tile of `width` columns: its number, and who holds it down where there is room.
  static func text(_ number: Int, _ tile: Tile, _ width: Int) -> String {
    let digit = "\(number + 1)"
    if width < 3 { return digit.padded(to: width) }
    let mark =
      switch (tile.isDownThere, tile.isDownHere) {
      case (true, true): "*"
      case (true, false): "<"
      case (false, true): ">"
      case (false, false): " "
      }
    let middle = width - 3
    let before = middle / 2
    return " " + String(repeating: " ", count: before) + digit + mark
      + String(repeating: " ", count: middle - before)
  }
}
