import LanCore
import LanSystem
import LanWire

/// One run of `lantool resolve`: one thread, one loop, all queries at once.
final class ResolveRun {
  private let configuration: ResolveConfiguration
  private var ledger: ResolveLedger
  private var screen: ResolveScreen
  private var reactor: Reactor?
  private var resolvers: [ServiceResolver] = []
  private let start = MonotonicClock.now
  private var signal = EndingSignal()
  private var isEnding = false
  /// What was said on standard error; several names may meet with the same.
  private var said: Set<String> = []

  init(_ configuration: ResolveConfiguration) {
    self.configuration = configuration
    ledger = ResolveLedger(count: configuration.queries.count, isAny: configuration.isAny)
    screen = ResolveScreen(configuration)
  }

  /// Resolves until all is known, a limit or a signal, and says how it went.
  func run() -> ExitStatus {
    do {
      let reactor = try Reactor()
      self.reactor = reactor
      let signals = try SignalSource(SignalSource.ending, on: reactor) { [unowned self] in
        take($0)
      }
      let context = ResolverContext(contextConfiguration, on: reactor)
      context.onDiagnostic = { [unowned self] in complain("\($0)") }
      begin(in: context)
      if !isEnding { try reactor.run() }
      isEnding = true
      for resolver in resolvers { resolver.stop() }
      context.stop()
      screen.showSummary(ledger, elapsed: MonotonicClock.now - start)
      screen.flush()
      signals.cancel()
    } catch {
      ResolveCommand.complain("\(error)")
      return .undetermined
    }
    if let signal = signal.number, !configuration.isWatching { SignalSource.die(by: signal) }
    return screen.isWritable ? ledger.status : .undetermined
  }

  private var contextConfiguration: ResolverContext.Configuration {
    var result = ResolverContext.Configuration()
    result.interfaces = configuration.interfaces
    result.waitsForInterface = configuration.isWatching
    if let server = configuration.server { result.servers = [server] }
    return result
  }

  private func begin(in context: ResolverContext) {
    var options = ServiceResolver.Options()
    options.families = configuration.families
    options.isAll = configuration.isAll
    options.isWatching = configuration.isWatching
    for (index, query) in configuration.queries.enumerated() {
      let resolver = ServiceResolver(query, options: options, in: context)
      resolver.onEvent = { [unowned self] in take($0, of: index) }
      resolvers.append(resolver)
    }
    for resolver in resolvers where !isEnding {
      resolver.resolve(timeout: configuration.timeout)
    }
  }

  // MARK: What comes

  private func take(_ event: ResolveEvent, of index: Int) {
    guard !isEnding else { return }
    let query = configuration.queries[index]
    switch event {
    case .willResolve, .didStop: break
    case .answer(let answer, let action):
      guard configuration.isWatching else { return }
      ledger.count(action, of: index)
      screen.show(answer, action, of: query)
    case .contradiction(let found): screen.show(found, of: query)
    case .diagnostic(let text): complain(text)
    case .didResolve(let answers):
      ledger[index] = .resolved
      guard !configuration.isWatching else { break }
      ledger.answerCount += answers.count
      let rules = configuration.showsWhy ? Self.rules(answers) : []
      for (place, answer) in answers.enumerated() {
        screen.show(answer, nil, rule: rules.isEmpty ? nil : rules[place], of: query)
      }
    case .didNotResolve(let failure):
      ledger[index] = .failed(failure)
      screen.show(failure, of: query)
    }
    screen.flush()
    if !screen.isWritable { return stop() }
    judge(event)
  }

  /// For each answer that has another address behind it, the rule that puts it there.
  private static func rules(_ answers: [ResolveAnswer]) -> [DestinationOrder.Rule?] {
    let addresses = answers.compactMap { answer -> ResolvedAddress? in
      if case .address(let value) = answer { value } else { nil }
    }
    var rules = DestinationSources.rules(addresses)[...]
    return answers.enumerated().map { place, answer in
      guard case .address = answer, let rule = rules.popFirst() else { return nil }
      guard place + 1 < answers.count, case .address = answers[place + 1] else { return nil }
      return rule
    }
  }

  private func complain(_ text: String) {
    if said.insert(text).inserted { ResolveCommand.complain(text) }
  }

  private func judge(_ event: ResolveEvent) {
    if configuration.isWatching {
      if event == .didStop, !resolvers.contains(where: \.isRunning) { stop() }
    } else if ledger.isComplete {
      stop()
    }
  }

  private func stop() {
    isEnding = true
    reactor?.stop()
  }

  private func take(_ number: Int32) {
    if signal.take(number) { stop() }
  }
}
