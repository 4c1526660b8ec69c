import LanWire

/// How records go: by time, for want of room, and by denial.
extension MDNSQuerier {
  /// Takes a record out and tells whoever is interested.
  mutating func remove(_ id: Int32, _ cause: MDNSRemovalCause, _ now: Int64) {
    let set = cache.records[id].set
    if isWatched(set) { output.changes.append(.removed(answer(id), cause)) }
    recordQueue.remove(id)
    unasked.remove(id)
    cache.removeRecord(id)
    let own = cache.sets[set].series
    if own >= 0, cache.sets[set].count == 0, cause != .interfaceDown {
      if denial(of: set, now) != nil {
        deny(set, now)
      } else if seriesQueue.deadline(of: own) == nil {
        restart(own, wantsUnicast: false, now)
      }
    }
    cache.removeSetIfUnused(set)
    if isFull, hasRoom { isFull = false }
  }

  /// Removes what nobody asked for and is over; nobody is woken for that.
  mutating func expireUnasked(_ now: Int64) {
    while let id = unasked.firstDue(at: now) { remove(id, .expired, now) }
  }

  // MARK: Room

  /// A tenth of each limit is free.
  private var hasRoom: Bool {
    cache.records.count < configuration.recordLimit / 10 * 9
      && cache.bytes < configuration.byteLimit / 10 * 9
      && unasked.count < configuration.unaskedLimit / 10 * 9
  }

  private mutating func tellFull() {
    if isFull { return }
    isFull = true
    output.diagnostics.append(.cacheFull(records: cache.records.count, bytes: cache.bytes))
  }

  /// Makes room for a record of `cost` octets; what nobody asked for and ends first goes first.
  ///
  /// - Returns: false if the new record is the one to be left out.
  mutating func admit(isWatched: Bool, expires: Int64, cost: Int, _ now: Int64) -> Bool {
    while true {
      let isCrowded = !isWatched && unasked.count >= configuration.unaskedLimit
      guard
        isCrowded || cache.records.count >= configuration.recordLimit
          || cache.bytes + cost > configuration.byteLimit
      else { return true }
      tellFull()
      guard let first = unasked.first, isWatched || cache.records[first].expires < expires else {
        return false
      }
      remove(first, .expired, now)
    }
  }

  /// Holds the limit of what nobody asks for after an interest ended.
  mutating func makeRoom(_ now: Int64) {
    while unasked.count > max(configuration.unaskedLimit, 0), let first = unasked.first {
      remove(first, .expired, now)
    }
  }

  // MARK: Denial

  /// The NSEC record that says that a name has no record of a set's type (RFC 6762 section 6.1);
  /// nil if there is none, or if there is a record.
  func denial(of set: Int32, _ now: Int64) -> Int32? {
    let (name, type) = (cache.sets[set].name, cache.sets[set].type)
    guard type != .any, type != .nsec, cache.sets[set].count == 0 else { return nil }
    let proofs = cache.set(name, .nsec)
    guard proofs >= 0, cache.sets[proofs].newest >= 0 else { return nil }
    let record = cache.records[cache.sets[proofs].newest]
    guard record.isSound, record.expires > now else { return nil }
    return Self.denies(record.bytes, type, cache.names[name].name)
      ? cache.sets[proofs].newest : nil
  }

  /// True if NSEC data of the restricted form that RFC 6762 section 6.1 allows leaves out `type`.
  static func denies(_ bytes: [UInt8], _ type: DNSRecordType, _ owner: DNSName) -> Bool {
    guard let end = try? DNSNameScan(bytes.span, at: 0).end, owner.equals(bytes.span, at: 0),
      type.rawValue < 256, bytes.count >= end + 3, bytes[end] == 0
    else { return false }
    let length = Int(bytes[end + 1])
    guard (1...32).contains(length), bytes.count >= end + 2 + length else { return false }
    let place = Int(type.rawValue) >> 3
    return place >= length || bytes[end + 2 + place] & (0x80 >> (UInt8(type.rawValue & 7))) == 0
  }

  /// Takes a denial of a set: tells it once, and lets the series rest.
  mutating func deny(_ set: Int32, _ now: Int64) {
    let own = cache.sets[set].series
    guard own >= 0 else { return }
    if !series[own].isDenied {
      series[own].isDenied = true
      tellDenied(set)
    }
    restart(own, wantsUnicast: false, now)
  }

  func question(of set: Int32) -> MDNSQuestion {
    MDNSQuestion(cache.names[cache.sets[set].name].name, cache.sets[set].type)
  }

  mutating func tellDenied(_ set: Int32) {
    output.changes.append(.denied(question(of: set), interfaceIndex: cache.interface(of: set)))
  }
}
