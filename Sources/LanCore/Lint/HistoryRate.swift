import LanWire

/// Messages of the last five seconds, counted in half seconds.
struct RateHistory {
  private var counts = InlineArray<10, UInt32>(repeating: 0)
  private var tick: Int64 = .min / 4

  /// Counts one message and gives how many came within 5 s.
  mutating func count(at now: Int64) -> Int {
    let current = now / (oneSecond / 2)
    if current &- tick >= 10 {
      for index in 0..<10 { counts[index] = 0 }
      tick = current
    }
    while tick < current {
      tick &+= 1
      counts[Int(tick % 10)] = 0
    }
    counts[Int(current % 10)] &+= 1
    var sum: UInt32 = 0
    for index in 0..<10 { sum &+= counts[index] }
    return Int(sum)
  }
}

extension LintHistory {
  /// storm: more than 10 messages a second of one host, or 100 of all, over five seconds.
  mutating func judgeRate(_ context: HistoryContext, into findings: inout [Finding]) {
    let time = now
    let all = segment.count(at: time)
    let own = withHost(context) { $0.rate.count(at: time) }
    guard own > 50 || all > 500 else { return }
    if own <= 50 {
      // The link as a whole is told about once in the time it is counted over.
      guard now &- segmentStorm > 5 * oneSecond else { return }
      segmentStorm = now
    }
    let text =
      own > 50
      ? "\(context.shown) sent \(own) messages within 5 s"
      : "the hosts on the link sent \(all) messages within 5 s"
    findings.append(
      Finding(LintRules.storm, text: text, frames: [context.frame], source: context.shown))
  }
}
