import LanCore
import LanSystem
import LanWire

/// One run of `lantool ping-peer`: one thread, one loop, all targets at once.
final class PingPeerRun {
  /// Nobody reads a line that changes more often than this.
  private static let redrawInterval: Int64 = 50_000_000
  /// Lines that follow each other faster are written together.
  private static let flushInterval: Int64 = 10_000_000

  let configuration: PingPeerConfiguration
  var screen: PingPeerScreen
  var trials: [PingPeerTrial] = []
  var reactor: Reactor?
  var node: MDNSNode?
  var context: ResolverContext?
  var finder: PingPeerFinder?
  /// Peers to choose from, while somebody does.
  var picker: PeerPicker?
  var keys: TerminalKeys?
  /// What ended the run before there was a peer to test.
  var endStatus: ExitStatus?
  var isEnding = false
  private var isTimedOut = false
  private var signal = EndingSignal()
  private var lastDrawn = Int64.min
  private var isRedrawing = false
  private var nextFlush = Int64.min
  private var isFlushing = false
  private var said: Set<String> = []

  init(_ configuration: PingPeerConfiguration) {
    self.configuration = configuration
    screen = PingPeerScreen(configuration)
  }

  /// Tests until all is done, a limit or a signal, and says how it went.
  func run() -> ExitStatus {
    do {
      let reactor = try Reactor()
      self.reactor = reactor
      var numbers = SignalSource.ending + [SignalSource.report]
      if screen.hasLine { numbers += SignalSource.ofTerminal }
      let signals = try SignalSource(numbers, on: reactor) { [unowned self] in take($0) }
      BrokenPipe.endWithReader(on: reactor)
      if let timeout = configuration.timeout {
        reactor.schedule(after: timeout) { [unowned self] in
          isTimedOut = true
          stop()
        }
      }
      begin(on: reactor)
      if !isEnding { try reactor.run() }
      finish()
      // From here a signal has its old effect.
      signals.cancel()
    } catch {
      isEnding = true
      complain("\(error)")
      return .undetermined
    }
    let isCutShort = trials.isEmpty ? endStatus == nil : !trials.allSatisfy(\.isOver)
    if let signal = signal.number, configuration.isBounded, isCutShort {
      SignalSource.die(by: signal)
    }
    return screen.isWritable ? status : .undetermined
  }

  private func begin(on reactor: Reactor) {
    var settings = MDNSNode.Configuration()
    settings.interfaces = [configuration.interface].compactMap { $0 }
    let node = MDNSNode(settings, on: reactor)
    node.onDiagnostic = { [unowned self] in complain("\($0)") }
    self.node = node
    var names = ResolverContext.Configuration()
    names.interfaces = settings.interfaces
    let context = ResolverContext(names, node: node, on: reactor)
    context.onDiagnostic = { [unowned self] in complain("\($0)") }
    self.context = context
    if let search = configuration.search {
      find(search)
    } else {
      test(configuration.targets)
    }
  }

  private var status: ExitStatus {
    if let endStatus { return endStatus }
    let findings = trials.map { $0.finding(maximumLoss: configuration.maximumLoss) }
    return PingPeerLedger.status(findings, isAny: configuration.isAny, isTimedOut: isTimedOut)
  }

  // MARK: What ends the run

  func stop() {
    isEnding = true
    reactor?.stop()
  }

  /// Ends the run once nothing more is to come.
  func judge() {
    guard !trials.isEmpty, !isEnding else { return }
    let isEnough =
      configuration.isAny && configuration.probe.endsWhenAnswered
      && trials.contains { $0.state == .finished && $0.finding(maximumLoss: nil) == .holds }
    if isEnough || trials.allSatisfy(\.isOver) { stop() }
  }

  private func take(_ number: Int32) {
    if takeJobControl(number) { return }
    switch number {
    case SignalSource.report:
      screen.showInterim(trials.map(\.report))
      screen.flush()
    case SignalSource.windowChanged: redrawAll()
    default:
      if signal.take(number) { stop() }
    }
  }

  private func finish() {
    isEnding = true
    closePicker()
    finder?.stop()
    for trial in trials { trial.stop() }
    context?.stop()
    node?.stop()
    screen.showSummary(trials.filter { $0.probe != nil || !screen.isText }.map(\.report))
    screen.flush()
  }

  // MARK: Showing

  /// Shows an event of a target's probe.
  func show(_ event: PeerProbeEvent, of trial: PingPeerTrial) {
    for shown in trial.take(event) { screen.show(shown, trial.subject) }
    if screen.hasLine, !isEnding { redrawSoon() }
    flushSoon()
    if !screen.isWritable { stop() }
  }

  /// Hands over what was shown: a lone line at once, of many in a hurry all that came meanwhile.
  ///
  /// Whoever reads a pipe takes time from the next round trip each time that it is woken.
  private func flushSoon() {
    let now = MonotonicClock.now
    if isEnding || now >= nextFlush {
      nextFlush = now + Self.flushInterval
      return screen.flush()
    }
    guard !isFlushing else { return }
    isFlushing = true
    reactor?.schedule(at: nextFlush) { [unowned self] in
      isFlushing = false
      nextFlush = MonotonicClock.now + Self.flushInterval
      screen.flush()
      if !screen.isWritable { stop() }
    }
  }

  func complain(_ text: String) {
    screen.makeRoom()
    PingPeerCommand.complain(text)
    redrawAll()
  }

  /// Says something that several targets may meet with only once.
  func complainOnce(_ text: String) {
    if said.insert(text).inserted { complain(text) }
  }

  private func redrawSoon() {
    let due = lastDrawn == .min ? .min : lastDrawn + Self.redrawInterval
    if MonotonicClock.now >= due { return redraw() }
    guard !isRedrawing else { return }
    isRedrawing = true
    reactor?.schedule(at: due) { [unowned self] in
      isRedrawing = false
      redraw()
      screen.flush()
    }
  }

  func redraw() {
    guard !isEnding, picker == nil else { return }
    lastDrawn = MonotonicClock.now
    screen.draw(trials.map(\.report))
  }

  private func redrawAll() {
    if picker != nil { return refreshPicker() }
    redraw()
    screen.flush()
  }
}

extension PingPeerRun: LiveRun {
  func leaveTerminal() {
    screen.makeRoom()
    keys?.stop()
  }

  func returnToTerminal() {
    keys?.resume()
    screen.forget()
    redrawAll()
  }
}
