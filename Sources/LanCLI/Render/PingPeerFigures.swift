import LanCore

/// The figures of a test in lines for people.
enum PingPeerFigures {
  /// Loss first, then times, then what the kernel knows.
  static func lines(_ report: PingPeerReport) -> [String] {
    let summary = report.summary
    var lines = [counts(summary)]
    if summary.times.count > 0 { lines.append(times(summary, report.subject.mode)) }
    if let line = connection(summary) { lines.append(line) }
    if let split = summary.split {
      lines.append(
        """
        spent (medians): local stack \(ms(split.localStack)) ms, wire and peer's kernel \
        \(ms(split.wire)) ms, peer's application \(ms(split.application)) ms
        """)
    }
    if summary.delayedAckSuspected {
      lines.append("the peer's delayed-ACK timer shows in the times: they say little of the way")
    }
    if report.isVanished {
      lines.append("half-open at the end: the peer vanished without closing the connection")
    }
    if report.isForeign { lines.append("connected, but not plain WiTap") }
    return lines
  }

  /// The last line of a terminal, for `room` columns: the last times as a curve, and the counts.
  static func live(_ reports: [PingPeerReport], room: Int) -> String {
    guard let summary = reports.first?.summary else { return "" }
    if reports.count > 1 {
      let total = PingPeerTotals(reports).summary
      let answering = reports.count { $0.summary.received > 0 }
      return "\(answering) of \(reports.count) peers answer: \(short(total))"
    }
    let last = summary.recent.last.map { "  \(ms($0)) ms  " } ?? ""
    let text = last + short(summary)
    return Sparkline.text(summary.recent, width: min(room - text.utf8.count, 40)) + text
  }

  private static func short(_ summary: PeerProbeSummary) -> String {
    """
    \(summary.received)/\(summary.sent) answered, \(PingPeerWords.percent(summary.lossPercent)) \
    lost
    """
  }

  private static func counts(_ summary: PeerProbeSummary) -> String {
    var text =
      "\(summary.sent) sent, \(summary.received) received, \(summary.lost) lost, "
      + "\(PingPeerWords.percent(summary.lossPercent)) loss"
    if summary.corrupted > 0 { text += ", \(summary.corrupted) corrupted" }
    if summary.unaskedBytes > 0 { text += ", \(summary.unaskedBytes) bytes unasked" }
    if summary.inFlight > 0 { text += ", in flight: \(summary.inFlight)" }
    return text + ", time \((summary.elapsed + 500_000) / 1_000_000) ms"
  }

  private static func times(_ summary: PeerProbeSummary, _ mode: PeerMode) -> String {
    let times = summary.times
    let name =
      switch mode {
      case .tap: "ack"
      case .connect, .discard: "handshake"
      case .echo: "rtt"
      }
    return """
      \(name) min/mean/p50/p90/p99/p99.9/max/stddev = \(ms(times.minimum))/\(ms(times.mean))/\
      \(ms(times.p50))/\(ms(times.p90))/\(ms(times.p99))/\(ms(times.p999))/\(ms(times.maximum))/\
      \(ms(times.deviation)) ms, jitter \(ms(summary.jitter)) ms
      """
  }

  private static func connection(_ summary: PeerProbeSummary) -> String? {
    var parts: [String] = []
    if let time = summary.connectTime {
      var text = "connect \(ms(time)) ms"
      if summary.connections > 1 { text += " (the last of \(summary.connections))" }
      if let total = summary.totalConnectTime, total > time + 1_000_000 {
        text += ", \(ms(total)) ms with the tries before it"
      }
      parts.append(text)
    }
    if let kernel = summary.kernel {
      var text = "kernel rtt \(ms(kernel.rtt))/\(ms(kernel.rttDeviation)) ms"
      if let minimum = kernel.minimumRTT { text += ", min \(ms(minimum)) ms" }
      parts.append(text)
      parts.append(
        """
        \(kernel.retransmits) \(kernel.retransmits == 1 ? "retransmit" : "retransmits"), \
        mss \(kernel.segmentSize), cwnd \(kernel.congestionWindow)
        """)
    }
    return parts.isEmpty ? nil : parts.joined(separator: "; ")
  }

  private static func ms(_ value: Int64) -> String { PingPeerWords.milliseconds(value) }
  private static func ms(_ value: Double) -> String { PingPeerWords.milliseconds(value) }
}
