/// How much times that follow each other differ, smoothed (RFC 3550 section 6.4.1).
public struct InterarrivalJitter: Hashable, Sendable {
  /// The estimate in nanoseconds; 0 before the second time.
  public private(set) var value = 0.0
  private var last: Int64?

  /// No times.
  public init() {}

  /// Adds a time in nanoseconds.
  public mutating func record(_ time: Int64) {
    if let last { value += (abs(Double(time) - Double(last)) - value) / 16 }
    last = time
  }
}
