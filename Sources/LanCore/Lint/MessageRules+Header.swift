import LanWire

extension MessageRules {
  /// Rules about the bytes as a whole, whatever they say.
  mutating func judgeForm(
    _ message: Span<UInt8>, _ view: DNSMessageView, _ envelope: MessageEnvelope,
    _ nameProtocol: NameProtocol
  ) {
    if let problem = view.problem, !envelope.isCut { judgeProblem(problem) }
    if view.hasForwardPointer { mark(.forwardPointer) }
    if view.trailingBytes > 0, !envelope.isCut {
      mark(.trailingBytes, value: Int(view.trailingBytes))
    }
    guard nameProtocol == .mdns else { return }
    let datagram = message.count &+ (envelope.source.isIPv6 ? 48 : 28)
    if datagram > DNSLimits.multicastMessageOctets { mark(.oversize, value: datagram) }
    if envelope.isFragmented, view.recordCount > 1 {
      mark(.fragmented, value: Int(view.recordCount))
    }
  }

  /// What made the message malformed: its names, or its lengths and counts.
  mutating func judgeProblem(_ problem: WireError) {
    switch problem.reason {
    case .labelPastEnd, .nameUnterminated, .labelType, .pointerLoop, .pointerPastEnd,
      .pointerIntoHeader, .pointerChain, .nameTooLong, .expansionLimit:
      mark(.malformedName, value: problem.offset)
    case .rdataOverrun:
      // Rules about records tell it with the record's name.
      break
    default: mark(.malformedMessage, value: problem.offset)
    }
  }

  /// Rules about ports, the IP header and the DNS header.
  mutating func judgeHeader(_ view: DNSMessageView, _ envelope: MessageEnvelope) {
    let header = view.header
    if envelope.hopLimit != 255, !envelope.isTunnelled {
      mark(.ipTTL, isResponse ? .warning : .info, value: Int(envelope.hopLimit))
    }
    if header.id != 0, isMulticast, envelope.sourcePort == 5353 {
      mark(isResponse ? .idNonzeroResponse : .idNonzeroQuery, value: Int(header.id))
    }
    if header.opcode != 0 { mark(.opcode, value: Int(header.opcode)) }
    if header.rcode != 0 { mark(.rcode, value: Int(header.rcode)) }
    // Conventional queries and the answers to them may ask for recursion (section 6.7).
    let isLegacy = isLegacyResponse || !isResponse && envelope.sourcePort != 5353
    let reserved = header.flags & (isLegacy ? 0x00F0 : 0x01F0)
    if reserved != 0 { mark(.reservedBits, value: Int(reserved)) }
    if isResponse {
      judgeResponseHeader(view, envelope)
    } else if header.isAuthoritative {
      mark(.aaSetQuery)
    }
  }

  private mutating func judgeResponseHeader(_ view: DNSMessageView, _ envelope: MessageEnvelope) {
    let header = view.header
    if envelope.sourcePort != 5353 { mark(.respSrcPort, value: Int(envelope.sourcePort)) }
    if !header.isAuthoritative { mark(.aaClearResponse) }
    guard header.opcode == 0 else { return }
    if isMulticast, header.isTruncated { mark(.tcResponse) }
    if isMulticast, header.questionCount > 0 {
      mark(.questionInResponse, value: Int(header.questionCount))
    }
    if header.answerCount == 0 { mark(.emptyResponse, value: Int(header.additionalCount)) }
    if header.authorityCount > 0 {
      mark(.authorityInResponse, value: Int(header.authorityCount))
    }
    if isLegacyResponse, header.questionCount == 0 { mark(.legacyResponse, nil, .noQuestion) }
  }
}
