import LanWire

/// What the questions of others tell us.
extension MDNSQuerier {
  /// Takes another host's query: nothing of it is cached (RFC 6762 section 7.1), but it may spare
  /// us a question (7.3), and show that somebody who should answer does not (10.5).
  mutating func takeQuery(
    _ message: Span<UInt8>, _ view: DNSMessageView, _ position: Int, _ now: Int64
  ) {
    // Probes ask for names that should not be there (RFC 6762 section 8.1).
    guard view.authorityCount == 0 else { return }
    let interface = links[position].link.index
    for number in view.records(in: .answer) {
      takeKnown(index.records[number], message, interface, now)
    }
    for number in view.questions {
      let question = index.questions[number]
      guard !question.wantsUnicastResponse, question.dnsClass == .in else { continue }
      let set = set(message, at: Int(question.name), question.type, interface)
      guard set >= 0, cache.sets[set].series >= 0 else { continue }
      let knowsMore =
        cache.sets[set].mark == serial || question.type == .any && view.answerCount > 0
      if !view.header.isTruncated, !knowsMore {
        series[cache.sets[set].series].duplicated = now
      }
      if question.type != .any { observe(set, now) }
    }
  }

  private func set(
    _ message: Span<UInt8>, at offset: Int, _ type: DNSRecordType, _ interface: UInt32
  ) -> Int32 {
    let hash = MDNSHash.name(message, at: offset, interface: interface)
    return cache.set(
      cache.name(message, at: offset, interface: interface, hash: hash), type)
  }

  /// A known answer of another host: no miss if it is not repeated now; and a sign that it knows
  /// more than we do if we would not list it.
  private mutating func takeKnown(
    _ view: DNSRecordView, _ message: Span<UInt8>, _ interface: UInt32, _ now: Int64
  ) {
    guard view.problem == nil, view.dnsClass == .in else { return }
    let set = set(message, at: Int(view.name), view.type, interface)
    guard set >= 0 else { return }
    work += 1
    let data = MDNSDataCursor(view.type, view.rdataRange)
    let id = cache.record(set, message, data).id
    if id >= 0 { cache.update(id) { $0.excused = now } }
    if id < 0 || !cache.records[id].isKnown(at: now) { _ = cache.mark(set, serial) }
  }
}
