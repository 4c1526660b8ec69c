import LanSystem

/// The signal that ends a run: the first one in order, a second one at once.
struct EndingSignal {
  /// Two signals of one kind this close together are one: timeout(1) sends each twice, to the program
  /// and to its group.
  private static let echo: Int64 = 50_000_000

  /// The first one's number; nil while there is none.
  var number: Int32?
  private var time: Int64 = 0

  /// Takes a signal; true for the first one, after which the run is to end.
  mutating func take(_ next: Int32) -> Bool {
    let now = MonotonicClock.now
    if let first = number {
      if next == first, now - time < Self.echo { return false }
      SignalSource.die(by: next)
    }
    (number, time) = (next, now)
    return true
  }
}
