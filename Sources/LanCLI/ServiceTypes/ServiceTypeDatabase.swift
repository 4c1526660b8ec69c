import LanCore

/// Well-known service types and what they are, in English.
enum ServiceTypeDatabase {
  /// A known type.
  struct Entry: Hashable {
    /// The service name without its underscore.
    let service: String
    /// `tcp`, `udp` or both.
    let transports: [String]
    /// A few words: `Internet printer (IPP)`.
    let meaning: String

    /// The types, such as `_ipp._tcp`.
    var types: [ServiceType] { transports.map { ServiceType(service: service, transport: $0) } }
  }

  /// What a type is, in a few words; nil for one that is not known.
  static func meaning(_ type: ServiceType) -> String? {
    entries(of: type.service).first { $0.transports.contains(type.transport.lowercased()) }?.meaning
  }

  /// The entries of a service name, in any case of letters; there can be one for each transport.
  static func entries(of service: String) -> [Entry] {
    let bytes = data.utf8Span.span
    let wanted = Array(service.lowercased().utf8)
    var low = 0
    var high = bytes.count
    // Both bounds are starts of lines.
    while low < high {
      let start = startOfLine(bytes, around: low + (high - low) / 2)
      if precedes(bytes, start, wanted) { low = endOfLine(bytes, start) } else { high = start }
    }
    var found: [Entry] = []
    while low < bytes.count, let entry = entry(bytes, low), entry.service == service.lowercased() {
      found.append(entry)
      low = endOfLine(bytes, low)
    }
    return found
  }

  /// All entries, sorted by service name.
  static var all: [Entry] {
    let bytes = data.utf8Span.span
    var entries: [Entry] = []
    var start = 0
    while start < bytes.count {
      if let entry = entry(bytes, start) { entries.append(entry) }
      start = endOfLine(bytes, start)
    }
    return entries
  }

  /// The entries that contain `pattern` in their type or meaning, the case of letters ignored.
  static func entries(matching pattern: String) -> [Entry] {
    let wanted = pattern.lowercased()
    return all.filter { entry in
      entry.meaning.lowercased().contains(wanted)
        || entry.types.contains { "\($0)".contains(wanted) }
    }
  }

  /// The types with their meanings, as a shell offers them.
  static var choices: [Choice] {
    all.flatMap { entry in entry.types.map { Choice("\($0)", entry.meaning) } }
  }

  // MARK: Lines

  private static func startOfLine(_ bytes: Span<UInt8>, around position: Int) -> Int {
    var start = position
    while start > 0, bytes[start - 1] != 0x0A { start -= 1 }
    return start
  }

  /// The offset behind the line feed of the line at `start`.
  private static func endOfLine(_ bytes: Span<UInt8>, _ start: Int) -> Int {
    var end = start
    while end < bytes.count, bytes[end] != 0x0A { end += 1 }
    return min(end + 1, bytes.count)
  }

  /// True if the line's service name comes before `wanted`.
  private static func precedes(_ bytes: Span<UInt8>, _ start: Int, _ wanted: [UInt8]) -> Bool {
    var index = 0
    while start + index < bytes.count, bytes[start + index] != 0x20 {
      guard index < wanted.count else { return false }
      if bytes[start + index] != wanted[index] { return bytes[start + index] < wanted[index] }
      index += 1
    }
    return index < wanted.count
  }

  private static func entry(_ bytes: Span<UInt8>, _ start: Int) -> Entry? {
    let end = endOfLine(bytes, start) - 1
    guard end > start else { return nil }
    let line = (start..<end).map { bytes[$0] }
    let parts = line.split(separator: 0x20, maxSplits: 2)
    guard parts.count == 3 else { return nil }
    let transports: [String] =
      switch parts[1].first {
      case UInt8(ascii: "t"): ["tcp"]
      case UInt8(ascii: "u"): ["udp"]
      default: ["tcp", "udp"]
      }
    return Entry(
      service: String(decoding: parts[0], as: UTF8.self), transports: transports,
      meaning: String(decoding: parts[2], as: UTF8.self))
  }
}
