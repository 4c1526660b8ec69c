import LanWire

/// Responses of others: copies of our records, and rivals.
extension MDNSResponder {
  /// Takes the records of a response.
  mutating func takeResponse(
    _ message: Span<UInt8>, _ view: DNSMessageView, _ arrival: MDNSArrival, _ z: Int, _ now: Int64
  ) {
    for number in view.records {
      let record = index.records[number]
      guard record.problem == nil, record.dnsClass == .in else { continue }
      let name = Int(record.name)
      let hash = MDNSZone.hash(message, at: name)
      let owner = zones[z].owner(message, at: name, hash: hash)
      guard owner >= 0 else { continue }
      if let found = zones[z].find(owner, record, message) {
        if arrival.isMulticast { heard(found, record, z, now) }
      } else if zones[z].owners[owner].claim >= 0, MDNSQuerier.lifetime(record.ttl) > 0,
        !isOurs(record, message, hash: hash)
      {
        judge(zones[z].owners[owner].claim, record, arrival, z, now)
      }
    }
  }

  /// True for a record that we have on some link, as one that another link's wire carried over.
  func isOurs(_ record: DNSRecordView, _ message: Span<UInt8>, hash: UInt32) -> Bool {
    record.dnsClass == .in
      && zones.contains { zone in
        let owner = zone.owner(message, at: Int(record.name), hash: hash)
        return owner >= 0 && zone.find(owner, record, message) != nil
      }
  }

  /// Another host gave a record of ours.
  private mutating func heard(
    _ found: (set: Int32, member: Int), _ record: DNSRecordView, _ z: Int, _ now: Int64
  ) {
    let ttl = MDNSQuerier.lifetime(record.ttl)
    let set = zones[z].sets[found.set]
    if !set.isUnique { zones[z].sets[found.set].othersUntil = now + Int64(ttl) * Self.second }
    guard set.standing > 0 else { return }
    if UInt64(ttl) * 2 < UInt64(set.ttl) {
      // Caches would lose it early (RFC 6762 section 6.6), or lost it by a wrong goodbye.
      let delay = set.isUnique ? 0 : chance.pick(20 * Self.millisecond, 119 * Self.millisecond)
      let free = set.multicast > now - Self.second ? set.multicast + Self.second : now
      schedule(found.set, z, earliest: free, due: max(free, now + delay), now)
      return
    }
    // Somebody gave our answer: it need not be given again (RFC 6762 section 7.4).
    guard ttl >= set.ttl else { return }
    zones[z].sets[found.set].mark(found.member, serial)
    if zones[z].sets[found.set].isKnown(to: serial) { zones[z].sets[found.set].given = now }
  }
}
