public import LanCore

/// Resolves one host, address, service instance or record, and tells what it finds as it comes.
///
/// The manners are those of NSNetService: `willResolve` first, then an answer at a time, then what
/// it came to, then `didStop`. Everything happens on the reactor's thread.
public final class ServiceResolver {
  /// How a query is resolved.
  public struct Options: Hashable, Sendable {
    /// The addresses asked for.
    public var families: MDNSFamilies = .both
    /// Asks every source and tells of all of them side by side.
    public var isAll = false
    /// Goes on for as long as nobody stops it, and tells of changes.
    public var isWatching = false

    /// Both families, until all is known.
    public init() {}
  }

  /// Called with everything that the resolver tells.
  public var onEvent: ((ResolveEvent) -> Void)?
  /// Gets the same.
  public weak var delegate: (any ServiceResolverDelegate)?
  /// What is resolved.
  public let query: ResolveQuery
  /// How.
  public let options: Options
  /// True between `resolve` and `didStop`.
  public var isRunning: Bool { tally != nil }

  let context: ResolverContext
  var tally: ResolveTally?
  var start: Int64 = 0
  private var timer: TimerToken?
  private var timeout: TimerToken?
  private var tickets: [Int] = []
  /// How often a watch asks those who tell of no changes: the system's resolver and DNS.
  private static let repetition = Duration.seconds(10)
  private var again: [ResolveSource: TimerToken] = [:]
  /// What those said the last time, and what they have said this time.
  private var rounds: [ResolveSource: (last: [ResolveAnswer], now: [ResolveAnswer])] = [:]
  var multicast: MulticastResolution?
  var questions: [UnicastResolver.Ticket] = []
  private var streams = EventStreams<ResolveEvent>()
  private var isTelling = false

  /// A resolver that does nothing yet.
  ///
  /// - Parameters:
  ///   - query: What is to be resolved.
  ///   - options: How.
  ///   - context: What it shares with others on the same loop.
  public init(
    _ query: ResolveQuery, options: Options = Options(), in context: ResolverContext
  ) {
    self.query = query
    self.options = options
    self.context = context
  }

  /// Begins; one that runs already begins anew.
  ///
  /// - Parameter limit: When to give up; nil, as NSNetService's 0, for when all have been asked as
  ///   often as is proper.
  public func resolve(timeout limit: Duration? = nil) {
    stop()
    start = MonotonicClock.now
    let plan = ResolvePlan(query, context.facts(query, isAll: options.isAll))
    tally = ResolveTally(plan, isAll: options.isAll, isWatching: options.isWatching)
    tell(.willResolve)
    if let limit {
      timeout = context.reactor.schedule(after: limit) { [weak self] in self?.end(.timeout) }
    }
    for source in plan.deciding + plan.checking where tally != nil { begin(source) }
    proceed()
  }

  /// Ends the query; what was found stands.
  public func stop() { end(.cancelled) }

  /// Everything from now on, until `didStop`.
  ///
  /// A consumer that falls behind loses the oldest of 4,096.
  public var events: AsyncStream<ResolveEvent> {
    streams.add()
  }

  private func end(_ failure: ResolveFailure) {
    guard tally != nil else { return }
    tally?.end(failure, at: MonotonicClock.now)
    proceed()
  }

  // MARK: For the sources

  /// Nanoseconds since the start.
  var elapsed: Int64 { MonotonicClock.now - start }

  /// Takes an answer of a source.
  func take(_ answer: ResolveAnswer, _ action: ResolveAction = .added, from source: ResolveSource) {
    tally?.take(answer, action, from: source, at: MonotonicClock.now)
  }

  /// What may be said is complete for now.
  func confirmLocal() { tally?.confirmLocal() }

  /// A source has nothing more to say.
  func finish(_ source: ResolveSource, _ failure: ResolveFailure? = nil) {
    tally?.finish(source, failure, at: MonotonicClock.now)
    proceed()
  }

  /// Takes an answer of a source that is asked again and again in a watch.
  func takeInRound(_ answer: ResolveAnswer, from source: ResolveSource) {
    var round = rounds[source] ?? ([], [])
    if !round.last.contains(where: { $0.isSame(as: answer) }) { take(answer, from: source) }
    round.now.append(answer)
    rounds[source] = round
  }

  /// Such a source has said everything for now: what it said before and did not repeat is gone,
  /// unless it could not tell.
  func finishRound(_ source: ResolveSource, _ failure: ResolveFailure? = nil) {
    let round = rounds[source] ?? ([], [])
    let isTold = failure == nil || failure == .notFound || failure == .noAddress
    if isTold {
      for old in round.last where !round.now.contains(where: { $0.isSame(as: old) }) {
        take(old, .removed, from: source)
      }
    }
    rounds[source] = (isTold ? round.now : round.last, [])
    if options.isWatching, isRunning {
      again[source] = context.reactor.schedule(after: Self.repetition) { [weak self] in
        guard let self, isRunning else { return }
        // All of them have been answered.
        (questions, tickets) = ([], [])
        begin(source)
      }
    }
    finish(source, failure)
  }

  /// Asks on a thread, and calls `handler` if the query is still wanted.
  func ask<Answer: Sendable>(
    _ work: @escaping @Sendable () -> Answer, _ handler: @escaping (Answer?, SystemError?) -> Void
  ) {
    let begun = start
    tickets.append(
      context.names.ask(work) { [weak self] answer, error in
        guard let self, tally != nil, start == begun else { return }
        handler(answer, error)
        proceed()
      })
  }

  /// Tells what is to be told and sets the timer.
  func proceed() {
    // What is told may call back into the resolver.
    guard !isTelling else { return }
    isTelling = true
    while var current = tally, !current.events.isEmpty {
      let events = current.events
      current.events = []
      tally = current.isFinished ? nil : current
      if current.isFinished { release() }
      for event in events { tell(ordered(event)) }
    }
    isTelling = false
    schedule()
  }

  private func schedule() {
    if let timer { context.reactor.cancel(timer) }
    timer = tally?.nextDeadline.map { deadline in
      context.reactor.schedule(at: deadline) { [weak self] in
        guard let self else { return }
        timer = nil
        tally?.deadlineReached(at: MonotonicClock.now)
        proceed()
      }
    }
  }

  private func release() {
    if let timeout { context.reactor.cancel(timeout) }
    timeout = nil
    for ticket in tickets { context.names.cancel(ticket) }
    for question in questions { context.dns.cancel(question) }
    for token in again.values { context.reactor.cancel(token) }
    multicast?.stop()
    (tickets, questions, again, multicast, rounds) = ([], [], [:], nil, [:])
  }

  func tell(_ event: ResolveEvent) {
    delegate?.tell(self, event)
    streams.tell(event)
    onEvent?(event)
    if event == .didStop { streams.finish() }
  }
}
