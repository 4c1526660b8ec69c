/// Sums of times in nanoseconds that stay at the end of what 64 bits can count.
enum ProbeTime {
  /// `span` after `time`; `.max` where that cannot be counted.
  static func after(_ time: Int64, _ span: Int64) -> Int64 {
    let (sum, overflow) = time.addingReportingOverflow(span)
    return overflow ? (span < 0 ? .min : .max) : sum
  }

  /// From `start` to `end`, never below zero.
  static func from(_ start: Int64, to end: Int64) -> Int64 {
    let (span, overflow) = end.subtractingReportingOverflow(start)
    return overflow ? (end < start ? 0 : .max) : max(span, 0)
  }
}
