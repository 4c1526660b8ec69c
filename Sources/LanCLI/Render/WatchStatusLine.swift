import LanCore
import LanSystem

/// What the last line of a terminal says of all targets.
///
/// It changes only with what it shows, so that an idle run writes nothing.
enum WatchStatusLine {
  /// A target as the line shows it.
  struct State {
    var name: String
    var verdict: Verdict?
    var changes: Int
    var outages: Int
    /// The time of day since when it is so.
    var since: String
  }

  /// The text of the line for `room` columns: names are cut or left out before the rest.
  static func text(_ states: [State], room: Int) -> String {
    states.count == 1 ? text(states[0], room: room) : count(states, room: room)
  }

  private static func text(_ state: State, room: Int) -> String {
    func filled(_ name: String) -> String {
      let words = state.verdict?.localizedText ?? MessageCatalog.text("unknown")
      return WatchWords.fill(
        MessageCatalog.text(
          "{target}: {state} since {time}; changes: {changes}; outages: {outages}"),
        [
          "target": name, "state": words, "time": state.since, "changes": "\(state.changes)",
          "outages": "\(state.outages)",
        ])
    }
    let name = state.name.shown
    let spare = room - filled("").columns
    return filled(name.shortened(to: max(spare, min(room / 2, 12))))
  }

  private static func count(_ states: [State], room: Int) -> String {
    let good = states.count { $0.verdict?.status.isReachable == true }
    let values = ["good": "\(good)", "all": "\(states.count)"]
    let bad = states.filter { $0.verdict?.status.isReachable != true }.map(\.name.shown)
    if bad.isEmpty {
      return WatchWords.fill(MessageCatalog.text("{good} of {all} reachable"), values)
    }
    func filled(_ names: String) -> String {
      WatchWords.fill(
        MessageCatalog.text("{good} of {all} reachable; not: {bad}"),
        values.merging(["bad": names]) { $1 })
    }
    let whole = filled(bad.joined(separator: ", "))
    if whole.columns <= room { return whole }
    // At least one is named, and the others are counted.
    var shown = bad.count - 1
    func some() -> String {
      filled(bad[..<shown].joined(separator: ", ") + ", +\(bad.count - shown)")
    }
    while shown > 1, some().columns > room { shown -= 1 }
    return some()
  }
}
