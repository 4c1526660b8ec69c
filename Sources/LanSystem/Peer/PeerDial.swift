import Glibc
import LanCore
import LanWire

/// Connects to the first of several endpoints that answers, by Happy Eyeballs (RFC 8305).
///
/// It ends once, with a connection or without.
final class PeerDial {
  /// What came out.
  struct Result {
    /// The connection; nil where all tries failed.
    var link: PeerLink?
    /// All tries, in their order; the winner is put last.
    var attempts: [PeerConnectAttempt]
    /// What a local fact forbade, where nothing else was met.
    var obstacle: SystemError?
  }

  private let endpoints: [SocketEndpoint]
  private let configuration: PeerProbe.Configuration
  private let reactor: Reactor
  private let onEnd: (Result) -> Void
  private var machine: HappyEyeballs
  private var links: [Int: PeerLink] = [:]
  private var timer: TimerToken?
  private var obstacle: SystemError?
  private var hasMetOther = false
  private var isEnded = false

  init(
    _ endpoints: [SocketEndpoint], _ configuration: PeerProbe.Configuration, on reactor: Reactor,
    onEnd: @escaping (Result) -> Void
  ) {
    self.endpoints = endpoints
    self.configuration = configuration
    self.reactor = reactor
    self.onEnd = onEnd
    machine = HappyEyeballs(
      endpoints.map(\.address), limit: configuration.wait.wholeNanoseconds)
  }

  /// Begins; `onEnd` may be called before this returns.
  func begin() { perform(machine.start(at: MonotonicClock.now)) }

  /// Ends without calling `onEnd`; gives the tries so far, those under way as timed out.
  @discardableResult func cancel() -> [PeerConnectAttempt] {
    isEnded = true
    cleanUp()
    return attempts(pending: .timedOut)
  }

  private func cleanUp() {
    if let timer { reactor.cancel(timer) }
    timer = nil
    for link in links.values { link.close(reactor) }
    links = [:]
  }

  private func perform(_ outputs: [HappyEyeballs.Output]) {
    var queue = outputs
    var next = 0
    // What a try tells at once adds to the queue.
    while next < queue.count, !isEnded {
      let output = queue[next]
      next += 1
      switch output {
      case .begin(let index): queue += begin(index)
      case .abandon(let index): links.removeValue(forKey: index)?.close(reactor)
      case .connected(let index): end(with: links.removeValue(forKey: index))
      case .failed: end(with: nil)
      }
    }
    if !isEnded { arm() }
  }

  private func end(with link: PeerLink?) {
    isEnded = true
    cleanUp()
    link?.close(reactor)
    onEnd(
      Result(
        link: link, attempts: attempts(pending: .abandoned),
        obstacle: hasMetOther ? nil : obstacle))
  }

  private func arm() {
    if let timer { reactor.cancel(timer) }
    timer = machine.nextDeadline.map { deadline in
      reactor.schedule(at: deadline) { [self] in
        timer = nil
        perform(machine.deadlineReached(at: MonotonicClock.now))
      }
    }
  }

  /// Begins one try; gives what follows where that is known at once.
  private func begin(_ index: Int) -> [HappyEyeballs.Output] {
    let link: PeerLink
    do throws(SystemError) {
      link = try PeerLink(to: endpoints[index], configuration)
    } catch {
      obstacle = error
      return machine.failed(index, .failed(error.errno), at: MonotonicClock.now)
    }
    hasMetOther = true
    let number = link.connect()
    guard number == EINPROGRESS || number == 0 else {
      return machine.failed(index, .failed(number), at: MonotonicClock.now)
    }
    links[index] = link
    if number == 0 { return settle(index, link) }
    do throws(SystemError) {
      try link.watch(reactor, for: .writable) { [self] _ in
        guard !isEnded, links[index] === link else { return }
        link.close(reactor)
        perform(settle(index, link))
      }
    } catch {
      links[index] = nil
      return machine.failed(index, .failed(error.errno), at: MonotonicClock.now)
    }
    return []
  }

  /// A socket that is writable is connected only if no error waits on it.
  private func settle(_ index: Int, _ link: PeerLink) -> [HappyEyeballs.Output] {
    let now = MonotonicClock.now
    let number = link.pendingError
    if number == 0, !link.isSelfConnected { return machine.connected(index, at: now) }
    links[index] = nil
    if number != 0 { return machine.failed(index, .failed(number), at: now) }
    link.closeByReset(reactor)
    return machine.failed(index, .selfConnected, at: now)
  }

  private func attempts(pending: PeerConnectAttempt.Outcome) -> [PeerConnectAttempt] {
    let first = machine.attempts.first?.begun ?? 0
    let all = machine.attempts.map { attempt in
      let outcome = attempt.outcome.map(PeerConnectAttempt.Outcome.init) ?? pending
      let ended = attempt.outcome == nil ? MonotonicClock.now : attempt.ended
      return PeerConnectAttempt(
        endpoint: endpoints[attempt.index], begun: attempt.begun - first,
        elapsed: ended - attempt.begun, outcome: outcome)
    }
    return all.filter { $0.outcome != .connected } + all.filter { $0.outcome == .connected }
  }
}

extension PeerConnectAttempt.Outcome {
  init(_ outcome: HappyEyeballs.Outcome) {
    switch outcome {
    case .connected: self = .connected
    case .failed(let number): self = .failed(number)
    case .selfConnected: self = .selfConnected
    case .timedOut: self = .timedOut
    case .abandoned: self = .abandoned
    }
  }
}
