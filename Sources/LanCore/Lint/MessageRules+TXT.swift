import LanWire

extension MessageRules {
  /// Rules about a TXT record (RFC 6763 section 6).
  mutating func judgeTXT(
    _ message: Span<UInt8>, _ record: DNSRecordView, _ facts: MessageNameFacts
  ) {
    let name = Int(record.name)
    let size = Int(record.rdataLength)
    if size == 0 { mark(.txtZeroLength, name: name) }
    if size > 1300 { mark(.txtSize, size > 8900 ? .error : .warning, name: name, value: size) }
    // Texts of other names need not have keys.
    guard facts.hasProtocol, facts.labelCount > 3 else { return }
    var strings = DNSStringIterator(record.rdataRange)
    var slots = InlineArray<4, UInt64>(repeating: 0)
    while let string = strings.next(message) {
      if string.isEmpty { continue }
      judgeKey(message, string, record, &slots)
    }
  }

  /// One string; `slots` holds a bit for each key so far, so that keys are compared seldom.
  private mutating func judgeKey(
    _ message: Span<UInt8>, _ string: Range<Int>, _ record: DNSRecordView,
    _ slots: inout InlineArray<4, UInt64>
  ) {
    let name = Int(record.name)
    var end = string.lowerBound
    var hash: UInt64 = 0
    var isPrintable = true
    while end < string.upperBound, message[end] != 0x3D {
      let byte = message[end]
      if byte < 0x20 || byte > 0x7E { isPrintable = false }
      hash = (hash ^ UInt64(DNSNameView.folded(byte))) &* 0x9E37_79B9_7F4A_7C15
      end &+= 1
    }
    let key = string.lowerBound..<end
    guard !key.isEmpty else {
      mark(.txtKeys, nil, .startsWithEquals, name: name, value: string.lowerBound)
      return
    }
    if !isPrintable {
      mark(.txtKeys, nil, .notPrintable, name: name, value: string.lowerBound)
    } else if key.count > 9 {
      mark(.txtKeys, .info, .longKey, name: name, value: string.lowerBound)
    }
    let slot = Int(truncatingIfNeeded: hash &>> 62)
    let bit: UInt64 = 1 &<< (hash &>> 56 & 63)
    if slots[slot] & bit != 0, Self.isRepeated(message, key, in: record.rdataRange) {
      mark(.txtKeys, nil, .repeated, name: name, value: string.lowerBound)
    }
    slots[slot] |= bit
  }

  /// True when one of the first strings before `key` has the same key, ASCII case ignored.
  private static func isRepeated(
    _ message: Span<UInt8>, _ key: Range<Int>, in data: Range<Int>
  ) -> Bool {
    var strings = DNSStringIterator(data)
    for _ in 0..<64 {
      guard let string = strings.next(message), string.lowerBound < key.lowerBound else {
        return false
      }
      let isKeyEnd =
        string.count == key.count
        || string.count > key.count && message[string.lowerBound &+ key.count] == 0x3D
      guard isKeyEnd else { continue }
      var step = 0
      while step < key.count,
        DNSNameView.folded(message[string.lowerBound &+ step])
          == DNSNameView.folded(message[key.lowerBound &+ step])
      {
        step &+= 1
      }
      if step == key.count { return true }
    }
    return false
  }
}
