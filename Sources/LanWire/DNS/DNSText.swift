/// A TXT string read as `key=value` (RFC 6763 section 6.4), where it stands.
@frozen public struct DNSTextEntryView: Hashable, Sendable {
  /// The offsets of the key.
  public let key: Range<Int>
  /// The offsets of the value; nil for a key without `=`, empty for nothing behind it.
  public let value: Range<Int>?

  /// Splits the string at `range` at its first `=`.
  ///
  /// - Returns: nil for an empty string and one without a key, which say nothing.
  @inlinable public init?(_ bytes: Span<UInt8>, string range: Range<Int>) {
    guard !range.isEmpty, range.lowerBound >= 0, range.upperBound <= bytes.count,
      bytes[range.lowerBound] != 0x3D
    else { return nil }
    var position = range.lowerBound
    while position < range.upperBound, bytes[position] != 0x3D { position &+= 1 }
    key = range.lowerBound..<position
    value = position < range.upperBound ? (position &+ 1)..<range.upperBound : nil
  }
}

/// The attributes of a DNS-SD TXT record (RFC 6763 section 6), in the record's order.
public struct DNSText: Hashable, Sendable {
  /// A key and its value.
  public struct Entry: Hashable, Sendable {
    /// The key, its case kept.
    public var key: [UInt8]
    /// The value; nil for a key without `=`, empty for nothing behind it.
    public var value: [UInt8]?

    /// An entry; `value` is nil for a key without `=`.
    public init(key: [UInt8], value: [UInt8]?) {
      self.key = key
      self.value = value
    }
  }

  /// The entries; of keys that differ in ASCII case at most, the first one.
  public let entries: [Entry]
  /// True when some string is not in `entries`: a duplicate, or one without a key.
  ///
  /// The single empty string of an empty record loses nothing.
  public let isLossy: Bool

  /// The attributes in the strings of a TXT record.
  public init(_ strings: [[UInt8]]) {
    var entries: [Entry] = []
    var seen: Set<[UInt8]> = []
    for string in strings {
      guard let view = DNSTextEntryView(string.span, string: 0..<string.count) else { continue }
      let key = Array(string[view.key])
      guard seen.insert(key.map(DNSNameView.folded)).inserted else { continue }
      entries.append(Entry(key: key, value: view.value.map { Array(string[$0]) }))
    }
    self.entries = entries
    isLossy = entries.count < strings.count && strings != [[]]
  }

  /// The entry of `key`, ASCII case ignored; nil when the record has none.
  public func entry(_ key: String) -> Entry? {
    let folded = key.utf8.map(DNSNameView.folded)
    return entries.first { $0.key.map(DNSNameView.folded) == folded }
  }

  /// The strings of a TXT record with these entries; an empty record has one empty string
  /// (RFC 6763 section 6.1).
  public static func strings(_ entries: [Entry]) -> [[UInt8]] {
    entries.isEmpty ? [[]] : entries.map { $0.key + ($0.value.map { [0x3D] + $0 } ?? []) }
  }
}
