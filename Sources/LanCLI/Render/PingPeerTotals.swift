import LanCore
import LanSystem

/// What several tests came to together, as far as it can be added up.
struct PingPeerTotals {
  private(set) var summary = PeerProbeSummary()
  private var squares = 0.0

  /// The sum of the reports; percentiles have none.
  init(_ reports: [PingPeerReport]) {
    for report in reports { add(report.summary) }
    let count = Double(summary.times.count)
    guard count > 0 else { return }
    summary.times.mean /= count
    let mean = summary.times.mean
    summary.times.deviation = max(squares / count - mean * mean, 0).squareRoot()
  }

  private mutating func add(_ other: PeerProbeSummary) {
    summary.sent += other.sent
    summary.received += other.received
    summary.lost += other.lost
    summary.corrupted += other.corrupted
    summary.inFlight += other.inFlight
    summary.bytesOut += other.bytesOut
    summary.bytesIn += other.bytesIn
    summary.elapsed = max(summary.elapsed, other.elapsed)
    guard other.times.count > 0 else { return }
    let isFirst = summary.times.count == 0
    summary.times.minimum =
      isFirst ? other.times.minimum : min(summary.times.minimum, other.times.minimum)
    summary.times.maximum = max(summary.times.maximum, other.times.maximum)
    let count = Double(other.times.count)
    summary.times.mean += other.times.mean * count
    squares +=
      (other.times.deviation * other.times.deviation + other.times.mean * other.times.mean) * count
    summary.times.count += other.times.count
  }

  /// Writes the counts as members of a JSON object.
  func appendCounts(to out: inout OutputBuffer) {
    let counts: [(StaticString, Int)] = [
      ("sent", summary.sent), ("received", summary.received), ("lost", summary.lost),
      ("inFlight", summary.inFlight), ("corrupted", summary.corrupted),
      ("bytesOut", summary.bytesOut), ("bytesIn", summary.bytesIn),
    ]
    for (key, count) in counts {
      out.appendJSON(key, count)
    }
    out.append(",\"lossPercent\":")
    let thousandths = Int((summary.lossPercent * 1_000).rounded())
    out.append(thousandths / 1_000)
    out.append(".")
    out.append(thousandths % 1_000, width: 3)
  }

  /// Writes the members of a summary of several targets.
  func append(to out: inout OutputBuffer) {
    appendCounts(to: &out)
    if summary.times.count > 0 {
      out.append(",\"rtt\":{\"minMicroseconds\":")
      out.append(microseconds: summary.times.minimum)
      out.appendMicroseconds("meanMicroseconds", summary.times.mean)
      out.appendMicroseconds("maxMicroseconds", summary.times.maximum)
      out.appendMicroseconds("stddevMicroseconds", summary.times.deviation)
      out.append("}")
    }
    out.appendMicroseconds("elapsedMicroseconds", summary.elapsed)
  }
}
