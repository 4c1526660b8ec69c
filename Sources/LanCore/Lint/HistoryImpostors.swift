import LanWire

/// The names that one host gave one address for, after others had asked.
struct ImpostorHistory {
  var names = InlineArray<3, UInt64>(repeating: 0)
  var frames = InlineArray<3, Int>(repeating: 0)
  var count = 0
}

extension LintHistory {
  /// LLMNR (RFC 4795): who asks, and who answers for everybody.
  mutating func handleLLMNR(
    _ message: Span<UInt8>, _ view: DNSMessageView, _ index: DNSMessageIndex,
    _ context: HistoryContext, into findings: inout [Finding]
  ) {
    if view.header.isResponse {
      scratch.removeAll(keepingCapacity: true)
      var memo = HistoryNameMemo(salt: context.salt)
      for position in view.records(in: .answer) where index.records[position].problem == nil {
        scratch.append(HistoryRecord(message, index.records[position], position, &memo))
      }
      judgeImpostor(message, index, context, isLLMNR: true, into: &findings)
      return
    }
    for position in view.questions {
      let question = index.questions[position]
      let name = DNSNameView.hash(message, at: Int(question.name)) ^ context.salt
      let set = HistoryHash.mix(name, UInt64(question.type.rawValue)) &+ 1
      let entry = questions.find(set) ?? questions.insert(set, QuestionHistory())
      questions[entry].last = now
      questions[entry].asker = context.host
      questions[entry].lastFrame = context.frame
    }
    guard !hosts[context.hostIndex].usesLLMNR, view.questionCount > 0 else { return }
    hosts[context.hostIndex].usesLLMNR = true
    let name = Int(index.questions[Int(view.firstQuestion)].name)
    findings.append(
      Finding(
        LintRules.llmnrInUse,
        text: "\(context.shown) looks up \(DNSNameText.string(message, at: name)) by LLMNR",
        frames: [context.frame], source: context.shown))
  }

  /// answers-for-everybody: one address for three names that others asked for and that the host
  /// never announced or probed for; at once for the names that attackers wait for.
  mutating func judgeImpostor(
    _ message: Span<UInt8>, _ index: DNSMessageIndex, _ context: HistoryContext,
    isLLMNR: Bool = false, into findings: inout [Finding]
  ) {
    for record in scratch
    where record.section == .answer && record.ttl > 0 && (record.type == .a || record.type == .aaaa)
    {
      guard let asked = questions.find(isLLMNR ? record.set &+ 1 : record.set),
        now &- questions[asked].last <= 2 * oneSecond, questions[asked].asker != context.host,
        isLLMNR || !hasEstablished(record, context)
      else { continue }
      let offset = Int(index.records[Int(record.position)].name)
      let frame = questions[asked].lastFrame
      judgeImpostor(message, offset, record, context, asked: frame, into: &findings)
    }
  }

  /// True when the host announced the name or probed for it before it was asked.
  private func hasEstablished(_ record: HistoryRecord, _ context: HistoryContext) -> Bool {
    probes.find(probeKey(record.name, context)) != nil
      || sets.find(setKey(record.set, context.host)) != nil
  }

  private mutating func judgeImpostor(
    _ message: Span<UInt8>, _ offset: Int, _ record: HistoryRecord, _ context: HistoryContext,
    asked: Int, into findings: inout [Finding]
  ) {
    let key = HistoryHash.mix(record.data, context.host ^ context.salt)
    let entry = impostors.find(key) ?? impostors.insert(key, ImpostorHistory())
    var history = impostors[entry]
    var isKnown = false
    for position in 0..<min(history.count, 3) where history.names[position] == record.name {
      isKnown = true
    }
    if !isKnown {
      if history.count < 3 {
        history.names[history.count] = record.name
        history.frames[history.count] = context.frame
      }
      history.count &+= 1
      impostors[entry] = history
    }
    let isBait =
      HistoryNames.firstLabel(message, at: offset).map {
        HistoryNames.equals(message, $0, "wpad") || HistoryNames.equals(message, $0, "isatap")
      } ?? false
    guard isBait || history.count >= 3 else { return }
    var frames = [asked, context.frame]
    if !isBait {
      for position in [1, 0] where history.frames[position] != context.frame {
        frames.insert(history.frames[position], at: 0)
      }
    }
    let name = DNSNameText.string(message, at: offset)
    findings.append(
      Finding(
        LintRules.answersEverybody,
        text: isBait
          ? "\(context.shown) answers for \(name), a name that attackers wait for"
          : "\(context.shown) gives one address for \(history.count) names that others asked "
            + "for, now for \(name)",
        frames: frames, source: context.shown))
  }
}
