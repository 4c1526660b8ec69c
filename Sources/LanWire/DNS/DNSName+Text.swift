/// Names as text: labels joined by dots, without a dot at the end.
///
/// A dot or backslash inside a label is escaped with a backslash; control bytes and bytes that are
/// no UTF-8 are `\DDD` (RFC 1035 section 5.1), other UTF-8 stands as it is; the root is `.`.
public enum DNSNameText {
  /// Appends the text of the name at `offset` of a message.
  public static func append(
    _ message: Span<UInt8>, at offset: Int, to text: inout [UInt8]
  ) {
    let start = text.count
    var labels = DNSLabelIterator(at: offset)
    while let label = labels.next(message) {
      if text.count > start { text.append(0x2E) }
      append(message, label: label.range, to: &text)
    }
    if text.count == start { text.append(0x2E) }
  }

  /// The text of the name at `offset` of a message, for sentences about it.
  public static func string(_ message: Span<UInt8>, at offset: Int) -> String {
    var text: [UInt8] = []
    append(message, at: offset, to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  /// Appends the text of one label, given by the offsets of its bytes.
  public static func append(
    _ message: Span<UInt8>, label: Range<Int>, to text: inout [UInt8]
  ) {
    var position = label.lowerBound
    while position < label.upperBound {
      let length = UTF8Sequence.length(message, at: position, end: label.upperBound)
      let byte = message[position]
      if length == 0 || byte < 0x20 || byte == 0x7F {
        text.append(0x5C)
        text.append(0x30 + byte / 100)
        text.append(0x30 + byte / 10 % 10)
        text.append(0x30 + byte % 10)
        position += 1
        continue
      }
      if byte == 0x2E || byte == 0x5C { text.append(0x5C) }
      for index in position..<(position + length) { text.append(message[index]) }
      position += length
    }
  }
}

extension DNSName: CustomStringConvertible {
  /// The text that `DNSNameText` describes; `DNSName(_:)` reads it back.
  public var description: String {
    var text: [UInt8] = []
    text.reserveCapacity(wire.count)
    DNSNameText.append(wire.span, at: 0, to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  /// The name that `text` spells, with or without a dot at the end.
  ///
  /// - Throws: `WireError` with the byte of the text: `.badFormat` for an empty name or label and
  ///   a wrong escape, `.badLength` for a label of more than 63 octets, `.nameTooLong` beyond 255.
  public init(_ text: String) throws(WireError) {
    if text == "." {
      self = .root
      return
    }
    let bytes = Array(text.utf8)
    var labels: [[UInt8]] = []
    var octets = 1
    var position = 0
    repeat {
      let start = position
      let label = try Self.label(bytes, &position)
      guard !label.isEmpty else { throw WireError(.badFormat, at: start) }
      guard label.count <= DNSLimits.labelOctets else { throw WireError(.badLength, at: start) }
      octets += label.count + 1
      guard octets <= DNSLimits.nameOctets else { throw WireError(.nameTooLong, at: start) }
      labels.append(label)
    } while position < bytes.count
    try self.init(labels: labels)
  }

  /// Reads up to an unescaped dot and steps behind it.
  private static func label(
    _ text: [UInt8], _ position: inout Int
  ) throws(WireError) -> [UInt8] {
    var label: [UInt8] = []
    while position < text.count {
      let byte = text[position]
      position += 1
      if byte == 0x2E { break }
      label.append(byte == 0x5C ? try escaped(text, &position) : byte)
    }
    return label
  }

  private static func escaped(
    _ text: [UInt8], _ position: inout Int
  ) throws(WireError) -> UInt8 {
    guard position < text.count else { throw WireError(.badFormat, at: position - 1) }
    let first = text[position]
    guard (0x30...0x39).contains(first) else {
      position += 1
      return first
    }
    guard text.count - position >= 3 else { throw WireError(.badFormat, at: position - 1) }
    var number = 0
    for digit in text[position..<(position + 3)] {
      guard (0x30...0x39).contains(digit) else { throw WireError(.badFormat, at: position - 1) }
      number = number * 10 + Int(digit - 0x30)
    }
    guard let byte = UInt8(exactly: number) else { throw WireError(.badFormat, at: position - 1) }
    position += 3
    return byte
  }
}
