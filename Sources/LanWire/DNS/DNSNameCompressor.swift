/// Remembers where the names of a message stand, so that later ones can point at them
/// (RFC 1035 section 4.1.4).
///
/// A table from the hash of a name to its offset; names are compared in the written bytes, so
/// nothing is copied. Entries can be taken back in the reverse order of their making.
struct DNSNameCompressor: Sendable {
  private struct Entry {
    var hash: UInt32
    var offset: UInt16
  }

  private var entries: [Entry] = []
  // Index into `entries` plus one; 0 is free. A power of two of slots, probed linearly.
  private var slots = [UInt16](repeating: 0, count: 64)

  /// Offsets at and beyond this one don't fit into a pointer.
  static let offsetLimit = 0x4000

  /// How many names are known.
  var count: Int { entries.count }

  /// Forgets all names and keeps the memory.
  mutating func removeAll() { removeLast(to: 0) }

  /// Forgets the names that came after the first `count`.
  mutating func removeLast(to count: Int) {
    while entries.count > count, let entry = entries.last {
      var slot = Int(entry.hash) & (slots.count - 1)
      while Int(slots[slot]) != entries.count { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = 0
      entries.removeLast()
    }
  }

  /// Where in `output` the name at `start` of `name` stands already.
  func find(
    hash: UInt32, _ name: Span<UInt8>, at start: Int, in output: Span<UInt8>
  ) -> UInt16? {
    var slot = Int(hash) & (slots.count - 1)
    while slots[slot] != 0 {
      let entry = entries[Int(slots[slot]) - 1]
      if entry.hash == hash,
        DNSNameView.equal(output, at: Int(entry.offset), name, at: start)
      {
        return entry.offset
      }
      slot = (slot + 1) & (slots.count - 1)
    }
    return nil
  }

  /// Remembers a name at `offset`, which is below `offsetLimit`.
  mutating func insert(hash: UInt32, offset: Int) {
    if (entries.count + 1) * 2 > slots.count {
      slots = [UInt16](repeating: 0, count: slots.count * 2)
      for index in entries.indices { link(index) }
    }
    entries.append(Entry(hash: hash, offset: UInt16(truncatingIfNeeded: offset)))
    link(entries.count - 1)
  }

  private mutating func link(_ index: Int) {
    var slot = Int(entries[index].hash) & (slots.count - 1)
    while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
    slots[slot] = UInt16(truncatingIfNeeded: index + 1)
  }
}

/// The labels of one name and the hash of each of its suffixes.
struct DNSSuffixes {
  /// Offsets of the length octets.
  private(set) var starts = InlineArray<128, UInt8>(repeating: 0)
  /// Hash of the name that begins at each label, ASCII case ignored.
  private(set) var hashes = InlineArray<128, UInt32>(repeating: 0)
  /// How many labels.
  private(set) var count = 0

  /// The suffixes of a name given in wire form.
  init(_ wire: [UInt8]) {
    var position = 0
    while wire[position] != 0 {
      starts[count] = UInt8(truncatingIfNeeded: position)
      count += 1
      position += Int(wire[position]) + 1
    }
    var hash: UInt32 = 0x811C_9DC5
    var end = position
    for index in (0..<count).reversed() {
      let start = Int(starts[index])
      for byte in wire[start..<end] {
        hash = (hash ^ UInt32(DNSNameView.folded(byte))) &* 0x0100_0193
      }
      hashes[index] = hash
      end = start
    }
  }
}
