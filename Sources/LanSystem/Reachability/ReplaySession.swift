import LanCore

/// What runs behind a `ReachabilityMonitor`.
protocol ReachabilitySession: AnyObject {
  /// Has the machine.
  var driver: ReachabilityDriver { get }
  /// Begins.
  func start() throws(ReachabilityError)
  /// Ends.
  func stop()
  /// Judges anew.
  func refresh()
  /// Ends the recording.
  func closeRecording() throws(FileError)
}

/// One run of a `ReachabilityMonitor` over a recording, as fast as the loop goes.
final class ReplaySession: ReachabilitySession {
  private let replay: ReachabilityReplay
  private let reactor: Reactor
  private let emit: (ReachabilityEvent) -> Void
  private var timer: TimerToken?
  private var isStopped = false
  /// How many items are played before others get their turn.
  private static let itemsPerTurn = 256

  init(
    _ path: String, _ configuration: ReachabilityMonitor.Configuration, _ reactor: Reactor,
    _ emit: @escaping (ReachabilityEvent) -> Void
  ) throws(ReachabilityError) {
    self.reactor = reactor
    self.emit = emit
    do throws(NetlinkReplayError) {
      replay = try ReachabilityReplay(path, configuration)
    } catch {
      throw .replay(error)
    }
  }

  var driver: ReachabilityDriver { replay.driver }

  func start() throws(ReachabilityError) {
    do throws(NetlinkError) {
      try replay.start { [weak self] in self?.tell($0) }
    } catch {
      throw .netlink(error)
    }
    schedule()
  }

  private func schedule() {
    guard !isStopped else { return }
    timer = reactor.schedule(after: .zero) { [weak self] in self?.turn() }
  }

  private func turn() {
    for _ in 0..<Self.itemsPerTurn where !isStopped {
      if !replay.step() { return tell(.ended) }
    }
    schedule()
  }

  func stop() {
    isStopped = true
    if let timer { reactor.cancel(timer) }
    timer = nil
  }

  func refresh() {}

  func closeRecording() throws(FileError) {}

  private func tell(_ content: ReachabilityEvent.Content) {
    guard !isStopped else { return }
    emit(ReachabilityEvent(time: replay.now, wallTime: replay.now, content: content))
  }
}
