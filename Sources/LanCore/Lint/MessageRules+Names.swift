import LanWire

extension MessageRules {
  /// Rules about the bytes of a name's labels.
  ///
  /// Only labels that stand here are looked at: what a pointer leads to was looked at before.
  mutating func judgeNameBytes(_ message: Span<UInt8>, at name: Int) {
    var position = name
    while position < message.count {
      let length = Int(message[position])
      guard length > 0, length < 64, length < message.count &- position else { return }
      let start = position &+ 1
      position = start &+ length
      var offset = start
      // Printable ASCII is 0x20 to 0x7E.
      while offset < position, message[offset] &- 0x20 < 0x5F { offset &+= 1 }
      if offset < position { judgeOddLabel(message, start..<position, name) }
      if length > 4, message[start &+ 3] == 0x2D, message[start &+ 2] == 0x2D {
        judgePunycode(message, start, name)
      }
    }
  }

  @inline(never) private mutating func judgeOddLabel(
    _ message: Span<UInt8>, _ range: Range<Int>, _ name: Int
  ) {
    for offset in range where message[offset] < 0x20 || message[offset] == 0x7F {
      mark(.nameControlCharacter, name: name)
      break
    }
    if !Self.isUTF8(message, range) { mark(.nameNotUTF8, name: name) }
  }

  private static func isUTF8(_ message: Span<UInt8>, _ range: Range<Int>) -> Bool {
    (try? UTF8Span(validating: message.extracting(range))) != nil
  }

  private mutating func judgePunycode(_ message: Span<UInt8>, _ start: Int, _ name: Int) {
    let isPrefix =
      DNSNameView.folded(message[start]) == 0x78
      && DNSNameView.folded(message[start &+ 1]) == 0x6E
    if isPrefix, facts(message, at: name).zone == .local { mark(.namePunycode, name: name) }
  }

  /// Rules about where a name is and how it is built.
  mutating func judgeName(_ message: Span<UInt8>, _ facts: MessageNameFacts, _ name: Int) {
    guard facts.zone == .local else {
      // Hosts publish reverse mappings of all their addresses; which of them are of this link
      // one message does not tell.
      if isMulticast, !facts.isReverse { mark(.nameNotLocal, name: name) }
      return
    }
    if facts.hasProtocol, facts.labelCount > 2 {
      let fault = facts.serviceFault
      if fault != .none { mark(.serviceType, nil, fault, name: name) }
    }
  }

  /// What is wrong with a service name and its underscore (RFC 6335 section 5.1).
  static func serviceFault(
    _ message: Span<UInt8>, _ label: MessageNameFacts.Label
  ) -> MessageDetail {
    let range = label.range
    guard range.upperBound <= message.count, let start = range.first, message[start] == 0x5F
    else { return .noUnderscore }
    var hasLetter = false
    var previous: UInt8 = 0x2D
    for offset in (start &+ 1)..<range.upperBound {
      let byte = message[offset]
      let isLetter = DNSNameView.folded(byte) &- 0x61 < 26
      hasLetter = hasLetter || isLetter
      guard isLetter || byte &- 0x30 < 10 || byte == 0x2D && previous != 0x2D else {
        return .badCharacter
      }
      previous = byte
    }
    if range.count > 16 { return .tooLong }
    if !hasLetter { return .noLetter }
    return previous == 0x2D ? .badCharacter : .none
  }
}
