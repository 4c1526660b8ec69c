import LanSystem

/// Lines on a terminal that are drawn again in their place (ECMA-48 cursor control).
///
/// Between two drawings the cursor rests at the start of the first line, and everything below it is the
/// picture's. So the place is right whatever became of the lines meanwhile: a terminal that was made
/// narrower may have broken them, or cut them, or moved them. The rest of the terminal stays as it is.
struct LivePicture {
  /// How many lines are there; none where nothing is drawn.
  private(set) var count = 0
  /// What was written for them, and for which size of the terminal.
  private var drawn: [UInt8] = []
  private var size = (width: 0, height: 0)

  /// The columns that a line may fill.
  ///
  /// One stays free, where some terminals put the cursor behind a full line.
  static func room(_ width: Int) -> Int { max(width - 1, 1) }

  /// Draws `lines` lines, each by `write`, in place of those before.
  ///
  /// Nothing is written where the same stands there already in a window of the same size.
  mutating func draw(
    _ lines: Int, width: Int, height: Int, to out: inout OutputBuffer,
    _ write: (Int, inout OutputBuffer) -> Void
  ) {
    guard lines > 0 else { return clear(to: &out) }
    let start = out.count
    // A line that the terminal finds wider than it was reckoned ends at the edge (DECAWM off).
    out.append("\r\u{1B}[?7l")
    for index in 0..<lines {
      if index > 0 { out.append("\r\n") }
      out.append("\u{1B}[K")
      write(index, &out)
    }
    out.append("\u{1B}[J\u{1B}[?7h\r")
    if lines > 1 { out.append(text: "\u{1B}[\(lines - 1)A") }
    let bytes = out.withBytes { bytes in (start..<bytes.count).map { bytes[$0] } }
    if count == lines, size == (width, height), bytes == drawn { return out.truncate(to: start) }
    (count, size, drawn) = (lines, (width, height), bytes)
  }

  /// Takes the lines away, so that others can be written in their place.
  mutating func clear(to out: inout OutputBuffer) {
    if count > 0 { out.append("\r\u{1B}[J") }
    count = 0
  }

  /// Lets the lines stand and goes below them.
  mutating func leave(to out: inout OutputBuffer) {
    if count > 1 { out.append(text: "\u{1B}[\(count - 1)B") }
    if count > 0 { out.append("\r\n") }
    count = 0
  }

  /// Takes the lines for lost: others have written to the terminal since.
  mutating func forget() { count = 0 }
}
