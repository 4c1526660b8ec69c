public import LanWire

/// Records that may not be true any more.
extension MDNSQuerier {
  /// Doubts what is known about a question, because using it failed (RFC 6762 section 10.4): it is
  /// asked at least twice, and what nobody repeats in 10 s is removed with the cause `noResponse`.
  ///
  /// A passive querier does not doubt.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - type: The type.
  ///   - data: The only record doubted; nil for all of the type.
  ///   - interfaceIndex: The link.
  ///   - now: The time.
  public mutating func reconfirm(
    _ name: DNSName, _ type: DNSRecordType, data: DNSRecordData? = nil, interfaceIndex: UInt32,
    at now: Int64
  ) {
    clock = max(clock, now)
    expireUnasked(now)
    let owner = cache.name(name, interface: interfaceIndex)
    guard owner >= 0 else { return }
    guard let data else {
      for id in records(owner, type) { doubt(id, now) }
      return
    }
    let set = cache.set(owner, data.type)
    guard set >= 0, let bytes = try? data.uncompressedBytes() else { return }
    let cursor = MDNSDataCursor(data.type, bytes.indices)
    let found = cache.record(set, bytes.span, cursor).id
    if found >= 0 { doubt(found, now) }
  }

  /// Doubts a record: it is asked for at least twice, and gone in ten seconds unless somebody
  /// repeats it (RFC 6762 section 10.4).
  mutating func doubt(_ id: Int32, _ now: Int64) {
    let record = cache.records[id]
    guard !record.isDoubted, record.isSound, !configuration.isPassive,
      let position = position(of: cache.interface(of: record.set))
    else { return }
    let end = now + 10 * Self.second
    cache.update(id) {
      $0.isDoubted = true
      $0.asked = 0
      if end < $0.expires {
        $0.expires = end
        $0.cause = .noResponse
      }
    }
    unasked.remove(id)
    let first = links[position].batchTime(now, &chance)
    recordQueue.set(id, at: min(cache.records[id].expires, first))
  }

  /// A record in doubt is due: it is asked for once more, in 1, 2, 4 s after the first time.
  mutating func doubtDue(_ id: Int32, _ position: Int, _ now: Int64) {
    let record = cache.records[id]
    guard !configuration.isPassive else {
      recordQueue.set(id, at: record.expires)
      return
    }
    let own = cache.sets[record.set].series
    if own >= 0, series[own].asked > now - Self.second, record.asked > 0 {
      recordQueue.set(id, at: min(record.expires, series[own].asked + Self.second))
      return
    }
    enqueue(record.set, wantsUnicast: false, position)
    cache.update(id) { $0.asked &+= $0.asked < 200 ? 1 : 0 }
    let gap = links[position].lossyUntil > now ? 1 : Int64(1) << Int64(min(record.asked, 3))
    recordQueue.set(id, at: min(record.expires, now + gap * Self.second))
  }

  /// Observes a question of another host that somebody should answer (RFC 6762 section 10.5).
  ///
  /// Records that three went by without, or two in ten seconds, are doubted, and asked for by
  /// ourselves before they go. A passive querier waits for four in ten seconds and lets them go.
  mutating func observe(_ set: Int32, _ now: Int64) {
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
