import LanWire

extension MessageRules {
  /// Rules about the bytes of a run of labels of a name in `zone`.
  ///
  /// `shortLabels` says how many of them have a length octet that is no printable ASCII.
  mutating func judgeNameBytes(
    _ message: Span<UInt8>, _ range: Range<Int>, _ shortLabels: UInt16,
    _ zone: MessageNameFacts.Zone
  ) {
    let labels = message.extracting(range)
    var odd: UInt16 = 0
    var hyphens: UInt8 = 0
    var previous: UInt8 = 0
    for index in 0..<labels.count {
      let byte = labels[index]
      // Printable ASCII is 0x20 to 0x7E.
      odd &+= byte &- 0x20 < 0x5F ? 0 : 1
      hyphens |= byte == 0x2D && previous == 0x2D ? 1 : 0
      previous = byte
    }
    if odd != shortLabels || hyphens != 0 { judgeLabels(message, range, zone) }
  }

  @inline(never) private mutating func judgeLabels(
    _ message: Span<UInt8>, _ range: Range<Int>, _ zone: MessageNameFacts.Zone
  ) {
    var position = range.lowerBound
    let name = range.lowerBound
    while position < range.upperBound {
      let start = position &+ 1
      let length = Int(message[position])
      position = start &+ length
      judgeOddLabel(message, start..<position, name)
      if zone == .local, length > 4, message[start &+ 3] == 0x2D, message[start &+ 2] == 0x2D {
        judgePunycode(message, start, name)
      }
    }
  }

  private mutating func judgeOddLabel(
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
    if DNSNameView.folded(message[start]) == 0x78,
      DNSNameView.folded(message[start &+ 1]) == 0x6E
    {
      mark(.namePunycode, name: name)
    }
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
