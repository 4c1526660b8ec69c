import LanWire

extension LintHistory {
  /// conflict (RFC 6762 section 9): two hosts whose sets neither contains the other's.
  mutating func judgeConflict(
    _ message: Span<UInt8>, _ index: DNSMessageIndex, _ record: HistoryRecord,
    _ context: HistoryContext, _ entry: Int, into findings: inout [Finding]
  ) {
    guard !context.isTunnelled, let answer = answers.find(record.set) else { return }
    let other = answers[answer].otherHost
    let frame = answers[answer].otherFrame
    guard answers[answer].host == context.host, other != 0,
      Self.areDistinct(other, context.host), let theirs = sets.find(setKey(record.set, other)),
      !sets[theirs].overflows, !sets[entry].overflows
    else { return }
    guard !sets[theirs].covers(sets[entry], now), !sets[entry].covers(sets[theirs], now) else {
      return
    }
    // One machine on two interfaces of one link sends on both at once, each with the address of
    // the interface; caches keep both.
    let isAddress = record.type == .a || record.type == .aaaa
    let pair = other ^ context.host
    if isAddress, now &- answers[answer].otherLast <= 5 * oneMillisecond {
      answers[answer].twins = pair
    }
    let areTwins = isAddress && answers[answer].twins == pair
    let name = Int(index.records[Int(record.position)].name)
    findings.append(
      Finding(
        LintRules.conflict, severity: areTwins ? .warning : .error,
        text: "\(context.shown) and \(address(of: other)) have different "
          + "\(DNSNameText.string(message, at: name)) \(record.type) records"
          + (areTwins ? " and send at one moment: perhaps one machine on two interfaces" : ""),
        frames: [frame, context.frame], source: context.shown))
    if !areTwins { judgeConflictRate(frame, context, into: &findings) }
  }

  /// rename-loop (RFC 6762 section 9): more conflicts than names can be chosen against.
  private mutating func judgeConflictRate(
    _ frame: Int, _ context: HistoryContext, into findings: inout [Finding]
  ) {
    let now = now
    let count =
      withHost(context) { host in
        if now &- host.conflictsSince > 10 * oneSecond {
          host.conflicts = 0
          host.conflictsSince = now
        }
        host.conflicts &+= 1
        return host.conflicts
      }
    guard count >= 15 else { return }
    findings.append(
      Finding(
        LintRules.renameLoop,
        text: "\(context.shown) had \(count) conflicts within 10 s",
        frames: [frame, context.frame], source: context.shown))
  }
}
