/// When a browser's first list is complete, as far as one can know.
///
/// The second round of questions has been sent on the links and for the types that were there
/// early, and its answers had their time: the first question waits up to 120 ms, the second follows
/// after 1 s (RFC 6762 section 5.2), answers may take 120 ms (section 6).
struct Settling: Sendable {
  /// Nanoseconds from a question's start to the answers of its second round.
  static let secondRound: Int64 = 1_250_000_000
  /// Nanoseconds from the start after which new links and types delay nothing any more.
  static let patience: Int64 = 5_000_000_000

  private var began: Int64 = .min
  private var roundDue: Int64 = .min
  /// When something new came.
  var lastNews: Int64 = .min
  /// `settled` was told.
  var isTold = false

  /// The browser begins.
  mutating func begin(at now: Int64) {
    began = now
    lastNews = now
    roundDue = now + Self.secondRound
  }

  /// Questions begin somewhere.
  mutating func round(at now: Int64) {
    guard began != .min, now - began < Self.patience else { return }
    roundDue = max(roundDue, now + Self.secondRound)
  }

  /// When `settled` is due; nil for not while things are as they are.
  func due(isWaiting: Bool, _ quiet: Int64) -> Int64? {
    guard began != .min, !isTold, !isWaiting else { return nil }
    let (due, isNever) = lastNews.addingReportingOverflow(quiet)
    return isNever ? nil : max(roundDue, due)
  }
}
