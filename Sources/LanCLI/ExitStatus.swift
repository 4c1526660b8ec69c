/// How a run ended, as scripts see it.
public enum ExitStatus: Int32, CaseIterable, Sendable {
  /// It holds: reachable, found, resolved, the capture was read to its end.
  case success = 0
  /// It does not hold: not reachable, nothing found, no such name.
  case negative = 1
  /// It could not be determined: a system error or broken input.
  case undetermined = 2
  /// The time limit passed without any result.
  case timedOut = 3
  /// The command line is wrong.
  case usage = 64
  /// A permission is missing.
  case notPermitted = 77
}
