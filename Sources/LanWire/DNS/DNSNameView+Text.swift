extension DNSNameView {
  /// Adds the presentation form of the name at `offset` to `text`.
  ///
  /// No trailing dot; dot and backslash inside a label are escaped with a backslash, control bytes
  /// and bytes that are no valid UTF-8 as `\\DDD`; the root is `.` (RFC 1035 section 5.1).
  public static func appendText(
    _ message: Span<UInt8>, at offset: Int, to text: inout [UInt8]
  ) {
    var labels = DNSLabelIterator(at: offset)
    var isFirst = true
    while let label = labels.next(message) {
      if !isFirst { text.append(0x2E) }
      isFirst = false
      appendLabel(message.extracting(label.range), to: &text)
    }
    if isFirst { text.append(0x2E) }
  }

  /// Adds the presentation form of one label to `text`.
  public static func appendLabel(_ label: Span<UInt8>, to text: inout [UInt8]) {
    var index = 0
    while index < label.count {
      let byte = label[index]
      let size = byte >= 0x80 ? UTF8Sequence.length(label, at: index) : 1
      if size == 0 || byte < 0x20 || byte == 0x7F {
        text.append(0x5C)
        text.append(0x30 &+ byte / 100)
        text.append(0x30 &+ byte / 10 % 10)
        text.append(0x30 &+ byte % 10)
        index &+= 1
        continue
      }
      if byte == 0x2E || byte == 0x5C { text.append(0x5C) }
      for step in 0..<size { text.append(label[index &+ step]) }
      index &+= size
    }
  }

  /// The presentation form of the name at `offset`, for messages to people.
  public static func text(_ message: Span<UInt8>, at offset: Int) -> String {
    var text: [UInt8] = []
    appendText(message, at: offset, to: &text)
    return String(decoding: text, as: UTF8.self)
  }
}
