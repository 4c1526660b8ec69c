import LanCore
import LanSystem
import LanWire

/// The end of a run: outages and availability of each target.
struct WatchSummary {
  /// A target at the end.
  struct Target {
    var name: String
    var verdict: Verdict?
    var log: AvailabilityLog
  }

  let targets: [Target]
  /// When the run began and ended.
  let start: WatchMoment
  let end: WatchMoment
  /// How many times messages of the kernel were lost.
  let overruns: Int

  /// The wall clock at a moment of the monotonic one.
  private func wall(_ monotonic: Int64) -> Int64 {
    let (back, overflow) = end.monotonic.subtractingReportingOverflow(monotonic)
    return overflow ? end.wall : end.wall.subtractingReportingOverflow(back).partialValue
  }

  // MARK: JSON

  /// Writes the members behind the head.
  func appendJSON(to out: inout OutputBuffer) {
    out.appendJSON("durationMicroseconds", max(end.monotonic - start.monotonic, 0) / 1_000)
    out.appendJSON("overruns", overruns)
    out.append(",\"targets\":[")
    for (index, target) in targets.enumerated() {
      out.append(index > 0 ? ",{\"target\":" : "{\"target\":")
      out.appendJSON(string: target.name)
      append(target, to: &out)
      out.append("}")
    }
    out.append("]")
  }

  private func append(_ target: Target, to out: inout OutputBuffer) {
    let (log, now) = (target.log, end.monotonic)
    if let verdict = target.verdict {
      out.appendJSON("status", verdict.status.word)
      out.appendJSON("statusCode", verdict.status.rawValue)
    }
    let numbers: [(String, Int64)] = [
      ("changes", Int64(log.changeCount)), ("suppressedChanges", Int64(log.suppressedCount)),
      ("reachableMicroseconds", log.reachable(at: now) / 1_000),
      ("notReachableMicroseconds", log.notReachable(at: now) / 1_000),
      ("unknownMicroseconds", log.unknown(at: now) / 1_000),
      ("outageCount", Int64(log.outageCount)),
    ]
    for (key, number) in numbers { out.append(text: ",\"\(key)\":\(number)") }
    if let longest = log.longestOutage(at: now) {
      out.append(text: ",\"longestOutageMicroseconds\":\(longest / 1_000)")
    }
    if let availability = log.availability(at: now) {
      // Six places, cut: it is 1 only without any outage.
      let millionths = Int(max(0, min(availability, 1)) * 1_000_000)
      out.append(text: ",\"availability\":\(millionths / 1_000_000).")
      out.append(millionths % 1_000_000, width: 6)
    }
    append(log.outages, to: &out)
  }

  private func append(_ outages: [AvailabilityLog.Outage], to out: inout OutputBuffer) {
    out.append(",\"outages\":[")
    for (index, outage) in outages.enumerated() {
      var time = TimeText()
      out.append(index > 0 ? ",{\"start\":\"" : "{\"start\":\"")
      time.appendUTC(wall(outage.start), digits: 6, to: &out)
      out.append("\",\"durationMicroseconds\":")
      out.append(max((outage.end ?? end.monotonic) - outage.start, 0) / 1_000)
      if outage.end == nil { out.appendJSON("ongoing", true) }
      if let reason = outage.reason { out.appendJSON("reason", reason.rawValue) }
      out.append("}")
    }
    out.append("]")
  }

  // MARK: Text

  /// How many outages of a target are listed for people.
  private static let listed = 10

  /// Writes the lines for people.
  func appendText(_ style: TerminalStyle, to out: inout OutputBuffer) {
    for target in targets {
      style.begin(.bold, to: &out)
      out.append(text: "--- \(target.name): ", escape: .shown)
      style.end(to: &out)
      out.append(text: line(target.log), escape: .shown)
      out.append("\n")
      let skipped = max(target.log.outages.count - Self.listed, 0)
      for outage in target.log.outages.dropFirst(skipped) { append(outage, to: &out) }
    }
  }

  private func line(_ log: AvailabilityLog) -> String {
    let now = end.monotonic
    let values = [
      "percent": log.availability(at: now).map(WatchWords.percent) ?? "?",
      "span": WatchWords.span(now - start.monotonic), "changes": "\(log.changeCount)",
      "outages": "\(log.outageCount)",
      "longest": WatchWords.span(log.longestOutage(at: now) ?? 0),
    ]
    let suppressed = log.suppressedCount > 0 ? " (\(log.suppressedCount) suppressed)" : ""
    if log.outageCount == 0 {
      return WatchWords.fill(
        MessageCatalog.text("reachable {percent} of {span}; changes: {changes}; no outage"),
        values) + suppressed
    }
    return WatchWords.fill(
      MessageCatalog.text(
        "reachable {percent} of {span}; changes: {changes}; outages: {outages}, longest {longest}"),
      values) + suppressed
  }

  private func append(_ outage: AvailabilityLog.Outage, to out: inout OutputBuffer) {
    var time = TimeText()
    var zone = LocalTime()
    out.append("    ")
    time.appendLocal(wall(outage.start), digits: 3, &zone, to: &out)
    out.append(text: " \(WatchWords.span((outage.end ?? end.monotonic) - outage.start))")
    if outage.end == nil { out.append("+") }
    if let reason = outage.reason { out.append(text: "  \(reason.localizedText)") }
    out.append("\n")
  }
}
