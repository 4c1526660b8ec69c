@testable import LanCLI

/// The lines of what is drawn in place, without control sequences; blanks take the place of moves
/// within a line.
func plainLines(_ text: String) -> [String] {
  text.split(separator: "\r\n").map { line in
    var (shown, rest) = ("", line.unicodeScalars[...])
    while let scalar = rest.popFirst() {
      guard scalar == "\u{1B}" else {
        if scalar != "\r" { shown.unicodeScalars.append(scalar) }
        continue
      }
      var number = ""
      while let next = rest.popFirst(), next == "[" || !(0x40...0x7E ~= next.value) {
        if "0"..."9" ~= next { number.unicodeScalars.append(next) }
        if let end = rest.first, end == "G", let column = Int(number) {
          shown += String(repeating: " ", count: max(column - 1 - shown.columns, 0))
        }
      }
    }
    return shown
  }
}
