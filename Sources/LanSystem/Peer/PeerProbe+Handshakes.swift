import CLan
import LanCore
import LanWire

extension PeerProbe {
  /// In connect mode, begins the handshakes that are due.
  func issueHandshakes(at now: Int64) {
    while isRunning, !isHeld, let due = run.nextDue, due <= now {
      let number = run.issue(at: now)
      run.sending(at: now)
      let dial = PeerDial(
        preferred.map { [$0] } ?? usableEndpoints, configuration, on: reactor
      ) { [self] in handshakeEnded(number, $0) }
      handshakes[number] = dial
      dial.begin()
    }
  }

  private func handshakeEnded(_ number: Int, _ result: PeerDial.Result) {
    handshakes[number] = nil
    let now = MonotonicClock.now
    if let link = result.link {
      handshakeSucceeded(number, link, result.attempts)
    } else if let obstacle = result.obstacle, connections == 0 {
      tell(.disconnected(.system(obstacle)))
      if isRunning { finish(at: now) }
      return
    } else {
      preferred = nil
      rest(from: now)
      if run.fail(number) { lost(number, .notConnected(result.attempts)) }
    }
    // Not before the caller is done: an end that was known at once would nest ever deeper.
    if isRunning { wake(by: now) }
  }

  private func handshakeSucceeded(
    _ number: Int, _ link: PeerLink, _ attempts: [PeerConnectAttempt]
  ) {
    note(attempts)
    if let facts = link.facts {
      kernel = PeerProbeSummary.Kernel(facts, retransmits: retransmits)
      retransmits += Int(facts.retransmits)
    }
    if isHeard, preferred == nil {
      tell(
        .connected(
          link.endpoint, local: link.local, connectTime: connectTime ?? 0, attempts: attempts))
    }
    preferred = link.endpoint
    pause = Self.leastPause
    restsUntil = .min
    // Thousands of ports that wait for their time would use up all there are.
    if configuration.interval < .milliseconds(10) { link.closeByReset(reactor) }
    let elapsed = connectTime ?? 0
    if isRunning, run.settle(number, elapsed: elapsed), isHeard {
      tell(.reply(probe: number, bytes: 0, rtt: elapsed, split: nil))
    }
  }
}
