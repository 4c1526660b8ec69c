import LanCore

/// What a run knows about its targets, and what exit status follows.
struct WatchLedger {
  struct Entry {
    var name: String
    var verdict: Verdict?
    var log: AvailabilityLog
    var answer: WatchAnswer?
    /// When the present verdict was told.
    var since: WatchMoment?
  }

  private(set) var entries: [Entry]
  private var waiting: WaitCondition?
  private let isAny: Bool
  private let isVerifying: Bool

  init(_ configuration: WatchConfiguration, at now: Int64) {
    entries = configuration.targets.map { Entry(name: $0.name, log: AvailabilityLog(at: now)) }
    isAny = configuration.isAny
    isVerifying = configuration.probe != nil
    if case .wait(let expression, let duration) = configuration.mode {
      waiting = WaitCondition(
        expression, for: duration, targets: Set(entries.indices), any: isAny)
    }
  }

  /// Takes a report.
  mutating func add(_ report: ReachabilityReport, at moment: WatchMoment) {
    guard entries.indices.contains(report.target) else { return }
    entries[report.target].verdict = report.verdict
    entries[report.target].log.add(report)
    entries[report.target].since = moment
    // What a probe found before holds no more.
    entries[report.target].answer = nil
    updateWait(report.target, at: report.time)
  }

  /// With a probe, a reachable target fulfils nothing before it has answered.
  private mutating func updateWait(_ target: Int, at now: Int64) {
    guard var verdict = entries[target].verdict else { return }
    if isVerifying, verdict.status.isReachable, entries[target].answer?.isVerified != true {
      verdict.best.status = .unknown
    }
    waiting?.update(target, verdict, at: now)
  }

  /// Takes what a probe found.
  mutating func add(_ answer: WatchAnswer, of target: Int, at now: Int64) {
    guard entries.indices.contains(target) else { return }
    entries[target].answer = answer
    updateWait(target, at: now)
  }

  /// True once each target has a verdict.
  var isComplete: Bool { entries.allSatisfy { $0.verdict != nil } }
  /// True once some target has one that says something.
  var hasResult: Bool {
    entries.contains { $0.verdict.map { $0.status != .unknown } ?? false }
  }
  /// When the condition of `--wait` will have held long enough; nil while it does not hold.
  var waitDeadline: Int64? { waiting?.deadline }
  /// True if the condition of `--wait` has held long enough.
  func isFulfilled(at now: Int64) -> Bool { waiting?.isFulfilled(at: now) ?? false }
  /// How many changes were told of all targets.
  var changeCount: Int { entries.reduce(0) { $0 + $1.log.changeCount } }

  /// The status by what is known now: all must hold, or one with `--any`.
  var status: ExitStatus {
    let holds = entries.map(holds)
    if isAny {
      return holds.contains(true) ? .success : holds.contains(nil) ? .undetermined : .negative
    }
    return holds.contains(false) ? .negative : holds.contains(nil) ? .undetermined : .success
  }

  /// Whether a target is reachable; nil if that could not be determined.
  private func holds(_ entry: Entry) -> Bool? {
    guard let verdict = entry.verdict, verdict.status != .unknown else { return nil }
    switch verdict.reason {
    case .nameNotFound, .resolverFailed, .lookupFailed, .pending: return nil
    default: break
    }
    guard isVerifying, verdict.status.isReachable else { return verdict.status.isReachable }
    return entry.answer?.isVerified
  }
}
