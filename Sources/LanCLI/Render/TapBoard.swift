import LanCore
import LanSystem
import LanWire

/// A 3×3 board of tiles on a terminal, drawn again in its place.
struct TapBoard {
  private let style: TerminalStyle
  private var picture = LivePicture()

  init(style: TerminalStyle) { self.style = style }

  /// What a tile shows: pressed by the other player, here, by both or by nobody.
  struct Tile: Hashable {
    var isDownThere = false
    var isDownHere = false
  }

  /// Draws the board below what was written before; of a low terminal, what it has room for.
  mutating func draw(
    _ tiles: [Tile], _ status: String, width: Int, height: Int, to out: inout OutputBuffer
  ) {
    let room = LivePicture.room(width)
    let cell = Self.cellWidth(room)
    picture.draw(min(4, max(height, 1)), width: width, height: height, to: &out) {
      [style] row, out in
      if row == 3 {
        style.begin(.dim, to: &out)
        out.append(text: status.shown.shortened(to: room))
        return style.end(to: &out)
      }
      for number in row * 3..<row * 3 + 3 {
        let tile = number < tiles.count ? tiles[number] : Tile()
        Self.append(number, tile, cell, style, to: &out)
      }
    }
  }

  /// Takes the board away.
  mutating func clear(to out: inout OutputBuffer) { picture.clear(to: &out) }

  /// Takes the board for lost: others have written to the terminal since.
  mutating func forget() { picture.forget() }

  /// Columns of a tile: as much as three find room for, within reason.
  static func cellWidth(_ room: Int) -> Int { min(max(room / 3, 1), 9) }

  private static func append(
    _ number: Int, _ tile: Tile, _ width: Int, _ style: TerminalStyle, to out: inout OutputBuffer
  ) {
    let text = text(number, tile, width)
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
