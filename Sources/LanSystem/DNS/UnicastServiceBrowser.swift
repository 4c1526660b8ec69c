public import LanCore
import LanWire

/// Finds services by conventional DNS, and keeps an eye on them as TTLs pass.
///
/// One search at a time; it runs until it is stopped. Everything happens on the reactor's thread;
/// the streams may be read anywhere. A server that does not answer ends nothing: it is told as a
/// diagnostic, and what was known stays.
public final class UnicastServiceBrowser {
  /// What is searched for, and who is asked.
  public struct Configuration: Hashable, Sendable {
    /// What is searched for.
    public var search: UnicastBrowserMachine.Configuration
    /// How often things are asked.
    public var pace = UnicastQuerier.Pace()
    /// Who is asked, and how long.
    public var resolver = UnicastResolver.Configuration()

    /// A search with the system's servers, which may be Discovery Proxies.
    public init(_ search: UnicastBrowserMachine.Configuration) {
      self.search = search
      resolver.timeouts = UnicastResolver.Configuration.patient
    }
  }

  /// Called with everything that the search tells, on the reactor's thread.
  public var onEvent: ((ServiceEvent) -> Void)?
  /// What is searched for, and who is asked.
  public let configuration: Configuration
  /// True between `start` and `stop`.
  public private(set) var isSearching = false

  private let reactor: Reactor
  private let resolver: UnicastResolver
  private var machine: UnicastBrowserMachine
  private var timer: TimerToken?
  private var isBatchOpen = false
  private var isTelling = false
  /// Counts the searches, so that nothing of an earlier one comes into a later one.
  private var search = 0
  private var streams = EventStreams<ServiceEvent>()

  /// A browser that does nothing yet.
  public init(_ configuration: Configuration, on reactor: Reactor) {
    self.configuration = configuration
    self.reactor = reactor
    resolver = UnicastResolver(configuration.resolver, on: reactor)
    machine = UnicastBrowserMachine(configuration.search, pace: configuration.pace)
  }

  /// Begins the search; a search that is under way goes on.
  public func start() {
    guard !isSearching else { return }
    machine = UnicastBrowserMachine(configuration.search, pace: configuration.pace)
    isSearching = true
    search += 1
    machine.start(prefixes: Self.ownPrefixes(), at: MonotonicClock.now)
    perform()
  }

  /// Ends the search and the streams; a second time does nothing.
  public func stop() {
    guard isSearching else { return }
    isSearching = false
    resolver.cancelAll()
    if let timer { reactor.cancel(timer) }
    timer = nil
    streams.finish()
  }

  /// The instances that are known, by name.
  public var services: [DiscoveredService] {
    machine.services.map { ("\($0.name)", $0) }.sorted { $0.0 < $1.0 }.map(\.1)
  }

  /// What is told from now on, after an `added` for each instance that is known and the end of that
  /// batch.
  ///
  /// A consumer that falls behind loses the oldest of 4,096 and one more for each instance known at
  /// the beginning; one that ends does not end the search. `stop` ends the stream.
  public var events: AsyncStream<ServiceEvent> {
    streams.add(knowing: services)
  }

  // MARK: Turns

  /// Asks and tells what the machine wants, and sets the timer.
  private func perform() {
    let questions = machine.questions
    machine.questions = []
    let current = search
    for question in questions {
      resolver.query(question.name, question.type) { [weak self] answer in
        guard let self, isSearching, search == current else { return }
        take(answer)
      }
    }
    tellEvents()
    if isSearching, search == current { arm() }
  }

  private func take(_ answer: UnicastAnswer) {
    let source = answer.server?.address ?? .v4(IPv4Address(bits: 0))
    machine.handle(
      answer.question, answer.outcome, name: answer.name, from: source, at: MonotonicClock.now)
    guard !isBatchOpen else { return }
    isBatchOpen = true
    // What else has come by now belongs to the same batch.
    reactor.schedule(after: .zero) { [weak self] in
      guard let self else { return }
      isBatchOpen = false
      guard isSearching else { return }
      machine.batchEnded(at: MonotonicClock.now)
      perform()
    }
  }

  private func arm() {
    if let timer { reactor.cancel(timer) }
    timer = machine.nextDeadline.map { deadline in
      reactor.schedule(at: deadline) { [weak self] in
        guard let self else { return }
        timer = nil
        machine.deadlineReached(at: MonotonicClock.now)
        perform()
      }
    }
  }

  private func tellEvents() {
    // A listener that stops and starts in its call must not come in between.
    guard !isTelling else { return }
    isTelling = true
    defer { isTelling = false }
    while !machine.events.isEmpty {
      let events = machine.events
      machine.events = []
      let current = search
      for event in events where isSearching && search == current {
        streams.tell(event)
        onEvent?(event)
      }
    }
  }

  /// The addresses of this host with their networks; none where the kernel cannot be asked.
  private static func ownPrefixes() -> [IPPrefix] {
    let interfaces = (try? InterfaceList.all()) ?? []
    return interfaces.filter(\.isUp).flatMap(\.addresses).map {
      IPPrefix($0.address, UInt8(clamping: $0.prefixLength))
    }
  }
}
