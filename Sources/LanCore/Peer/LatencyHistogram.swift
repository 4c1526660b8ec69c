/// A distribution of times in memory that does not grow with their number.
///
/// Times fall into buckets, 128 to each power of two, so that a percentile is off by 0.4 % at most;
/// below 256 ns it is exact. The least and the greatest, mean and standard deviation are exact too.
/// Only the powers of two that occurred have room: a kilobyte each.
public struct LatencyHistogram: Sendable {
  private static let bits = 7
  private static let width = 1 << bits

  /// How many times were recorded.
  public private(set) var count = 0
  /// The least in nanoseconds; 0 where there are none.
  public private(set) var minimum: Int64 = 0
  /// The greatest in nanoseconds; 0 where there are none.
  public private(set) var maximum: Int64 = 0
  /// The mean in nanoseconds; 0 where there are none.
  public private(set) var mean = 0.0
  /// Sum of the squared distances from the mean, kept up to date as Welford has it.
  private var squares = 0.0
  /// Where the counters of a power of two begin in `counters`; -1 for none yet.
  private var places = InlineArray<64, Int32>(repeating: -1)
  private var counters: [Int] = []

  /// No times.
  public init() {}

  /// The standard deviation in nanoseconds, of these times and not of those that they stand for.
  public var deviation: Double { count > 0 ? (max(squares, 0) / Double(count)).squareRoot() : 0 }

  /// Adds a time in nanoseconds; one below zero counts as zero.
  public mutating func record(_ time: Int64) {
    let time = max(time, 0)
    count += 1
    minimum = count == 1 ? time : min(minimum, time)
    maximum = max(maximum, time)
    let distance = Double(time) - mean
    mean += distance / Double(count)
    squares += distance * (Double(time) - mean)
    let (octave, slot) = Self.bucket(of: time)
    if places[octave] < 0 {
      places[octave] = Int32(truncatingIfNeeded: counters.count)
      counters.append(contentsOf: repeatElement(0, count: Self.width))
    }
    counters[Int(places[octave]) + slot] += 1
  }

  /// The time that a share of all is not above, by nearest rank.
  ///
  /// - Parameter share: 0 to 1; 0.5 gives the median.
  /// - Returns: 0 where there are none.
  public func value(at share: Double) -> Int64 {
    guard count > 0 else { return 0 }
    let rank = max(1, Int((share * Double(count)).rounded(.up)))
    if rank >= count { return maximum }
    if rank == 1 { return minimum }
    var seen = 0
    var result = maximum
    forEachBucket { lowest, end, number in
      seen += number
      guard seen >= rank else { return true }
      result = lowest + (end - lowest - 1) / 2
      return false
    }
    return min(max(result, minimum), maximum)
  }

  /// The bars of a picture, lowest first, none empty at the ends.
  ///
  /// Their bounds are round numbers, ten to a decade, or three where that were more than `limit`.
  public func bars(limit: Int = 20) -> [PeerProbeSummary.Bar] {
    guard count > 0 else { return [] }
    let fine = Self.bounds([10, 12, 15, 20, 25, 30, 40, 50, 60, 80], from: minimum, to: maximum)
    let bounds =
      fine.count - 1 <= limit ? fine : Self.bounds([10, 20, 50], from: minimum, to: maximum)
    var bars = zip(bounds, bounds.dropFirst()).map {
      PeerProbeSummary.Bar(lowest: $0, end: $1, count: 0)
    }
    var place = 0
    forEachBucket { lowest, end, number in
      // Both ends are known exactly, whatever bucket they fell into.
      let middle = min(max(lowest + (end - lowest - 1) / 2, minimum), maximum)
      while place < bars.count - 1, bars[place].end <= middle { place += 1 }
      bars[place].count += number
      return true
    }
    return Self.trimmed(bars)
  }

  /// Round numbers around a range, the first not above `low` and the last above `high`.
  private static func bounds(_ steps: [Int64], from low: Int64, to high: Int64) -> [Int64] {
    var bounds: [Int64] = [0]
    var decade: Int64 = 1
    while true {
      for step in steps {
        let (product, overflow) = step.multipliedReportingOverflow(by: decade)
        let bound = overflow ? .max : product
        if bound <= low { bounds[0] = bound } else { bounds.append(bound) }
        if bound > high || overflow { return bounds }
      }
      decade *= 10
    }
  }

  private static func trimmed(_ bars: [PeerProbeSummary.Bar]) -> [PeerProbeSummary.Bar] {
    let rest = bars.drop { $0.count == 0 }
    let last = rest.lastIndex { $0.count > 0 } ?? rest.startIndex
    return Array(rest[...last])
  }

  /// Calls `body` with each bucket that is not empty (its least time, the first above it, its count)
  /// from the lowest up, until it returns false.
  private func forEachBucket(_ body: (Int64, Int64, Int) -> Bool) {
    for octave in 0..<64 where places[octave] >= 0 {
      for slot in 0..<Self.width {
        let number = counters[Int(places[octave]) + slot]
        guard number > 0 else { continue }
        let (lowest, width) = Self.bounds(octave, slot)
        let (end, overflow) = lowest.addingReportingOverflow(width)
        if !body(lowest, overflow ? .max : end, number) { return }
      }
    }
  }

  /// The power of two that a time belongs to, and its place within; 0 is for times below 128.
  private static func bucket(of time: Int64) -> (octave: Int, slot: Int) {
    let value = UInt64(max(time, 0))
    guard value >= UInt64(width) else { return (0, Int(value)) }
    let octave = 63 - value.leadingZeroBitCount - bits
    return (octave + 1, Int(value >> UInt64(octave)) & (width - 1))
  }

  private static func bounds(_ octave: Int, _ slot: Int) -> (lowest: Int64, width: Int64) {
    guard octave > 0 else { return (Int64(slot), 1) }
    return (Int64(width + slot) << Int64(octave - 1), 1 << Int64(octave - 1))
  }
}
