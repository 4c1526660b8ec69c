import LanCore

/// What has become of each query, and what exit status follows.
struct ResolveLedger {
  /// What is known of one query.
  enum State: Hashable {
    case pending
    case resolved
    case failed(ResolveFailure)
  }

  private(set) var states: [State]
  private let isAny: Bool
  /// How many addresses, services and records were shown.
  var answerCount = 0
  /// How many answers of each query stand at present, in a watch.
  private var standing: [Int: Int] = [:]

  init(count: Int, isAny: Bool) {
    states = Array(repeating: .pending, count: count)
    self.isAny = isAny
  }

  subscript(index: Int) -> State {
    get { states[index] }
    set { states[index] = newValue }
  }

  /// Takes what a watch shows: a query holds as long as an answer of it stands.
  mutating func count(_ action: ResolveAction, of index: Int) {
    answerCount += 1
    let change = action == .added ? 1 : action == .removed ? -1 : 0
    standing[index, default: 0] += change
    states[index] = standing[index, default: 0] > 0 ? .resolved : .failed(.notFound)
  }

  /// How many queries were resolved.
  var resolvedCount: Int { states.count { $0 == .resolved } }
  /// How many were not.
  var failedCount: Int { states.count { if case .failed = $0 { true } else { false } } }
  /// True once there is nothing to wait for.
  var isComplete: Bool { !states.contains(.pending) || isAny && states.contains(.resolved) }

  /// The status by what is known now: all must be resolved, or one with `--any`.
  var status: ExitStatus {
    let holds = states.map { state -> Bool? in
      switch state {
      case .pending: nil
      case .resolved: true
      case .failed(let failure): failure.isUndetermined ? nil : false
      }
    }
    let isTimedOut = states.contains(.failed(.timeout)) || states.contains(.pending)
    if isTimedOut, !holds.contains(true) { return .timedOut }
    if isAny {
      return holds.contains(true) ? .success : holds.contains(nil) ? .undetermined : .negative
    }
    return holds.contains(false) ? .negative : holds.contains(nil) ? .undetermined : .success
  }
}
