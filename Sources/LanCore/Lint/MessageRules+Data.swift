import LanWire

extension MessageRules {
  /// Rules about the data of a record that its sender asserts or probes for.
  mutating func judgeData(
    _ message: Span<UInt8>, _ record: DNSRecordView, _ facts: MessageNameFacts
  ) {
    switch record.type {
    case .ptr: judgePTR(message, record, facts)
    case .srv: judgeSRV(message, record, facts)
    case .txt: judgeTXT(message, record, facts)
    case .nsec: judgeNSEC(message, record, facts)
    default: break
    }
  }

  private mutating func judgeProtocol(_ record: DNSRecordView, _ facts: MessageNameFacts) {
    if facts.startsProtocol, !facts.hasProtocol {
      mark(.serviceType, nil, .badProtocol, name: Int(record.name), type: record.type)
    }
  }

  private mutating func judgePTR(
    _ message: Span<UInt8>, _ record: DNSRecordView, _ facts: MessageNameFacts
  ) {
    let target = Int(record.rdata)
    judgeNameBytes(message, at: target)
    judgeProtocol(record, facts)
    if facts.isSubtype {
      let other = self.facts(message, at: target)
      let isSame =
        other.hasProtocol && other.isUDP == facts.isUDP
        && Self.equal(message, other.service, facts.service)
      if !isSame { mark(.subtypeTarget, name: Int(record.name), value: target) }
    } else if facts.isEnumeration(message), facts.first.length == 9 {
      let other = self.facts(message, at: target)
      // Other names below _dns-sd._udp list domains.
      let isServices = message[Int(facts.first.offset)] == 0x5F
      let isType = other.isServiceType && other.serviceFault != .noUnderscore
      if isServices, !isType { mark(.enumTarget, name: Int(record.name), value: target) }
    }
  }

  private static func equal(
    _ message: Span<UInt8>, _ left: MessageNameFacts.Label, _ right: MessageNameFacts.Label
  ) -> Bool {
    guard left.length == right.length else { return false }
    for step in 0..<Int(left.length)
    where DNSNameView.folded(message[Int(left.offset) &+ step])
      != DNSNameView.folded(message[Int(right.offset) &+ step])
    {
      return false
    }
    return true
  }

  private mutating func judgeSRV(
    _ message: Span<UInt8>, _ record: DNSRecordView, _ facts: MessageNameFacts
  ) {
    let start = Int(record.rdata)
    judgeNameBytes(message, at: start &+ 6)
    judgeProtocol(record, facts)
    guard record.ttl > 0 else { return }
    let target = self.facts(message, at: start &+ 6)
    let name = Int(record.name)
    if target.zone == .root {
      mark(.srvTarget, nil, .root, name: name, value: start &+ 6)
    } else if target.zone != .local {
      mark(.srvTarget, nil, .notLocal, name: name, value: start &+ 6)
    } else if message.uint16(at: start &+ 4) == 0, message.uint32(at: start) != 0 {
      // With priority and weight 0 as well it holds the name of a flagship protocol
      // (RFC 6763 section 8).
      mark(.srvTarget, nil, .port, name: name, value: start &+ 6)
    }
  }

  private mutating func judgeNSEC(
    _ message: Span<UInt8>, _ record: DNSRecordView, _ facts: MessageNameFacts
  ) {
    guard case .nsec(let next, let bitmaps) = record.data(message) else { return }
    let name = Int(record.name)
    let other = self.facts(message, at: next)
    judgeNameBytes(message, at: next)
    if other.start != facts.start,
      other.fingerprint != facts.fingerprint
        || !DNSNameView.equal(message, at: Int(other.start), message, at: Int(facts.start))
    {
      mark(.nsecNextName, name: name, value: next)
    }
    guard bitmaps.count >= 2 else {
      mark(.nsecBlock, nil, .blockLength, name: name, value: 0)
      return
    }
    let block = Int(message[bitmaps.lowerBound])
    let length = Int(message[bitmaps.lowerBound &+ 1])
    if length == 0 || length > 32 {
      mark(.nsecBlock, nil, .blockLength, name: name, value: length)
    } else if bitmaps.count > length &+ 2 {
      mark(.nsecBlock, nil, .blockCount, name: name)
    } else if block != 0 {
      mark(.nsecBlock, nil, .blockNumber, name: name, value: block)
    }
    if Self.asserts(.nsec, message, bitmaps) { mark(.nsecBit, name: name) }
  }

  /// True when the bitmaps have the bit of `type`, which is at most 255.
  static func asserts(
    _ type: DNSRecordType, _ message: Span<UInt8>, _ bitmaps: Range<Int>
  ) -> Bool {
    var position = bitmaps.lowerBound
    while bitmaps.upperBound &- position >= 2 {
      let start = position &+ 2
      let length = Int(message[position &+ 1])
      guard length <= bitmaps.upperBound &- start else { return false }
      if message[position] == 0 {
        let byte = Int(type.rawValue) &>> 3
        let bit: UInt8 = 0x80 &>> UInt8(truncatingIfNeeded: type.rawValue & 7)
        return byte < length && message[start &+ byte] & bit != 0
      }
      position = start &+ length
    }
    return false
  }
}
