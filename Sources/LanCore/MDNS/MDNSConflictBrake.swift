/// Counts conflicts: after fifteen in ten seconds each further attempt waits five seconds
/// (RFC 6762 section 8.1).
struct MDNSConflictBrake: Sendable {
  private var times = InlineArray<15, Int64>(repeating: .min)
  private var next = 0
  private var isOn = false
  private var last: Int64 = .min

  private static let span: Int64 = 10_000_000_000

  /// Notes a conflict.
  mutating func note(_ now: Int64) {
    if last < now - Self.span { isOn = false }
    times[next] = now
    next = (next + 1) % 15
    last = now
    // The oldest of fifteen stands where the next one goes.
    if times[next] >= now - Self.span { isOn = true }
  }

  /// True while attempts are to wait: until ten seconds have passed without conflict.
  func holds(_ now: Int64) -> Bool { isOn && last >= now - Self.span }
}
