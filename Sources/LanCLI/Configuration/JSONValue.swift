/// A JSON value that was read (RFC 8259); numbers stay as they were written.
indirect enum JSONValue: Hashable {
  case null
  case flag(Bool)
  case number(String)
  case text(String)
  case list([JSONValue])
  case object([String: JSONValue])

  /// The value that `text` is; nil if it is none, or nested deeper than any sensible one.
  init?(parsing text: String) {
    var reader = JSONValueReader(text)
    guard let value = reader.readWhole() else { return nil }
    self = value
  }

  /// The member `key` of an object.
  subscript(key: String) -> JSONValue? {
    if case .object(let members) = self { members[key] } else { nil }
  }

  /// The text of a string.
  var string: String? { if case .text(let text) = self { text } else { nil } }

  /// The elements of a list.
  var elements: [JSONValue] { if case .list(let list) = self { list } else { [] } }
}

/// Reads one JSON value.
private struct JSONValueReader {
  private static let depthLimit = 32
  private let bytes: [UInt8]
  private var next = 0

  init(_ text: String) { bytes = Array(text.utf8) }

  mutating func readWhole() -> JSONValue? {
    guard let value = value(0) else { return nil }
    skipBlanks()
    return next == bytes.count ? value : nil
  }

  private var byte: UInt8? { next < bytes.count ? bytes[next] : nil }

  private mutating func skipBlanks() {
    while let byte, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { next += 1 }
  }

  private mutating func accept(_ wanted: Unicode.Scalar) -> Bool {
    skipBlanks()
    guard byte == UInt8(ascii: wanted) else { return false }
    next += 1
    return true
  }

  private mutating func accept(word: String) -> Bool {
    guard bytes[next...].starts(with: word.utf8) else { return false }
    next += word.utf8.count
    return true
  }

  private mutating func value(_ depth: Int) -> JSONValue? {
    guard depth < Self.depthLimit else { return nil }
    skipBlanks()
    switch byte {
    case UInt8(ascii: "{"): return object(depth)
    case UInt8(ascii: "["): return list(depth)
    case UInt8(ascii: "\""): return string().map { .text($0) }
    case UInt8(ascii: "t"): return accept(word: "true") ? .flag(true) : nil
    case UInt8(ascii: "f"): return accept(word: "false") ? .flag(false) : nil
    case UInt8(ascii: "n"): return accept(word: "null") ? .null : nil
    default: return number()
    }
  }

  private mutating func object(_ depth: Int) -> JSONValue? {
    next += 1
    var members: [String: JSONValue] = [:]
    if accept("}") { return .object(members) }
    repeat {
      skipBlanks()
      guard let key = string(), accept(":"), let value = value(depth + 1) else { return nil }
      members[key] = value
    } while accept(",")
    return accept("}") ? .object(members) : nil
  }

  private mutating func list(_ depth: Int) -> JSONValue? {
    next += 1
    var elements: [JSONValue] = []
    if accept("]") { return .list(elements) }
    repeat {
      guard let value = value(depth + 1) else { return nil }
      elements.append(value)
    } while accept(",")
    return accept("]") ? .list(elements) : nil
  }

  private mutating func number() -> JSONValue? {
    let start = next
    while let byte, "+-.0123456789eE".utf8.contains(byte) { next += 1 }
    return next > start ? .number(String(decoding: bytes[start..<next], as: UTF8.self)) : nil
  }

  private mutating func string() -> String? {
    guard byte == UInt8(ascii: "\"") else { return nil }
    next += 1
    var text: [UInt8] = []
    while let byte {
      next += 1
      switch byte {
      case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
      case UInt8(ascii: "\\"):
        guard let scalar = escape() else { return nil }
        text += Array(String(scalar).utf8)
      default: text.append(byte)
      }
    }
    return nil
  }

  private mutating func escape() -> Unicode.Scalar? {
    guard let byte else { return nil }
    next += 1
    switch byte {
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): return unicode()
    default: return Unicode.Scalar(byte)
    }
  }

  private mutating func unicode() -> Unicode.Scalar? {
    guard let first = hexadecimal() else { return nil }
    guard (0xD800...0xDBFF).contains(first) else { return Unicode.Scalar(first) }
    guard accept(word: "\\u"), let second = hexadecimal(), (0xDC00...0xDFFF).contains(second)
    else { return nil }
    return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
  }

  private mutating func hexadecimal() -> UInt32? {
    guard next + 4 <= bytes.count else { return nil }
    let digits = String(decoding: bytes[next..<next + 4], as: UTF8.self)
    next += 4
    return UInt32(digits, radix: 16)
  }
}
