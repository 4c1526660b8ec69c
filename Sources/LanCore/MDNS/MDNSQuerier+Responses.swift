import LanWire

/// What responses bring.
extension MDNSQuerier {
  /// Takes the records of a response, whatever its id, its sections and the question were
  /// (RFC 6762 section 18.1).
  mutating func takeResponse(
    _ message: Span<UInt8>, _ view: DNSMessageView, _ arrival: MDNSArrival, _ now: Int64
  ) {
    expireUnasked(now)
    flushes.removeAll(keepingCapacity: true)
    denials.removeAll(keepingCapacity: true)
    for number in view.records {
      let record = index.records[number]
      guard record.problem == nil, record.dnsClass == .in, Self.isCached(record.type) else {
        continue
      }
      take(record, message, arrival, now)
    }
    for set in flushes where set < cache.sets.bound { flush(set, now) }
    for name in denials where cache.names[name].isUsed { takeDenial(name, now) }
  }

  /// Types that are data: not OPT, not those that stand only in questions.
  private static func isCached(_ type: DNSRecordType) -> Bool {
    type.rawValue != 0 && type != .opt && !(249...255).contains(type.rawValue)
  }

  /// Seconds to live as they are taken: a number with the top bit is 0 (RFC 2181 section 8), and
  /// nothing is believed for more than a week.
  static func lifetime(_ ttl: UInt32) -> UInt32 { ttl >> 31 == 1 ? 0 : min(ttl, 604_800) }

  private mutating func take(
    _ view: DNSRecordView, _ message: Span<UInt8>, _ arrival: MDNSArrival, _ now: Int64
  ) {
    let ttl = Self.lifetime(view.ttl)
    let hash = MDNSHash.name(message, at: Int(view.name), interface: arrival.interfaceIndex)
    let name = cache.name(
      message, at: Int(view.name), interface: arrival.interfaceIndex, hash: hash)
    let set = cache.set(name, view.type)
    let data = MDNSDataCursor(view.type, view.rdataRange)
    let known = set < 0 ? (id: -1, hash: 0) : cache.record(set, message, data)
    work += 1
    if known.id < 0 {
      if ttl > 0 { insert(view, data, message, (name, set), arrival, now) }
    } else if ttl == 0 {
      takeGoodbye(known.id, now)
    } else {
      refresh(known.id, view, ttl, arrival, now)
    }
  }

  private mutating func insert(
    _ view: DNSRecordView, _ data: MDNSDataCursor, _ message: Span<UInt8>,
    _ place: (name: Int32, set: Int32), _ arrival: MDNSArrival, _ now: Int64
  ) {
    var (name, set) = place
    let isWatched =
      set >= 0 ? isWatched(set) : name >= 0 && cache.names[name].anySet >= 0
    if set < 0, name >= 0, !isWatched, cache.names[name].setCount >= MDNSCache.typeLimit { return }
    let ttl = Self.lifetime(view.ttl)
    var record = MDNSCacheRecord(
      bytes: data.copy(message), received: now, expires: now + Int64(ttl) * 1_000_000_000,
      excused: now, ttl: ttl, hash: 0, set: -1, source: arrival.source,
      families: MDNSFamilies(arrival.source), isUnique: view.cacheFlush)
    let cost = MDNSCache.cost(of: record) + 256
    guard admit(isWatched: isWatched, expires: record.expires, cost: cost, now) else { return }
    // What made room may have been the last record of this name.
    let interface = arrival.interfaceIndex
    let hash = MDNSHash.name(message, at: Int(view.name), interface: interface)
    name = cache.name(message, at: Int(view.name), interface: interface, hash: hash)
    if name < 0 {
      guard let owner = try? DNSName(message, at: Int(view.name)) else { return }
      name = cache.insertName(owner, interface: interface)
    }
    set = cache.set(name, view.type)
    if set < 0 { set = cache.insertSet(name, view.type) }
    record.set = set
    record.hash = MDNSHash.data(message, data, set: set)
    let id = cache.insert(record)
    schedule(id, now)
    if isWatched || showsType(set) { output.changes.append(.added(answer(id))) }
    noteAnswer(id, view)
  }

  /// A record that is known was repeated: it lives on, and what threatened it is over.
  private mutating func refresh(
    _ id: Int32, _ view: DNSRecordView, _ ttl: UInt32, _ arrival: MDNSArrival, _ now: Int64
  ) {
    let family = MDNSFamilies(arrival.source)
    let isNewFamily = !cache.records[id].families.contains(family)
    if cache.records[id].asked >= 2 { noteLoss(id, now) }
    cache.update(id) {
      $0.received = now
      $0.excused = now
      $0.ttl = ttl
      $0.expires = now + Int64(ttl) * 1_000_000_000
      $0.source = arrival.source
      $0.families.formUnion(family)
      $0.isUnique = view.cacheFlush
      $0.isDoubted = false
      $0.cause = .expired
      $0.asked = 0
    }
    cache.renew(id)
    schedule(id, now)
    if isNewFamily, isWatched(cache.records[id].set) {
      output.changes.append(.heardOver(answer(id)))
    }
    noteAnswer(id, view)
  }

  /// What a record that came does for its set: series rest, and older data may be over.
  private mutating func noteAnswer(_ id: Int32, _ view: DNSRecordView) {
    let set = cache.records[id].set
    let own = cache.sets[set].series
    if own >= 0 {
      series[own].isDenied = false
      series[own].isExhausted = false
      if view.cacheFlush { seriesQueue.remove(own) }
    }
    if view.cacheFlush, cache.mark(set, serial) { flushes.append(set) }
    if view.type == .nsec { denials.append(cache.sets[set].name) }
  }

  /// An answer that came only after two questions or more: the link loses packets.
  private mutating func noteLoss(_ id: Int32, _ now: Int64) {
    guard let position = position(of: cache.interface(of: cache.records[id].set)) else { return }
    links[position].lossyUntil = now + 3_600_000_000_000
  }

  /// Its sender takes a record back: it goes in a second, unless somebody repeats it by then
  /// (RFC 6762 section 10.1).
  private mutating func takeGoodbye(_ id: Int32, _ now: Int64) {
    end(id, .goodbye, now)
  }

  /// Records of a set that are older than a second and not in the message that flushes it go in a
  /// second (RFC 6762 section 10.2).
  private mutating func flush(_ set: Int32, _ now: Int64) {
    guard cache.sets[set].mark == serial else { return }
    var id = cache.sets[set].oldest
    while id >= 0, cache.records[id].received < now - 1_000_000_000 {
      work += 1
      if cache.records[id].cause != .flushed { end(id, .flushed, now) }
      id = cache.records[id].newer
    }
  }

  /// Gives a record one second more.
  private mutating func end(_ id: Int32, _ cause: MDNSRemovalCause, _ now: Int64) {
    let end = now + 1_000_000_000
    guard cache.records[id].expires > end else { return }
    cache.update(id) {
      $0.expires = end
      $0.cause = cause
      $0.isDoubted = false
    }
    schedule(id, now)
  }

  /// What an NSEC record says about questions of its name (RFC 6762 section 6.1).
  private mutating func takeDenial(_ name: Int32, _ now: Int64) {
    var set = cache.names[name].firstSet
    while set >= 0 {
      let next = cache.sets[set].sibling
      if cache.sets[set].series >= 0, denial(of: set, now) != nil { deny(set, now) }
      set = next
    }
  }
}
