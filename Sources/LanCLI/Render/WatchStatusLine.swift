import LanCore
import LanSystem

/// The last line of a terminal: the present state of all targets, redrawn in place.
///
/// It changes only with what it shows, so that an idle run writes nothing.
struct WatchStatusLine {
  private var isShown = false
  private let style: TerminalStyle
  private var width: Int

  init(style: TerminalStyle, width: Int) {
    self.style = style
    self.width = width
  }

  /// Takes the line away, so that others can be written in its place.
  mutating func clear(to out: inout OutputBuffer) {
    if isShown { out.append("\r\u{1B}[K") }
    isShown = false
  }

  /// Takes the terminal's new width.
  ///
  /// A line that was wider than the terminal is now has been broken; what is left of it stays.
  mutating func resize(to width: Int) { self.width = width }

  /// Writes the line for targets in their order.
  mutating func draw(_ states: [State], to out: inout OutputBuffer) {
    clear(to: &out)
    // One column stays free: a full line would move some terminals' cursor to the next.
    let room = max(width - 1, 0)
    guard room > 8, !states.isEmpty else { return }
    style.begin(.dim, to: &out)
    out.append(text: Self.text(states).cut(to: room), escape: .shown)
    style.end(to: &out)
    isShown = true
  }

  /// A target as the line shows it.
  struct State {
    var name: String
    var verdict: Verdict?
    var changes: Int
    var outages: Int
    /// The time of day since when it is so.
    var since: String
  }

  /// The text of the line, not yet cut to the terminal.
  static func text(_ states: [State]) -> String {
    if states.count == 1, let state = states.first {
      let words = state.verdict?.localizedText ?? MessageCatalog.text("unknown")
      let values = [
        "target": state.name, "state": words, "time": state.since,
        "changes": "\(state.changes)", "outages": "\(state.outages)",
      ]
      return WatchWords.fill(
        MessageCatalog.text(
          "{target}: {state} since {time}; changes: {changes}; outages: {outages}"), values)
    }
    let good = states.count { $0.verdict?.status.isReachable == true }
    let bad = states.filter { $0.verdict?.status.isReachable != true }.map(\.name)
    let values = [
      "good": "\(good)", "all": "\(states.count)", "bad": bad.joined(separator: ", "),
    ]
    return WatchWords.fill(
      bad.isEmpty
        ? MessageCatalog.text("{good} of {all} reachable")
        : MessageCatalog.text("{good} of {all} reachable; not: {bad}"), values)
  }
}
