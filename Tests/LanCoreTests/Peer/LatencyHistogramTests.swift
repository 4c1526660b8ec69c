import LanCore
import Testing

@Suite("Latency histogram") struct LatencyHistogramTests {
  /// Times over five powers of ten, the same in every run.
  private static let samples: [Int64] = {
    var state: UInt64 = 42
    return (0..<20_000).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let base = Int64(state >> 33) % 90_000 + 10_000
      return state >> 60 == 0 ? base * 5_000 : base
    }
  }()

  @Test("percentiles are within one per cent of those of the sorted times") func percentiles() {
    var histogram = LatencyHistogram()
    for sample in Self.samples { histogram.record(sample) }
    let sorted = Self.samples.sorted()
    for share in [0.01, 0.25, 0.5, 0.9, 0.95, 0.99, 0.999] {
      let rank = Int((share * Double(sorted.count)).rounded(.up)) - 1
      let error = abs(Double(histogram.value(at: share)) / Double(sorted[rank]) - 1)
      #expect(error <= 0.01, "at \(share)")
    }
  }

  @Test("least, greatest, mean and deviation are exact") func exact() {
    var histogram = LatencyHistogram()
    for sample in Self.samples { histogram.record(sample) }
    let count = Double(Self.samples.count)
    let mean = Self.samples.reduce(0.0) { $0 + Double($1) } / count
    let squares = Self.samples.reduce(0.0) { $0 + (Double($1) - mean) * (Double($1) - mean) }
    #expect(histogram.minimum == Self.samples.min())
    #expect(histogram.maximum == Self.samples.max())
    #expect(abs(histogram.mean / mean - 1) < 1e-9)
    #expect(abs(histogram.deviation / (squares / count).squareRoot() - 1) < 1e-9)
    #expect(histogram.value(at: 0) == histogram.minimum)
    #expect(histogram.value(at: 1) == histogram.maximum)
  }

  @Test("one time is every percentile") func one() {
    var histogram = LatencyHistogram()
    histogram.record(123_456_789)
    for share in [0, 0.5, 0.99, 1] { #expect(histogram.value(at: share) == 123_456_789) }
    #expect(histogram.deviation == 0)
  }

  @Test("none gives zeros and no bars") func none() {
    let histogram = LatencyHistogram()
    #expect(histogram.value(at: 0.5) == 0)
    #expect(histogram.deviation == 0)
    #expect(histogram.bars().isEmpty)
  }

  @Test("times at the ends of what can be counted do no harm") func ends() {
    var histogram = LatencyHistogram()
    for time in [Int64.max, .max - 1, 0, -5, .min, 1, 255, 256] { histogram.record(time) }
    #expect(histogram.minimum == 0)
    #expect(histogram.maximum == .max)
    #expect(histogram.value(at: 0.5) == 1)
    #expect(histogram.bars().reduce(0) { $0 + $1.count } == 8)
  }

  @Test("bars hold every time, follow each other, and are not empty at the ends") func bars() {
    var histogram = LatencyHistogram()
    for sample in Self.samples { histogram.record(sample) }
    let bars = histogram.bars(limit: 20)
    #expect(bars.count <= 20)
    #expect(bars.reduce(0) { $0 + $1.count } == Self.samples.count)
    #expect(zip(bars, bars.dropFirst()).allSatisfy { $0.end == $1.lowest })
    #expect((bars.first?.count ?? 0) > 0 && (bars.last?.count ?? 0) > 0)
    #expect((bars.first?.lowest ?? .max) <= histogram.minimum)
    #expect((bars.last?.end ?? 0) > histogram.maximum)
  }

  @Test("jitter is the smoothed difference of RFC 3550 section 6.4.1") func jitter() {
    var jitter = InterarrivalJitter()
    jitter.record(1_000)
    #expect(jitter.value == 0)
    jitter.record(1_160)
    #expect(jitter.value == 10)
    jitter.record(1_000)
    #expect(jitter.value == 10 + (160 - 10) / 16.0)
    for _ in 0..<1_000 { jitter.record(1_000) }
    #expect(jitter.value < 0.001)
  }
}
