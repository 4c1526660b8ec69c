import LanWire

/// A record that one host sends over one family.
struct AssertionHistory {
  /// When it was last multicast with a TTL.
  var last: Int64
  var lastFrame: Int
  /// The last unsolicited multicast, the gap before it, and how many such gaps came in a row.
  var unsolicited: Int64 = .min / 4
  var gap: Int64 = 0
  var streak = 0
  /// Goodbyes.
  var isWithdrawn = false
  var returns = 0
  var returnsSince: Int64 = 0
  var goodbyeFrame = 0
}

/// A record, whoever sends it.
struct RecordHistory {
  var host: UInt64
  var last: Int64
  var ttl: UInt32
  var frame: Int
}

extension LintHistory {
  func assertionKey(_ record: HistoryRecord, _ context: HistoryContext) -> UInt64 {
    HistoryHash.mix(record.key, context.host &+ context.family)
  }

  /// repeat-within-second, periodic-announcement and goodbyes, record by record.
  mutating func judgeTimes(
    _ message: Span<UInt8>, _ index: DNSMessageIndex, _ context: HistoryContext,
    into findings: inout [Finding]
  ) {
    guard context.toGroup else { return }
    var repeats = false
    var isPeriodic = false
    for record in scratch {
      let key = assertionKey(record, context)
      let entry = assertions.find(key)
      if record.ttl == 0 {
        judgeGoodbye(message, index, record, context, entry, into: &findings)
        continue
      }
      noteRecord(record, context)
      guard let entry else {
        var assertion = AssertionHistory(last: now, lastFrame: context.frame)
        if context.kind == .announcement {
          assertion.unsolicited = now
        }
        _ = assertions.insert(key, assertion)
        continue
      }
      guard assertions[entry].lastFrame != context.frame else { continue }
      if !repeats, !assertions[entry].isWithdrawn {
        repeats = judgeRepeat(message, index, record, context, entry, into: &findings)
      }
      judgeReturn(message, index, record, context, entry, into: &findings)
      if notePeriod(context, entry), !isPeriodic {
        isPeriodic = true
        reportPeriod(message, index, record, context, entry, into: &findings)
      }
      assertions[entry].last = now
      assertions[entry].lastFrame = context.frame
    }
  }

  private mutating func noteRecord(_ record: HistoryRecord, _ context: HistoryContext) {
    let history = RecordHistory(
      host: context.host, last: now, ttl: record.ttl, frame: context.frame)
    if let entry = records.find(record.key) {
      records[entry] = history
    } else {
      _ = records.insert(record.key, history)
    }
  }

  /// repeat-within-second (RFC 6762 section 6), with a hundredth of tolerance; records that only
  /// come along as additional ones are a warning.
  private func judgeRepeat(
    _ message: Span<UInt8>, _ index: DNSMessageIndex, _ record: HistoryRecord,
    _ context: HistoryContext, _ entry: Int, into findings: inout [Finding]
  ) -> Bool {
    let gap = now &- assertions[entry].last
    guard gap > oneMillisecond, gap < 990 * oneMillisecond,
      !wasProbed(record.name, within: oneSecond)
    else { return false }
    let name = Int(index.records[Int(record.position)].name)
    findings.append(
      Finding(
        LintRules.repeatWithinSecond, severity: record.section == .answer ? .error : .warning,
        text: "\(context.shown) multicasts \(DNSNameText.string(message, at: name)) "
          + "\(record.type) again after \(milliseconds(gap))",
        frames: [assertions[entry].lastFrame, context.frame], source: context.shown))
    return true
  }

  /// Counts unsolicited multicasts at near-equal gaps; true from the fourth on.
  private mutating func notePeriod(_ context: HistoryContext, _ entry: Int) -> Bool {
    guard context.kind == .announcement else { return false }
    let gap = now &- assertions[entry].unsolicited
    let before = assertions[entry].gap
    let isEqual = before > 0 && gap > 500 * oneMillisecond && abs(gap &- before) <= before / 10
    assertions[entry].streak = isEqual ? assertions[entry].streak &+ 1 : 1
    assertions[entry].gap = assertions[entry].unsolicited < 0 ? 0 : gap
    assertions[entry].unsolicited = now
    return assertions[entry].streak >= 3
  }

  /// periodic-announcement (RFC 6762 section 8.3).
  private mutating func reportPeriod(
    _ message: Span<UInt8>, _ index: DNSMessageIndex, _ record: HistoryRecord,
    _ context: HistoryContext, _ entry: Int, into findings: inout [Finding]
  ) {
    let name = Int(index.records[Int(record.position)].name)
    let assertion = assertions[entry]
    findings.append(
      Finding(
        LintRules.periodicAnnouncement,
        text: "\(context.shown) announces \(DNSNameText.string(message, at: name)) "
          + "\(record.type) unasked and unchanged for the \(assertion.streak + 1)th time, every "
          + seconds(assertion.gap),
        frames: [assertion.lastFrame, context.frame], source: context.shown))
  }
}
