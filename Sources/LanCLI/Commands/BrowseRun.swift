import LanCore
import LanSystem
import LanWire

/// One run of `lantool browse`: one thread, one loop.
final class BrowseRun {
  /// Makes the source of a run.
  typealias SourceMaker = (BrowseConfiguration, Reactor) throws -> any BrowseSource

  /// Nobody reads a table that changes more often than this.
  private static let redrawInterval: Int64 = 50_000_000
  /// An empty list is not called empty before this.
  private static let patience = Duration.seconds(1)

  private let configuration: BrowseConfiguration
  private let makeSource: SourceMaker
  private var ledger: BrowseLedger
  private var screen: BrowseScreen
  private var source: (any BrowseSource)?
  private var reactor: Reactor?
  private var end: BrowseLedger.End?
  private var hasFailed = false
  /// No DNS server could tell what there is.
  private var isListUnknown = false
  private var signal = EndingSignal()
  private var isSearching = false
  private var isDirty = false
  private var lastDrawn = Int64.min
  private var isRedrawing = false

  init(_ configuration: BrowseConfiguration, _ makeSource: @escaping SourceMaker) {
    self.configuration = configuration
    self.makeSource = makeSource
    ledger = BrowseLedger(configuration)
    screen = BrowseScreen(configuration)
  }

  /// Follows until a limit or a signal and says how it went.
  func run() -> ExitStatus {
    do {
      let reactor = try Reactor()
      self.reactor = reactor
      let source = try makeSource(configuration, reactor)
      self.source = source
      // Standard input takes signals as its end, a file is read in no time.
      let signals = configuration.file == nil ? try watchSignals(on: reactor) : nil
      BrokenPipe.endWithReader(on: reactor)
      schedule(on: reactor)
      try source.start(listener)
      if end == nil { try reactor.run() }
      source.stop()
      finish()
      // From here a signal has its old effect.
      signals?.cancel()
    } catch {
      screen.makeRoom()
      BrowseCommand.complain("\(error)")
      return .undetermined
    }
    if let signal = signal.number, configuration.isBounded { SignalSource.die(by: signal) }
    let status = ledger.status(end ?? .stopped)
    if hasFailed || !screen.isWritable || isListUnknown && status == .negative {
      return .undetermined
    }
    return status
  }

  private func watchSignals(on reactor: Reactor) throws -> SignalSource {
    var numbers = SignalSource.ending
    if screen.isTable { numbers += SignalSource.ofTerminal }
    return try SignalSource(numbers, on: reactor) { [unowned self] in take($0) }
  }

  private var listener: BrowseListener {
    BrowseListener(
      event: { [unowned self] in take($0) }, complaint: { [unowned self] in complain($0) },
      end: { [unowned self] in sourceEnded($0) })
  }

  // MARK: What ends the run

  private func stop(_ end: BrowseLedger.End) {
    if self.end == nil { self.end = end }
    if configuration.file != nil { source?.stop() }
    reactor?.stop()
  }

  private func take(_ number: Int32) {
    if takeJobControl(number) { return }
    if number == SignalSource.windowChanged {
      redraw()
      return screen.flush()
    }
    if signal.take(number) { stop(.stopped) }
  }

  private func sourceEnded(_ reason: BrowseSourceEnd) {
    switch reason {
    case .complete: break
    case .timedOut: return stop(.timedOut)
    case .failed(let text):
      hasFailed = true
      complain(text)
    case .interrupted(let number): signal.number = number
    }
    stop(.fileEnded)
  }

  private func complain(_ text: String) {
    screen.makeRoom()
    BrowseCommand.complain(text)
    if screen.isTable { redrawSoon() }
    screen.flush()
  }

  private func schedule(on reactor: Reactor) {
    if let duration = configuration.duration, configuration.file == nil {
      _ = reactor.schedule(after: duration) { [unowned self] in stop(.stopped) }
    }
    if let timeout = configuration.timeout {
      _ = reactor.schedule(after: timeout) { [unowned self] in stop(.timedOut) }
    }
    guard screen.isTable else { return }
    _ = reactor.schedule(after: Self.patience) { [unowned self] in
      isSearching = true
      redraw()
      screen.flush()
    }
  }

  // MARK: What comes

  private func take(_ event: ServiceEvent) {
    guard end == nil else { return }
    switch event {
    case .added(let service): take(service, .added)
    case .updated(let service): take(service, .updated)
    case .removed(let service, let cause): take(service, .removed(cause))
    case .typeAdded(let type, let domain, let index): take(type, domain, index, isAdded: true)
    case .typeRemoved(let type, let domain, let index): take(type, domain, index, isAdded: false)
    case .domainAdded(let domain, let kind, let index): take(domain, kind, index, isAdded: true)
    case .domainRemoved(let domain, let kind, let index): take(domain, kind, index, isAdded: false)
    case .batchEnded: endBatch()
    case .settled:
      ledger.settle()
      screen.showSettled(ledger.services.count, at: source?.wallTime)
      endBatch()
    case .diagnostic(let diagnostic):
      if case .unanswered(let question, _) = diagnostic, question.type == .ptr {
        isListUnknown = true
      }
      complain("\(diagnostic)")
    }
    if let reason = ledger.end { stop(reason) }
  }

  private func take(_ service: DiscoveredService, _ change: ServiceChange) {
    guard let shown = ledger.take(service, change) else { return }
    screen.show(service, shown, at: source?.wallTime)
    isDirty = true
  }

  private func take(
    _ type: ServiceType, _ domain: DNSName, _ index: UInt32?, isAdded: Bool
  ) {
    guard ledger.take(type: type, interfaceIndex: index, isAdded: isAdded) else { return }
    screen.show(
      type, isAdded: isAdded, domain: domain,
      interface: index.flatMap { source?.interfaceName($0) },
      interfaceIndex: index, at: source?.wallTime)
  }

  private func take(
    _ domain: DNSName, _ kind: BrowsingDomainKind, _ index: UInt32?, isAdded: Bool
  ) {
    guard ledger.take(domain: domain, kind, interfaceIndex: index, isAdded: isAdded) else { return }
    screen.show(
      domain, kind, isAdded: isAdded, interface: index.flatMap { source?.interfaceName($0) },
      interfaceIndex: index, at: source?.wallTime)
  }

  /// Everything that was at hand has been told: one write for all of it.
  private func endBatch() {
    if screen.isTable, isDirty { redrawSoon() }
    screen.flush()
    if !screen.isWritable { stop(.stopped) }
  }

  private func redrawSoon() {
    let due = lastDrawn == .min ? .min : lastDrawn + Self.redrawInterval
    if MonotonicClock.now >= due { return redraw() }
    guard !isRedrawing else { return }
    isRedrawing = true
    _ = reactor?.schedule(at: due) { [unowned self] in
      isRedrawing = false
      redraw()
      screen.flush()
    }
  }

  private func redraw() {
    guard end == nil else { return }
    isDirty = false
    lastDrawn = MonotonicClock.now
    screen.redraw(ledger.listed, isSearching: isSearching)
  }

  // MARK: End

  private func finish() {
    let summary = ledger.summary(duration: source?.elapsed ?? 0)
    screen.finish(ledger, summary, at: source?.wallTime)
    screen.flush()
    guard case .text = configuration.output else { return }
    if !ledger.missing.isEmpty, !ledger.isFulfilled {
      let names = ledger.missing.map { "'\(printable(Array($0.utf8)))'" }
      BrowseCommand.complain("\(names.joined(separator: ", ")) not found")
    }
    BrowseCommand.complain(summary.line)
    if ledger.addedCount == 0 { hint() }
  }

  /// Nothing was found: perhaps the type is a typing error.
  private func hint() {
    for type in configuration.types where ServiceTypeDatabase.meaning(type) == nil {
      guard let closest = BrowseTypeWord.suggestion(type.service) else { continue }
      BrowseCommand.complain("\(type.base) is not a known type; did you mean '\(closest)'?")
    }
  }
}

extension BrowseRun: LiveRun {
  func leaveTerminal() {
    // Anew, without what the terminal has shown of the key.
    screen.makeRoom()
    redraw()
    screen.leave()
  }

  func returnToTerminal() {
    screen.forget()
    redraw()
    screen.flush()
  }
}
