import LanWire

/// All that the responder has on one link.
struct MDNSZone: Sendable {
  var state: MDNSLinkState
  var owners = MDNSPool<MDNSOwner>()
  var sets = MDNSPool<MDNSOwnSet>()
  var claims = MDNSPool<MDNSClaim>()
  /// The claims of services and hosts, by number.
  var services: [UInt32: Int32] = [:]
  var hosts: [Int32: Int32] = [:]
  /// When each claim sends its next probe or is verified.
  var claimQueue = DeadlineQueue()
  /// When each set is announced next.
  var announceQueue = DeadlineQueue()
  /// Sets that are to be multicast, and when the first of them is due.
  var planned: [Int32] = []
  var answerDue: Int64 = .max
  /// When the shared answers that were planned last are due.
  var batch: Int64 = .min
  /// When the claims that began last send their first probe.
  var probeStart: Int64 = .min
  private var table: [UInt32: Int32] = [:]
  private var shared: [UInt32: Int32] = [:]
  private var nextSerial: UInt32 = 0

  init(_ link: MDNSLink) { state = MDNSLinkState(link) }

  var index: UInt32 { state.link.index }

  // MARK: Names

  /// A name's hash, the same on all links.
  static func hash(_ message: Span<UInt8>, at offset: Int) -> UInt32 {
    MDNSHash.name(message, at: offset, interface: 0)
  }

  /// The owner of the name at `offset` of a message; -1 for a name that we have nothing of.
  func owner(_ message: Span<UInt8>, at offset: Int, hash: UInt32) -> Int32 {
    var id = table[hash] ?? -1
    while id >= 0, !owners[id].name.equals(message, at: offset) { id = owners[id].next }
    return id
  }

  /// The owner of a name; -1 for one that we have nothing of.
  func owner(_ name: DNSName) -> Int32 {
    let wire = name.wire.span
    return owner(wire, at: 0, hash: Self.hash(wire, at: 0))
  }

  /// The owner of a name, made where there is none.
  mutating func makeOwner(_ name: DNSName) -> Int32 {
    let found = owner(name)
    if found >= 0 { return found }
    let hash = Self.hash(name.wire.span, at: 0)
    let id = owners.insert(MDNSOwner(name: name, hash: hash, next: table[hash] ?? -1))
    table[hash] = id
    return id
  }

  /// Forgets a name that has no sets and no claim any more.
  mutating func dropOwner(_ id: Int32) {
    guard owners[id].sets.isEmpty, owners[id].claim < 0 else { return }
    let (hash, next) = (owners[id].hash, owners[id].next)
    if table[hash] == id {
      table[hash] = next >= 0 ? next : nil
    } else {
      var previous = table[hash] ?? -1
      while previous >= 0, owners[previous].next != id { previous = owners[previous].next }
      if previous >= 0 { owners[previous].next = next }
    }
    owners.remove(id, leaving: .blank)
  }

  // MARK: Sets

  /// The first set of a name and type; -1 for none.
  func set(_ owner: Int32, _ type: DNSRecordType) -> Int32 {
    guard owner >= 0 else { return -1 }
    for id in owners[owner].sets where sets[id].type == type { return id }
    return -1
  }

  /// Makes a set of records that only this host has.
  mutating func makeSet(
    _ owner: Int32, _ type: DNSRecordType, ttl: UInt32, _ data: [DNSRecordData]
  ) -> Int32 {
    var set = MDNSOwnSet(owner: owner, type: type, ttl: ttl, isUnique: true)
    set.holders = 1
    let id = insert(set)
    replace(id, data)
    return id
  }

  /// One more claim has the shared record of this name and data.
  mutating func holdShared(_ name: DNSName, ttl: UInt32, _ data: DNSRecordData) -> Int32 {
    let owner = makeOwner(name)
    let bytes = (try? data.uncompressedBytes()) ?? []
    let cursor = MDNSDataCursor(data.type, 0..<bytes.count)
    let hash = MDNSHash.data(bytes.span, cursor, set: owner)
    var id = shared[hash] ?? -1
    while id >= 0, !isShared(id, owner, data.type, cursor, bytes.span) { id = sets[id].next }
    if id < 0 {
      var set = MDNSOwnSet(owner: owner, type: data.type, ttl: ttl, isUnique: false)
      (set.data, set.bytes, set.next) = ([data], [bytes], shared[hash] ?? -1)
      id = insert(set)
      shared[hash] = id
    }
    sets[id].holders += 1
    return id
  }

  private func isShared(
    _ id: Int32, _ owner: Int32, _ type: DNSRecordType, _ cursor: MDNSDataCursor,
    _ message: Span<UInt8>
  ) -> Bool {
    sets[id].owner == owner && sets[id].type == type
      && cursor.equals(sets[id].bytes.first ?? [], message)
  }

  private mutating func insert(_ set: MDNSOwnSet) -> Int32 {
    nextSerial &+= 1
    let id = sets.insert(set)
    sets[id].serial = nextSerial
    owners[set.owner].sets.append(id)
    return id
  }

  /// Gives a set other records.
  mutating func replace(_ id: Int32, _ data: [DNSRecordData]) {
    sets[id].data = data
    sets[id].bytes = data.map { (try? $0.uncompressedBytes()) ?? [] }
    sets[id].known = (0, 0)
    sets[id].multicast = .min
    sets[id].given = .min
  }

  /// Forgets a set.
  mutating func dropSet(_ id: Int32) {
    let owner = sets[id].owner
    if !sets[id].isUnique { unlinkShared(id) }
    if sets[id].isPlanned {
      planned.removeAll { $0 == id }
      answerDue = planned.reduce(.max) { min($0, sets[$1].due) }
    }
    announceQueue.remove(id)
    owners[owner].sets.removeAll { $0 == id }
    sets.remove(id, leaving: .blank)
    dropOwner(owner)
  }

  private mutating func unlinkShared(_ id: Int32) {
    let bytes = sets[id].bytes.first ?? []
    let cursor = MDNSDataCursor(sets[id].type, 0..<bytes.count)
    let hash = MDNSHash.data(bytes.span, cursor, set: sets[id].owner)
    let next = sets[id].next
    if shared[hash] == id {
      shared[hash] = next >= 0 ? next : nil
      return
    }
    var previous = shared[hash] ?? -1
    while previous >= 0, sets[previous].next != id { previous = sets[previous].next }
    if previous >= 0 { sets[previous].next = next }
  }

  /// The set that has a record of a message, and which of its records that is.
  func find(
    _ owner: Int32, _ view: DNSRecordView, _ message: Span<UInt8>
  ) -> (set: Int32, member: Int)? {
    let cursor = MDNSDataCursor(view.type, view.rdataRange)
    if let first = owners[owner].sets.first, !sets[first].isUnique {
      var id = shared[MDNSHash.data(message, cursor, set: owner)] ?? -1
      while id >= 0, !isShared(id, owner, view.type, cursor, message) { id = sets[id].next }
      return id < 0 ? nil : (id, 0)
    }
    for id in owners[owner].sets where sets[id].type == view.type {
      for member in sets[id].bytes.indices where cursor.equals(sets[id].bytes[member], message) {
        return (id, member)
      }
    }
    return nil
  }

  /// A set as it is remembered for later.
  func reference(_ id: Int32) -> MDNSSetReference {
    MDNSSetReference(id: id, serial: sets[id].serial)
  }

  /// True if a reference means what is there now.
  func holds(_ reference: MDNSSetReference) -> Bool {
    reference.id < sets.bound && sets[reference.id].serial == reference.serial
  }
}
