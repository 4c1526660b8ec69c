import LanCore

/// A distribution of times as lines of text.
enum PeerHistogram {
  private static let barWidth = 40
  private static let lineLimit = 30

  /// A line for each bar; where there are many, neighbours are put together.
  static func lines(_ bars: [PeerProbeSummary.Bar]) -> [String] {
    let bars = merged(bars)
    guard let most = bars.map(\.count).max(), most > 0 else { return [] }
    let total = bars.reduce(0) { $0 + $1.count }
    let names = bars.map {
      (PingPeerWords.milliseconds($0.lowest), PingPeerWords.milliseconds($0.end))
    }
    let left = names.map(\.0.utf8.count).max() ?? 0
    let right = names.map(\.1.utf8.count).max() ?? 0
    let counts = "\(most)".utf8.count
    return zip(bars, names).map { bar, name in
      let length = (bar.count * barWidth + most - 1) / most
      let share = PingPeerWords.percent(Double(bar.count) * 100 / Double(max(total, 1)))
      return blanks(left - name.0.utf8.count) + name.0 + " to "
        + blanks(right - name.1.utf8.count) + name.1 + " ms  "
        + blanks(counts - "\(bar.count)".utf8.count) + "\(bar.count)  "
        + blanks(7 - share.utf8.count) + share + "  " + String(repeating: "#", count: length)
    }
  }

  private static func blanks(_ count: Int) -> String {
    String(repeating: " ", count: max(count, 0))
  }

  private static func merged(_ bars: [PeerProbeSummary.Bar]) -> [PeerProbeSummary.Bar] {
    let step = (bars.count + lineLimit - 1) / lineLimit
    guard step > 1 else { return bars }
    return stride(from: 0, to: bars.count, by: step).map { start in
      let part = bars[start..<min(start + step, bars.count)]
      var bar = part[start]
      bar.end = part[part.endIndex - 1].end
      bar.count = part.reduce(0) { $0 + $1.count }
      return bar
    }
  }
}
