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

  /// The lines that fit `height`, with the chosen one among them.
  func lines(height: Int) -> [(text: String, isSelected: Bool)] {
    let places = max(height - 3, 1)
    let first = min(max(selected - places / 2, 0), max(peers.count - places, 0))
    let shown = peers[first..<min(first + places, peers.count)]
    let width = shown.map(\.title.columns).max() ?? 0
    return zip(shown.indices, shown).map { index, peer in
      let mark = index == selected ? "> " : "  "
      return (mark + peer.title.padded(to: min(width, 40)) + "  " + peer.place, index == selected)
    }
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

/// Draws a picker in place (ECMA-48 cursor control).
struct PeerPickerView {
  private let style: TerminalStyle
  private var drawn = 0

  init(style: TerminalStyle) { self.style = style }

  /// Draws the list in place of the one before.
  mutating func draw(_ picker: PeerPicker, width: Int, height: Int, to out: inout OutputBuffer) {
    clear(to: &out)
    // One column stays free: a full line would move some terminals' cursor to the next.
    let room = max(width - 1, 1)
    style.begin(.dim, to: &out)
    out.append(text: PeerPicker.help.cut(to: room), escape: .shown)
    style.end(to: &out)
    out.append("\n")
    let lines = picker.lines(height: height)
    for line in lines {
      if line.isSelected { style.begin(.bold, to: &out) }
      out.append(text: line.text.cut(to: room), escape: .shown)
      if line.isSelected { style.end(to: &out) }
      out.append("\n")
    }
    drawn = lines.count + 1
  }

  /// Takes the list away.
  mutating func clear(to out: inout OutputBuffer) {
    if drawn > 0 { out.append(text: "\r\u{1B}[\(drawn)A\u{1B}[J") }
    drawn = 0
  }
}
