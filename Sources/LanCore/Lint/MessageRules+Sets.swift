import LanWire

/// Rules that compare the records of one response. Hostile messages may hold thousands of
/// records, so each is compared with a bounded number of others.
extension MessageRules {
  private static var window: Int { 24 }

  /// Rules that need all records of the message.
  mutating func judgeSets(_ message: Span<UInt8>, _ index: DNSMessageIndex) {
    guard isResponse, notes.count > 0 else { return }
    judgeTTLs(message, index)
    if nsecCount > 0 { judgeContradiction(message, index) }
    if addressCount > 0, !isLegacyResponse, message.count <= 1400 {
      judgeFamilies(message, index)
    }
    if aliasCount > 0 { judgeAliases(message, index) }
  }

  private func sameName(
    _ message: Span<UInt8>, _ left: RecordNote, _ right: RecordNote
  ) -> Bool {
    guard left.fingerprint == right.fingerprint else { return false }
    return left.start == right.start
      || DNSNameView.equal(message, at: Int(left.start), message, at: Int(right.start))
  }

  private mutating func judgeTTLs(_ message: Span<UInt8>, _ index: DNSMessageIndex) {
    var slots: UInt64 = 0
    for position in notes.indices {
      let note = notes[position]
      // Most records are alone of their name and type; a bit tells those that are.
      let bit: UInt64 =
        1 &<< UInt64((note.fingerprint ^ UInt32(note.type.rawValue) &* 0x9E37) & 63)
      defer { slots |= bit }
      guard slots & bit != 0, note.ttl != 0 else { continue }
      for earlier in max(0, position &- Self.window)..<position {
        let other = notes[earlier]
        guard other.type == note.type, other.ttl != note.ttl, other.ttl != 0,
          sameName(message, note, other)
        else { continue }
        mark(
          .ttlDiffersInRRSet, name: Int(index.records[Int(note.record)].name), type: note.type,
          value: Int(other.ttl) << 32 | Int(note.ttl))
        break
      }
    }
  }

  private mutating func judgeContradiction(_ message: Span<UInt8>, _ index: DNSMessageIndex) {
    var left = Self.window
    for position in notes.indices where notes[position].type == .nsec && left > 0 {
      left &-= 1
      let denial = notes[position]
      let record = index.records[Int(denial.record)]
      guard denial.ttl > 0, case .nsec(_, let bitmaps) = record.data(message) else { continue }
      for note in notes
      where note.type != .nsec && note.type.rawValue < 256 && note.ttl > 0
        && sameName(message, note, denial) && !Self.asserts(note.type, message, bitmaps)
      {
        mark(.nsecContradiction, name: Int(record.name), type: note.type)
        break
      }
    }
  }

  private mutating func judgeFamilies(_ message: Span<UInt8>, _ index: DNSMessageIndex) {
    var left = Self.window
    for position in notes.indices {
      let note = notes[position]
      guard note.type == .a || note.type == .aaaa, note.ttl > 0 else { continue }
      guard left > 0 else { return }
      left &-= 1
      let wanted: DNSRecordType = note.type == .a ? .aaaa : .a
      var isComplete = false
      for other in notes
      where (other.type == wanted || other.type == .nsec) && sameName(message, note, other) {
        isComplete = true
        break
      }
      if !isComplete {
        mark(
          .otherFamilyMissing, name: Int(index.records[Int(note.record)].name), type: note.type,
          value: Int(wanted.rawValue))
      }
    }
  }

  private mutating func judgeAliases(_ message: Span<UInt8>, _ index: DNSMessageIndex) {
    var left = Self.window
    for position in notes.indices where notes[position].type == .srv && left > 0 {
      left &-= 1
      let record = index.records[Int(notes[position].record)]
      guard record.problem == nil, record.ttl > 0 else { continue }
      let target = facts(message, at: Int(record.rdata) &+ 6)
      for note in notes
      where note.type == .cname && note.fingerprint == target.fingerprint
        && DNSNameView.equal(message, at: Int(note.start), message, at: Int(target.start))
      {
        mark(.srvTarget, nil, .alias, name: Int(record.name), value: Int(record.rdata) &+ 6)
        break
      }
    }
  }
}
