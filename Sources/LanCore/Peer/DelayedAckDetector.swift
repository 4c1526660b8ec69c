/// Sees the peer's delayed-ACK timer in the times to acknowledgements (RFC 1122 section 4.2.3.2).
///
/// A kernel that has nothing to send waits before it acknowledges: about 40 ms on Linux, 100 ms on
/// BSD and Apple's systems, 200 ms on others. Such times say nothing about the path.
public struct DelayedAckDetector: Hashable, Sendable {
  /// Delays by the timers in use, nanoseconds.
  private static let timers: [ClosedRange<Int64>] = [
    36_000_000...52_000_000, 92_000_000...112_000_000, 188_000_000...216_000_000,
  ]
  private static let leastCount = 3
  private static let leastShare = 0.2

  private var total = 0
  private var delayed = InlineCounts()

  private struct InlineCounts: Hashable {
    var first = 0
    var second = 0
    var third = 0
    var greatest: Int { max(first, second, third) }
  }

  /// No times.
  public init() {}

  /// Adds the time to an acknowledgement, with the handshake's round trip to compare it with.
  public mutating func record(_ time: Int64, handshake: Int64) {
    total += 1
    // A path that is that slow itself hides the timer.
    guard time >= handshake.multipliedReportingOverflow(by: 3).partialValue else { return }
    let delay = time - handshake
    if Self.timers[0].contains(delay) { delayed.first += 1 }
    if Self.timers[1].contains(delay) { delayed.second += 1 }
    if Self.timers[2].contains(delay) { delayed.third += 1 }
  }

  /// True if enough of the times are one timer's.
  public var isSuspected: Bool {
    delayed.greatest >= Self.leastCount
      && Double(delayed.greatest) >= Self.leastShare * Double(total)
  }
}
