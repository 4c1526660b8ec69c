import LanWire

/// Decides what multicast DNS is asked about one query, and when enough has been said.
///
/// It talks to an `MDNSQuerier` through its caller: `demands` are given to the querier, the
/// querier's changes come back by `handle`; after a batch of them call `batchEnded`. Times are
/// nanoseconds of a monotonic clock.
public struct ResolverMachine: Sendable {
  /// What the querier is to do.
  public typealias Demand = ServiceBrowserMachine.Demand

  /// How long is waited for what.
  public struct Timing: Hashable, Sendable {
    /// Questions that are sent while nobody answers: at 0, 1 and 3 s.
    public var attempts = 3
    /// From the start to the end without any answer.
    public var schedule: Int64 = 5_000_000_000
    /// From the start until silence about a TXT record counts as an answer: the second question
    /// and 500 ms more (with the 120 ms that the first one may be delayed).
    public var silence: Int64 = 1_700_000_000
    /// What is waited after the first answer for the other half.
    public var half: Int64 = 500_000_000
    /// What is waited after the first answer for links on which nobody said anything.
    public var otherLinks: Int64 = 250_000_000
    /// When a host that nobody knows is asked for by its alias; an owner that answered with the
    /// CNAME record has it told at once.
    public var alias: Int64 = 300_000_000
    /// What is waited after the last answer for more in the next packet.
    public var settle: Int64 = 20_000_000

    /// The defaults.
    public init() {}
  }

  /// What is asked and how.
  public struct Configuration: Hashable, Sendable {
    /// The addresses asked for.
    public var families: MDNSFamilies = .both
    /// The only links; empty for all.
    public var interfaces: Set<UInt32> = []
    /// Goes on for ever.
    public var isWatching = false
    /// How long is waited for what.
    public var timing = Timing()

    /// Both families on all links.
    public init() {}
  }

  /// News about an answer.
  public struct Change: Hashable, Sendable {
    /// The answer.
    public var answer: ResolveAnswer
    /// What happened to it.
    public var action: ResolveAction
  }

  /// A record, and when it came.
  struct Known: Hashable {
    var answer: MDNSAnswer
    var arrived: Int64
  }

  /// A name and type that were denied on a link.
  struct Denial: Hashable {
    var name: DNSName
    var type: DNSRecordType
    var interfaceIndex: UInt32
  }

  /// What is resolved.
  public let query: ResolveQuery
  /// How.
  public let configuration: Configuration
  /// What the querier is to do; the caller performs and empties it.
  public var demands: [Demand] = []
  /// What is to be told; the caller tells and empties it.
  public var changes: [Change] = []
  /// True once the schedule is over or all that can be known is; a watch goes on all the same.
  public private(set) var isFinished = false
  /// Why there is no answer; nil while there is one or nobody knows yet.
  public private(set) var failure: ResolveFailure?

  var started: Int64 = 0
  var links: [UInt32: MDNSLink] = [:]
  var known: [Known] = []
  var denied: Set<Denial> = []
  /// What was asked, and since when.
  var asked: [MDNSQuestion: Int64] = [:]
  var lastChange: Int64 = 0
  private var told: [ResolveAnswer] = []
  private var isStarted = false

  /// A machine that has not begun.
  public init(_ query: ResolveQuery, _ configuration: Configuration = Configuration()) {
    self.query = query
    self.configuration = configuration
  }

  /// What was told and still stands, in order.
  public var currentAnswers: [ResolveAnswer] { told }

  /// Begins to ask.
  public mutating func start(at now: Int64) {
    guard !isStarted else { return }
    isStarted = true
    started = now
    lastChange = now
    switch query.subject {
    case .host: if let name = query.name { askAddresses(of: name, at: now) }
    case .address: if let name = query.name { ask(name, .ptr, at: now) }
    case .service(let service):
      ask(service.name, .srv, at: now)
      ask(service.name, .txt, at: now)
    case .record(let name, let type): ask(name, type, at: now)
    }
  }

  /// Takes back all questions.
  public mutating func stop() {
    for question in asked.keys { demands.append(.stop(question)) }
    asked = [:]
  }

  /// Takes news about a link.
  public mutating func setLink(_ link: MDNSLink, at now: Int64) {
    if isWanted(link.index) { links[link.index] = link }
  }

  /// A link went; what was known there is removed by the querier's changes.
  public mutating func removeLink(_ index: UInt32, at now: Int64) { links[index] = nil }

  /// Takes a change that the querier told; those that have nothing to do with the query are ignored.
  public mutating func handle(_ change: MDNSChange, at now: Int64) {
    switch change {
    case .added(let answer):
      guard concerns(answer) else { return }
      known.removeAll { $0.answer.isSame(as: answer) }
      known.append(Known(answer: answer, arrived: now))
      denied.remove(
        Denial(name: answer.name, type: answer.type, interfaceIndex: answer.interfaceIndex))
      lastChange = now
    case .removed(let answer, _):
      known.removeAll { $0.answer.isSame(as: answer) }
    case .denied(let question, let interfaceIndex):
      let isAsked = asked.keys.contains { $0.name == question.name && $0.type == question.type }
      guard isAsked, isWanted(interfaceIndex), !isAlias(question) else { return }
      denied.insert(
        Denial(name: question.name, type: question.type, interfaceIndex: interfaceIndex))
      lastChange = now
    case .heardOver, .exhausted: break
    }
  }

  /// True for the question for an alias beside those for addresses: a host that has none says so,
  /// and nothing about its addresses.
  private func isAlias(_ question: MDNSQuestion) -> Bool {
    if case .host = query.subject { question.type == .cname } else { false }
  }

  /// Ends a batch: everything that was at hand has been handed in.
  public mutating func batchEnded(at now: Int64) {
    guard isStarted else { return }
    for target in targets { askAddresses(of: target, at: now) }
    tell(at: now)
    // An answer after the end was reported is news for a watch.
    if configuration.isWatching, isFinished, !told.isEmpty { failure = nil }
    conclude(at: now)
  }

  /// Does what is due.
  public mutating func deadlineReached(at now: Int64) {
    if let time = aliasTime, now >= time, let name = query.name { ask(name, .cname, at: now) }
    tell(at: now)
    conclude(at: now)
  }

  /// When `deadlineReached` is to be called next.
  public var nextDeadline: Int64? {
    guard isStarted else { return nil }
    if isFinished {
      // A watch may still hold back a service whose TXT record does not come.
      return configuration.isWatching ? textDeadline : nil
    }
    return min(finishTime, textDeadline ?? .max, aliasTime ?? .max)
  }

  // MARK: Telling

  private mutating func tell(at now: Int64) {
    let current = answers(at: now)
    for old in told where !current.contains(where: { $0.isSame(as: old) }) {
      changes.append(Change(answer: old, action: .removed))
    }
    for new in current {
      guard let old = told.first(where: { $0.isSame(as: new) }) else {
        changes.append(Change(answer: new, action: .added))
        continue
      }
      if new.isDifferent(from: old) { changes.append(Change(answer: new, action: .updated)) }
    }
    told = current
  }

  private mutating func conclude(at now: Int64) {
    guard !isFinished, now >= finishTime else { return }
    isFinished = true
    if told.isEmpty { tell(at: now) }
    if told.isEmpty { failure = reasonForNothing }
  }

  private var reasonForNothing: ResolveFailure {
    if links.isEmpty { return .noInterface }
    if denied.isEmpty && known.isEmpty { return .noAnswer }
    switch query.subject {
    case .host: return .noAddress
    case .service where !known.isEmpty: return .noAddress
    default: return .notFound
    }
  }
}

extension MDNSAnswer {
  /// The same record on the same link.
  func isSame(as other: MDNSAnswer) -> Bool {
    interfaceIndex == other.interfaceIndex && data == other.data && name == other.name
  }
}

extension ResolveAnswer {
  /// Of two answers that are the same: something that a user cares for is not.
  func isDifferent(from other: ResolveAnswer) -> Bool {
    if case .service(let left) = self, case .service(let right) = other {
      return left.text != right.text || left.priority != right.priority
        || left.weight != right.weight
    }
    return origin.ttl != other.origin.ttl
  }
}
