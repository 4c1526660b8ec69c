/// The waiting times of a `ReachabilityMachine`, in nanoseconds.
public struct ReachabilityTiming: Hashable, Sendable {
  /// How long nothing must come before changes are judged; the first ones after a calm are judged
  /// at once, see `prompt`.
  public var quiet: Int64 = 50_000_000
  /// How many rounds after a calm start at once.
  ///
  /// One cable out is several messages (the far end,
  /// the near end, their addresses), and the first of them need not be the one that decides.
  public var prompt = 3
  /// How long changes wait at most while more keep coming.
  public var cap: Int64 = 250_000_000
  /// The distance of safety polls; nil for none.
  public var poll: Int64? = 2_000_000_000
  /// How long the kernel has for its answers before all is asked again.
  public var lookup: Int64 = 1_000_000_000
  /// How long a new verdict must last before it is told.
  public var settle: Int64 = 0
  /// How long the first report of a name waits for the resolver.
  public var firstResolution: Int64 = 1_000_000_000
  /// How long the addresses of a name are good; nil for until something changes.
  public var resolution: Int64? = 300_000_000_000
  /// The first wait before a failed name is asked for again; it doubles.
  public var resolutionRetry: Int64 = 1_000_000_000
  /// The longest wait before a failed name is asked for again.
  public var resolutionRetryLimit: Int64 = 60_000_000_000
  /// The first wait before the state is read anew after a loss; it doubles while losses repeat.
  public var resync: Int64 = 50_000_000
  /// The longest wait before the state is read anew.
  public var resyncLimit: Int64 = 1_000_000_000
  /// How long behind the end of a route it is looked up again.
  public var expiryMargin: Int64 = 20_000_000

  /// The usual times.
  public init() {}

  /// Nothing runs by itself: no safety poll, no renewed resolution.
  public mutating func stopPolling() {
    poll = nil
    resolution = nil
  }
}
