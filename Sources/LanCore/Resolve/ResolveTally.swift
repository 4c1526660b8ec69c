import LanWire

/// Brings together what the sources of one query say, and knows when enough has been said.
///
/// Times are nanoseconds of a monotonic clock.
public struct ResolveTally: Sendable {
  /// How long others are waited for once one source has answered to its end.
  public static let patience: Int64 = 1_000_000_000
  /// How long a contradiction is looked for once those that count have answered.
  public static let checkPatience: Int64 = 500_000_000

  private enum State: Hashable {
    case pending
    case done(ResolveFailure?)
  }

  /// Who is asked.
  public let plan: ResolvePlan
  /// What is to be told; the caller tells and empties it.
  public var events: [ResolveEvent] = []
  /// True once the outcome was told.
  public private(set) var isFinished = false
  /// When `deadlineReached` is to be called; nil for not at all.
  public private(set) var nextDeadline: Int64?

  private let isAll: Bool
  private let isWatching: Bool
  private var states: [ResolveSource: State] = [:]
  private var answers: [(source: ResolveSource, answer: ResolveAnswer)] = []
  private var told: ResolveContradiction?
  private var isLocalServed = false
  private var hasToldFailure = false

  /// A tally of nothing yet.
  ///
  /// - Parameters:
  ///   - plan: Who is asked.
  ///   - isAll: Everybody's answers are shown, and everybody is waited for.
  ///   - isWatching: It never ends by itself.
  public init(_ plan: ResolvePlan, isAll: Bool = false, isWatching: Bool = false) {
    self.plan = plan
    self.isAll = isAll
    self.isWatching = isWatching
    for source in plan.deciding + plan.checking { states[source] = .pending }
  }

  /// The answers that count, in the sources' order.
  public var counting: [ResolveAnswer] {
    plan.deciding.flatMap { source in
      answers.filter { $0.source == source }.map(\.answer)
    }
  }

  /// Takes an answer, or news about one.
  public mutating func take(
    _ answer: ResolveAnswer, _ action: ResolveAction, from source: ResolveSource, at now: Int64
  ) {
    guard !isFinished else { return }
    let known = answers.firstIndex { $0.source == source && $0.answer.isSame(as: answer) }
    switch action {
    case .removed: if let known { answers.remove(at: known) }
    case .added, .updated:
      if let known { answers[known].answer = answer } else { answers.append((source, answer)) }
    }
    if plan.deciding.contains(source), isNews(answer, action, source) {
      events.append(.answer(answer, action))
    }
    compare()
  }

  /// Of two sources that say the same, only the first is told of, unless all are wanted.
  private func isNews(
    _ answer: ResolveAnswer, _ action: ResolveAction, _ source: ResolveSource
  ) -> Bool {
    if isAll { return true }
    return !answers.contains { $0.source != source && $0.answer.isSame(as: answer) }
  }

  /// A source has nothing more to say; `failure` is why it said nothing.
  public mutating func finish(_ source: ResolveSource, _ failure: ResolveFailure?, at now: Int64) {
    guard !isFinished else { return }
    states[source] = .done(failure)
    decide(at: now)
  }

  /// DNS does serve `local`: it is waited for from now on.
  public mutating func confirmLocal() { isLocalServed = true }

  /// Waits for nobody any more.
  public mutating func end(_ failure: ResolveFailure, at now: Int64) {
    guard !isFinished else { return }
    conclude(failure)
  }

  /// Does what is due.
  public mutating func deadlineReached(at now: Int64) {
    guard let deadline = nextDeadline, now >= deadline else { return }
    nextDeadline = nil
    conclude(nil)
  }

  private mutating func decide(at now: Int64) {
    // Whether DNS serves `local` at all is nothing to wait for.
    let pending = plan.deciding.filter {
      states[$0] == .pending && ($0 != .dnsIfLocalIsServed || isLocalServed)
    }
    if isWatching {
      // A watch goes on without an answer, but says that there is none.
      if pending.isEmpty, counting.isEmpty, !hasToldFailure {
        hasToldFailure = true
        events.append(.didNotResolve(failure(nil)))
      }
      return
    }
    let isChecked = !plan.checking.contains { states[$0] == .pending }
    if pending.isEmpty && isChecked { return conclude(nil) }
    guard !isAll, !counting.isEmpty else { return }
    let patience = pending.isEmpty ? Self.checkPatience : Self.patience
    nextDeadline = min(nextDeadline ?? .max, now + patience)
  }

  private mutating func conclude(_ reason: ResolveFailure?) {
    isFinished = true
    nextDeadline = nil
    let found = deduplicated
    let hasResult = found.contains {
      if case .service(let value) = $0 { !value.isPlaceholder } else { true }
    }
    events.append(hasResult ? .didResolve(found) : .didNotResolve(failure(reason)))
    events.append(.didStop)
  }

  private func failure(_ reason: ResolveFailure?) -> ResolveFailure {
    if counting.contains(where: { if case .service = $0 { true } else { false } }) {
      return .placeholder
    }
    if let reason { return reason }
    let failures = plan.deciding.compactMap { source -> ResolveFailure? in
      if source == .dnsIfLocalIsServed, !isLocalServed { return nil }
      return if case .done(let failure)? = states[source] { failure } else { nil }
    }
    return failures.max { $0.weight < $1.weight } ?? .notFound
  }

  private var deduplicated: [ResolveAnswer] {
    if isAll { return counting }
    var result: [ResolveAnswer] = []
    for answer in counting where !result.contains(where: { $0.isSame(as: answer) }) {
      result.append(answer)
    }
    return result
  }

  /// Looks whether the hosts file and multicast DNS name different addresses of one family.
  private mutating func compare() {
    func addresses(_ isWanted: (ResolveSource, ResolveOrigin) -> Bool) -> [ResolvedAddress] {
      answers.compactMap { entry in
        guard case .address(let value) = entry.answer, isWanted(entry.source, value.origin)
        else { return nil }
        return value
      }
    }
    var hosts: [ResolvedAddress] = []
    for entry in addresses({ $1.provider == .hosts && $0 != .mdns })
    where !hosts.contains(where: { $0.address == entry.address && $0.name == entry.name }) {
      hosts.append(entry)
    }
    let heard = addresses { source, _ in source == .mdns }
    guard !hosts.isEmpty else { return }
    let differing = heard.filter { other in
      let same = hosts.filter { $0.address.isIPv6 == other.address.isIPv6 }
      return !same.isEmpty
        && !same.contains { $0.address == other.address && $0.name == other.name }
    }
    guard !differing.isEmpty else { return }
    let found = ResolveContradiction(deciding: hosts, other: differing)
    guard told == nil || told?.other.count != differing.count else { return }
    told = found
    events.append(.contradiction(found))
  }
}

extension ResolveAnswer {
  /// True if both say the same thing, whoever says it and for how long.
  public func isSame(as other: ResolveAnswer) -> Bool {
    switch (self, other) {
    case (.address(let left), .address(let right)):
      left.address == right.address && left.zone == right.zone && left.port == right.port
        && left.name.lowercased() == right.name.lowercased()
    case (.service(let left), .service(let right)):
      left.name == right.name && left.host == right.host && left.port == right.port
        && left.origin.interfaceIndex == right.origin.interfaceIndex
    case (.record(let left), .record(let right)):
      left.name == right.name && left.data == right.data
        && left.origin.interfaceIndex == right.origin.interfaceIndex
    default: false
    }
  }
}
