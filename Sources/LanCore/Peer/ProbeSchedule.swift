/// When probes are due: at intervals, at a rate, or as soon as there is room.
///
/// Times are nanoseconds of a clock that does not jump.
public struct ProbeSchedule: Hashable, Sendable {
  /// What decides when a probe is due.
  public enum Pace: Hashable, Sendable {
    /// So long after the one before, whether that was answered or not; zero waits for its answer.
    ///
    /// One that is late is not made up for: the next follows it after the interval.
    case interval(Int64)
    /// So many a second, from the start on and whatever happens: those that are late are sent in a
    /// row, and their time counts from when they were due.
    case rate(Double)
    /// At once, with at most so many under way.
    case flood(Int)
  }

  /// What decides when a probe is due.
  public let pace: Pace
  /// How many there are to be; nil for any number.
  public let count: Int?
  /// How long after the start the run ends; nil for never.
  public let duration: Int64?
  /// How many were issued.
  public private(set) var issued = 0
  /// When the run began; nil before.
  public private(set) var start: Int64?
  private var due: Int64 = 0
  private var anchor: Int64 = 0

  /// A schedule that has not begun.
  public init(_ pace: Pace, count: Int? = nil, duration: Int64? = nil) {
    self.pace = pace
    self.count = count
    self.duration = duration
  }

  /// Begins; the first probe is due at once.
  public mutating func start(at now: Int64) {
    start = now
    (due, anchor) = (now, now)
  }

  /// Moves what is due to `now`, where that is later: waiting for the first connection is not the
  /// probes' delay.
  public mutating func hold(until now: Int64) {
    guard issued == 0, now > due else { return }
    (due, anchor) = (now, now)
  }

  /// When the run is to end, whatever is under way; nil for never.
  public var end: Int64? {
    guard let start, let duration else { return nil }
    return ProbeTime.after(start, duration)
  }

  /// True once no further probe will be issued.
  public var isExhausted: Bool { count.map { issued >= $0 } ?? false }

  /// True if the time of a probe counts from when it was due rather than from when it was sent.
  public var isOpenLoop: Bool {
    if case .rate = pace { true } else { false }
  }

  /// True if probes become due by the clock alone.
  public var isPaced: Bool {
    switch pace {
    case .interval(let interval): interval > 0
    case .rate: true
    case .flood: false
    }
  }

  /// When the next probe is due; nil if none is, before one under way has been settled.
  public func nextDue(inFlight: Int) -> Int64? {
    guard start != nil, !isExhausted else { return nil }
    switch pace {
    case .interval(0) where inFlight > 0: return nil
    case .flood(let window) where inFlight >= max(window, 1): return nil
    default: return due
    }
  }

  /// Takes the next probe; gives when it was due.
  public mutating func issue(at now: Int64) -> Int64 {
    let wasDue = due
    issued += 1
    switch pace {
    case .interval(let interval):
      let next = ProbeTime.after(due, interval)
      due = next > now ? next : interval == 0 ? now : ProbeTime.after(now, interval)
    case .rate(let rate):
      // Counted from the start each time, so that nothing adds up.
      let span = Double(issued) * 1e9 / rate
      due = span < 9e18 ? ProbeTime.after(anchor, Int64(span)) : .max
    case .flood: due = now
    }
    return wasDue
  }
}
