public import LanWire

/// Follows the reachability of targets: the kernel's messages in, look-ups and reports out.
///
/// It reads no clock and asks nobody itself. Drive it like this: call `start` with what a dump
/// told; hand in each message; after each batch, and whenever `nextDeadline` has come, call
/// `deadlineReached`; perform the outputs, hand in their answers. Times are nanoseconds of a
/// monotonic clock.
///
/// A change marks the targets that it can touch. The first one after a calm is judged at once,
/// those that follow after `quiet` without another or `cap` after the first; one round of
/// look-ups judges all marked targets, and no round begins before the last one ended, so that no
/// answer is older than the change that it is used for.
public struct ReachabilityMachine: Sendable {
  struct Target: Sendable {
    let question: ReachabilityQuestion
    var settle: SettleFilter
    var verdict: Verdict?
    var cause: ChangeCause?
    var expiry: Int64?
    var answers: [KernelReply] = []
  }

  struct Round: Sendable {
    let began: Int64
    let causes: [Int: ChangeCause]
    var replies: KernelReplies = [:]
    var waiting: [KernelLookup: [Int]] = [:]
    var outstanding: [Int: Int] = [:]
  }

  struct NameState: Sendable {
    var due: Int64?
    var isAsked = false
    var retry: Int64
    var firstAsked: Int64
  }

  /// The waiting times.
  public let timing: ReachabilityTiming
  /// True to put out events of what the kernel tells.
  public let tellsEvents: Bool
  /// How many verdicts were judged: the work that changes caused.
  public internal(set) var evaluationCount = 0
  /// How many times messages were lost.
  public internal(set) var overrunCount = 0

  var evaluator: ReachabilityEvaluator
  var targets: [Int: Target] = [:]
  var nextTarget = 0
  var index = DependencyIndex()
  var defaultRoutes = DefaultRouteTable()
  var dirty: Set<Int> = []
  var markedPrefixes: Set<IPPrefix> = []
  var hasMarkedAll = false
  var isStarted = false
  var round: Round?
  /// No target's `expiry`, and no verdict that is held back, is due before these.
  var expiryFloor: Int64?
  var settleFloor: Int64?
  var roundDue: Int64?
  var firstMark: Int64 = 0
  /// Rounds that started at once since the last calm.
  var promptRounds = 0
  var lastMark: Int64?
  var pollDue: Int64?
  var names: [String: NameState] = [:]
  var resyncDue: Int64?
  var resyncWait: Int64
  var lastOverrun: Int64?
  var untoldOverruns = 0
  var rulesChanged = false
  var lastHurry: Int64?
  var noticeEnds: [RouterNotice: Int64] = [:]
  var output: [ReachabilityOutput] = []

  /// A machine that knows nothing yet.
  public init(
    timing: ReachabilityTiming = ReachabilityTiming(), probes: PathProbes = PathProbes(),
    cellularNames: Set<String> = [], tellsEvents: Bool = false
  ) {
    self.timing = timing
    self.tellsEvents = tellsEvents
    var facts = ReachabilityFacts()
    facts.cellularNames = cellularNames
    evaluator = ReachabilityEvaluator(facts: facts, probes: probes)
    resyncWait = timing.resync
  }

  /// What is known of the host.
  public var facts: ReachabilityFacts { evaluator.facts }

  /// The verdict of a target; nil before the first.
  public func verdict(of target: Int) -> Verdict? { targets[target]?.verdict }

  /// The questions of all targets by their numbers.
  public var questions: [Int: ReachabilityQuestion] { targets.mapValues(\.question) }

  /// All addresses that are looked up, in order: what a filter of route events has to let through.
  ///
  /// They change when targets do, and when a resolver gave other addresses.
  public var destinations: [IPAddress] {
    Set(targets.values.flatMap { evaluator.destinations($0.question) })
      .sorted { $0.sortsBefore($1) }
  }

  /// Takes what is to be done and told, and forgets it.
  public mutating func takeOutput() -> [ReachabilityOutput] {
    defer { output = [] }
    return output
  }

  /// Adds a target; gives its number.
  public mutating func add(_ question: ReachabilityQuestion, at now: Int64) -> Int {
    let id = nextTarget
    nextTarget += 1
    targets[id] = Target(
      question: question, settle: SettleFilter(duration: timing.settle), verdict: nil, cause: nil)
    noteDestinations(id)
    if case .host(let name) = question.target { follow(name, at: now) }
    if isStarted { markOne(id, .start, at: now) }
    return id
  }

  /// Removes a target.
  public mutating func remove(_ id: Int) {
    targets[id] = nil
    index.remove(id)
    dirty.remove(id)
    let index = index
    evaluator.facts.neighbours.keep { index.isFirstHop($0) }
    let wanted = Set(targets.values.compactMap { $0.question.name })
    names = names.filter { wanted.contains($0.key) }
    evaluator.facts.names = evaluator.facts.names.filter { wanted.contains($0.key) }
  }

  /// Begins with what dumps told; the first round is due at once.
  public mutating func start(
    links: [LinkState], addresses: [InterfaceAddress], rules: [PolicyRule] = [], at now: Int64
  ) {
    isStarted = true
    _ = evaluator.facts.links.replace(with: links)
    _ = evaluator.facts.addresses.replace(with: addresses)
    evaluator.facts.rules = rules
    for link in links { output.append(.inspect(link)) }
    pollDue = timing.poll.map { later(now, $0) }
    markAll(.start, at: now)
    roundDue = now
    // The start is no change: the first change behind it comes out of a calm.
    lastMark = nil
  }

  /// Takes the policy rules that `readRules` asked for; they only explain.
  public mutating func setRules(_ rules: [PolicyRule]) { evaluator.facts.rules = rules }

  /// When `deadlineReached` wants to be called; nil for not before something is handed in.
  public var nextDeadline: Int64? {
    var next = roundDue
    func consider(_ deadline: Int64?) {
      if let deadline { next = min(next ?? .max, deadline) }
    }
    if let round {
      // The next round waits for the end of this one.
      next = later(round.began, timing.lookup)
    } else {
      consider(pollDue)
      consider(expiryFloor)
    }
    consider(settleFloor)
    for name in names.values { consider(name.due) }
    for end in noticeEnds.values { consider(end) }
    consider(resyncDue)
    return next
  }

  /// Does what is due.
  public mutating func deadlineReached(at now: Int64) {
    if let round, later(round.began, timing.lookup) <= now { abandonRound(at: now) }
    if let due = resyncDue, due <= now {
      resyncDue = nil
      output.append(.readState)
    }
    resolveDue(at: now)
    endNotices(at: now)
    if round == nil {
      markExpired(at: now)
      poll(at: now)
      if let due = roundDue, due <= now { beginRound(at: now) }
    }
    tellSettled(at: now)
  }

  private mutating func tellSettled(at now: Int64) {
    guard let floor = settleFloor, floor <= now else { return }
    for id in targets.keys.sorted() {
      if let news = targets[id]?.settle.deadlineReached(at: now) { tell(id, news, at: now) }
    }
    settleFloor = targets.values.lazy.compactMap(\.settle.deadline).min()
  }

  /// Judges everything anew, because the user asked.
  public mutating func refresh(at now: Int64) {
    markAll(.request, at: now)
    if round == nil { roundDue = now }
    for name in names.keys { names[name]?.due = now }
  }

  func later(_ now: Int64, _ wait: Int64) -> Int64 {
    let (sum, overflow) = now.addingReportingOverflow(wait)
    return overflow ? .max : sum
  }

  mutating func noteDestinations(_ id: Int) {
    guard let question = targets[id]?.question else { return }
    var unknown = Dependencies()
    unknown.anyLink = true
    unknown.anyAddress = true
    index.set(id, unknown, destinations: evaluator.destinations(question))
  }
}

extension ReachabilityQuestion {
  /// The name that has to be resolved, if any.
  var name: String? {
    if case .host(let name) = target { name } else { nil }
  }
}
