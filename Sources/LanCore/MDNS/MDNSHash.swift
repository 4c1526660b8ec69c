import LanWire

/// Hashes bytes, names and record data where they stand, under the process's secret key: its
/// tables can be filled by strangers.
struct MDNSHash {
  private var hasher = Hasher()
  private var word: UInt64 = 0
  private var count = 0

  private mutating func add(_ byte: UInt8) {
    word = word << 8 | UInt64(byte)
    count &+= 1
    if count & 7 == 0 { hasher.combine(word) }
  }

  private func finish() -> Int {
    var last = hasher
    last.combine(word)
    last.combine(count)
    return last.finalize()
  }

  /// The name at `offset` on a link; equal names (ASCII case ignored) have equal hashes.
  static func name(_ message: Span<UInt8>, at offset: Int, interface: UInt32) -> UInt32 {
    var hash = MDNSHash()
    hash.hasher.combine(interface)
    var labels = DNSLabelIterator(at: offset)
    while let label = labels.next(message) {
      hash.add(UInt8(truncatingIfNeeded: label.length))
      for index in label.range { hash.add(DNSNameView.folded(message[index])) }
    }
    return UInt32(truncatingIfNeeded: hash.finish())
  }

  /// Record data as one of a set; ASCII case is ignored in names.
  static func data(_ message: Span<UInt8>, _ data: MDNSDataCursor, set: Int32) -> UInt32 {
    var hash = MDNSHash()
    hash.hasher.combine(set)
    var cursor = data
    while let next = cursor.next(message) {
      hash.add(next.isName ? DNSNameView.folded(next.byte) : next.byte)
    }
    return UInt32(truncatingIfNeeded: hash.finish())
  }

  /// A whole datagram.
  static func datagram(_ message: Span<UInt8>) -> Int {
    var hash = MDNSHash()
    for index in message.indices { hash.add(message[index]) }
    return hash.finish()
  }
}
