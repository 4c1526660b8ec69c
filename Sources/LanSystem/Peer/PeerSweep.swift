/// Counts quarters of a time limit for many things at once: nothing is done when one of them lives,
/// and one timer does for all.
///
/// What was marked with the round at hand is over the limit once more than four rounds have passed.
struct PeerSweep {
  /// A quarter of the limit; nil for no limit.
  var period: Duration?
  /// How many quarters have passed while there was something to look at.
  private(set) var round: UInt32 = 0
  /// The end of this quarter; nil while there is nothing to look at.
  var timer: TimerToken?

  /// A quarter of `limit`, and not so little that the loop has no rest.
  static func period(_ limit: Duration) -> Duration { max(limit / 4, .milliseconds(5)) }

  /// Ends a quarter.
  mutating func advance() {
    timer = nil
    round &+= 1
  }

  /// True for what has not lived for longer than the limit.
  func isOver(_ mark: UInt32) -> Bool { round &- mark > 4 }
}
