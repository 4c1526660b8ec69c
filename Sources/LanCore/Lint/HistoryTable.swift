import LanWire

/// A bounded hash table from 64-bit keys, which are hashes themselves; the oldest entry makes room.
///
/// Open addressing over plain arrays: a look-up costs one multiplication and, as a rule, one probe.
struct HistoryTable<Value: Sendable>: Sendable {
  /// Entries that it holds at most.
  let limit: Int
  /// True once an entry was dropped to make room.
  private(set) var hasDropped = false
  private var values: [Value] = []
  private var keys: [UInt64] = []
  private var slots: [Int32] = []
  private var shift: UInt64 = 64
  private var oldest = 0

  init(limit: Int) { self.limit = limit }

  var count: Int { values.count }

  subscript(index: Int) -> Value {
    get { values[index] }
    _modify { yield &values[index] }
  }

  private func slot(_ key: UInt64) -> Int {
    Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) &>> shift)
  }

  /// The index of the entry of `key`; good until the next `insert`.
  func find(_ key: UInt64) -> Int? {
    if slots.isEmpty { return nil }
    var position = slot(key)
    while true {
      let index = Int(slots[position])
      if index < 0 { return nil }
      if keys[index] == key { return index }
      position = (position &+ 1) & (slots.count &- 1)
    }
  }

  /// Adds an entry for a key that has none, and gives its index.
  mutating func insert(_ key: UInt64, _ value: Value) -> Int {
    if values.count == limit {
      hasDropped = true
      let index = oldest
      oldest = (oldest &+ 1) % limit
      removeSlot(of: keys[index])
      keys[index] = key
      values[index] = value
      place(index)
      return index
    }
    if (values.count &+ 1) &* 2 > slots.count { grow() }
    keys.append(key)
    values.append(value)
    place(values.count &- 1)
    return values.count &- 1
  }

  private mutating func place(_ index: Int) {
    var position = slot(keys[index])
    while slots[position] >= 0 { position = (position &+ 1) & (slots.count &- 1) }
    slots[position] = Int32(truncatingIfNeeded: index)
  }

  private mutating func grow() {
    let size = max(16, slots.count &* 2)
    shift = UInt64(64 &- size.trailingZeroBitCount)
    slots = [Int32](repeating: -1, count: size)
    for index in keys.indices { place(index) }
  }

  /// Empties the slot of `key` and closes the gap behind it.
  private mutating func removeSlot(of key: UInt64) {
    let mask = slots.count &- 1
    var hole = slot(key)
    while slots[hole] >= 0, keys[Int(slots[hole])] != key { hole = (hole &+ 1) & mask }
    var next = (hole &+ 1) & mask
    while slots[next] >= 0 {
      let home = slot(keys[Int(slots[next])])
      if (next &- home) & mask >= (next &- hole) & mask {
        slots[hole] = slots[next]
        hole = next
      }
      next = (next &+ 1) & mask
    }
    slots[hole] = -1
  }
}

/// Entries that come due in the order in which they were added: one queue for one waiting time.
struct HistoryQueue<Entry: Sendable>: Sendable {
  /// Entries that wait at most; the oldest makes room.
  let limit: Int
  private(set) var hasDropped = false
  private var entries: [(deadline: Int64, entry: Entry)] = []
  private var head = 0

  init(limit: Int) { self.limit = limit }

  mutating func append(_ entry: Entry, due deadline: Int64) {
    if entries.count &- head >= limit {
      hasDropped = true
      head &+= 1
    }
    if head > 64, head &* 2 > entries.count {
      entries.removeFirst(head)
      head = 0
    }
    entries.append((deadline, entry))
  }

  /// The next entry whose deadline is not after `now`.
  mutating func next(at now: Int64) -> Entry? {
    guard head < entries.count, entries[head].deadline <= now else { return nil }
    head &+= 1
    return entries[head &- 1].entry
  }
}

/// Mixing hashes into keys.
enum HistoryHash {
  static func mix(_ first: UInt64, _ second: UInt64) -> UInt64 {
    var hash = (first ^ (second &* 0x9E37_79B9_7F4A_7C15)) &* 0xFF51_AFD7_ED55_8CCD
    hash ^= hash &>> 32
    return hash
  }

  /// A hash of the bytes in `range`, which must be in bounds.
  static func bytes(_ message: Span<UInt8>, _ range: Range<Int>) -> UInt64 {
    var hash = UInt64(truncatingIfNeeded: range.count) &* 0x9E37_79B9_7F4A_7C15
    var offset = range.lowerBound
    while range.upperBound &- offset >= 8 {
      hash = (hash ^ message.uint64(at: offset)) &* 0xFF51_AFD7_ED55_8CCD
      hash ^= hash &>> 29
      offset &+= 8
    }
    while offset < range.upperBound {
      hash = (hash ^ UInt64(message[offset])) &* 0x0000_0100_0000_01B3
      offset &+= 1
    }
    return hash ^ (hash &>> 32)
  }
}
