/// Reads the text of a `ReachabilityExpression`.
struct ReachabilityExpressionParser {
  private typealias Failure = ReachabilityExpression.ParseError
  private static let lengthLimit = 4_096
  private static let depthLimit = 32

  private enum Token: Equatable {
    case word(String)
    case and
    case or
    case not
    case open
    case close
  }

  private var tokens: [(token: Token, offset: Int)] = []
  private var next = 0
  private let end: Int

  init(_ text: String) throws(ReachabilityExpression.ParseError) {
    let bytes = Array(text.utf8)
    end = bytes.count
    guard bytes.count <= Self.lengthLimit else { throw Failure(reason: .tooComplex, offset: 0) }
    var offset = 0
    while offset < bytes.count {
      let start = offset
      let byte = bytes[offset]
      let following = offset + 1 < bytes.count ? bytes[offset + 1] : 0
      offset += 1
      switch byte {
      case 0x20, 0x09: continue
      case 0x28: tokens.append((.open, start))
      case 0x29: tokens.append((.close, start))
      case 0x21: tokens.append((.not, start))
      case 0x26 where following == byte, 0x7C where following == byte:
        tokens.append((byte == 0x26 ? .and : .or, start))
        offset += 1
      default:
        while offset < bytes.count, !Self.ends(bytes[offset]) { offset += 1 }
        let word = String(decoding: bytes[start..<offset], as: UTF8.self)
        tokens.append((Self.token(word), start))
      }
    }
    if tokens.isEmpty { throw Failure(reason: .empty, offset: 0) }
  }

  private static func ends(_ byte: UInt8) -> Bool {
    [0x20, 0x09, 0x28, 0x29, 0x21, 0x26, 0x7C].contains(byte)
  }

  private static func token(_ word: String) -> Token {
    switch word.lowercased() {
    case "and": .and
    case "or": .or
    case "not": .not
    default: .word(word)
    }
  }

  mutating func parse() throws(ReachabilityExpression.ParseError) -> ReachabilityExpression {
    let result = try disjunction(0)
    guard next >= tokens.count else {
      let rest = tokens[next]
      throw Failure(reason: .unexpected(Self.text(rest.token)), offset: rest.offset)
    }
    return result
  }

  private static func text(_ token: Token) -> String {
    switch token {
    case .word(let word): word
    case .and: "and"
    case .or: "or"
    case .not: "not"
    case .open: "("
    case .close: ")"
    }
  }

  private mutating func accept(_ token: Token) -> Bool {
    guard next < tokens.count, tokens[next].token == token else { return false }
    next += 1
    return true
  }

  private mutating func disjunction(
    _ depth: Int
  ) throws(ReachabilityExpression.ParseError) -> ReachabilityExpression {
    var left = try conjunction(depth)
    while accept(.or) { left = .or(left, try conjunction(depth)) }
    return left
  }

  private mutating func conjunction(
    _ depth: Int
  ) throws(ReachabilityExpression.ParseError) -> ReachabilityExpression {
    var left = try negation(depth)
    while accept(.and) { left = .and(left, try negation(depth)) }
    return left
  }

  private mutating func negation(
    _ depth: Int
  ) throws(ReachabilityExpression.ParseError) -> ReachabilityExpression {
    guard next < tokens.count else { throw Failure(reason: .endsEarly, offset: end) }
    let (token, offset) = tokens[next]
    guard depth < Self.depthLimit else { throw Failure(reason: .tooComplex, offset: offset) }
    next += 1
    switch token {
    case .not: return .not(try negation(depth + 1))
    case .open:
      let inner = try disjunction(depth + 1)
      guard accept(.close) else { throw Failure(reason: .unclosed, offset: offset) }
      return inner
    case .word(let word): return try term(word, offset)
    case .and, .or, .close:
      throw Failure(reason: .unexpected(Self.text(token)), offset: offset)
    }
  }

  private func term(
    _ word: String, _ offset: Int
  ) throws(ReachabilityExpression.ParseError) -> ReachabilityExpression {
    let unknown = Failure(reason: .unknownWord(word), offset: offset)
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else {
      let folded = word.lowercased()
      let known = ReachabilityExpression.words.first { $0.word.lowercased() == folded }
      guard let known else { throw unknown }
      return known.term
    }
    let value = String(parts[1])
    switch parts[0].lowercased() {
    case "interface" where !value.isEmpty: return .interface(value)
    case "medium":
      guard let medium = Medium(rawValue: value.lowercased()) else { throw unknown }
      return .medium(medium)
    case "nexthop":
      guard let state = NextHopState(rawValue: value.lowercased()) else { throw unknown }
      return .nextHop(state)
    case "connection":
      let all = ReachabilityConnection.allCases
      guard let one = all.first(where: { $0.rawValue.lowercased() == value.lowercased() }) else {
        throw unknown
      }
      return .connection(one)
    case "status":
      let all = ReachabilityStatus.allCases
      guard let one = all.first(where: { $0.word.lowercased() == value.lowercased() }) else {
        throw unknown
      }
      return .status(one)
    default: throw unknown
    }
  }
}
