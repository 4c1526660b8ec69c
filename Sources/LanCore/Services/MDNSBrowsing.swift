/// A browser and the querier that it needs, coupled: datagrams and time in, packets and events out.
///
/// For what has no other user of the querier: reading a capture file with its clock, and tests.
/// Hand in datagrams, then call `batchEnded`; call `deadlineReached` whenever `nextDeadline` has
/// come, or `advance` to let time pass up to the next datagram. After any call take what is to be
/// sent and told. Times are nanoseconds of any clock that does not go backwards.
public struct MDNSBrowsing: Sendable {
  /// The asking side.
  public private(set) var querier: MDNSQuerier
  /// The deciding side.
  public private(set) var browser: ServiceBrowserMachine
  /// What is to be sent; the caller sends and empties it.
  public var packets: [MDNSPacket] = []
  /// What is to be told; the caller tells and empties it.
  public var events: [ServiceEvent] = []
  /// Interests in questions that were begun.
  public private(set) var startCount = 0
  /// Interests in questions that were ended.
  public private(set) var stopCount = 0

  /// A browser that has not begun; a passive one makes a passive querier.
  ///
  /// - Parameters:
  ///   - configuration: What is browsed for.
  ///   - querier: What is set for the querier.
  ///   - seed: Where chance begins.
  public init(
    _ configuration: ServiceBrowserMachine.Configuration,
    querier: MDNSQuerier.Configuration = MDNSQuerier.Configuration(), seed: UInt64
  ) {
    var querier = querier
    if configuration.isPassive { querier.isPassive = true }
    self.querier = MDNSQuerier(querier, seed: seed)
    browser = ServiceBrowserMachine(configuration)
  }

  /// Begins to browse.
  public mutating func start(at now: Int64) {
    browser.start(at: now)
    settleDemands(at: now)
  }

  /// Ends all asking; nothing more is told.
  public mutating func stop(at now: Int64) {
    browser.stop(at: now)
    settleDemands(at: now)
  }

  /// Begins to use a link, or takes news about it.
  public mutating func setLink(_ link: MDNSLink, at now: Int64) {
    browser.setLink(link, at: now)
    querier.setLink(link, at: now)
    settleDemands(at: now)
  }

  /// Ends the use of a link.
  public mutating func removeLink(_ index: UInt32, at now: Int64) {
    querier.removeLink(index, at: now)
    settleDemands(at: now)
    browser.removeLink(index, at: now)
    settleDemands(at: now)
  }

  /// Takes one datagram; `batchEnded` is to follow when no other is at hand.
  public mutating func handle(_ message: Span<UInt8>, _ arrival: MDNSArrival, at now: Int64) {
    querier.handle(message, arrival, at: now)
    settleDemands(at: now)
  }

  /// Ends a batch: everything that was at hand has been handed in.
  public mutating func batchEnded(at now: Int64) {
    settleDemands(at: now)
    browser.batchEnded(at: now)
    settleDemands(at: now)
  }

  /// Does what is due.
  public mutating func deadlineReached(at now: Int64) {
    querier.deadlineReached(at: now)
    settleDemands(at: now)
    browser.deadlineReached(at: now)
    settleDemands(at: now)
  }

  /// When `deadlineReached` is to be called next; nil for not before something else happens.
  public var nextDeadline: Int64? {
    guard let asking = querier.nextDeadline else { return browser.nextDeadline }
    return min(asking, browser.nextDeadline ?? asking)
  }

  /// Lets time pass: does everything that is due by then, each thing at its own time.
  public mutating func advance(to now: Int64) {
    var last = Int64.min
    while let due = nextDeadline, due <= now {
      // A deadline that stays where it was must not hold us here.
      let time = due > last ? due : min(last + 1_000_000, now)
      deadlineReached(at: time)
      if time == now { break }
      last = time
    }
  }

  /// Carries changes and demands to and fro until neither is left.
  private mutating func settleDemands(at now: Int64) {
    while !querier.output.isEmpty || !browser.demands.isEmpty {
      let output = querier.output
      querier.output = MDNSOutput()
      packets.append(contentsOf: output.packets)
      for change in output.changes { browser.handle(change, at: now) }
      for diagnostic in output.diagnostics { events.append(.diagnostic(diagnostic)) }
      let demands = browser.demands
      browser.demands = []
      for demand in demands { perform(demand, at: now) }
    }
    if !browser.events.isEmpty {
      events.append(contentsOf: browser.events)
      browser.events = []
    }
  }

  private mutating func perform(_ demand: ServiceBrowserMachine.Demand, at now: Int64) {
    switch demand {
    case .start(let question, let effort):
      startCount += 1
      querier.start(question, effort, at: now)
    case .stop(let question):
      stopCount += 1
      querier.stop(question, at: now)
    case .reconfirm(let name, let type, let data, let link):
      querier.reconfirm(name, type, data: data, interfaceIndex: link, at: now)
    }
  }
}
