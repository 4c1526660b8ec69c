import LanWire

/// Strings of messages as text for findings.
enum LintText {
  /// The bytes as text; control bytes and bytes that are no valid UTF-8 are `\\DDD`.
  static func string(_ message: Span<UInt8>, _ range: Range<Int>) -> String {
    var text: [UInt8] = []
    var offset = range.lowerBound
    while offset < range.upperBound {
      let byte = message[offset]
      let length = UTF8Sequence.length(message, at: offset, end: range.upperBound)
      if length == 0 || byte < 0x20 || byte == 0x7F {
        text.append(0x5C)
        text.append(contentsOf: [byte / 100, byte / 10 % 10, byte % 10].map { 0x30 + $0 })
      } else {
        if byte == 0x5C { text.append(0x5C) }
        for index in offset..<(offset + length) { text.append(message[index]) }
      }
      offset += max(length, 1)
    }
    return String(decoding: text, as: UTF8.self)
  }
}
