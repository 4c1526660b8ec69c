public import LanWire

/// Looks after other multicast DNS stacks on this machine, so that nothing of theirs is fought over.
///
/// A stack shows by the reverse PTR records of this machine's addresses, heard from these addresses,
/// which host name it has. Services then point to that name and have no address records of their
/// own; when the stack goes, they get some. Who comes later than we do is given way.
///
/// Drive it as a client of a querier: links, changes and time in; `demands`, `host` and
/// `foreignAddresses` out. What was sent, and each datagram before the responder gets it, are shown to
/// it too. Times are nanoseconds of a monotonic clock.
public struct MDNSNeighbours: Sendable {
  /// What it wants of the querier.
  public enum Demand: Hashable, Sendable {
    /// `MDNSQuerier.start`.
    case start(MDNSQuestion, MDNSEffort)
    /// `MDNSQuerier.stop`.
    case stop(MDNSQuestion)
  }

  /// What can be set.
  public struct Configuration: Hashable, Sendable {
    /// The first label of the host name that is wished for.
    public var label: [UInt8]
    /// The user gave that name: it is claimed even beside another stack's.
    public var isGiven: Bool
    /// Nobody else has port 5353: nothing is asked.
    public var isAlone: Bool

    /// A wish, and whether it is to be found out who else is there.
    public init(label: [UInt8], isGiven: Bool = false, isAlone: Bool = false) {
      self.label = label
      self.isGiven = isGiven
      self.isAlone = isAlone
    }
  }

  /// Whose host name is used.
  public enum Host: Hashable, Sendable {
    /// It is being found out.
    case undecided
    /// One of our own.
    case own
    /// That of another stack on this machine.
    case foreign(DNSName)
  }

  /// What is set.
  public let configuration: Configuration
  /// Whose host name is used.
  public private(set) var host: Host
  /// Own addresses that another stack answers for: they get no PTR record of ours.
  public private(set) var foreignAddresses: Set<IPAddress> = []
  /// What is wanted of the querier; the caller empties it.
  public var demands: [Demand] = []
  var links: [UInt32: MDNSLink] = [:]
  /// The reverse names that are asked for, by link, and how eagerly.
  var questions: [MDNSQuestion: MDNSEffort] = [:]
  /// What other stacks say of our addresses.
  private var heard: [MDNSQuestion: DNSName] = [:]
  /// When the finding out ends, or the asking after it.
  private var deadline: Int64?
  /// Questions are sent: somebody else has the port too.
  private var isAsking: Bool
  /// A name was given up for a stack that was never heard of again.
  var hasReturned = false
  /// Hashes of what we sent last, to know it when it comes back.
  var sent: [(hash: Int, time: Int64)] = []
  /// Host names that we have sent records of.
  var claimed: Set<DNSName> = []
  var index = DNSMessageIndex()
  private var chance: MDNSChance

  /// How long an answer is waited for: two questions, 20 to 120 ms and the host's own delay.
  private static let patience: Int64 = 300_000_000
  /// How long questions go on after it: a stack that gave the answer to others just now may keep it
  /// back for a second (RFC 6762 section 6).
  private static let followUp: Int64 = 1_300_000_000
  /// How long more is waited for after the first answer.
  private static let gathering: Int64 = 50_000_000
  /// How long a stack may take to claim its names on an address that is new, or at all.
  static let grace: Int64 = 4_000_000_000
  static let echoSpan: Int64 = 2_000_000_000

  /// Nobody is known yet.
  ///
  /// - Parameters:
  ///   - configuration: What is set.
  ///   - seed: Where chance begins; equal seeds and inputs give equal outputs.
  public init(_ configuration: Configuration, seed: UInt64) {
    self.configuration = configuration
    host = configuration.isAlone ? .own : .undecided
    isAsking = !configuration.isAlone
    chance = MDNSChance(seed: seed)
  }

  var isGiven: Bool { configuration.isGiven }

  // MARK: Links

  /// A link comes, before the responder is told of it.
  public mutating func linkComes(_ link: MDNSLink, at now: Int64) {
    guard !heard.isEmpty || isForeign else { return }
    // The other stack claims the names of new addresses as well.
    foreignAddresses.formUnion(link.prefixes.map(\.address))
  }

  var isForeign: Bool { if case .foreign = host { true } else { false } }

  /// A link is used, or something about it is different.
  public mutating func setLink(_ link: MDNSLink, at now: Int64) {
    links[link.index] = link
    ask(at: now)
  }

  /// A link is used no more.
  public mutating func removeLink(_ index: UInt32, at now: Int64) {
    links[index] = nil
    ask(at: now)
  }

  // MARK: Questions

  /// Asks for the reverse names of all own addresses: by question while another stack is looked for
  /// or used, else by listening alone.
  private mutating func ask(at now: Int64) {
    let effort: MDNSEffort = isAsking || isForeign || !heard.isEmpty ? .attempts(2) : .passive
    var wanted: Set<MDNSQuestion> = []
    for link in links.values {
      for prefix in link.prefixes {
        wanted.insert(
          MDNSQuestion(DNSName(reverseOf: prefix.address), .ptr, interfaceIndex: link.index))
      }
    }
    for (question, old) in questions where old != effort || !wanted.contains(question) {
      demands.append(.stop(question))
      questions[question] = nil
    }
    for question in wanted where questions[question] == nil {
      demands.append(.start(question, effort))
      questions[question] = effort
    }
    let lost = heard.keys.filter { !wanted.contains($0) }
    for question in lost { heard[question] = nil }
    if host == .undecided, deadline == nil, !wanted.isEmpty { deadline = now + Self.patience }
    if !lost.isEmpty, heard.isEmpty, !wanted.isEmpty { doubt(at: now, for: Self.grace) }
  }

  /// Takes what the querier tells.
  public mutating func handle(_ change: MDNSChange, at now: Int64) {
    switch change {
    case .added(let answer): learn(answer, at: now)
    case .removed(let answer, let cause): unlearn(answer, cause, at: now)
    case .heardOver, .denied, .exhausted: break
    }
  }

  private func question(_ answer: MDNSAnswer) -> MDNSQuestion? {
    let question = MDNSQuestion(answer.name, .ptr, interfaceIndex: answer.interfaceIndex)
    guard answer.type == .ptr, questions[question] != nil else { return nil }
    return question
  }

  private mutating func learn(_ answer: MDNSAnswer, at now: Int64) {
    guard let question = question(answer), case .ptr(let name) = answer.data,
      isOwn(answer.source, answer.interfaceIndex), !isOurs(name)
    else { return }
    heard[question] = name
    keepOffReverseNames()
    switch host {
    case .undecided: deadline = min(deadline ?? .max, now + Self.gathering)
    case .own where !isGiven: decide(.foreign(name), at: now)
    case .own: break
    case .foreign(let old):
      deadline = nil
      if old != name { decide(.foreign(name), at: now) }
    }
  }

  /// True for a host name that we have claimed ourselves; what we said of an earlier one may still
  /// come back.
  func isOurs(_ name: DNSName) -> Bool { host == .own && claimed.contains(name) }

  private mutating func unlearn(_ answer: MDNSAnswer, _ cause: MDNSRemovalCause, at now: Int64) {
    guard let question = question(answer), case .ptr(let name) = answer.data,
      heard[question] == name
    else { return }
    heard[question] = nil
    guard heard.isEmpty else { return }
    switch cause {
    case .goodbye, .expired, .noResponse: decide(.own, at: now)
    case .flushed, .interfaceDown: doubt(at: now, for: Self.grace)
    }
  }

  // MARK: Decisions

  /// The other stack's name is kept for a time, to see whether it is heard again.
  mutating func doubt(at now: Int64, for span: Int64) {
    guard isForeign else { return }
    // Not the same span everywhere: two programs that gave way to each other are not to come back
    // at once.
    deadline = now + span + chance.pick(0, span / 2)
  }

  mutating func decide(_ decision: Host, at now: Int64) {
    deadline = nil
    host = decision
    if decision == .own, heard.isEmpty { foreignAddresses = [] }
    if isForeign { keepOffReverseNames() }
    ask(at: now)
  }

  mutating func keepOffReverseNames() {
    for link in links.values {
      foreignAddresses.formUnion(link.prefixes.map(\.address))
    }
  }

  /// When `deadlineReached` is to be called next; nil for not before something else happens.
  public var nextDeadline: Int64? { deadline }

  /// Does what is due.
  public mutating func deadlineReached(at now: Int64) {
    deadline = nil
    if host == .own {
      isAsking = false
      return ask(at: now)
    }
    hasReturned = isForeign && heard.isEmpty
    decide(choice, at: now)
    if host == .own, isAsking { deadline = now + Self.followUp }
  }

  /// The host that follows from what was heard.
  private var choice: Host {
    guard let name = heard.min(by: { "\($0.key.name)" < "\($1.key.name)" })?.value else {
      return .own
    }
    let isSame = name.firstLabel.map { $0 == configuration.label } ?? false
    return isGiven && !isSame ? .own : .foreign(name)
  }
}
