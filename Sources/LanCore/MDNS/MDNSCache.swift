import LanWire

/// Names, sets and records by link: where things are, not how long they live.
///
/// Everything is found by a keyed hash and compared where it stands in the message, so that a
/// record that is known costs no memory; a set may have any number of records.
struct MDNSCache: Sendable {
  private(set) var names = MDNSPool<MDNSCacheName>()
  private(set) var sets = MDNSPool<MDNSRecordSet>()
  private(set) var records = MDNSPool<MDNSCacheRecord>()
  private var nameBuckets = [Int32](repeating: -1, count: 64)
  private var recordBuckets = [Int32](repeating: -1, count: 64)
  /// Octets that names, sets and records take, about.
  private(set) var bytes = 0

  /// Types that a name may have on a link unless they are asked for: what keeps the walk over a
  /// name's sets short.
  static let typeLimit: Int32 = 64

  // MARK: Names

  func name(_ message: Span<UInt8>, at offset: Int, interface: UInt32, hash: UInt32) -> Int32 {
    var id = nameBuckets[Int(hash) & (nameBuckets.count - 1)]
    while id >= 0 {
      if names[id].hash == hash, names[id].interfaceIndex == interface,
        names[id].name.equals(message, at: offset)
      {
        return id
      }
      id = names[id].chain
    }
    return -1
  }

  func name(_ name: DNSName, interface: UInt32) -> Int32 {
    let hash = MDNSHash.name(name.wire.span, at: 0, interface: interface)
    return self.name(name.wire.span, at: 0, interface: interface, hash: hash)
  }

  mutating func insertName(_ name: DNSName, interface: UInt32) -> Int32 {
    let hash = MDNSHash.name(name.wire.span, at: 0, interface: interface)
    let id = names.insert(MDNSCacheName(name: name, interfaceIndex: interface, hash: hash))
    bytes += Self.cost(of: name)
    if names.count > nameBuckets.count {
      nameBuckets = [Int32](repeating: -1, count: nameBuckets.count * 2)
      for other in 0..<names.bound where names[other].isUsed && other != id {
        linkName(other)
      }
    }
    linkName(id)
    return id
  }

  private mutating func linkName(_ id: Int32) {
    let bucket = Int(names[id].hash) & (nameBuckets.count - 1)
    names[id].chain = nameBuckets[bucket]
    nameBuckets[bucket] = id
  }

  private mutating func removeName(_ id: Int32) {
    let bucket = Int(names[id].hash) & (nameBuckets.count - 1)
    var link = nameBuckets[bucket]
    if link == id {
      nameBuckets[bucket] = names[id].chain
    } else {
      while names[link].chain != id { link = names[link].chain }
      names[link].chain = names[id].chain
    }
    bytes -= Self.cost(of: names[id].name)
    names.remove(id, leaving: .blank)
  }

  // MARK: Sets

  func set(_ name: Int32, _ type: DNSRecordType) -> Int32 {
    guard name >= 0 else { return -1 }
    var id = names[name].firstSet
    while id >= 0, sets[id].type != type { id = sets[id].sibling }
    return id
  }

  mutating func insertSet(_ name: Int32, _ type: DNSRecordType) -> Int32 {
    let id = sets.insert(MDNSRecordSet(name: name, type: type))
    sets[id].sibling = names[name].firstSet
    names[name].firstSet = id
    names[name].setCount += 1
    if type == .any { names[name].anySet = id }
    bytes += Self.setCost
    return id
  }

  /// Lets go of a set that is empty and of no interest, and of its name with the last one.
  mutating func removeSetIfUnused(_ id: Int32) {
    guard sets[id].count == 0, sets[id].series < 0 else { return }
    let name = sets[id].name
    var link = names[name].firstSet
    if link == id {
      names[name].firstSet = sets[id].sibling
    } else {
      while sets[link].sibling != id { link = sets[link].sibling }
      sets[link].sibling = sets[id].sibling
    }
    names[name].setCount -= 1
    if names[name].anySet == id { names[name].anySet = -1 }
    sets.remove(id, leaving: .blank)
    bytes -= Self.setCost
    if names[name].firstSet < 0 { removeName(name) }
  }

  /// Ends the interest in all types of a name.
  mutating func endAny(_ name: Int32) { names[name].anySet = -1 }

  mutating func setSeries(_ series: Int32, of set: Int32) { sets[set].series = series }

  mutating func setAsked(_ isAsked: Bool, _ set: Int32) { sets[set].isAsked = isAsked }

  /// Marks a set for a message; false if it was marked already.
  mutating func mark(_ set: Int32, _ mark: UInt32) -> Bool {
    defer { sets[set].mark = mark }
    return sets[set].mark != mark
  }

  /// The interface of a set.
  func interface(of set: Int32) -> UInt32 { names[sets[set].name].interfaceIndex }

  // MARK: Records

  func record(
    _ set: Int32, _ message: Span<UInt8>, _ data: MDNSDataCursor
  ) -> (id: Int32, hash: UInt32) {
    let hash = MDNSHash.data(message, data, set: set)
    var id = recordBuckets[Int(hash) & (recordBuckets.count - 1)]
    while id >= 0 {
      if records[id].hash == hash, records[id].set == set,
        data.equals(records[id].bytes, message)
      {
        return (id, hash)
      }
      id = records[id].chain
    }
    return (-1, hash)
  }

  mutating func insert(_ record: MDNSCacheRecord) -> Int32 {
    let id = records.insert(record)
    bytes += Self.cost(of: record)
    if records.count > recordBuckets.count {
      recordBuckets = [Int32](repeating: -1, count: recordBuckets.count * 2)
      for other in 0..<records.bound where records[other].set >= 0 && other != id {
        linkRecord(other)
      }
    }
    linkRecord(id)
    append(id)
    sets[record.set].count += 1
    return id
  }

  private mutating func linkRecord(_ id: Int32) {
    let bucket = Int(records[id].hash) & (recordBuckets.count - 1)
    records[id].chain = recordBuckets[bucket]
    recordBuckets[bucket] = id
  }

  /// Takes a record out; its set stays.
  mutating func removeRecord(_ id: Int32) {
    let bucket = Int(records[id].hash) & (recordBuckets.count - 1)
    var link = recordBuckets[bucket]
    if link == id {
      recordBuckets[bucket] = records[id].chain
    } else {
      while records[link].chain != id { link = records[link].chain }
      records[link].chain = records[id].chain
    }
    unlink(id)
    sets[records[id].set].count -= 1
    bytes -= Self.cost(of: records[id])
    records.remove(id, leaving: .blank)
  }

  /// Changes a record; not its place.
  mutating func update(_ id: Int32, _ body: (inout MDNSCacheRecord) -> Void) {
    body(&records[id])
  }

  /// Makes a record the newest of its set.
  mutating func renew(_ id: Int32) {
    if sets[records[id].set].newest == id { return }
    unlink(id)
    append(id)
  }

  private mutating func append(_ id: Int32) {
    let set = records[id].set
    records[id].older = sets[set].newest
    records[id].newer = -1
    if sets[set].newest >= 0 { records[sets[set].newest].newer = id }
    sets[set].newest = id
    if sets[set].oldest < 0 { sets[set].oldest = id }
  }

  private mutating func unlink(_ id: Int32) {
    let (older, newer, set) = (records[id].older, records[id].newer, records[id].set)
    if older >= 0 { records[older].newer = newer } else { sets[set].oldest = newer }
    if newer >= 0 { records[newer].older = older } else { sets[set].newest = older }
  }

  // MARK: Cost

  private static let setCost = 48

  /// Octets that a name takes, about: its bytes, its array's head, its place.
  static func cost(of name: DNSName) -> Int { name.wire.count + 88 }

  /// Octets that a record takes, about.
  static func cost(of record: MDNSCacheRecord) -> Int { record.bytes.count + 152 }
}
