import LanWire

/// The probes of one host for one name over one family (RFC 6762 section 8.1).
struct ProbeHistory {
  var count = 0
  var first: Int64 = .min / 4
  var last: Int64 = .min / 4
  var firstFrame = 0
  var lastFrame = 0
  /// Multicast responses with unique records of the name since.
  var announcements = 0
  var announcedFrame = 0
}

/// When a name was last probed for, whoever did.
struct ProbedName {
  var last: Int64
  var host: UInt64
  var otherLast: Int64
}

/// Names of one stem that a host tried.
struct StemHistory {
  var since: Int64
  var last: Int64
  var number: UInt64
  var name: UInt64
  var count = 1
  var frames = InlineArray<3, Int>(repeating: 0)
}

extension LintHistory {
  func probeKey(_ name: UInt64, _ context: HistoryContext) -> UInt64 {
    HistoryHash.mix(name, context.host &+ context.family)
  }

  /// True when anybody probed for the name within `duration`.
  func wasProbed(_ name: UInt64, within duration: Int64) -> Bool {
    probedNames.find(name).map { now &- probedNames[$0].last <= duration } ?? false
  }

  /// The rules for probes; true when the question is one.
  mutating func judgeProbe(
    _ message: Span<UInt8>, _ view: DNSMessageView, _ question: DNSQuestionView, _ name: UInt64,
    _ index: DNSMessageIndex, _ context: HistoryContext, into findings: inout [Finding]
  ) -> Bool {
    guard context.fromPort5353 else { return false }
    let isProposed = view.authorityCount > 0 && proposes(name)
    let looksLike = question.type == .any && question.wantsUnicastResponse
    guard isProposed || looksLike else { return false }
    if !isProposed || question.type != .any {
      let rule = isProposed ? LintRules.probeType : LintRules.probeAuthority
      let text = DNSNameText.string(message, at: Int(question.name))
      findings.append(
        Finding(
          rule,
          text: isProposed
            ? "\(context.shown) probes for \(text) with type \(question.type)"
            : "\(context.shown) probes for \(text) without the records that it proposes",
          frames: [context.frame], source: context.shown))
    }
    noteProbe(message, question, name, context, into: &findings)
    return true
  }

  /// True when a record of the name is in the authority section; looks at the first 64.
  private func proposes(_ name: UInt64) -> Bool {
    var budget = 64
    for record in scratch where record.section == .authority {
      if record.name == name { return true }
      budget &-= 1
      if budget == 0 { return true }
    }
    return false
  }

  private mutating func noteProbe(
    _ message: Span<UInt8>, _ question: DNSQuestionView, _ name: UInt64,
    _ context: HistoryContext, into findings: inout [Finding]
  ) {
    noteProbedName(name, context)
    let key = probeKey(name, context)
    let entry = probes.find(key) ?? probes.insert(key, ProbeHistory())
    let before = probes[entry]
    let gap = now &- before.last
    // The same name asked for by two types in one message, or by two packets of one burst.
    if before.lastFrame == context.frame || gap <= 10 * oneMillisecond { return }
    if gap > 2 * oneSecond || before.announcements > 0 {
      probes[entry] = ProbeHistory(
        count: 1, first: now, last: now, firstFrame: context.frame, lastFrame: context.frame)
      judgeRename(message, question, name, context, into: &findings)
      return
    }
    probes[entry].count &+= 1
    probes[entry].last = now
    probes[entry].lastFrame = context.frame
    // 200 to 350 ms, and a hundredth of a second for the clock of the capture.
    guard gap < 190 * oneMillisecond || gap > 360 * oneMillisecond, !isContested(name, context)
    else {
      return
    }
    findings.append(
      Finding(
        LintRules.probeTiming,
        text: "\(context.shown) probes for "
          + "\(DNSNameText.string(message, at: Int(question.name))) again after "
          + "\(milliseconds(gap)) instead of 250 ms",
        frames: [before.lastFrame, context.frame], source: context.shown))
  }

  private mutating func noteProbedName(_ name: UInt64, _ context: HistoryContext) {
    guard let entry = probedNames.find(name) else {
      _ = probedNames.insert(
        name, ProbedName(last: now, host: context.host, otherLast: .min / 4))
      return
    }
    if probedNames[entry].host != context.host {
      probedNames[entry].otherLast = probedNames[entry].last
      probedNames[entry].host = context.host
    }
    probedNames[entry].last = now
  }

  /// True when another host probed for the name too: the loser waits a second (section 8.2).
  func isContested(_ name: UInt64, _ context: HistoryContext) -> Bool {
    probedNames.find(name).map { now &- probedNames[$0].otherLast <= 3 * oneSecond } ?? false
  }

  /// rename-loop (RFC 6762 section 9): ever rising numbers, each given up before the next.
  ///
  /// Several services whose names end in numbers are probed for together and come up; numbers that
  /// fall, names within 20 ms and names that were announced end the count.
  private mutating func judgeRename(
    _ message: Span<UInt8>, _ question: DNSQuestionView, _ name: UInt64,
    _ context: HistoryContext, into findings: inout [Finding]
  ) {
    guard let stem = HistoryNames.stem(message, at: Int(question.name)) else { return }
    let key = HistoryHash.mix(stem.hash, context.host ^ context.salt)
    guard let entry = stems.find(key) else {
      var history = StemHistory(since: now, last: now, number: stem.number, name: name)
      history.frames[0] = context.frame
      _ = stems.insert(key, history)
      return
    }
    let before = stems[entry]
    if before.name == name { return }
    let wasAnnounced =
      probes.find(probeKey(before.name, context)).map { probes[$0].announcements > 0 } ?? false
    stems[entry].last = now
    stems[entry].number = stem.number
    stems[entry].name = name
    guard stem.number > before.number, now &- before.last >= 20 * oneMillisecond,
      now &- before.since <= 60 * oneSecond, !wasAnnounced
    else {
      stems[entry].since = now
      stems[entry].count = 1
      stems[entry].frames[0] = context.frame
      return
    }
    stems[entry].count &+= 1
    stems[entry].frames[(before.count) % 3] = context.frame
    guard stems[entry].count >= 4 else { return }
    var frames: [Int] = []
    for position in 0..<3 { frames.append(before.frames[position]) }
    findings.append(
      Finding(
        LintRules.renameLoop,
        text: "\(context.shown) probes for \(DNSNameText.string(message, at: Int(question.name))), "
          + "the \(stems[entry].count)th name with another number within "
          + seconds(now &- before.since),
        frames: frames.sorted() + [context.frame], source: context.shown))
  }
}
