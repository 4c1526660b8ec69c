import LanWire

/// The records of one name and type that one host asserts.
struct SetHistory {
  /// One record of the set.
  struct Member {
    var data: UInt64 = 0
    var expiry: Int64 = .min
    var sent: Int64 = .min / 4
    var frame = 0
  }

  static let capacity = 6
  var members = InlineArray<6, Member>(repeating: Member())
  var count = 0
  /// True when there were more members than are kept.
  var overflows = false
  /// Over which families it was sent.
  var families: UInt64 = 0
  var lastFrame = 0
  /// The frame whose set was judged.
  var judgedFrame = 0
  var hasFlush = false
  var hasNew = false
  /// A member that a set with the cache-flush bit left out.
  var missing: UInt64 = 0
  var missingSince: Int64 = 0
  var missingFrame = 0
  /// Changes of the data of a set of one record.
  var onlyData: UInt64 = 0
  var changes = 0
  var changesSince: Int64 = 0
  var previousFrame = 0

  /// Where a member is.
  func position(of data: UInt64) -> Int? {
    for index in 0..<count where members[index].data == data { return index }
    return nil
  }

  mutating func remove(at index: Int) {
    count &-= 1
    members[index] = members[count]
  }

  /// True when every member of `other` that is alive at `now` is a live member here.
  func covers(_ other: SetHistory, _ now: Int64) -> Bool {
    for index in 0..<other.count where other.members[index].expiry > now {
      guard let own = position(of: other.members[index].data), members[own].expiry > now else {
        return false
      }
    }
    return true
  }
}

extension LintHistory {
  func setKey(_ set: UInt64, _ host: UInt64) -> UInt64 { HistoryHash.mix(set, host) }

  /// The rules for whole sets: partial-rrset, update-rate, conflict, NSEC against the sets.
  mutating func judgeSets(
    _ message: Span<UInt8>, _ index: DNSMessageIndex, _ context: HistoryContext,
    into findings: inout [Finding]
  ) {
    for position in scratch.indices {
      let record = scratch[position]
      if record.sharing == .unique, record.type != .nsec, context.toGroup {
        enter(message, index, record, context, into: &findings)
      }
    }
    for position in scratch.indices {
      let record = scratch[position]
      guard record.sharing == .unique else { continue }
      if record.type == .nsec {
        judgeDenial(message, index, record, context, into: &findings)
        continue
      }
      guard let entry = sets.find(setKey(record.set, context.host)),
        sets[entry].lastFrame == context.frame, sets[entry].judgedFrame != context.frame
      else { continue }
      sets[entry].judgedFrame = context.frame
      judgeLeftOut(context, entry)
      judgeChange(message, index, record, context, entry, into: &findings)
      judgeConflict(message, index, record, context, entry, into: &findings)
    }
  }

  /// Enters one record into the set of its host.
  private mutating func enter(
    _ message: Span<UInt8>, _ index: DNSMessageIndex, _ record: HistoryRecord,
    _ context: HistoryContext, into findings: inout [Finding]
  ) {
    let key = setKey(record.set, context.host)
    let entry = sets.find(key) ?? sets.insert(key, SetHistory())
    if record.ttl == 0 {
      if let member = sets[entry].position(of: record.data) { sets[entry].remove(at: member) }
      if sets[entry].missing == record.data { sets[entry].missingFrame = 0 }
      return
    }
    if sets[entry].lastFrame != context.frame {
      sets[entry].previousFrame = sets[entry].lastFrame
      sets[entry].lastFrame = context.frame
      sets[entry].hasFlush = false
      sets[entry].hasNew = false
    }
    if record.cacheFlush { sets[entry].hasFlush = true }
    sets[entry].families |= context.family
    let member = SetHistory.Member(
      data: record.data, expiry: record.expiry(now), sent: now, frame: context.frame)
    guard let place = sets[entry].position(of: record.data) else {
      sets[entry].hasNew = true
      guard sets[entry].count < SetHistory.capacity else {
        sets[entry].overflows = true
        return
      }
      let end = sets[entry].count
      sets[entry].members[end] = member
      sets[entry].count &+= 1
      return
    }
    if sets[entry].members[place].expiry <= now { sets[entry].hasNew = true }
    if sets[entry].missingFrame > 0, sets[entry].missing == record.data {
      judgePartial(message, index, record, context, entry, place, into: &findings)
    }
    sets[entry].members[place] = member
  }

  /// Notes a member that a set with the cache-flush bit left out.
  ///
  /// A set with new data replaces the old one, which is an update (section 8.4); what was sent
  /// within the last second is not flushed from caches (section 10.2).
  private mutating func judgeLeftOut(_ context: HistoryContext, _ entry: Int) {
    guard sets[entry].hasFlush, !sets[entry].overflows else { return }
    var place = 0
    while place < sets[entry].count {
      let member = sets[entry].members[place]
      if member.frame == context.frame || now &- member.sent <= oneSecond {
        place &+= 1
      } else if sets[entry].hasNew || member.expiry <= now {
        sets[entry].remove(at: place)
      } else {
        sets[entry].missing = member.data
        sets[entry].missingSince = now
        sets[entry].missingFrame = context.frame
        place &+= 1
      }
    }
  }

  /// partial-rrset: the member that was left out comes back, so that it had not been withdrawn.
  private mutating func judgePartial(
    _ message: Span<UInt8>, _ index: DNSMessageIndex, _ record: HistoryRecord,
    _ context: HistoryContext, _ entry: Int, _ place: Int, into findings: inout [Finding]
  ) {
    let member = sets[entry].members[place]
    let partial = sets[entry].missingFrame
    let since = sets[entry].missingSince
    sets[entry].missingFrame = 0
    guard now &- since > 100 * oneMillisecond, member.expiry > now,
      !wasProbed(record.name, within: now &- since)
    else { return }
    let name = Int(index.records[Int(record.position)].name)
    findings.append(
      Finding(
        LintRules.partialSet,
        text: "\(context.shown) sent \(DNSNameText.string(message, at: name)) \(record.type) with "
          + "the cache-flush bit and without all of its records: one was left out that it sent "
          + "before and again \(seconds(now &- since)) later",
        frames: [member.frame, partial, context.frame], source: context.shown))
  }

  /// update-rate (RFC 6762 section 8.4).
  private mutating func judgeChange(
    _ message: Span<UInt8>, _ index: DNSMessageIndex, _ record: HistoryRecord,
    _ context: HistoryContext, _ entry: Int, into findings: inout [Finding]
  ) {
    guard sets[entry].onlyData != record.data else { return }
    let isFirst = sets[entry].onlyData == 0
    sets[entry].onlyData = record.data
    guard !isFirst, sets[entry].hasNew else { return }
    if now &- sets[entry].changesSince > 60 * oneSecond {
      sets[entry].changes = 0
      sets[entry].changesSince = now
    }
    sets[entry].changes &+= 1
    guard sets[entry].changes > 10 else { return }
    let name = Int(index.records[Int(record.position)].name)
    findings.append(
      Finding(
        LintRules.updateRate,
        text: "\(context.shown) changed \(DNSNameText.string(message, at: name)) \(record.type) "
          + "\(sets[entry].changes) times within "
          + seconds(now &- sets[entry].changesSince),
        frames: [sets[entry].previousFrame, context.frame], source: context.shown))
  }
}
