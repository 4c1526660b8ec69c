/// Holds a new verdict back until it has lasted, so that a flap is not told.
public struct SettleFilter: Hashable, Sendable {
  /// How long a verdict must last, in nanoseconds; 0 tells each at once.
  public let duration: Int64
  /// The verdict that was told last.
  public private(set) var told: Verdict?
  /// How many changes were not told since.
  public private(set) var suppressed = 0
  private var candidate: Verdict?
  private var candidateCause: ChangeCause = .start
  private var candidateSince: Int64 = 0

  /// What is to be told.
  public struct News: Hashable, Sendable {
    /// The verdict.
    public var verdict: Verdict
    /// What was told before.
    public var previous: Verdict?
    /// What made it change.
    public var cause: ChangeCause
    /// How many changes were not told in between.
    public var suppressed: Int
  }

  /// A filter for verdicts that last for `duration` nanoseconds.
  public init(duration: Int64) { self.duration = max(duration, 0) }

  /// When the verdict that is held back has lasted long enough, in nanoseconds of the clock that
  /// `submit` is given; nil if none is.
  public var deadline: Int64? {
    guard candidate != nil else { return nil }
    let (end, overflow) = candidateSince.addingReportingOverflow(duration)
    return overflow ? .max : end
  }

  /// Takes a verdict; gives what is to be told now.
  public mutating func submit(_ verdict: Verdict, cause: ChangeCause, at now: Int64) -> News? {
    guard let told else { return tell(verdict, cause) }
    if told.means(sameAs: verdict) {
      self.told = verdict
      if candidate != nil { suppressed += 1 }
      candidate = nil
      return nil
    }
    if duration == 0 { return tell(verdict, cause) }
    if let candidate, candidate.means(sameAs: verdict) {
      self.candidate = verdict
    } else {
      if candidate != nil { suppressed += 1 }
      candidate = verdict
      candidateCause = cause
      candidateSince = now
    }
    return deadlineReached(at: now)
  }

  /// Gives the verdict that has lasted long enough, if there is one.
  public mutating func deadlineReached(at now: Int64) -> News? {
    guard let candidate, now - candidateSince >= duration else { return nil }
    return tell(candidate, candidateCause)
  }

  private mutating func tell(_ verdict: Verdict, _ cause: ChangeCause) -> News {
    let news = News(verdict: verdict, previous: told, cause: cause, suppressed: suppressed)
    told = verdict
    candidate = nil
    suppressed = 0
    return news
  }
}
