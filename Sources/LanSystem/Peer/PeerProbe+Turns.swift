import CLan
import LanCore
import LanWire

extension PeerProbe {
  /// The first rest after a connection that failed; it doubles up to the greatest.
  static let leastPause: Int64 = 20_000_000
  static let greatestPause: Int64 = 1_000_000_000
  /// Handshakes at a time in connect mode.
  static let handshakeLimit = 256

  /// Does what is to be done by now, and waits for what comes next.
  func turn(at now: Int64) {
    guard isRunning else { return }
    expire(at: now)
    guard isRunning else { return }
    if configuration.mode == .connect { issueHandshakes(at: now) } else { issue(at: now) }
    guard isRunning else { return }
    if run.isFinished(at: now) { return finish(at: now) }
    wake(by: nextDeadline)
  }

  /// When time alone changes something.
  private var nextDeadline: Int64 {
    guard isHeld else { return min(run.nextSettling, run.nextDue ?? .max) }
    // What it waits for comes by itself, unless that is the end of a rest.
    let isResting = restsUntil > .min && dial == nil && handshakes.count < Self.handshakeLimit
    return min(run.nextSettling, isResting ? restsUntil : .max)
  }

  /// Has the timer fire not later than at `time`.
  ///
  /// It is only ever moved forward: a probe that was answered leaves its time limit where it is, which
  /// costs one empty round later instead of a system call for each.
  func wake(by time: Int64) {
    guard time < wakeTime else { return }
    if let timer { reactor.cancel(timer) }
    wakeTime = time
    timer = reactor.schedule(at: time) { [self] in
      timer = nil
      wakeTime = .max
      let now = MonotonicClock.now
      if configuration.mode.isTap { pollAcknowledgements(at: now) }
      turn(at: now)
    }
  }

  /// True while probes wait although they are due: before the first connection, and where the next
  /// probe waits for the one before anyway.
  var isHeld: Bool {
    if configuration.mode == .connect {
      return handshakes.count >= Self.handshakeLimit
        || !run.isPaced && MonotonicClock.now < restsUntil
    }
    return link == nil && !(run.isPaced && hasDialed)
  }

  private func issue(at now: Int64) {
    if !isHeld {
      while isRunning, let due = run.nextDue, due <= now {
        if link == nil { giveWay() }
        if isRunning { _ = run.issue(at: now) }
      }
    }
    if link == nil {
      if run.nextUnsent != nil || isHeld && run.nextDue != nil { connect(at: now) }
    } else if !isStalled {
      flush()
    }
  }

  /// Without a connection a probe waits until the next is due, so that what piled up does not leave in
  /// a burst; at a rate it waits on, as its time counts from when it was due.
  private func giveWay() {
    guard !run.schedule.isOpenLoop else { return }
    while isRunning, let number = run.loseUnsent() { lost(number, lastFailure ?? .timeout) }
  }

  /// Gives up the probes whose time has passed.
  private func expire(at now: Int64) {
    while isRunning, let number = run.expire(at: now) {
      if let dial = handshakes.removeValue(forKey: number) {
        preferred = nil
        lost(number, .notConnected(dial.cancel()))
        continue
      }
      guard let link else {
        lost(number, lastFailure ?? .timeout)
        continue
      }
      silence.lost()
      if silence.isSuspect, isHalfOpen(link) {
        lost(number, .halfOpen)
        return disconnect(.halfOpen, at: now)
      }
      lost(number, arrived > 0 && run.nextAnswer == number ? mismatch ?? .timeout : .timeout)
    }
    if run.isClogged, link != nil { disconnect(.timeout, at: now) }
  }

  private func isHalfOpen(_ link: PeerLink) -> Bool {
    guard let facts = link.facts else { return false }
    return silence.isHalfOpen(
      unacknowledged: Int(facts.unacknowledged),
      retransmissions: Int(facts.retransmits_in_vain))
  }

  /// Ends the run.
  func finish(at now: Int64) {
    isRunning = false
    ended = now
    if let timer { reactor.cancel(timer) }
    timer = nil
    dial?.cancel()
    dial = nil
    for dial in handshakes.values { dial.cancel() }
    handshakes = [:]
    release()
    tell(.finished)
    streams.finish()
  }

  // MARK: Telling

  /// True if anybody listens.
  var isHeard: Bool { onEvent != nil || !streams.isEmpty }

  func tell(_ event: PeerProbeEvent) {
    onEvent?(event)
    streams.tell(event)
  }

  func lost(_ number: Int, _ failure: PeerFailure) {
    if case .corrupted = failure { run.statistics.corrupted += 1 }
    if isHeard { tell(.lost(probe: number, failure)) }
    if isRunning, configuration.endsWhenLost { finish(at: MonotonicClock.now) }
  }
}

extension PeerProbe.Configuration {
  /// True if one probe can end the run.
  var isEndedBySingle: Bool { endsWhenLost || endsWhenAnswered }
}

extension PeerMode {
  var isTap: Bool {
    if case .tap = self { true } else { false }
  }
}
