import LanCore

/// Gathers losses of route and neighbour messages, so that a storm does not cause a storm of
/// look-ups: the first is handled soon, further ones after waits that grow.
final class LossGate {
  private static let firstWait = Duration.milliseconds(50)
  private static let lastWait = Duration.seconds(1)

  private let reactor: Reactor
  private let handler: (Set<ReachabilityMachine.Loss>, Int) -> Void
  private var losses: Set<ReachabilityMachine.Loss> = []
  private var count = 0
  private var wait = firstWait
  private var handled = Int64.min
  private var timer: TimerToken?

  /// A gate that hands on what was lost and how often.
  init(
    _ reactor: Reactor, _ handler: @escaping (Set<ReachabilityMachine.Loss>, Int) -> Void
  ) {
    self.reactor = reactor
    self.handler = handler
  }

  /// Takes a loss.
  func add(_ loss: ReachabilityMachine.Loss) {
    losses.insert(loss)
    count += 1
    guard timer == nil else { return }
    let calm = MonotonicClock.now &- handled
    let isCalm = handled == .min || calm > 2 * Self.lastWait.wholeNanoseconds
    wait = isCalm ? Self.firstWait : min(wait * 2, Self.lastWait)
    timer = reactor.schedule(after: wait) { [weak self] in self?.open() }
  }

  private func open() {
    timer = nil
    handled = MonotonicClock.now
    let (losses, count) = (losses, count)
    (self.losses, self.count) = ([], 0)
    handler(losses, count)
  }

  func stop() {
    if let timer { reactor.cancel(timer) }
    timer = nil
  }
}
