import CLan
import LanCore
import LanWire

extension PeerProbe {
  /// Begins to connect, unless that is under way or the last failure is too fresh.
  func connect(at now: Int64) {
    guard dial == nil, link == nil else { return }
    guard now >= restsUntil else { return wake(by: restsUntil) }
    let dial = PeerDial(usableEndpoints, configuration, on: reactor) { [self] result in
      self.dial = nil
      if let link = result.link {
        connected(link, result.attempts)
      } else {
        couldNotConnect(result)
      }
    }
    self.dial = dial
    dial.begin()
  }

  /// Those endpoints that the own address can reach.
  var usableEndpoints: [SocketEndpoint] {
    guard let source = configuration.source else { return endpoints }
    let usable = endpoints.filter { $0.address.isIPv6 == source.isIPv6 }
    return usable.isEmpty ? endpoints : usable
  }

  /// Counts a connection that was made.
  func note(_ attempts: [PeerConnectAttempt]) {
    connections += 1
    guard let winner = attempts.last else { return }
    connectTime = winner.elapsed
    totalConnectTime = winner.begun + winner.elapsed
  }

  private func connected(_ link: PeerLink, _ attempts: [PeerConnectAttempt]) {
    let now = MonotonicClock.now
    do throws(SystemError) {
      try link.watch(reactor, for: .readable) { [self] in ready($0) }
    } catch {
      return disconnect(.system(error), at: now)
    }
    self.link = link
    note(attempts)
    (partial, arrived, mismatch, isStalled, linkBytesOut) = (nil, 0, nil, false, 0)
    sample = nil
    taps.restart()
    hasHeardTaps = false
    silence = ProbeSilence()
    hasStamps = configuration.usesStamps && lan_stamp_begin(link.raw, 1) == 0
    if !hasDialed { run.hold(until: now) }
    hasDialed = true
    if isHeard {
      tell(
        .connected(
          link.endpoint, local: link.local, connectTime: connectTime ?? 0, attempts: attempts))
    }
    turn(at: now)
  }

  private func couldNotConnect(_ result: PeerDial.Result) {
    let now = MonotonicClock.now
    if let obstacle = result.obstacle, connections == 0 {
      // A local fact that no further try will change.
      tell(.disconnected(.system(obstacle)))
      if isRunning { finish(at: now) }
      return
    }
    let failure = PeerFailure.notConnected(result.attempts)
    rest(from: now)
    lastFailure = failure
    tell(.disconnected(failure))
    if isHeld, let due = run.nextDue, due <= now { _ = run.issue(at: now) }
    hasDialed = true
    while isRunning, let number = run.loseUnsent() { lost(number, failure) }
    turn(at: now)
  }

  /// The connection is gone: what went over it is lost.
  func disconnect(_ failure: PeerFailure, at now: Int64) {
    let (count, wrong) = (arrived, mismatch)
    let oldest = run.nextAnswer
    release()
    rest(from: now)
    lastFailure = failure
    while isRunning, let number = run.loseSent() {
      let isCut = number == oldest && count > 0
      lost(
        number,
        isCut ? wrong ?? .shortReply(received: count, expected: content.size) : failure)
    }
    guard isRunning else { return }
    tell(.disconnected(failure))
    turn(at: now)
  }

  /// Closes the connection.
  func release() {
    guard let link else { return }
    if let facts = link.facts {
      kernel = PeerProbeSummary.Kernel(facts, retransmits: retransmits)
      retransmits += Int(facts.retransmits)
    }
    link.close(reactor)
    self.link = nil
    (partial, arrived, mismatch, sample) = (nil, 0, nil, nil)
  }

  /// Waits before the next connection, longer each time until an answer came.
  func rest(from now: Int64) {
    restsUntil = now + min(pause, max(configuration.wait.wholeNanoseconds / 2, 1))
    pause = min(pause * 2, Self.greatestPause)
  }
}
