/// A run of probes: when each is due, what became of it, and when the run is over.
///
/// Times are nanoseconds of a clock that does not jump. It is a class since a copy of it for a look at
/// one part would cost as much as a probe does.
package final class ProbeRun {
  /// When probes are due.
  package private(set) var schedule: ProbeSchedule
  /// What became of them.
  package private(set) var ledger: ProbeLedger
  /// What the answers came to.
  package var statistics = ProbeStatistics()
  private let endsWhenLost: Bool
  private let endsWhenAnswered: Bool

  /// A run that has not begun.
  package init(
    _ schedule: ProbeSchedule, wait: Int64, endsWhenLost: Bool = false,
    endsWhenAnswered: Bool = false
  ) {
    self.schedule = schedule
    self.endsWhenLost = endsWhenLost
    self.endsWhenAnswered = endsWhenAnswered
    ledger = ProbeLedger(wait: wait)
  }

  /// Begins.
  package func start(at now: Int64) { schedule.start(at: now) }

  /// Lets the first probe wait until `now`.
  package func hold(until now: Int64) { schedule.hold(until: now) }

  /// Probes that are neither answered nor given up.
  package var inFlight: Int { ledger.inFlight }
  /// True if what was given up leaves no room: the peer takes bytes and never answers.
  package var isClogged: Bool {
    ledger.isFull && ledger.inFlight < ProbeLedger.capacity / 2
  }
  /// True if the next probe goes as soon as the one before was answered, and nothing but the count
  /// or the duration ends that.
  package func isClosedLoop(at now: Int64) -> Bool {
    guard case .interval(0) = schedule.pace, !endsWhenAnswered, ledger.inFlight == 0 else {
      return false
    }
    return !schedule.isExhausted && schedule.end.map { now < $0 } ?? true
  }
  /// The next probe to be sent; nil if none waits.
  package var nextUnsent: Int? { ledger.nextUnsent }
  /// The probe that the next byte of the peer belongs to; nil if none was sent.
  package var nextAnswer: Int? { ledger.nextAnswer }
  /// True if probes become due by the clock alone.
  package var isPaced: Bool { schedule.isPaced }

  /// When the next probe is due; nil if none is for now.
  package var nextDue: Int64? {
    ledger.isFull ? nil : schedule.nextDue(inFlight: ledger.inFlight)
  }

  /// When time alone settles something: a probe is to be given up, or the run ends.
  package var nextSettling: Int64 { min(schedule.end ?? .max, ledger.nextExpiry ?? .max) }

  /// True once the run is over.
  package func isFinished(at now: Int64) -> Bool {
    if schedule.isExhausted, ledger.inFlight == 0 { return true }
    if endsWhenLost, ledger.lost > 0 { return true }
    if endsWhenAnswered, ledger.received > 0 { return true }
    return schedule.end.map { $0 <= now } ?? false
  }

  /// Takes the probe that is due.
  package func issue(at now: Int64) -> Int {
    let due = schedule.issue(at: now)
    return ledger.issue(at: schedule.isOpenLoop ? due : now)
  }

  /// The next probe that waits to be sent, and is about to be.
  package func sending(at now: Int64) {
    ledger.sending(at: schedule.isOpenLoop ? nil : now)
  }

  /// The oldest probe that was sent has its answer.
  package func answer(at now: Int64, isIntact: Bool = true) -> ProbeLedger.Answer? {
    guard let answer = ledger.answer(at: now, isIntact: isIntact) else { return nil }
    if answer.isLate { return answer }
    if isIntact { statistics.record(answer.elapsed) } else { statistics.corrupted += 1 }
    return answer
  }

  /// The probe `number` took `elapsed`; false if it had been given up.
  package func settle(_ number: Int, elapsed: Int64) -> Bool {
    guard ledger.settle(number, isReceived: true) else { return false }
    statistics.record(elapsed)
    return true
  }

  /// The probe `number` failed; false if it had been given up.
  package func fail(_ number: Int) -> Bool {
    ledger.settle(number, isReceived: false)
  }

  /// Gives one probe up whose time has passed; nil when there are none left.
  package func expire(at now: Int64) -> Int? { ledger.expire(at: now) }
  /// Gives one probe up that went over a connection that is gone; nil when there are none left.
  package func loseSent() -> Int? { ledger.loseSent() }
  /// Gives one probe up that waits to be sent; nil when there are none left.
  package func loseUnsent() -> Int? { ledger.loseUnsent() }
}
