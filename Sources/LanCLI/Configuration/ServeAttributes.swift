/// The strings of a TXT record as a user gives them (RFC 6763 section 6).
enum ServeAttributes {
  /// What one record may have: with name and headers it still fits into a packet of 9,000 bytes
  /// (RFC 6762 section 17).
  static let sizeLimit = 8_800
  /// What is advised (RFC 6763 section 6.2).
  static let advisedSize = 1_300

  /// The bytes of a key, without its value.
  static func key(of string: [UInt8]) -> [UInt8] { Array(string.prefix { $0 != 0x3D }) }

  /// What is wrong with one string; nil for nothing.
  static func fault(of string: [UInt8]) -> String? {
    let key = key(of: string)
    if key.isEmpty { return "an attribute needs a key in front of '='" }
    guard key.allSatisfy({ 0x20...0x7E ~= $0 }) else {
      return "a key is made of printable ASCII"
    }
    guard string.count <= 255 else {
      return "\(string.count) bytes, and key and value together have at most 255"
    }
    return nil
  }

  /// The first key that stands there twice; nil where each is of its own.
  static func duplicate(in strings: [[UInt8]]) -> [UInt8]? {
    var seen: Set<[UInt8]> = []
    return strings.map(key).first { !seen.insert(folded($0)).inserted }
  }

  /// Bytes of the record.
  static func size(of strings: [[UInt8]]) -> Int { strings.reduce(0) { $0 + $1.count + 1 } }

  /// The strings of a file: a line each, empty ones left out.
  static func lines(of bytes: [UInt8]) -> [[UInt8]] {
    bytes.split(separator: 0x0A).map { line in
      Array(line.last == 0x0D ? line.dropLast() : line)
    }.filter { !$0.isEmpty }
  }

  /// `strings` with those of `others` in place of the same keys, the rest behind them.
  static func merged(_ strings: [[UInt8]], with others: [[UInt8]]) -> [[UInt8]] {
    var result = strings
    for other in others {
      if let place = result.firstIndex(where: { hasSameKey($0, other) }) {
        result[place] = other
      } else {
        result.append(other)
      }
    }
    return result
  }

  /// True if a string has this key.
  static func hasSameKey(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    folded(key(of: left)) == folded(key(of: right))
  }

  private static func folded(_ key: [UInt8]) -> [UInt8] {
    key.map { 0x41...0x5A ~= $0 ? $0 | 0x20 : $0 }
  }
}
