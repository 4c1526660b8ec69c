public import LanWire

/// Which of a host's addresses is connected to: the families take turns, a try follows the one before
/// after a short delay, and the first that connects wins (RFC 8305 section 5).
///
/// The addresses come in the order of RFC 6724, as `DestinationOrder` gives it. Tries are known by the
/// index of their address in that list. Times are nanoseconds of any clock that does not jump.
public struct HappyEyeballs: Hashable, Sendable {
  /// What is to be done, or has come out.
  public enum Output: Hashable, Sendable {
    /// Connect to the address with this index.
    case begin(Int)
    /// Give the try with this index up; it is not to be heard of again.
    case abandon(Int)
    /// The try with this index won; all others were abandoned.
    case connected(Int)
    /// Nothing is left to try.
    case failed
  }

  /// How a try ended.
  public enum Outcome: Hashable, Sendable {
    /// It won.
    case connected
    /// The system told this number of errno.
    case failed(Int32)
    /// The kernel connected the socket to itself.
    case selfConnected
    /// Nothing came back within the limit.
    case timedOut
    /// Another won before it ended.
    case abandoned
  }

  /// One try.
  public struct Attempt: Hashable, Sendable {
    /// The index of its address.
    public var index: Int
    /// When it began.
    public var begun: Int64
    /// When it ended; the time it began while it is under way.
    public var ended: Int64
    /// How it ended; nil while it is under way.
    public var outcome: Outcome?
  }

  /// The recommended delay between two tries (RFC 8305 section 8).
  public static let recommendedDelay: Int64 = 250_000_000
  /// The delays that the RFC allows.
  public static let permittedDelays: ClosedRange<Int64> = 10_000_000...2_000_000_000

  /// The tries so far, in their order.
  public private(set) var attempts: [Attempt] = []
  /// True once one try has won or all have failed.
  public private(set) var isEnded = false
  private let order: [Int]
  private let delay: Int64
  private let limit: Int64
  private var nextBegin: Int64?

  /// A run over addresses that has not begun.
  ///
  /// - Parameters:
  ///   - addresses: Best first.
  ///   - delay: From one try to the next, held within what the RFC allows.
  ///   - limit: How long one try may take.
  public init(
    _ addresses: [IPAddress], delay: Int64 = HappyEyeballs.recommendedDelay, limit: Int64
  ) {
    order = Self.order(addresses)
    let permitted = Self.permittedDelays
    self.delay = min(max(delay, permitted.lowerBound), permitted.upperBound)
    self.limit = limit
  }

  /// The indices of `addresses` in the order of the tries: the first one's family, then by turns as
  /// long as there are both.
  public static func order(_ addresses: [IPAddress]) -> [Int] {
    guard let first = addresses.first else { return [] }
    let own = addresses.indices.filter { addresses[$0].isIPv6 == first.isIPv6 }
    let other = addresses.indices.filter { addresses[$0].isIPv6 != first.isIPv6 }
    var order: [Int] = []
    for turn in 0..<max(own.count, other.count) {
      if turn < own.count { order.append(own[turn]) }
      if turn < other.count { order.append(other[turn]) }
    }
    return order
  }

  /// When `deadlineReached` is to be called; nil for never.
  public var nextDeadline: Int64? {
    guard !isEnded else { return nil }
    let running = attempts.lazy.filter { $0.outcome == nil }
    let expiry = running.map { ProbeTime.after($0.begun, limit) }.min()
    return [nextBegin, expiry].compactMap(\.self).min()
  }

  /// Begins with the first address.
  public mutating func start(at now: Int64) -> [Output] {
    guard attempts.isEmpty, !isEnded else { return [] }
    return proceed(at: now)
  }

  /// A try has connected.
  public mutating func connected(_ index: Int, at now: Int64) -> [Output] {
    guard settle(index, .connected, at: now) else { return [] }
    isEnded = true
    var outputs: [Output] = []
    for place in attempts.indices where attempts[place].outcome == nil {
      attempts[place].outcome = .abandoned
      attempts[place].ended = now
      outputs.append(.abandon(attempts[place].index))
    }
    return outputs + [.connected(index)]
  }

  /// A try has failed: the next begins at once.
  public mutating func failed(_ index: Int, _ outcome: Outcome, at now: Int64) -> [Output] {
    guard settle(index, outcome, at: now) else { return [] }
    return proceed(at: now)
  }

  /// Time has passed: tries over the limit end, and the next one begins if its time has come.
  public mutating func deadlineReached(at now: Int64) -> [Output] {
    guard !isEnded else { return [] }
    var outputs: [Output] = []
    for place in attempts.indices
    where attempts[place].outcome == nil && ProbeTime.after(attempts[place].begun, limit) <= now {
      attempts[place].outcome = .timedOut
      attempts[place].ended = now
      outputs.append(.abandon(attempts[place].index))
    }
    let isDue = nextBegin.map { $0 <= now } ?? false
    guard isDue || !outputs.isEmpty else { return [] }
    return outputs + proceed(at: now)
  }

  private mutating func settle(_ index: Int, _ outcome: Outcome, at now: Int64) -> Bool {
    guard !isEnded,
      let place = attempts.firstIndex(where: { $0.index == index && $0.outcome == nil })
    else { return false }
    attempts[place].outcome = outcome
    attempts[place].ended = now
    return true
  }

  /// Begins the next try, or ends where nothing is left.
  private mutating func proceed(at now: Int64) -> [Output] {
    guard attempts.count < order.count else {
      nextBegin = nil
      guard attempts.allSatisfy({ $0.outcome != nil }) else { return [] }
      isEnded = true
      return [.failed]
    }
    let index = order[attempts.count]
    attempts.append(Attempt(index: index, begun: now, ended: now))
    nextBegin = attempts.count < order.count ? ProbeTime.after(now, delay) : nil
    return [.begin(index)]
  }
}
