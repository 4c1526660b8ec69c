import LanCore
import LanSystem
import LanWire

/// One run of `lantool watch`: one thread, one loop.
final class WatchRun {
  private let configuration: WatchConfiguration
  private var ledger: WatchLedger
  private var screen: WatchScreen
  private var hook: WatchHook?
  private var start: WatchMoment
  private var latest: WatchMoment
  private var overruns = 0
  private var status: ExitStatus?
  private var signal: Int32?
  private var signalTime: Int64 = 0
  private static let echo: Int64 = 50_000_000
  private var isEnding = false
  private var hasBegun = false
  private var isRedrawing = false
  private var reactor: Reactor?
  private var monitor: ReachabilityMonitor?
  private var waitTimer: TimerToken?
  /// Reports of `--once` that wait for what a probe finds.
  private var held: [Int: ReachabilityReport] = [:]

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
      if screen.hasStatusLine { numbers.append(SignalSource.windowChanged) }
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
    if let signal, configuration.isBounded { SignalSource.die(by: signal) }
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

  private func stop(_ status: ExitStatus? = nil) {
    if let status, self.status == nil { self.status = status }
    isEnding = true
    reactor?.stop()
  }

  private func take(_ number: Int32) {
    switch number {
    case SignalSource.childEnded: hook?.childEnded()
    case SignalSource.windowChanged:
      screen.redraw(ledger, isResized: true)
      screen.flush()
    default:
      let now = MonotonicClock.now
      if let first = signal {
        // timeout(1) sends each signal twice: to the program and to its group.
        if number == first, now - signalTime < Self.echo { return }
        SignalSource.die(by: number)
      }
      (signal, signalTime) = (number, now)
      stop()
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

  // MARK: What the monitor tells

  private func take(_ event: ReachabilityEvent) {
    guard !isEnding else { return }
    let moment = WatchMoment(wall: event.wallTime, monotonic: event.time)
    if configuration.replay != nil, !hasBegun {
      // The clock of a recording is its own.
      start = moment
      ledger = WatchLedger(configuration, at: moment.monotonic)
    }
    hasBegun = true
    latest = moment
    switch event.content {
    case .report(let report): take(report, at: moment)
    case .kernel(let change): screen.show(change, monitor?.facts.links ?? LinkTable(), at: moment)
    case .resync(let count):
      overruns += count
      screen.show(resyncAfter: count, surroundings(nil), at: moment)
    case .verification(let report): take(report, at: moment)
    case .diagnostic(let diagnostic):
      screen.makeRoom()
      WatchCommand.complain("\(diagnostic)")
    case .ended: endOfRecording()
    }
    screen.flush()
    redrawSoon()
    if !screen.isWritable { stop(.undetermined) }
  }

  /// Draws the status line once for all that comes in one turn of the loop.
  private func redrawSoon() {
    guard screen.hasStatusLine, !isRedrawing else { return }
    isRedrawing = true
    _ = reactor?.schedule(after: .zero) { [unowned self] in
      isRedrawing = false
      screen.redraw(ledger)
      screen.flush()
    }
  }

  private func endOfRecording() {
    if case .wait = configuration.mode {
      return stop(ledger.isFulfilled(at: latest.monotonic) ? .success : .negative)
    }
    stop()
  }

  private func take(_ report: ReachabilityReport, at moment: WatchMoment) {
    ledger.add(report, at: moment)
    if case .once = configuration.mode, configuration.probe != nil {
      held[report.target] = report
      if !report.verdict.status.isReachable { release(report.target, at: moment) }
    } else {
      show(report, at: moment)
    }
    if !report.isSnapshot || configuration.runsInitially { run(hookFor: report, at: moment) }
    judge(at: moment)
  }

  private func take(_ report: ProbeReport, at moment: WatchMoment) {
    let answer = WatchAnswer(report)
    ledger.add(answer, of: report.target)
    if case .failure(.permissionDenied) = report.outcome {
      screen.makeRoom()
      WatchCommand.complain("cannot send the probe: \(answer.text)")
      return stop(.notPermitted)
    }
    if held[report.target] != nil {
      release(report.target, at: moment)
    } else if ledger.entries.indices.contains(report.target) {
      screen.show(answer, of: ledger.entries[report.target].name, at: moment)
    }
    judge(at: moment)
  }

  private func release(_ target: Int, at moment: WatchMoment) {
    guard let report = held.removeValue(forKey: target) else { return }
    show(report, at: moment)
  }

  private func show(_ report: ReachabilityReport, at moment: WatchMoment) {
    guard ledger.entries.indices.contains(report.target) else { return }
    let entry = ledger.entries[report.target]
    let isPath = report.question.target == .defaultPath
    screen.show(report, entry, isPath ? surroundings(report.verdict) : nil, at: moment)
    if report.isSnapshot { explain(report, entry.name) }
    if report.isSnapshot, configuration.showsEvents, report.target == 0 {
      screen.show(surroundings(report.verdict))
    }
  }

  /// A name that cannot be resolved deserves a sentence of its own.
  private func explain(_ report: ReachabilityReport, _ name: String) {
    guard let reason = report.verdict.reason, case .host = report.question.target,
      reason == .nameNotFound || reason == .resolverFailed
    else { return }
    screen.makeRoom()
    let shown = printable(Array(name.utf8))
    WatchCommand.complain(
      "cannot resolve '\(shown)': "
        + (reason == .nameNotFound ? "no such name" : "the resolver failed; try again later"))
  }

  private func surroundings(_ path: Verdict?) -> WatchSurroundings {
    WatchSurroundings(
      monitor?.facts ?? ReachabilityFacts(), path: path ?? ledger.entries.first?.verdict,
      servers: (monitor?.nameServers ?? []).map(\.text))
  }

  private func run(hookFor report: ReachabilityReport, at moment: WatchMoment) {
    guard hook != nil, ledger.entries.indices.contains(report.target) else { return }
    var time = TimeText()
    var out = OutputBuffer(capacity: 64)
    time.appendUTC(moment.wall, digits: 6, to: &out)
    let text = out.withBytes { bytes in
      String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
    }
    hook?.run(
      report.target,
      WatchHook.variables(report, target: ledger.entries[report.target].name, time: text))
  }

  /// Ends the run if what it waits for has come.
  private func judge(at moment: WatchMoment) {
    switch configuration.mode {
    case .once: if ledger.isComplete, held.isEmpty { stop() }
    case .follow: if let count = configuration.count, ledger.changeCount >= count { stop() }
    case .wait:
      if ledger.isFulfilled(at: moment.monotonic) { return stop(.success) }
      if let timer = waitTimer { reactor?.cancel(timer) }
      waitTimer = ledger.waitDeadline.flatMap { deadline in
        configuration.replay == nil
          ? reactor?.schedule(at: deadline) { [unowned self] in stop(.success) } : nil
      }
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
    if signal == nil { hook?.drain() }
  }

  private func failed(_ error: any Error) -> ExitStatus {
    screen.makeRoom()
    WatchCommand.complain("\(error)")
    return .undetermined
  }
}

extension NameServer {
  /// The address, with its interface where it needs one.
  var text: String { zone.isEmpty ? "\(address)" : "\(address)%\(zone)" }
}
