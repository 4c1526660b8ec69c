import LanCore
import LanSystem
import LanWire

/// What happens with what the monitor tells.
extension WatchRun {
  func take(_ event: ReachabilityEvent) {
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
      screen.show(resyncAfter: count, surroundings(), at: moment)
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
  ///
  /// The place is left to a program of `--exec` while it runs, which may write there.
  func redrawSoon() {
    guard screen.hasStatusLine, !isRedrawing else { return }
    isRedrawing = true
    _ = reactor?.schedule(after: .zero) { [unowned self] in
      isRedrawing = false
      redraw()
    }
  }

  func redraw() {
    if hook?.isBusy != true { screen.redraw(ledger) }
    screen.flush()
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
    ledger.add(answer, of: report.target, at: moment.monotonic)
    if case .wait = configuration.mode, !answer.isVerified { probeAgain() }
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

  /// Whoever waits for an answer wants to be asked again.
  private func probeAgain() {
    guard !isProbingAgain else { return }
    isProbingAgain = true
    _ = reactor?.schedule(after: .seconds(2)) { [unowned self] in
      isProbingAgain = false
      monitor?.refresh()
    }
  }

  func release(_ target: Int, at moment: WatchMoment) {
    guard let report = held.removeValue(forKey: target) else { return }
    show(report, at: moment)
  }

  private func show(_ report: ReachabilityReport, at moment: WatchMoment) {
    guard ledger.entries.indices.contains(report.target) else { return }
    let entry = ledger.entries[report.target]
    let isPath = report.question.target == .defaultPath
    screen.show(report, entry, isPath ? surroundings() : nil, at: moment)
    if report.isSnapshot { explain(report, entry.name) }
    if report.isSnapshot, configuration.showsEvents, report.target == 0 {
      screen.show(surroundings())
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

  private func surroundings() -> WatchSurroundings {
    // A recording has no answers to questions that were not asked then.
    let ranked = configuration.replay == nil ? try? monitor?.rankedInterfaces() : nil
    return WatchSurroundings(
      monitor?.facts ?? ReachabilityFacts(), ranked: ranked ?? [],
      servers: configuration.replay == nil ? (monitor?.nameServers ?? []).map(\.text) : [])
  }

  private func run(hookFor report: ReachabilityReport, at moment: WatchMoment) {
    guard hook != nil, ledger.entries.indices.contains(report.target) else { return }
    var time = TimeText()
    var out = OutputBuffer(capacity: 64)
    time.appendUTC(moment.wall, digits: 6, to: &out)
    let text = out.withBytes { bytes in
      String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
    }
    screen.makeRoom()
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
}
