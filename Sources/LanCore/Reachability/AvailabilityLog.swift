/// Outages of one target and how much of the time it was reachable.
public struct AvailabilityLog: Hashable, Sendable {
  /// A span in which the target was not reachable.
  public struct Outage: Hashable, Sendable {
    /// When it began, in nanoseconds of the monotonic clock.
    public var start: Int64
    /// When it ended, in nanoseconds of the same clock; nil while it lasts.
    public var end: Int64?
    /// Why, as the verdict had it when it began.
    public var reason: VerdictReason?
  }

  /// How many outages are kept one by one; all are counted.
  public static let limit = 1_000

  /// The latest outages, oldest first.
  public private(set) var outages: [Outage] = []
  /// How many outages there were.
  public private(set) var outageCount = 0
  /// How many changes were told after the first verdict.
  public private(set) var changeCount = 0
  /// How many changes back and forth were not told.
  public private(set) var suppressedCount = 0
  private var since: Int64
  private var status = ReachabilityStatus.unknown
  private var spans: [ReachabilityStatus: Int64] = [:]
  private var longestEnded: Int64 = 0
  private var isFirst = true

  /// A log that begins now, with nothing known.
  public init(at now: Int64) { since = now }

  /// Takes a report.
  public mutating func add(_ report: ReachabilityReport) {
    let now = max(report.time, since)
    spans[status, default: 0] += now - since
    since = now
    if !isFirst { changeCount += 1 }
    isFirst = false
    suppressedCount += report.suppressedChanges
    let new = report.verdict.status
    if status == .notReachable, new != .notReachable { endOutage(at: now) }
    if new == .notReachable, status != .notReachable {
      outageCount += 1
      if outages.count == Self.limit { outages.removeFirst() }
      outages.append(Outage(start: now, end: nil, reason: report.verdict.reason))
    }
    status = new
  }

  private mutating func endOutage(at now: Int64) {
    guard var last = outages.popLast() else { return }
    last.end = now
    longestEnded = max(longestEnded, now - last.start)
    outages.append(last)
  }

  private func span(_ isCounted: (ReachabilityStatus) -> Bool, at now: Int64) -> Int64 {
    let past = spans.reduce(0) { $0 + (isCounted($1.key) ? $1.value : 0) }
    return past + (isCounted(status) ? max(now - since, 0) : 0)
  }

  /// Nanoseconds for which it was reachable.
  public func reachable(at now: Int64) -> Int64 { span(\.isReachable, at: now) }

  /// Nanoseconds for which it was not reachable.
  public func notReachable(at now: Int64) -> Int64 { span({ $0 == .notReachable }, at: now) }

  /// Nanoseconds for which nothing was known.
  public func unknown(at now: Int64) -> Int64 { span({ $0 == .unknown }, at: now) }

  /// The longest outage in nanoseconds, one that still lasts included; nil if there was none.
  public func longestOutage(at now: Int64) -> Int64? {
    guard outageCount > 0 else { return nil }
    let running = status == .notReachable ? outages.last.map { max(now - $0.start, 0) } ?? 0 : 0
    return max(longestEnded, running)
  }

  /// The reachable part of the time of which something is known, 0 to 1; nil if there is none.
  public func availability(at now: Int64) -> Double? {
    let up = reachable(at: now)
    let known = up + notReachable(at: now)
    return known > 0 ? Double(up) / Double(known) : nil
  }
}
