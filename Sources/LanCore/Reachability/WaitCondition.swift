/// Waits until verdicts fulfil a condition, and if wanted have done so for a while.
public struct WaitCondition: Sendable {
  /// The condition.
  public let expression: ReachabilityExpression
  /// For how long it must hold without a break, in nanoseconds.
  public let duration: Int64
  /// True if it is enough that one target fulfils it.
  public let isAny: Bool
  private var holding: [Int: Int64] = [:]
  private var open: Set<Int>
  private let all: Set<Int>

  /// A wait for targets of these numbers.
  public init(
    _ expression: ReachabilityExpression, for duration: Int64 = 0, targets: Set<Int>,
    any isAny: Bool = false
  ) {
    self.expression = expression
    self.duration = max(duration, 0)
    self.isAny = isAny
    all = targets
    open = targets
  }

  /// Takes a target's verdict.
  public mutating func update(_ target: Int, _ verdict: Verdict, at now: Int64) {
    guard all.contains(target) else { return }
    if expression.holds(verdict) == true {
      if holding[target] == nil { holding[target] = now }
      open.remove(target)
    } else {
      holding[target] = nil
      open.insert(target)
    }
  }

  /// The moment at which the condition will have held long enough; nil while it does not hold.
  public var deadline: Int64? {
    guard !all.isEmpty else { return nil }
    let since = isAny ? holding.values.min() : open.isEmpty ? holding.values.max() : nil
    return since.map {
      let (end, overflow) = $0.addingReportingOverflow(duration)
      return overflow ? .max : end
    }
  }

  /// True if it has held long enough.
  public func isFulfilled(at now: Int64) -> Bool {
    deadline.map { now >= $0 } ?? false
  }
}
