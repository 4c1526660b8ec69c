import LanCore
import LanSystem

/// The figures of one target.
extension PingPeerJSON {
  func append(members report: PingPeerReport, to out: inout OutputBuffer) {
    let summary = report.summary
    out.appendJSON("mode", PingPeerWords.word(report.subject.mode))
    PingPeerTotals([report]).appendCounts(to: &out)
    if summary.times.count > 0 { append(summary.times, to: &out) }
    if summary.times.count > 1 { out.appendMicroseconds("jitterMicroseconds", summary.jitter) }
    out.appendJSON("connections", summary.connections)
    if let time = summary.connectTime { out.appendMicroseconds("connectMicroseconds", time) }
    if let time = summary.totalConnectTime {
      out.appendMicroseconds("totalConnectMicroseconds", time)
    }
    if let kernel = summary.kernel { append(kernel, to: &out) }
    if let split = summary.split { append(split, to: &out) }
    if summary.delayedAckSuspected { out.appendJSON("delayedAckSuspected", true) }
    if report.isVanished { out.appendJSON("halfOpen", true) }
    if summary.unaskedBytes > 0 { out.appendJSON("unaskedBytes", summary.unaskedBytes) }
    if report.isForeign { out.appendJSON("notPlainWiTap", true) }
    out.appendMicroseconds("elapsedMicroseconds", summary.elapsed)
    if showsHistogram { append(summary.histogram, to: &out) }
  }

  private func append(_ times: PeerProbeSummary.Times, to out: inout OutputBuffer) {
    out.append(",\"rtt\":{\"minMicroseconds\":")
    out.append(microseconds: times.minimum)
    out.appendMicroseconds("meanMicroseconds", times.mean)
    out.appendMicroseconds("p50Microseconds", times.p50)
    out.appendMicroseconds("p90Microseconds", times.p90)
    out.appendMicroseconds("p99Microseconds", times.p99)
    out.appendMicroseconds("p999Microseconds", times.p999)
    out.appendMicroseconds("maxMicroseconds", times.maximum)
    out.appendMicroseconds("stddevMicroseconds", times.deviation)
    out.append("}")
  }

  private func append(_ kernel: PeerProbeSummary.Kernel, to out: inout OutputBuffer) {
    out.appendJSON("retransmits", kernel.retransmits)
    out.append(",\"kernel\":{\"rttMicroseconds\":")
    out.append(microseconds: kernel.rtt)
    out.appendMicroseconds("rttVarianceMicroseconds", kernel.rttDeviation)
    if let minimum = kernel.minimumRTT { out.appendMicroseconds("minRttMicroseconds", minimum) }
    out.appendJSON("segmentSize", kernel.segmentSize)
    out.appendJSON("congestionWindow", kernel.congestionWindow)
    out.append("}")
  }

  private func append(_ bars: [PeerProbeSummary.Bar], to out: inout OutputBuffer) {
    out.append(",\"histogram\":[")
    for (index, bar) in bars.enumerated() {
      out.append(index > 0 ? ",{\"fromMicroseconds\":" : "{\"fromMicroseconds\":")
      out.append(microseconds: bar.lowest)
      out.appendMicroseconds("toMicroseconds", bar.end)
      out.appendJSON("count", bar.count)
      out.append("}")
    }
    out.append("]")
  }

  func append(_ split: PeerProbeSummary.Split, to out: inout OutputBuffer) {
    out.append(",\"split\":{\"localStackMicroseconds\":")
    out.append(microseconds: split.localStack)
    out.appendMicroseconds("wireMicroseconds", split.wire)
    out.appendMicroseconds("applicationMicroseconds", split.application)
    out.append("}")
  }
}
