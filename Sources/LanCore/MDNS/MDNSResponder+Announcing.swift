import LanWire

/// Announcements and goodbyes (RFC 6762 sections 8.3, 8.4 and 10.1).
extension MDNSResponder {
  static let announcementCount: Int32 = 2

  /// Lets a set be announced, twice.
  mutating func announce(_ set: Int32, _ z: Int, at time: Int64) {
    zones[z].sets[set].announcements = Self.announcementCount
    zones[z].announceQueue.set(set, at: time)
  }

  /// Announces what is due.
  ///
  /// What was multicast within the last second, in an answer, is announced by that.
  mutating func runAnnouncements(_ z: Int, _ now: Int64) {
    var due: [Int32] = []
    while let set = zones[z].announceQueue.firstDue(at: now) {
      zones[z].sets[set].announcements -= 1
      if zones[z].sets[set].announcements > 0 {
        zones[z].announceQueue.set(set, at: now + Self.second)
      } else {
        zones[z].announceQueue.remove(set)
      }
      if zones[z].sets[set].standing > 0, zones[z].sets[set].multicast <= now - Self.second {
        due.append(set)
      }
    }
    if !due.isEmpty { sendResponse(due, z, now) }
  }

  /// Takes records back: they have TTL 0.
  mutating func sendGoodbye(_ records: [DNSRecord], _ z: Int, _ now: Int64) {
    guard !records.isEmpty else { return }
    writer.compression = .multicast
    writer.limit = payload(z)
    writer.begin(DNSHeader(flags: Self.responseFlags))
    for record in records {
      guard let fits = try? writer.add(record, to: .answer), !fits else { continue }
      if writer.header.answerCount > 0 { finishMulticast(z, now) }
      writer.limit = Self.largest
      writer.begin(DNSHeader(flags: Self.responseFlags))
      _ = try? writer.add(record, to: .answer)
      if writer.count > payload(z) {
        finishMulticast(z, now)
        writer.begin(DNSHeader(flags: Self.responseFlags))
      }
      writer.limit = payload(z)
    }
    if writer.header.answerCount > 0 { finishMulticast(z, now) }
  }
}
