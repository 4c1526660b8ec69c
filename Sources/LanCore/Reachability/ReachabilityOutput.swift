public import LanWire

/// What made a verdict change.
public enum ChangeCause: Hashable, Sendable {
  /// The watch began.
  case start
  /// A link changed; its name.
  case link(String)
  /// An address changed.
  case address(IPAddress)
  /// A route changed.
  case route(IPPrefix)
  /// A policy rule changed.
  case rule
  /// A next hop object changed; its number.
  case nextHop(UInt32)
  /// A first hop failed or came back.
  case neighbour(IPAddress)
  /// A router announced something.
  case notice
  /// The wireless link of a name changed.
  case wireless(String)
  /// A radio switch moved.
  case radio
  /// A setting of the network stack changed.
  case settings
  /// A route or an address came to its end.
  case timer
  /// The safety poll found what no message told.
  case poll
  /// Messages were lost and the state was read anew.
  case resync
  /// The resolver gave other addresses.
  case resolver
  /// The user asked.
  case request

  /// The word for machines.
  public var word: String {
    switch self {
    case .start: "start"
    case .link: "link"
    case .address: "address"
    case .route: "route"
    case .rule: "rule"
    case .nextHop: "nextHop"
    case .neighbour: "neighbour"
    case .notice: "notice"
    case .wireless: "wireless"
    case .radio: "radio"
    case .settings: "settings"
    case .timer: "timer"
    case .poll: "poll"
    case .resync: "resync"
    case .resolver: "resolver"
    case .request: "request"
    }
  }
}

/// A verdict to tell.
public struct ReachabilityReport: Hashable, Sendable {
  /// The number of the target, in the order of their addition from 0.
  public var target: Int
  /// The question.
  public var question: ReachabilityQuestion
  /// The verdict.
  public var verdict: Verdict
  /// The verdict that was told before; nil for the first.
  public var previous: Verdict?
  /// What made it change.
  public var cause: ChangeCause
  /// Nanoseconds of the monotonic clock at which it was judged.
  public var time: Int64
  /// How many changes back and forth were not told since the last report (`settle`).
  public var suppressedChanges: Int

  /// A report of its parts.
  public init(
    target: Int, question: ReachabilityQuestion, verdict: Verdict, previous: Verdict?,
    cause: ChangeCause, time: Int64, suppressedChanges: Int
  ) {
    self.target = target
    self.question = question
    self.verdict = verdict
    self.previous = previous
    self.cause = cause
    self.time = time
    self.suppressedChanges = suppressedChanges
  }

  /// True for the first report of a target.
  public var isSnapshot: Bool { previous == nil }
}

/// What the machine wants done or told.
public enum ReachabilityOutput: Hashable, Sendable {
  /// Ask the kernel, and give each answer to `handle(_:to:at:)`.
  case lookups([KernelLookup])
  /// Tell the user.
  case report(ReachabilityReport)
  /// Tell the user who follows what the kernel tells.
  case event(KernelEvent)
  /// Ask the resolver, and give the answer to `resolved`.
  case resolve(String)
  /// Read sysfs and nl80211 about a link, and give the facts to `handle`.
  case inspect(LinkState)
  /// Read the policy rules, and give them to `setRules`.
  case readRules
  /// Read links and addresses anew, and give them to `resynchronised`.
  case readState
  /// Tell the user that messages were lost this many times and that the state was read anew.
  case resync(overruns: Int)
}
