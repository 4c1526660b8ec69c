import LanWire

/// When to ask: series and the refresh ladder.
extension MDNSQuerier {
  static let second: Int64 = 1_000_000_000

  // MARK: Series

  /// Lets a series begin, unless what it asks for is known.
  mutating func restart(_ id: Int32, wantsUnicast: Bool, _ now: Int64) {
    let set = series[id].set
    series[id].sent = 0
    series[id].isExhausted = false
    series[id].began = now
    series[id].wantsUnicast = wantsUnicast && configuration.mayAskUnicast
    guard !configuration.isPassive, !series[id].effort.isPassive,
      let position = position(of: cache.interface(of: set)),
      !links[position].link.families.isEmpty
    else {
      seriesQueue.remove(id)
      return
    }
    if rest(id, now) { return }
    seriesQueue.set(id, at: links[position].batchTime(now, &chance))
  }

  /// Lets a series rest while what it asks for is known: a fresh unique answer, whose refresh
  /// ladder asks then, or a denial (RFC 6762 sections 5.2 and 6.1).
  private mutating func rest(_ id: Int32, _ now: Int64) -> Bool {
    let set = cache.sets[series[id].set]
    if set.type != .any, set.newest >= 0, cache.records[set.newest].isUnique,
      cache.records[set.newest].isFresh(at: now)
    {
      seriesQueue.remove(id)
      return true
    }
    guard let denial = denial(of: series[id].set, now), cache.records[denial].isFresh(at: now),
      let position = position(of: cache.interface(of: series[id].set))
    else { return false }
    let record = cache.records[denial]
    let first = record.received + record.lifetime / 100 * 80
    series[id].sent = 0
    seriesQueue.set(
      id, at: links[position].slot(from: first, to: first + record.lifetime / 50, now, &chance))
    return true
  }

  /// A series is due: asks, or tells that nobody answered.
  mutating func seriesDue(_ id: Int32, _ now: Int64) {
    let one = series[id]
    guard !one.effort.isPassive, let position = position(of: cache.interface(of: one.set)),
      !links[position].link.families.isEmpty
    else {
      seriesQueue.remove(id)
      return
    }
    if rest(id, now) { return }
    if let limit = one.limit, one.sent >= limit {
      exhaust(id)
      return
    }
    let span = one.sent == 0 ? now - one.began : MDNSSeries.gap(after: one.sent) / 2
    let isSentByOther = one.duplicated >= now - span
    let isSentByLadder = one.sent > 0 && one.asked > now - Self.second
    if !isSentByOther, !isSentByLadder {
      enqueue(one.set, wantsUnicast: one.wantsUnicast, position)
    }
    series[id].wantsUnicast = false
    series[id].sent += 1
    let isLast = one.limit.map { series[id].sent >= $0 } ?? false
    seriesQueue.set(
      id, at: now + (isLast ? Self.second : MDNSSeries.gap(after: series[id].sent)))
  }

  private mutating func exhaust(_ id: Int32) {
    seriesQueue.remove(id)
    let set = cache.sets[series[id].set]
    let isAnswered =
      set.type == .any ? !records(set.name, .any).isEmpty : set.count > 0
    guard !isAnswered, !series[id].isExhausted else { return }
    series[id].isExhausted = true
    let name = cache.names[set.name]
    output.changes.append(
      .exhausted(
        MDNSQuestion(name.name, set.type), interfaceIndex: name.interfaceIndex))
  }

  /// Puts a set among those asked for next on a link.
  mutating func enqueue(_ set: Int32, wantsUnicast: Bool, _ position: Int) {
    guard !cache.sets[set].isAsked, !links[position].link.families.isEmpty else { return }
    cache.setAsked(true, set)
    links[position].asks.append((set, wantsUnicast))
  }

  // MARK: Records

  /// Puts a record into the queue where it belongs, as interest in it begins or ends.
  mutating func settle(_ id: Int32, _ now: Int64) {
    if cache.records[id].isDoubted { return }
    schedule(id, now)
  }

  /// Lets a record that was just received, or changed, wait for what comes next: a step of the
  /// ladder where there is interest, else its end.
  mutating func schedule(_ id: Int32, _ now: Int64) {
    let set = cache.records[id].set
    guard isWatched(set) else {
      recordQueue.remove(id)
      unasked.set(id, at: cache.records[id].expires)
      return
    }
    unasked.remove(id)
    var due = cache.records[id].expires
    if cache.records[id].isSound, isKept(set), let step = climb(id, from: 0, now) {
      due = min(due, step)
    }
    recordQueue.set(id, at: due)
  }

  /// Finds the next step of the refresh ladder: 80, 85, 90 and 95 % of the time to live, each with
  /// up to 2 % more (RFC 6762 section 5.2).
  ///
  /// On a link that was seen losing packets, each of the last three is followed by two more, 1 and
  /// 3 seconds later, for as long as nobody answers.
  private mutating func climb(_ id: Int32, from first: UInt8, _ now: Int64) -> Int64? {
    let record = cache.records[id]
    guard let position = position(of: cache.interface(of: record.set)) else { return nil }
    let percent = record.lifetime / 100
    var stage = first
    defer { cache.update(id) { $0.stage = stage } }
    while stage < MDNSLadder.end {
      if let share = MDNSLadder.percent(stage) {
        let first = record.received + percent * share
        let last = first + percent * 2
        if last > now {
          return links[position].slot(from: max(first, now), to: last, now, &chance)
        }
      } else if links[position].lossyUntil > now {
        let time = now + MDNSLadder.wait(stage)
        if time <= record.received + percent * MDNSLadder.bound(stage) { return time }
      }
      stage += 1
    }
    return nil
  }

  /// A record is due: it goes, or it is asked for.
  mutating func recordDue(_ id: Int32, _ now: Int64) {
    let record = cache.records[id]
    guard record.expires > now else {
      remove(id, record.cause, now)
      return
    }
    guard let position = position(of: cache.interface(of: record.set)) else {
      recordQueue.remove(id)
      return
    }
    if record.isDoubted {
      doubtDue(id, position, now)
    } else if record.isSound, isKept(record.set) {
      let own = cache.sets[record.set].series
      let first =
        record.received + record.lifetime / 100 * (MDNSLadder.percent(record.stage) ?? 100)
      let isSent =
        own >= 0
        && (series[own].asked > now - Self.second
          || series[own].duplicated >= first - record.lifetime / 100 * MDNSLadder.margin)
      if !isSent { enqueue(record.set, wantsUnicast: false, position) }
      advance(id, now)
    } else {
      recordQueue.set(id, at: record.expires)
    }
  }

  /// Counts a question for a record and goes on to the next step.
  private mutating func advance(_ id: Int32, _ now: Int64) {
    cache.update(id) { $0.asked &+= $0.asked < 200 ? 1 : 0 }
    let step = climb(id, from: cache.records[id].stage + 1, now)
    let expires = cache.records[id].expires
    recordQueue.set(id, at: min(expires, step ?? expires))
  }

  /// Counts the question for a set that is sent now for all of its records whose time to be
  /// refreshed has come or is near.
  mutating func noteAsked(_ set: Int32, _ now: Int64) {
    let own = cache.sets[set].series
    if own >= 0 { series[own].asked = now }
    guard isKept(set) else { return }
    var id = cache.sets[set].oldest
    while id >= 0 {
      let record = cache.records[id]
      work += 1
      if record.isSound, let share = MDNSLadder.percent(record.stage) {
        let percent = record.lifetime / 100
        if record.received + percent * (share - MDNSLadder.margin) <= now { advance(id, now) }
      }
      id = record.newer
    }
  }
}
