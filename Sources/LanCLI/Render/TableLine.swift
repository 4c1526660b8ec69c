import LanSystem

/// What stands in a line of a table, each cell with the column that it starts at.
struct TableLine: Hashable {
  struct Cell: Hashable {
    let start: Int
    let text: String
  }

  var cells: [Cell] = []

  init() {}

  init(_ text: String) { cells = [Cell(start: 0, text: text)] }

  /// The line with blanks between its cells.
  var text: String {
    cells.reduce(into: "") { line, cell in line = line.padded(to: cell.start) + cell.text }
  }

  /// Writes the line at the start of an empty one.
  ///
  /// Terminals differ in how wide a few characters are; a cell behind such starts where it is to.
  func append(to out: inout OutputBuffer) {
    for (index, cell) in cells.enumerated() {
      out.append(text: cell.text)
      guard index + 1 < cells.count else { return }
      let next = cells[index + 1].start
      if cell.text.utf8.allSatisfy({ $0 < 0x80 }) {
        for _ in 0..<max(next - cell.start - cell.text.utf8.count, 0) { out.append(" ") }
      } else {
        out.append(text: "\u{1B}[\(next + 1)G")
      }
    }
  }
}
