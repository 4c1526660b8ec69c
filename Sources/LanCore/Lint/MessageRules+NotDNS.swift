import LanWire

extension MessageRules {
  /// Judges a payload that is no sound DNS message; the result is in `marks`.
  mutating func judgeNotDNS(
    _ payload: Span<UInt8>, _ view: DNSMessageView, _ index: DNSMessageIndex,
    _ envelope: MessageEnvelope, _ nameProtocol: NameProtocol
  ) {
    let other = nameProtocol == .mdns ? Self.otherProtocol(payload, view) : .none
    if other == .none {
      judge(payload, view, index, envelope, nameProtocol)
    } else {
      begin()
      if !envelope.isCut { mark(.notDNS, nil, other, value: payload.count) }
    }
  }

  /// What a payload that cannot be read as a DNS message looks like; `.none` for a damaged one.
  static func otherProtocol(_ payload: Span<UInt8>, _ view: DNSMessageView) -> MessageDetail {
    guard view.problem != nil else { return .none }
    if payload.isEmpty { return .short }
    switch payload[0] {
    case 0x7B, 0x5B: return .json
    case 0x4D, 0x4E, 0x48:
      if startsWithText(payload) { return .ssdp }
    default: break
    }
    if payload.count == 2 || payload.count == 12, payload[0] == 0,
      payload[1] == 0 || payload[1] >= 128
    {
      return .natPMP
    }
    if payload.count < DNSLimits.headerOctets { return .short }
    let header = view.header
    let least =
      Int(header.questionCount) &* 5
      &+ (Int(header.answerCount) &+ Int(header.authorityCount) &+ Int(header.additionalCount))
      &* 11
    let isImpossible = least > payload.count &- DNSLimits.headerOctets || header.opcode > 6
    return isImpossible && view.questionCount == 0 && view.recordCount == 0 ? .noise : .none
  }

  /// True for the first lines of SSDP: `M-SEARCH `, `NOTIFY `, `HTTP/1.`.
  private static func startsWithText(_ payload: Span<UInt8>) -> Bool {
    guard payload.count >= 8 else { return false }
    return switch payload.uint64(at: 0) {
    case 0x4D2D_5345_4152_4348, 0x4E4F_5449_4659_202A, 0x4854_5450_2F31_2E31,
      0x4854_5450_2F31_2E30:
      true
    default: false
    }
  }
}
