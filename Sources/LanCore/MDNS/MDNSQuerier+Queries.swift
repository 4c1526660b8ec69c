import LanWire

/// When others asked for a set, the oldest first.
struct MDNSMisses: Sendable {
  private var times = InlineArray<8, Int64>(repeating: 0)
  private(set) var count = 0

  /// The last time; nil before the first.
  var last: Int64? { count > 0 ? times[count - 1] : nil }

  /// Notes a question; the oldest of more than eight is forgotten.
  mutating func append(_ time: Int64) {
    if count == 8 {
      for index in 1..<8 { times[index - 1] = times[index] }
      count = 7
    }
    times[count] = time
    count += 1
  }

  /// Questions that came a second or more after `time`, and the first of them: within a second its
  /// owner need not repeat a record (RFC 6762 section 6).
  func since(_ time: Int64) -> (count: Int, first: Int64)? {
    for index in 0..<count where times[index] >= time + 1_000_000_000 {
      return (count - index, times[index])
    }
    return nil
  }
}

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

  /// Passive observation of failures (RFC 6762 section 10.5): records that three questions went
  /// by without, or two in ten seconds, are doubted, and asked for by ourselves before they go. A
  /// passive querier waits for four in ten seconds and lets them go then.
  private mutating func observe(_ set: Int32, _ now: Int64) {
    var seen = misses[set] ?? MDNSMisses()
    if let last = seen.last {
      if last > now - 1_000_000_000 { return }
      var id = cache.sets[set].oldest
      while id >= 0, cache.records[id].received <= last - 1_000_000_000 {
        work += 1
        if let missed = seen.since(cache.records[id].excused) { judge(id, missed, now) }
        id = cache.records[id].newer
      }
    }
    seen.append(now)
    misses[set] = seen
  }

  private mutating func judge(_ id: Int32, _ missed: (count: Int, first: Int64), _ now: Int64) {
    let isLong = missed.first <= now - 10_000_000_000
    if !configuration.isPassive {
      if missed.count >= 3 || missed.count >= 2 && isLong { doubt(id, now) }
      return
    }
    guard missed.count >= 4, isLong, cache.records[id].isSound,
      cache.records[id].expires > now + 1_000_000_000
    else { return }
    cache.update(id) {
      $0.expires = now + 1_000_000_000
      $0.cause = .noResponse
    }
    schedule(id, now)
  }
}
