import LanWire

/// A first announcement that waits for its second.
struct AnnouncedWait {
  var probe: UInt64
  var frame: Int
  var source: IPAddress
  var name: HistoryNameRing.Reference
}

extension LintHistory {
  /// no-probe, too few probes, announced-once (RFC 6762 sections 8.1 and 8.3).
  mutating func judgeAnnouncement(
    _ message: Span<UInt8>, _ index: DNSMessageIndex, _ context: HistoryContext,
    into findings: inout [Finding]
  ) {
    guard context.toGroup else { return }
    var last: UInt64 = 0
    for record in scratch
    where record.section == .answer && record.sharing == .unique && record.type != .nsec
      && record.ttl > 0 && record.name != last
    {
      last = record.name
      if let entry = probes.find(probeKey(record.name, context)) {
        noteAnnouncement(message, index, record, context, entry, into: &findings)
      } else {
        judgeUnprobed(message, index, record, context, into: &findings)
      }
    }
  }

  private mutating func noteAnnouncement(
    _ message: Span<UInt8>, _ index: DNSMessageIndex, _ record: HistoryRecord,
    _ context: HistoryContext, _ entry: Int, into findings: inout [Finding]
  ) {
    let probe = probes[entry]
    guard probe.announcedFrame != context.frame else { return }
    probes[entry].announcements &+= 1
    probes[entry].announcedFrame = context.frame
    guard probe.announcements == 0, now &- probe.last <= 2 * oneSecond else { return }
    let name = Int(index.records[Int(record.position)].name)
    if probe.count < 3, probe.first &- settled > oneSecond, !isContested(record.name, context) {
      findings.append(
        Finding(
          LintRules.probeTiming,
          text: "\(context.shown) announces \(DNSNameText.string(message, at: name)) after "
            + "\(probe.count) of 3 probes",
          frames: probe.count == 1
            ? [probe.lastFrame, context.frame]
            : [probe.firstFrame, probe.lastFrame, context.frame],
          source: context.shown))
    }
    announced.append(
      AnnouncedWait(
        probe: probeKey(record.name, context), frame: context.frame, source: context.shown,
        name: names.store(message, at: name)),
      due: now &+ 2_500 * oneMillisecond)
  }

  /// announced-once.
  mutating func judgeAnnounced(_ wait: AnnouncedWait, into findings: inout [Finding]) {
    guard let entry = probes.find(wait.probe), probes[entry].announcements == 1,
      probes[entry].announcedFrame == wait.frame
    else { return }
    findings.append(
      Finding(
        LintRules.announcedOnce,
        text: "\(wait.source) announces \(names.text(wait.name)) once; nothing follows within "
          + "2.5 s",
        frames: [probes[entry].lastFrame, wait.frame], source: wait.source))
  }

  /// no-probe: an error where the host was seen joining the group, a warning where its start is
  /// only inferred from its silence before.
  private mutating func judgeUnprobed(
    _ message: Span<UInt8>, _ index: DNSMessageIndex, _ record: HistoryRecord,
    _ context: HistoryContext, into findings: inout [Finding]
  ) {
    guard context.kind == .announcement, context.hasMAC, !context.isTunnelled,
      let entry = hosts.find(context.host), !hosts[entry].lacksProbe,
      !wasProbed(record.name, within: 10 * oneSecond)
    else { return }
    let host = hosts[entry]
    let joined = host.joinedAt.map { now &- $0 <= 10 * oneSecond } ?? false
    let appeared =
      now &- host.firstSeen < oneSecond && host.firstSeen &- settled >= 10 * oneSecond
    guard joined || appeared else { return }
    hosts[entry].lacksProbe = true
    let name = Int(index.records[Int(record.position)].name)
    findings.append(
      Finding(
        LintRules.noProbe, severity: joined ? .error : .warning,
        text: "\(context.shown) appears and announces \(DNSNameText.string(message, at: name)) "
          + "\(record.type) without having probed for it",
        frames: [context.frame], source: context.shown))
  }
}
