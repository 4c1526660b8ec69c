public import LanCore
import LanWire
import Synchronization

extension ReachabilityMonitor {
  /// The verdicts at one moment, and what probes found.
  public struct Snapshot: Sendable {
    /// A report about each target, in their order.
    public var reports: [ReachabilityReport] = []
    /// What probes found.
    public var verifications: [ProbeReport] = []
    /// What is known of the host.
    public var facts = ReachabilityFacts()
    /// The DNS servers, as the resolver's configuration names them.
    public var nameServers: [NameServer] = []
    /// The interfaces over which a route leads to anywhere, the preferred one first.
    public var rankedInterfaces: [RankedInterface] = []
    /// What was amiss.
    public var diagnostics: [ReachabilityDiagnostic] = []
  }

  /// Judges all targets once, without listening for events.
  ///
  /// It blocks while names are resolved and probes are under way. Of a recording it judges the
  /// beginning.
  ///
  /// - Throws: `ReachabilityError` where the kernel cannot be asked, or a recording not be read.
  public static func evaluateOnce(
    _ configuration: Configuration
  ) throws(ReachabilityError) -> Snapshot {
    var configuration = configuration
    configuration.timing.settle = 0
    configuration.timing.firstResolution = .max
    configuration.polls = false
    let once =
      switch configuration.source {
      case .kernel: try OnceRun(live: configuration)
      case .recording(let path): try OnceRun(replaying: path, configuration)
      }
    var snapshot = once.snapshot
    snapshot.reports.sort { $0.target < $1.target }
    snapshot.facts = once.driver.machine.facts
    snapshot.rankedInterfaces =
      (try? once.driver.rankedInterfaces(configuration.pathProbes)) ?? []
    snapshot.nameServers = ResolverConfiguration.nameServers(path: configuration.resolverPath)
    if let probe = configuration.probe, configuration.source == .kernel {
      do throws(SystemError) {
        snapshot.verifications = try once.verify(probe, timeout: configuration.probeTimeout)
      } catch {
        throw .netlink(.system(error))
      }
    }
    return snapshot
  }
}

/// One judgement of all targets, on the calling thread.
private final class OnceRun {
  let driver: ReachabilityDriver
  var snapshot = ReachabilityMonitor.Snapshot()
  private var names: [String] = []

  /// Judges by the running kernel.
  init(live configuration: ReachabilityMonitor.Configuration) throws(ReachabilityError) {
    let recorder = try LiveSession.recorder(configuration)
    let sideFacts = SideFacts(configuration, recorder)
    do throws(NetlinkError) {
      driver = ReachabilityDriver(
        configuration.machine(at: MonotonicClock.now), try NetlinkSocket(recorder: recorder))
      driver.onDemand = { [unowned self] in take($0) }
      driver.inspect = { sideFacts.inspect($0) }
      try driver.start()
    } catch {
      throw .netlink(error)
    }
    for message in sideFacts.radios() { driver.machine.handle(message, at: driver.now()) }
    recorder?.note(RecordedFacts.beginning)
    driver.run()
    resolveAll(recorder)
    for report in snapshot.reports { recorder?.note(RecordedFacts.note(report)) }
    do throws(FileError) { try recorder?.close() } catch { throw .recording(error) }
  }

  /// Judges by a recording.
  init(
    replaying path: String, _ configuration: ReachabilityMonitor.Configuration
  ) throws(ReachabilityError) {
    let replay: ReachabilityReplay
    do throws(NetlinkReplayError) {
      replay = try ReachabilityReplay(path, configuration)
    } catch {
      throw .replay(error)
    }
    driver = replay.driver
    do throws(NetlinkError) {
      try replay.start { [unowned self] in take(.tell($0)) }
    } catch {
      throw .netlink(error)
    }
    // A name's answer may stand behind the beginning.
    while snapshot.reports.count < configuration.targets.count, replay.step() {}
    var seen: Set<Int> = []
    snapshot.reports = snapshot.reports.filter { seen.insert($0.target).inserted }
  }

  private func take(_ demand: ReachabilityDriver.Demand) {
    switch demand {
    case .tell(.report(let report)): snapshot.reports.append(report)
    case .tell(.diagnostic(let diagnostic)): snapshot.diagnostics.append(diagnostic)
    case .tell: break
    case .resolve(let name): names.append(name)
    }
  }

  /// Resolves what was asked for, some at a time: each may block for long.
  private func resolveAll(_ recorder: NetlinkRecorder?) {
    while !names.isEmpty {
      let wanted = names
      names = []
      let answers = Self.resolve(wanted)
      for (name, answer) in zip(wanted, answers) {
        if let note = RecordedFacts.note(name, answer) { recorder?.note(note) }
        driver.machine.resolved(name, answer, at: driver.now())
      }
      driver.run()
    }
  }

  private static func resolve(_ names: [String]) -> [NameResolution] {
    if names.count == 1 { return [NameResolver.resolveNow(names[0])] }
    let answers = SharedAnswers(count: names.count)
    var threads: [WorkerThread] = []
    for _ in 0..<min(names.count, NameResolver.threadLimit) {
      let thread = try? WorkerThread {
        while let index = answers.take() {
          answers.set(index, NameResolver.resolveNow(names[index]))
        }
      }
      if let thread { threads.append(thread) }
    }
    // Without a thread this one does it all.
    while let index = answers.take() { answers.set(index, NameResolver.resolveNow(names[index])) }
    for thread in threads { thread.join() }
    return answers.all
  }

  /// Sends probes and waits for what they find.
  func verify(
    _ probe: ReachabilityProbe, timeout: Duration?
  ) throws(SystemError) -> [ProbeReport] {
    let reactor = try Reactor()
    var found: [ProbeReport] = []
    let runner = ProbeRunner(
      probe, timeout: timeout, reactor: reactor, resolver: NameResolver(reactor),
      transport: driver.transport
    ) { found.append($0) }
    for report in snapshot.reports { runner.submit(report) }
    guard runner.isBusy else { return [] }
    runner.onIdle = { reactor.stop() }
    try reactor.run()
    return found.sorted { $0.target < $1.target }
  }
}

/// The answers that several threads gather.
private final class SharedAnswers: Sendable {
  private struct State {
    var next = 0
    var answers: [NameResolution]
  }
  private let state: Mutex<State>

  init(count: Int) {
    state = Mutex(State(answers: Array(repeating: .pending, count: count)))
  }

  /// The next one to do; nil where all are taken.
  func take() -> Int? {
    state.withLock { state in
      guard state.next < state.answers.count else { return nil }
      defer { state.next += 1 }
      return state.next
    }
  }

  func set(_ index: Int, _ answer: NameResolution) {
    state.withLock { $0.answers[index] = answer }
  }

  var all: [NameResolution] { state.withLock { $0.answers } }
}
