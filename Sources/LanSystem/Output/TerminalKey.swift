/// A key that was typed on a terminal.
public enum TerminalKey: Hashable, Sendable {
  /// A letter, digit or anything else that has a character.
  case character(Unicode.Scalar)
  /// Return or Enter.
  case enter
  /// Tab.
  case tab
  /// Backspace, or Delete where a keyboard has that in its place.
  case backspace
  /// Escape by itself.
  case escape
  /// Cursor up.
  case up
  /// Cursor down.
  case down
  /// Cursor right.
  case right
  /// Cursor left.
  case left
  /// Home.
  case home
  /// End.
  case end
  /// Page up.
  case pageUp
  /// Page down.
  case pageDown
  /// Nothing more can be typed: Control-D, or the terminal is gone.
  case endOfInput
}

/// Makes keys of the bytes that a terminal sends (ECMA-48 section 5.4; xterm's control sequences).
struct TerminalKeyParser {
  private var rest: [UInt8] = []

  /// The keys that `bytes` complete.
  ///
  /// A key that sends several bytes sends them in one go, so an escape at the end of what is at hand
  /// is the key of that name; a sequence that has begun waits for its end.
  mutating func keys(_ bytes: [UInt8]) -> [TerminalKey] {
    var input = rest + bytes
    rest = []
    var keys: [TerminalKey] = []
    while !input.isEmpty {
      guard let (key, count) = Self.first(input) else {
        // Nothing that is understood is longer.
        rest = input.count < 16 ? input : []
        break
      }
      if let key { keys.append(key) }
      input.removeFirst(count)
    }
    return keys
  }

  /// The first key and its length; no key where the bytes mean none, nil where some are missing.
  private static func first(_ bytes: [UInt8]) -> (TerminalKey?, Int)? {
    switch bytes[0] {
    case 0x1B: return sequence(bytes)
    case 0x0A, 0x0D: return (.enter, 1)
    case 0x09: return (.tab, 1)
    case 0x08, 0x7F: return (.backspace, 1)
    case 0x04: return (.endOfInput, 1)
    case 0x20..<0x7F: return (.character(Unicode.Scalar(bytes[0])), 1)
    case 0x80...:
      let length =
        switch bytes[0] {
        case 0xC2...0xDF: 2
        case 0xE0...0xEF: 3
        case 0xF0...0xF4: 4
        default: 1
        }
      guard bytes.count >= length else { return nil }
      let text = String(validating: bytes[..<length], as: UTF8.self)
      return (text?.unicodeScalars.first.map(TerminalKey.character), text == nil ? 1 : length)
    default: return (nil, 1)
    }
  }

  private static func sequence(_ bytes: [UInt8]) -> (TerminalKey?, Int)? {
    guard bytes.count > 1 else { return (.escape, 1) }
    guard bytes[1] == 0x5B || bytes[1] == 0x4F else { return (.escape, 1) }
    guard let place = bytes[2...].firstIndex(where: { 0x40...0x7E ~= $0 }) else { return nil }
    let number = bytes[2..<place].prefix { 0x30...0x39 ~= $0 }
    return (meaning(of: bytes[place], String(decoding: number, as: UTF8.self)), place + 1)
  }

  private static func meaning(of final: UInt8, _ number: String) -> TerminalKey? {
    switch final {
    case 0x41: .up
    case 0x42: .down
    case 0x43: .right
    case 0x44: .left
    case 0x46: .end
    case 0x48: .home
    case 0x4D: .enter
    case 0x7E:
      switch number {
      case "1", "7": .home
      case "4", "8": .end
      case "5": .pageUp
      case "6": .pageDown
      default: nil
      }
    default: nil
    }
  }
}
