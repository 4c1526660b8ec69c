import LanSystem

/// The time of what a browser tells: what comes in one batch has one time.
struct BatchClock {
  private let start = MonotonicClock.now
  private var time: Int64?

  /// Nanoseconds since 1970 at the first call since the batch began.
  mutating func wallTime() -> Int64 {
    let now = time ?? WallClock.now
    time = now
    return now
  }

  /// Ends a batch: what comes now has a time of its own.
  mutating func endBatch() { time = nil }

  /// Nanoseconds since the clock was made.
  var elapsed: Int64 { MonotonicClock.now - start }
}
