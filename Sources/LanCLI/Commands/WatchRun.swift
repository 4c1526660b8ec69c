import LanCore
import LanSystem
import LanWire

/// One run of `lantool watch`: one thread, one loop.
final class WatchRun {
  let configuration: WatchConfiguration
  var ledger: WatchLedger
  var screen: WatchScreen
  var hook: WatchHook?
  var start: WatchMoment
  var latest: WatchMoment
  var overruns = 0
  private var status: ExitStatus?
  private var signal = EndingSignal()
  var isEnding = false
  var hasBegun = false
  var isRedrawing = false
  var isProbingAgain = false
  var reactor: Reactor?
  var monitor: ReachabilityMonitor?
  var waitTimer: TimerToken?
  /// Reports of `--once` that wait for what a probe finds.
  var held: [Int: ReachabilityReport] = [:]

  init(_ configuration: WatchConfiguration) {
    self.configuration = configuration
    start = WatchMoment(wall: WallClock.now, monotonic: MonotonicClock.now)
    latest = start
    ledger = WatchLedger(configuration, at: start.monotonic)
    screen = WatchScreen(configuration)
    hook = configuration.command.map(WatchHook.init)
  }

  /// Follows until a limit or a signal and says how it went.
  func run() -> ExitStatus {
    do {
      let reactor = try Reactor()
      self.reactor = reactor
      var numbers = SignalSource.ending + [SignalSource.childEnded]
      if screen.hasStatusLine { numbers += SignalSource.ofTerminal }
      let signals = try SignalSource(numbers, on: reactor) { [unowned self] in take($0) }
      let monitor = ReachabilityMonitor(monitorConfiguration, on: reactor)
      self.monitor = monitor
      monitor.onEvent = { [unowned self] in take($0) }
      try monitor.start()
      scheduleEnd(on: reactor)
      if !isEnding { try reactor.run() }
      try monitor.stop()
      finish()
      // From here a signal has its old effect.
      signals.cancel()
    } catch {
      return failed(error)
    }
    if let signal = signal.number, configuration.isBounded { SignalSource.die(by: signal) }
    return screen.isWritable ? status ?? ledger.status : .undetermined
  }

  private var monitorConfiguration: ReachabilityMonitor.Configuration {
    var result = ReachabilityMonitor.Configuration(targets: configuration.targets.map(\.question))
    result.timing.settle = configuration.settle
    if case .once = configuration.mode {
      // The one record is to have the resolver's answer, however long that takes.
      result.timing.firstResolution = 3_600_000_000_000
    }
    result.polls = configuration.polls
    result.tellsKernelEvents = configuration.showsEvents
    result.probe = configuration.probe
    if let file = configuration.replay { result.source = .recording(file) }
    result.recording = configuration.record
    result.application = "lantool \(Lantool.version)"
    return result
  }

  // MARK: What ends the run

  func stop(_ status: ExitStatus? = nil) {
    if let status, self.status == nil { self.status = status }
    isEnding = true
    reactor?.stop()
  }

  private func take(_ number: Int32) {
    if takeJobControl(number) { return }
    switch number {
    case SignalSource.childEnded:
      screen.makeRoom()
      hook?.childEnded()
      redrawSoon()
    case SignalSource.windowChanged: redraw()
    default:
      if signal.take(number) { stop() }
    }
  }

  private func scheduleEnd(on reactor: Reactor) {
    if let duration = configuration.duration {
      _ = reactor.schedule(after: duration) { [unowned self] in stop() }
    }
    guard let timeout = configuration.timeout else { return }
    _ = reactor.schedule(after: timeout) { [unowned self] in
      if case .follow = configuration.mode, ledger.hasResult { return stop(.success) }
      stop(.timedOut)
    }
  }

  // MARK: End

  private func finish() {
    if configuration.replay == nil {
      latest = WatchMoment(wall: WallClock.now, monotonic: MonotonicClock.now)
    }
    for target in held.keys.sorted() { release(target, at: latest) }
    let summary = WatchSummary(
      targets: ledger.entries.map { .init(name: $0.name, verdict: $0.verdict, log: $0.log) },
      start: start, end: latest, overruns: overruns)
    var isForPeople = true
    if case .once = configuration.mode { isForPeople = false }
    screen.show(summary, isForPeople: isForPeople)
    screen.flush()
    if signal.number == nil { hook?.drain() }
  }

  private func failed(_ error: any Error) -> ExitStatus {
    screen.makeRoom()
    WatchCommand.complain("\(error)")
    return .undetermined
  }
}

extension WatchRun: LiveRun {
  func leaveTerminal() { screen.makeRoom() }

  func returnToTerminal() {
    screen.forget()
    redraw()
  }
}

extension NameServer {
  /// The address, with its interface where it needs one.
  var text: String { zone.isEmpty ? "\(address)" : "\(address)%\(zone)" }
}
