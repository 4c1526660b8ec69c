import LanWire

extension LintHistory {
  static func hash(_ address: IPAddress) -> UInt64 {
    switch address {
    case .v4(let address): UInt64(address.bits)
    case .v6(let address): HistoryHash.mix(address.high, address.low)
    }
  }

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

  func milliseconds(_ duration: Int64) -> String { "\(duration / oneMillisecond) ms" }

  func seconds(_ duration: Int64) -> String {
    "\(duration / oneSecond).\(duration % oneSecond / (100 * oneMillisecond)) s"
  }
}
