import LanCore
import LanSystem

/// A list of peers of which one is chosen with the keys of a terminal.
struct PeerPicker {
  /// What a key came to.
  enum Outcome: Hashable {
    /// The list may look different.
    case open
    /// These are to be tested.
    case chosen([FoundPeer])
    /// None is.
    case cancelled
  }

  private(set) var peers: [FoundPeer] = []
  private(set) var selected = 0

  /// Takes the list as it is now; the chosen line stays on its peer.
  mutating func update(_ new: [FoundPeer]) {
    let current = peers.indices.contains(selected) ? peers[selected].name : nil
    peers = new
    selected =
      peers.firstIndex { $0.name == current } ?? min(selected, max(peers.count - 1, 0))
  }

  /// Takes a key.
  mutating func take(_ key: TerminalKey) -> Outcome {
    switch key {
    case .up, .character("k"): move(-1)
    case .down, .character("j"), .tab: move(1)
    case .pageUp: move(-10)
    case .pageDown: move(10)
    case .home: selected = 0
    case .end: selected = max(peers.count - 1, 0)
    case .enter, .character(" "):
      if peers.indices.contains(selected) { return .chosen([peers[selected]]) }
    case .character("a"): if !peers.isEmpty { return .chosen(peers) }
    case .escape, .endOfInput, .character("q"): return .cancelled
    default: break
    }
    return .open
  }

  private mutating func move(_ step: Int) {
    selected = min(max(selected + step, 0), max(peers.count - 1, 0))
  }

  /// The lines that fit a terminal, with the chosen one among them, and a note where some do not.
  func lines(width: Int, height: Int) -> (
    lines: [(line: TableLine, isSelected: Bool)], note: String?
  ) {
    // Beside them stand what can be typed, the note, and a line that stays free.
    let places = peers.count > height - 2 ? max(height - 3, 1) : peers.count
    let first = min(max(selected - places / 2, 0), max(peers.count - places, 0))
    let shown = peers[first..<min(first + places, peers.count)]
    let titles = shown.map(\.title.shown)
    let widest = titles.map(\.columns).max() ?? 0
    // Of two that are too wide the name has the larger part.
    let title = min(widest, max(LivePicture.room(width) * 2 / 3 - 2, 1))
    let rest = LivePicture.room(width) - title - 4
    let lines = shown.indices.map { index in
      let mark = index == selected ? "> " : "  "
      let name = mark + titles[index - first].shortened(to: title)
      var line = TableLine(name.cut(to: LivePicture.room(width)))
      let place = peers[index].place.shown.shortened(to: max(rest, 0))
      if !place.isEmpty { line.cells.append(.init(start: title + 4, text: place)) }
      return (line, index == selected)
    }
    let note =
      shown.count < peers.count
      ? "... \(first + 1) to \(first + shown.count) of \(peers.count)" : nil
    return (lines, note)
  }

  /// What can be typed.
  static let help = "Which peer? Arrow keys and Enter choose; a tests all, q ends"
}

extension FoundPeer {
  /// Its type, and where it is.
  fileprivate var place: String {
    let found = services.first { $0.isComplete } ?? services.first
    var text = "\(name.type)"
    if let host = found?.host, let port = found?.port { text += "  \(host):\(port)" }
    let links = Set(services.compactMap(\.interface)).sorted()
    return links.isEmpty ? text : text + "  " + links.joined(separator: ", ")
  }
}

/// Draws a picker in place.
struct PeerPickerView {
  private let style: TerminalStyle
  private var picture = LivePicture()

  init(style: TerminalStyle) { self.style = style }

  /// Draws the list in place of the one before; of a low terminal, the chosen line first of all.
  mutating func draw(_ picker: PeerPicker, width: Int, height: Int, to out: inout OutputBuffer) {
    let room = LivePicture.room(width)
    let (list, note) = picker.lines(width: width, height: height)
    var lines: [(line: TableLine, tone: TerminalStyle.Tone)] = []
    if height > 2 { lines.append((.init(PeerPicker.help.shortened(to: room)), .dim)) }
    for entry in list { lines.append((entry.line, entry.isSelected ? .bold : .plain)) }
    if let note, height > 3 { lines.append((.init(note.shortened(to: room)), .dim)) }
    picture.draw(lines.count, width: width, height: height, to: &out) { [style] index, out in
      style.begin(lines[index].tone, to: &out)
      lines[index].line.append(to: &out)
      if lines[index].tone != .plain { style.end(to: &out) }
    }
  }

  /// Takes the list away.
  mutating func clear(to out: inout OutputBuffer) { picture.clear(to: &out) }

  /// Takes the list for lost: others have written to the terminal since.
  mutating func forget() { picture.forget() }
}
