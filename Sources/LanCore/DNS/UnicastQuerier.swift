public import LanWire

/// Follows what conventional DNS says about questions: asks, and asks again when TTLs pass.
///
/// The counterpart of `MDNSQuerier`, and it tells the same changes, with the interface number 0.
/// Its caller asks `questions` and hands the outcomes back; it sends nothing itself. What a server
/// once said stays known while no server answers. Times are nanoseconds of a monotonic clock.
public struct UnicastQuerier: Sendable {
  /// How often things are asked, in nanoseconds.
  public struct Pace: Hashable, Sendable {
    /// The least time between two questions, for TTLs that are shorter.
    public var floor: Int64 = 10_000_000_000
    /// The longest time between two questions, for TTLs that are longer.
    public var ceiling: Int64 = 3_600_000_000_000
    /// The longest time after an answer that nothing is there; a new service should not stay
    /// unseen for longer.
    public var negativeCeiling: Int64 = 300_000_000_000
    /// The time after such an answer that says nothing about itself.
    public var negativeUsual: Int64 = 60_000_000_000
    /// The time after a first failure; it doubles with each further one.
    public var retry: Int64 = 10_000_000_000
    /// The longest time between two questions that fail.
    public var retryCeiling: Int64 = 300_000_000_000
    /// How long the addresses of one family wait for those of the other at first (RFC 8305 section
    /// 3).
    public var familyGrace: Int64 = 50_000_000

    /// What suits servers and users.
    public init() {}
  }

  /// How often things are asked.
  public let pace: Pace
  /// What is to be asked now; the caller asks and empties it.
  public var questions: [DNSQuestion] = []
  /// What is to be told; the caller tells and empties it.
  public var changes: [MDNSChange] = []
  /// What is to be told to the user.
  public var diagnostics: [MDNSDiagnostic] = []

  /// Failing questions that are told of at once, so that a dead server is not told of by each.
  static let toldLimit = 3
  /// Records that nobody asked for which are kept until the caller has had its say.
  static let offerLimit = 65_536

  var entries: [DNSQuestion: Entry] = [:]
  var offers: [DNSQuestion: Offer] = [:]
  private var unansweredCount = 0
  private var unansweredAddresses = 0
  var toldFailures: Set<DNSQuestion> = []
  /// Nothing is due before this; what was due then may be gone.
  var horizon: Int64?

  /// A querier without questions.
  public init(pace: Pace = Pace()) { self.pace = pace }

  /// Some question has had no outcome yet.
  public var isWaiting: Bool { unansweredCount > 0 }

  /// Some host's addresses have been asked for and nothing is known of them yet.
  var isWaitingForAddresses: Bool { unansweredAddresses > 0 }

  /// When `deadlineReached` is to be called next; nil for not before something else happens.
  public var nextDeadline: Int64? { horizon }

  // MARK: Questions

  /// Begins an interest; what is known is told at once.
  public mutating func start(_ name: DNSName, _ type: DNSRecordType, at now: Int64) {
    let question = DNSQuestion(name: name, type: type)
    if entries[question] != nil {
      entries[question]?.interests += 1
      repeatKnown(question)
      return
    }
    entries[question] = Entry()
    count(question, 1)
    if let offer = offers.removeValue(forKey: question) {
      take(question, offer.records, ttl: offer.ttl, from: offer.source, at: now)
    } else {
      ask(question)
    }
  }

  /// Ends one interest in a question; the last one ends all asking and telling.
  public mutating func stop(_ name: DNSName, _ type: DNSRecordType) {
    let question = DNSQuestion(name: name, type: type)
    guard let entry = entries[question] else { return }
    if entry.interests > 1 {
      entries[question]?.interests -= 1
      return
    }
    if !entry.hasOutcome { count(question, -1) }
    entries[question] = nil
    toldFailures.remove(question)
    questions.removeAll { $0 == question }
  }

  /// Asks a question that is followed before its time; not where that was just done.
  public mutating func reconfirm(_ name: DNSName, _ type: DNSRecordType, at now: Int64) {
    let question = DNSQuestion(name: name, type: type)
    guard let entry = entries[question], !entry.isInFlight,
      now - entry.answered >= min(pace.floor, Self.doubtTime)
    else { return }
    ask(question)
  }

  /// The least nanoseconds from an answer to a question that doubts it.
  private static let doubtTime: Int64 = 1_000_000_000

  /// Forgets records that came unasked and that nobody has begun to ask for since; call it when all
  /// changes have been handled.
  public mutating func forgetOffers() { if !offers.isEmpty { offers = [:] } }

  // MARK: Outcomes

  /// Takes what became of a question.
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
    guard let entry = entries[question] else { return }
    // While the sibling waits, so does this: a host's families are told together.
    if !entry.hasOutcome, isFamilyPending(question) {
      entries[question]?.parked = Parked(outcome: outcome, name: name, source: source)
      setDue(question, now + pace.familyGrace)
      return
    }
    settle(question, outcome, name, source, now)
    releaseSibling(of: question, at: now)
  }

  private mutating func settle(
    _ question: DNSQuestion, _ outcome: UnicastOutcome, _ name: DNSName, _ source: IPAddress,
    _ now: Int64
  ) {
    switch outcome {
    case .answers(let message):
      keepOffers(message, source)
      let records = UnicastReading.records(message, at: name, question.type)
      let ttl = records.map(\.ttl).min() ?? 0
      take(question, records.map(\.data), ttl: ttl, from: source, at: now)
    case .noData(let ttl), .nxdomain(let ttl): takeAbsence(question, ttl, now)
    case .failed(let failure): takeFailure(question, failure, now)
    }
  }

  private mutating func releaseSibling(of question: DNSQuestion, at now: Int64) {
    guard let sibling = Self.sibling(of: question), let parked = entries[sibling]?.parked else {
      return
    }
    entries[sibling]?.parked = nil
    settle(sibling, parked.outcome, parked.name, parked.source, now)
  }

  /// True if the other family was asked for and nothing is known of it yet.
  private func isFamilyPending(_ question: DNSQuestion) -> Bool {
    guard let sibling = Self.sibling(of: question), let entry = entries[sibling] else {
      return false
    }
    return !entry.hasOutcome && entry.parked == nil
  }

  private static func sibling(of question: DNSQuestion) -> DNSQuestion? {
    switch question.type {
    case .a: DNSQuestion(name: question.name, type: .aaaa)
    case .aaaa: DNSQuestion(name: question.name, type: .a)
    default: nil
    }
  }

  private mutating func count(_ question: DNSQuestion, _ change: Int) {
    unansweredCount += change
    if [.a, .aaaa].contains(question.type) { unansweredAddresses += change }
  }

  /// Notes an outcome; true if it is the first one.
  mutating func conclude(_ question: DNSQuestion, at now: Int64) -> Bool {
    let isFirst = entries[question]?.hasOutcome == false
    if isFirst { count(question, -1) }
    entries[question]?.hasOutcome = true
    entries[question]?.isInFlight = false
    entries[question]?.answered = now
    return isFirst
  }

  // MARK: Time

  /// Does what is due.
  public mutating func deadlineReached(at now: Int64) {
    guard let horizon, horizon <= now else { return }
    self.horizon = nil
    for question in entries.filter({ $0.value.due.map { $0 <= now } ?? false }).map(\.key) {
      if let parked = entries[question]?.parked {
        entries[question]?.parked = nil
        entries[question]?.due = nil
        settle(question, parked.outcome, parked.name, parked.source, now)
      } else {
        ask(question)
      }
    }
    self.horizon = entries.values.lazy.compactMap(\.due).min()
  }

  private mutating func ask(_ question: DNSQuestion) {
    entries[question]?.isInFlight = true
    entries[question]?.due = nil
    questions.append(question)
  }

  mutating func setDue(_ question: DNSQuestion, _ due: Int64) {
    entries[question]?.due = due
    horizon = min(horizon ?? due, due)
  }
}
