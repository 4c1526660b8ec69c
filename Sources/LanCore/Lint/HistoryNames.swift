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
    label.length == 4 && message[label.offset] == 0x5F
      && (equals(message, label, "_tcp") || equals(message, label, "_udp"))
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

  /// The name for people: labels with dots between, everything unprintable as `\DDD`.
  static func text(_ message: Span<UInt8>, at offset: Int) -> String {
    var labels = DNSLabelIterator(at: offset)
    var plain: [UInt8] = []
    plain.reserveCapacity(64)
    while let label = labels.next(message) {
      if !plain.isEmpty { plain.append(0x2E) }
      for index in label.range {
        let byte = message[index]
        if byte < 0x20 || byte >= 0x7F || byte == 0x2E || byte == 0x5C {
          return escapedText(message, at: offset)
        }
        plain.append(byte)
      }
    }
    return plain.isEmpty ? "." : String(decoding: plain, as: UTF8.self)
  }

  private static func escapedText(_ message: Span<UInt8>, at offset: Int) -> String {
    var labels = DNSLabelIterator(at: offset)
    var text = ""
    while let label = labels.next(message) {
      if !text.isEmpty { text += "." }
      append(message, label, to: &text)
    }
    return text
  }

  private static func append(_ message: Span<UInt8>, _ label: DNSLabelView, to text: inout String) {
    var bytes: [UInt8] = []
    for index in label.range { bytes.append(message[index]) }
    if let valid = String(validating: bytes, as: UTF8.self) {
      for scalar in valid.unicodeScalars {
        switch scalar.value {
        case 0x2E, 0x5C: text += "\\\(scalar)"
        case 0..<0x20, 0x7F: text += escaped(UInt8(truncatingIfNeeded: scalar.value))
        case 0x80..<0xA0, 0x200E...0x200F, 0x202A...0x202E, 0x2066...0x2069:
          for unit in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter {
            text += escaped(unit)
          }
        default: text.unicodeScalars.append(scalar)
        }
      }
    } else {
      for byte in bytes {
        if byte == 0x2E || byte == 0x5C { text += "\\" }
        if byte >= 0x20, byte < 0x7F {
          text.unicodeScalars.append(Unicode.Scalar(byte))
        } else {
          text += escaped(byte)
        }
      }
    }
  }

  private static func escaped(_ byte: UInt8) -> String {
    "\\\(byte / 100)\(byte / 10 % 10)\(byte % 10)"
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
    return HistoryNames.text(copy.span, at: 0)
  }
}
