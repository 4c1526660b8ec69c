import LanWire

extension LintHistory {
  /// goodbye-foreign (RFC 6762 section 10.1); `entry` is the host's own assertion, if any.
  mutating func judgeGoodbye(
    _ message: Span<UInt8>, _ index: DNSMessageIndex, _ record: HistoryRecord,
    _ context: HistoryContext, _ entry: Int?, into findings: inout [Finding]
  ) {
    if let entry {
      assertions[entry].isWithdrawn = true
      assertions[entry].goodbyeFrame = context.frame
      return
    }
    guard !assertsOverOtherFamily(record, context), let known = records.find(record.key) else {
      return
    }
    let other = records[known]
    guard Self.areDistinct(other.host, context.host),
      other.last &+ Int64(min(other.ttl, 1 << 31)) &* oneSecond > now
    else { return }
    var assertion = AssertionHistory(last: .min / 4, lastFrame: 0)
    assertion.isWithdrawn = true
    assertion.goodbyeFrame = context.frame
    _ = assertions.insert(assertionKey(record, context), assertion)
    let name = Int(index.records[Int(record.position)].name)
    findings.append(
      Finding(
        LintRules.goodbyeForeign,
        text: "\(context.shown) withdraws \(DNSNameText.string(message, at: name)) "
          + "\(record.type), which \(address(of: other.host)) announced",
        frames: [other.frame, context.frame], source: context.shown))
  }

  private func assertsOverOtherFamily(_ record: HistoryRecord, _ context: HistoryContext) -> Bool {
    assertions.find(HistoryHash.mix(record.key, context.host &+ (3 &- context.family))) != nil
  }

  /// goodbye-flap: a record that comes back for the third time within a minute.
  mutating func judgeReturn(
    _ message: Span<UInt8>, _ index: DNSMessageIndex, _ record: HistoryRecord,
    _ context: HistoryContext, _ entry: Int, into findings: inout [Finding]
  ) {
    guard assertions[entry].isWithdrawn else { return }
    assertions[entry].isWithdrawn = false
    if assertions[entry].returns == 0
      || now &- assertions[entry].returnsSince > 60 * oneSecond
    {
      assertions[entry].returns = 0
      assertions[entry].returnsSince = now
    }
    assertions[entry].returns &+= 1
    guard assertions[entry].returns >= 3 else { return }
    let name = Int(index.records[Int(record.position)].name)
    findings.append(
      Finding(
        LintRules.goodbyeFlap,
        text: "\(context.shown) withdraws \(DNSNameText.string(message, at: name)) "
          + "\(record.type) and brings it back, \(assertions[entry].returns) times within "
          + seconds(now &- assertions[entry].returnsSince),
        frames: [assertions[entry].goodbyeFrame, context.frame], source: context.shown))
  }
}
