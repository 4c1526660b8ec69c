import Glibc

/// The clock of deadlines: it never jumps, and starts at an arbitrary point.
public enum MonotonicClock {
  /// Nanoseconds of CLOCK_MONOTONIC.
  public static var now: Int64 { read(CLOCK_MONOTONIC) }

  static func read(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    // Cannot fail: the clock exists on every Linux and the pointer is good.
    _ = unsafe clock_gettime(clock, &time)
    return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }
}

/// The time of day.
public enum WallClock {
  /// Nanoseconds since 1970-01-01 00:00 UTC.
  public static var now: Int64 { MonotonicClock.read(CLOCK_REALTIME) }
}

extension Duration {
  /// The whole nanoseconds, held at the ends of what 64 bits can count.
  public var wholeNanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, more) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
    return overflow || more ? (seconds < 0 ? .min : .max) : sum
  }
}
