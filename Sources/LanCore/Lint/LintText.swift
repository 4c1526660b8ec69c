import LanWire

/// Names and strings of messages as text for findings.
enum LintText {
  /// The name at `offset` in presentation form: a dot or backslash in a label gets a backslash,
  /// control bytes and bytes that are no valid UTF-8 are `\DDD`; no final dot, the root is `.`.
  static func name(_ message: Span<UInt8>, at offset: Int) -> String {
    var bytes: [UInt8] = []
    var labels = DNSLabelIterator(at: offset)
    while let label = labels.next(message) {
      if !bytes.isEmpty { bytes.append(0x2E) }
      append(message, label.range, escaping: true, to: &bytes)
    }
    return bytes.isEmpty ? "." : String(decoding: bytes, as: UTF8.self)
  }

  /// The bytes as text; control bytes and bytes that are no valid UTF-8 are `\DDD`.
  static func string(_ message: Span<UInt8>, _ range: Range<Int>) -> String {
    var bytes: [UInt8] = []
    append(message, range, escaping: false, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func append(
    _ message: Span<UInt8>, _ range: Range<Int>, escaping: Bool, to bytes: inout [UInt8]
  ) {
    var offset = range.lowerBound
    while offset < range.upperBound {
      let byte = message[offset]
      let length = sequenceLength(message, offset..<range.upperBound)
      if length > 1 {
        for index in offset..<(offset + length) { bytes.append(message[index]) }
      } else if length == 0 || byte < 0x20 || byte == 0x7F {
        bytes.append(0x5C)
        bytes.append(contentsOf: [byte / 100, byte / 10 % 10, byte % 10].map { 0x30 + $0 })
      } else {
        if byte == 0x5C || escaping && byte == 0x2E { bytes.append(0x5C) }
        bytes.append(byte)
      }
      offset += max(length, 1)
    }
  }

  /// How many bytes the valid UTF-8 sequence at the start of `range` has; 0 where there is none.
  private static func sequenceLength(_ message: Span<UInt8>, _ range: Range<Int>) -> Int {
    let first = message[range.lowerBound]
    if first < 0x80 { return 1 }
    let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
    guard length <= range.count else { return 0 }
    let sequence = range.lowerBound..<(range.lowerBound + length)
    return (try? UTF8Span(validating: message.extracting(sequence))) == nil ? 0 : length
  }
}
