import LanWire

/// Who may own a record (RFC 6762 section 2).
enum HistorySharing { case shared, unique, other }

/// Names as history looks at them: their class, their stem, their text.
enum HistoryNames {
  /// Whether a record of this type and owner is shared or unique, by its type and owner.
  static func sharing(_ message: Span<UInt8>, _ record: DNSRecordView) -> HistorySharing {
    switch record.type.rawValue {
    case 1, 28, 33, 16, 47, 13: return .unique
    case 12:
      var labels = DNSLabelIterator(at: Int(record.name))
      var last: DNSLabelView?
      while let label = labels.next(message) {
        if isTransport(message, label) { return .shared }
        last = label
      }
      if let last, equals(message, last, "arpa") { return .unique }
      return .other
    default: return .other
    }
  }

  private static func isTransport(_ message: Span<UInt8>, _ label: DNSLabelView) -> Bool {
    guard label.length == 4 else { return false }
    let text = message.uint32(at: label.offset) | 0x0020_2020
    return text == 0x5F74_6370 || text == 0x5F75_6470
  }

  /// True when the name asks for or lists service types (`_services._dns-sd._udp`).
  static func isTypeEnumeration(_ message: Span<UInt8>, at offset: Int) -> Bool {
    var labels = DNSLabelIterator(at: offset)
    guard labels.next(message) != nil, let second = labels.next(message) else { return false }
    return equals(message, second, "_dns-sd")
  }

  /// True when the label is `text`, ASCII case ignored.
  static func equals(
    _ message: Span<UInt8>, _ label: DNSLabelView, _ text: StaticString
  ) -> Bool {
    guard label.length == text.utf8CodeUnitCount else { return false }
    var offset = label.offset
    for scalar in "\(text)".utf8 {
      if DNSNameView.folded(message[offset]) != scalar { return false }
      offset &+= 1
    }
    return true
  }

  /// The first label of the name at `offset`, or nil for the root.
  static func firstLabel(_ message: Span<UInt8>, at offset: Int) -> DNSLabelView? {
    var labels = DNSLabelIterator(at: offset)
    return labels.next(message)
  }

  /// A hash of the name without the number that its first label ends in, and that number.
  ///
  /// Nil for a name without such a number. Knows `name-2`, `name (2)`, `name 2` and `name2`.
  static func stem(_ message: Span<UInt8>, at offset: Int) -> (hash: UInt64, number: UInt64)? {
    var labels = DNSLabelIterator(at: offset)
    guard let first = labels.next(message) else { return nil }
    var end = first.length
    if end > 0, message[first.offset &+ end &- 1] == 0x29 { end &-= 1 }
    var number: UInt64 = 0
    var scale: UInt64 = 1
    let digitsEnd = end
    while end > 0, case let digit = message[first.offset &+ end &- 1], digit &- 48 < 10 {
      if digitsEnd &- end < 15 { number &+= UInt64(digit &- 48) &* scale }
      scale = scale &* 10
      end &-= 1
    }
    guard end < digitsEnd else { return nil }
    while end > 0, [0x28, 0x2D, 0x20].contains(message[first.offset &+ end &- 1]) { end &-= 1 }
    var hash = HistoryHash.bytes(message, first.offset..<(first.offset &+ end))
    while let label = labels.next(message) {
      hash = HistoryHash.mix(hash, HistoryHash.bytes(message, label.range))
    }
    return (hash, number)
  }

  /// A hash of the record data with its names in full.
  static func dataHash(_ message: Span<UInt8>, _ record: DNSRecordView) -> UInt64 {
    switch record.data(message) {
    case .a(let address): UInt64(address.bits) &* 0x9E37_79B9_7F4A_7C15
    case .aaaa(let address): HistoryHash.mix(address.high, address.low)
    case .name(let offset): DNSNameView.hash(message, at: offset)
    case .srv(_, _, _, let target):
      HistoryHash.mix(
        HistoryHash.bytes(message, (target &- 6)..<target), DNSNameView.hash(message, at: target))
    case .nsec(let next, let bitmaps):
      HistoryHash.mix(
        HistoryHash.bytes(message, bitmaps), DNSNameView.hash(message, at: next))
    case .mx(let preference, let exchange):
      HistoryHash.mix(UInt64(preference), DNSNameView.hash(message, at: exchange))
    default: HistoryHash.bytes(message, record.rdataRange)
    }
  }
}

/// The last names that a finding may still need, in full, in a ring of fixed size.
struct HistoryNameRing {
  /// Where a name is; it can be read until the ring has gone round.
  struct Reference {
    var position: Int
    var length: Int
  }

  private static let capacity = 65_536
  private var bytes: [UInt8] = []
  private var head = 0

  /// Keeps the name at `offset`, without pointers.
  mutating func store(_ message: Span<UInt8>, at offset: Int) -> Reference {
    let start = head
    var labels = DNSLabelIterator(at: offset)
    while let label = labels.next(message) {
      append(UInt8(truncatingIfNeeded: label.length))
      for index in label.range { append(message[index]) }
    }
    append(0)
    return Reference(position: start, length: head &- start)
  }

  private mutating func append(_ byte: UInt8) {
    if bytes.count < Self.capacity {
      bytes.append(byte)
    } else {
      bytes[head & (Self.capacity &- 1)] = byte
    }
    head &+= 1
  }

  /// The text of a name that was kept.
  func text(_ reference: Reference) -> String {
    guard head &- reference.position <= Self.capacity else { return "a name no longer kept" }
    var copy: [UInt8] = []
    for position in reference.position..<(reference.position &+ reference.length) {
      copy.append(bytes[position & (Self.capacity &- 1)])
    }
    return DNSNameText.string(copy.span, at: 0)
  }
}
