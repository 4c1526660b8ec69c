/// What the answers to probes came to: the distribution of their times, jitter and the latest ones.
package struct ProbeStatistics: Sendable {
  private static let recentLimit = 64

  /// The times.
  package private(set) var times = LatencyHistogram()
  private var jitter = InterarrivalJitter()
  private var recent: [Int64] = []
  private var oldest = 0
  /// Probes that were answered with other bytes.
  package var corrupted = 0
  private var localStack = LatencyHistogram()
  private var wire = LatencyHistogram()
  private var application = LatencyHistogram()

  /// No answers.
  package init() {}

  /// Adds the time of an answer.
  package mutating func record(_ time: Int64) {
    times.record(time)
    jitter.record(time)
    if recent.count < Self.recentLimit {
      recent.append(time)
    } else {
      recent[oldest] = time
      oldest = (oldest + 1) % Self.recentLimit
    }
  }

  /// Adds the parts of a round trip.
  package mutating func record(_ split: PeerProbeSummary.Split) {
    localStack.record(split.localStack)
    wire.record(split.wire)
    application.record(split.application)
  }

  /// Writes what there is into `summary`.
  package func fill(_ summary: inout PeerProbeSummary) {
    summary.corrupted = corrupted
    summary.jitter = jitter.value
    summary.histogram = times.bars()
    summary.recent = Array(recent[oldest...] + recent[..<oldest])
    summary.times = PeerProbeSummary.Times(times)
    guard wire.count > 0 else { return }
    summary.split = PeerProbeSummary.Split(
      localStack: localStack.value(at: 0.5), wire: wire.value(at: 0.5),
      application: application.value(at: 0.5))
  }
}

extension PeerProbeSummary.Times {
  /// What `histogram` holds.
  public init(_ histogram: LatencyHistogram) {
    self.init()
    count = histogram.count
    minimum = histogram.minimum
    mean = histogram.mean
    p50 = histogram.value(at: 0.5)
    p90 = histogram.value(at: 0.9)
    p99 = histogram.value(at: 0.99)
    p999 = histogram.value(at: 0.999)
    maximum = histogram.maximum
    deviation = histogram.deviation
  }
}
