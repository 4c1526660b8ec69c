extension Reactor {
  /// Suspends the task for `duration` on this loop's timer.
  ///
  /// `Task.sleep` would start the threads of the global pool.
  ///
  /// - Throws: `CancellationError`, at once, when the task is cancelled.
  public func sleep(for duration: Duration) async throws {
    let (deadline, overflow) = MonotonicClock.now.addingReportingOverflow(duration.wholeNanoseconds)
    try await sleep(until: overflow ? .max : deadline)
  }

  /// Suspends the task until the monotonic clock reaches `deadline` (nanoseconds).
  ///
  /// - Throws: `CancellationError`, at once, when the task is cancelled.
  public func sleep(until deadline: Int64) async throws {
    try Task.checkCancellation()
    let sleeper = Sleeper(self)
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        onLoop { sleeper.begin(continuation, until: deadline) }
      }
    } onCancel: {
      onLoop { sleeper.wake() }
    }
    try Task.checkCancellation()
  }

  /// Runs `work` now if this is the loop's thread, else in its next round.
  private func onLoop(_ work: @escaping @Sendable () -> Void) {
    if isOnLoop { work() } else { submit(work) }
  }
}

/// One sleeping task; everything but the initializer happens on the loop.
private final class Sleeper: @unchecked Sendable {
  private let reactor: Reactor
  private var continuation: CheckedContinuation<Void, Never>?
  private var timer: TimerToken?
  private var isWoken = false

  init(_ reactor: Reactor) { self.reactor = reactor }

  func begin(_ continuation: CheckedContinuation<Void, Never>, until deadline: Int64) {
    if isWoken { return continuation.resume() }
    self.continuation = continuation
    timer = reactor.schedule(at: deadline) { self.wake() }
  }

  func wake() {
    isWoken = true
    if let timer { reactor.cancel(timer) }
    timer = nil
    continuation?.resume()
    continuation = nil
  }
}
