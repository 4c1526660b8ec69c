/// A domain name that owns its bytes (RFC 1035 section 3.1).
///
/// Labels are bytes and keep their case; comparing and hashing ignore the case of ASCII letters
/// and nothing else (RFC 6762 section 16), so NFC and NFD spellings of a word are two names.
public struct DNSName: Sendable {
  /// The name on the wire without compression: length octets, labels, the root's zero.
  public let wire: [UInt8]

  private init(checked wire: [UInt8]) { self.wire = wire }

  /// The root.
  public static let root = DNSName(checked: [0])

  /// A name of these labels, the leftmost first.
  ///
  /// - Throws: `WireError` with the octet of the name where it goes wrong: `.badLength` for an
  ///   empty label or one of more than 63 octets, `.nameTooLong` beyond 255.
  public init(labels: some Sequence<[UInt8]>) throws(WireError) {
    var wire: [UInt8] = []
    for label in labels {
      guard (1...DNSLimits.labelOctets).contains(label.count) else {
        throw WireError(.badLength, at: wire.count)
      }
      wire.append(UInt8(truncatingIfNeeded: label.count))
      wire.append(contentsOf: label)
      guard wire.count < DNSLimits.nameOctets else {
        throw WireError(.nameTooLong, at: wire.count - label.count - 1)
      }
    }
    wire.append(0)
    self.wire = wire
  }

  /// The name at `offset` of a message, its compression pointers followed.
  ///
  /// - Throws: what `DNSNameScan` throws.
  public init(_ message: Span<UInt8>, at offset: Int) throws(WireError) {
    guard offset >= 0 else { throw WireError(.nameUnterminated, at: 0) }
    let scan = try DNSNameScan(message, at: offset)
    var wire: [UInt8] = []
    wire.reserveCapacity(scan.octets)
    var labels = DNSLabelIterator(at: offset)
    while let label = labels.next(message) {
      wire.append(UInt8(truncatingIfNeeded: label.length))
      for index in label.range { wire.append(message[index]) }
    }
    wire.append(0)
    self.wire = wire
  }

  /// True for the root.
  public var isRoot: Bool { wire.count == 1 }

  /// The labels, the leftmost first; none for the root.
  public var labels: [[UInt8]] {
    var result: [[UInt8]] = []
    var iterator = DNSLabelIterator(at: 0)
    while let label = iterator.next(wire.span) { result.append(Array(wire[label.range])) }
    return result
  }

  /// How many labels, the root not counted; at most 127.
  public var labelCount: Int {
    var count = 0
    var iterator = DNSLabelIterator(at: 0)
    while iterator.next(wire.span) != nil { count += 1 }
    return count
  }

  /// The leftmost label; nil for the root.
  public var firstLabel: [UInt8]? {
    var iterator = DNSLabelIterator(at: 0)
    return iterator.next(wire.span).map { Array(wire[$0.range]) }
  }

  /// The name without its leftmost label; nil for the root.
  public var parent: DNSName? {
    isRoot ? nil : DNSName(checked: Array(wire[(Int(wire[0]) + 1)...]))
  }

  /// True when `suffix` is this name or an ancestor of it; every name ends in the root.
  public func hasSuffix(_ suffix: DNSName) -> Bool {
    let start = wire.count - suffix.wire.count
    guard start >= 0 else { return false }
    var position = 0
    while position < start { position += Int(wire[position]) + 1 }
    return position == start
      && DNSNameView.equal(wire.span, at: start, suffix.wire.span, at: 0)
  }

  /// This name with `label` before its leftmost label; throws as `init(labels:)` does.
  public func prepending(_ label: [UInt8]) throws(WireError) -> DNSName {
    try DNSName(labels: [label] + labels)
  }

  /// This name with `label` behind its last label; throws as `init(labels:)` does.
  public func appending(_ label: [UInt8]) throws(WireError) -> DNSName {
    try DNSName(labels: labels + [label])
  }

  /// This name, made relative, under `parent`; throws as `init(labels:)` does.
  public func appending(_ parent: DNSName) throws(WireError) -> DNSName {
    try DNSName(labels: labels + parent.labels)
  }

  /// True when the name at `offset` of a message is this one; nothing is copied.
  public func equals(_ message: Span<UInt8>, at offset: Int) -> Bool {
    DNSNameView.equal(wire.span, at: 0, message, at: offset)
  }

  /// `DNSNameView.hash` of this name; not for tables that strangers can fill.
  public var viewHash: UInt64 { DNSNameView.hash(wire.span, at: 0) }
}

extension DNSName: Hashable {
  /// Equal labels, the case of ASCII letters ignored.
  public static func == (left: DNSName, right: DNSName) -> Bool {
    guard left.wire.count == right.wire.count else { return false }
    // A length octet is below "A", so folding leaves it alone.
    for index in left.wire.indices
    where DNSNameView.folded(left.wire[index]) != DNSNameView.folded(right.wire[index]) {
      return false
    }
    return true
  }

  /// Feeds the folded bytes, eight at a time.
  public func hash(into hasher: inout Hasher) {
    var word: UInt64 = 0
    for index in wire.indices {
      word = word << 8 | UInt64(DNSNameView.folded(wire[index]))
      if index & 7 == 7 { hasher.combine(word) }
    }
    hasher.combine(word)
    hasher.combine(wire.count)
  }
}
