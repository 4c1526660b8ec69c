public import LanWire

/// Decides what a browser of conventional DNS asks and tells (RFC 6763 sections 4 to 11).
///
/// Outcomes and time go in; questions and events come out. The services are decided about by the
/// same `ServiceBrowserMachine` as those of multicast DNS, fed by a `UnicastQuerier`. Each question
/// has one outcome, so the first list is complete when all have theirs: `settled` waits for nothing
/// else. Times are nanoseconds of a monotonic clock.
public struct UnicastBrowserMachine: Sendable {
  /// What is browsed for and how; no interfaces, never passive, and `settle` has no meaning.
  public typealias Configuration = ServiceBrowserMachine.Configuration

  /// What is to be asked now; the caller asks and empties it.
  public var questions: [DNSQuestion] = []
  /// What is to be told; the caller tells and empties it.
  public var events: [ServiceEvent] = []
  /// True once the first list was told to be complete.
  public private(set) var isSettled = false

  private var machine: ServiceBrowserMachine
  private var querier: UnicastQuerier
  /// When a batch that waits for addresses is told without them.
  private var heldUntil: Int64?

  /// Nanoseconds that what is told may wait for the addresses of a host that is new: a service that
  /// moves to another host should not be without any for a moment.
  static let addressPatience: Int64 = 250_000_000

  /// A browser that has not begun.
  public init(_ configuration: Configuration, pace: UnicastQuerier.Pace = UnicastQuerier.Pace()) {
    var configuration = configuration
    configuration.origin = .dns
    configuration.interfaces = []
    configuration.isPassive = false
    machine = ServiceBrowserMachine(configuration)
    querier = UnicastQuerier(pace: pace)
  }

  /// What is browsed for and how.
  public var configuration: Configuration { machine.configuration }
  /// The instances that were told, in no order.
  public var services: [DiscoveredService] { machine.services }

  /// Begins.
  ///
  /// - Parameters:
  ///   - prefixes: The own addresses with their networks: services there are own ones, and in a list
  ///     of domains the networks are asked for theirs.
  ///   - now: The time.
  public mutating func start(prefixes: [IPPrefix] = [], at now: Int64) {
    if !prefixes.isEmpty {
      machine.setLink(MDNSLink(index: 0, name: "", families: [], prefixes: prefixes), at: now)
    }
    machine.start(at: now)
    turn(at: now)
    finish(at: now)
  }

  /// Takes what became of a question; after all that are at hand call `batchEnded`.
  ///
  /// - Parameters:
  ///   - question: The question.
  ///   - outcome: What became of it.
  ///   - name: Where its aliases ended.
  ///   - source: The server.
  ///   - now: The time.
  public mutating func handle(
    _ question: DNSQuestion, _ outcome: UnicastOutcome, name: DNSName, from source: IPAddress,
    at now: Int64
  ) {
    querier.handle(question, outcome, name: name, from: source, at: now)
    turn(at: now)
  }

  /// Tells what the outcomes since the last call come to.
  public mutating func batchEnded(at now: Int64) {
    if querier.isWaitingForAddresses {
      let until = heldUntil ?? now + Self.addressPatience
      heldUntil = until
      if now < until { return }
    }
    heldUntil = nil
    machine.batchEnded(at: now)
    turn(at: now)
    finish(at: now)
  }

  /// Does what is due.
  public mutating func deadlineReached(at now: Int64) {
    querier.deadlineReached(at: now)
    turn(at: now)
    if let deadline = machine.nextDeadline, deadline <= now { machine.deadlineReached(at: now) }
    batchEnded(at: now)
  }

  /// When `deadlineReached` is to be called next; nil for not before something else happens.
  public var nextDeadline: Int64? {
    [querier.nextDeadline, machine.nextDeadline, heldUntil].lazy.compactMap(\.self).min()
  }

  /// Carries demands to the querier and changes back until neither has any.
  private mutating func turn(at now: Int64) {
    while true {
      let demands = machine.demands
      machine.demands = []
      for demand in demands { perform(demand, at: now) }
      let changes = querier.changes
      querier.changes = []
      for change in changes { machine.handle(change, at: now) }
      if machine.demands.isEmpty { break }
    }
    querier.forgetOffers()
    questions += querier.questions
    querier.questions = []
    takeEvents()
  }

  private mutating func perform(_ demand: ServiceBrowserMachine.Demand, at now: Int64) {
    switch demand {
    case .start(let question, _): querier.start(question.name, question.type, at: now)
    case .stop(let question): querier.stop(question.name, question.type)
    case .reconfirm(let name, let type, _, _): querier.reconfirm(name, type, at: now)
    }
  }

  private mutating func takeEvents() {
    for event in machine.events where event != .settled { events.append(event) }
    machine.events = []
    for diagnostic in querier.diagnostics where isOfInterest(diagnostic) {
      events.append(.diagnostic(diagnostic))
    }
    querier.diagnostics = []
  }

  /// Own networks are asked for domains on the chance: most have no server that knows of them.
  private func isOfInterest(_ diagnostic: MDNSDiagnostic) -> Bool {
    guard case .unanswered(let question, _) = diagnostic, configuration.listsDomains else {
      return true
    }
    return question.name.hasSuffix(configuration.domain)
  }

  private mutating func finish(at now: Int64) {
    guard !isSettled, !querier.isWaiting, machine.untoldCount == 0 else { return }
    isSettled = true
    events.append(.settled)
  }
}
