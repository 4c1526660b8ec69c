import LanWire

extension MessageRules {
  /// Rules about a question.
  mutating func judgeQuestion(_ message: Span<UInt8>, _ question: DNSQuestionView) {
    let name = Int(question.name)
    judgeNameBytes(message, at: name)
    let facts = facts(message, at: name)
    judgeName(message, facts, name)
    let number = question.dnsClass.rawValue
    if number != 1, number != 255 {
      mark(.recordClass, name: name, type: question.type, value: Int(number))
    }
    if !isResponse, facts.zone == .local, question.type == .soa || question.type == .ns {
      mark(.soaOrNSQuery, name: name, type: question.type)
    }
  }

  /// Rules about a record by itself.
  mutating func judgeRecord(_ message: Span<UInt8>, _ record: DNSRecordView, _ position: Int) {
    if record.type == .opt {
      judgeOPT(record)
      return
    }
    let name = Int(record.name)
    judgeNameBytes(message, at: name)
    let facts = facts(message, at: name)
    judgeName(message, facts, name)
    if let problem = record.problem { judgeDataProblem(record, problem) }
    guard record.dnsClass == .in else {
      mark(.recordClass, name: name, type: record.type, value: Int(record.dnsClass.rawValue))
      return
    }
    if isResponse {
      judgeFlush(message, record, facts)
      judgeTTL(record, facts)
      note(record, facts, position)
    } else if record.cacheFlush {
      switch record.section {
      case .answer: mark(.cacheFlushInKnownAnswer, name: name, type: record.type)
      case .authority: mark(.cacheFlushInProbe, name: name, type: record.type)
      case .additional: break
      }
    }
    // Known answers are somebody else's words.
    if record.problem == nil, isResponse || record.section == .authority {
      judgeData(message, record, facts)
    }
  }

  private mutating func judgeOPT(_ record: DNSRecordView) {
    optCount &+= 1
    if record.section != .additional {
      mark(.optMisplaced, nil, .outsideAdditional)
    } else if optCount > 1 {
      mark(.optMisplaced, nil, .repeated)
    }
  }

  private mutating func judgeDataProblem(_ record: DNSRecordView, _ problem: WireError.Reason) {
    let name = Int(record.name)
    if problem == .rdataOverrun || problem == .rdataSize {
      if record.type == .nsec, problem == .rdataOverrun {
        mark(.nsecBlock, nil, .blockOverrun, name: name, type: record.type)
      } else {
        mark(.rdataSize, name: name, type: record.type, value: Int(record.rdataLength))
      }
    }
  }

  /// The cache-flush bit of a record in a response (RFC 6762 section 10.2).
  private mutating func judgeFlush(
    _ message: Span<UInt8>, _ record: DNSRecordView, _ facts: MessageNameFacts
  ) {
    let name = Int(record.name)
    if record.cacheFlush {
      if isLegacyResponse { mark(.legacyResponse, nil, .cacheFlush, name: name, type: record.type) }
      if record.type == .ptr, facts.isShared(message) {
        mark(.cacheFlushOnShared, name: name, type: record.type)
      }
    } else if isMulticast, record.ttl > 0, record.section != .authority,
      Self.isUnique(record.type, facts), !Self.isDeviceInfo(message, record, facts)
    {
      mark(.uniqueWithoutCacheFlush, name: name, type: record.type)
    }
  }

  /// Types that only one host may assert for a name.
  private static func isUnique(_ type: DNSRecordType, _ facts: MessageNameFacts) -> Bool {
    switch type {
    case .a, .aaaa, .srv, .txt, .nsec, .hinfo: true
    case .ptr: facts.isReverse
    default: false
    }
  }

  /// The TXT record that Apple's hosts share under `_device-info._tcp`, without probing.
  private static func isDeviceInfo(
    _ message: Span<UInt8>, _ record: DNSRecordView, _ facts: MessageNameFacts
  ) -> Bool {
    guard record.type == .txt, facts.hasProtocol, facts.service.length == 12 else { return false }
    let start = Int(facts.service.offset)
    let head = MessageNameFacts.Label.folded(message, start..<(start &+ 8))
    let tail = MessageNameFacts.Label.folded(message, (start &+ 8)..<(start &+ 12))
    return head == 0x5F64_6576_6963_652D && tail == 0x696E_666F
  }

  /// The TTL of a record in a response (RFC 6762 sections 6.7 and 10).
  private mutating func judgeTTL(_ record: DNSRecordView, _ facts: MessageNameFacts) {
    let ttl = record.ttl
    guard ttl != 0, record.section != .authority else { return }
    let name = Int(record.name)
    if isLegacyResponse {
      if ttl > 10 {
        mark(.legacyResponse, nil, .ttl, name: name, type: record.type, value: Int(ttl))
      }
      return
    }
    let isUsual =
      switch record.type {
      case .a, .aaaa, .hinfo, .srv: ttl == 120
      // It lives as long as the record that it stands for (section 6.1).
      case .nsec: ttl == 120 || ttl == 4500
      case .ptr: ttl == (facts.isReverse ? 120 : 4500)
      default: ttl == 4500
      }
    if !isUsual {
      mark(
        .ttlUnusual, ttl < 10 || ttl > 86_400 ? .warning : .info, name: name, type: record.type,
        value: Int(ttl))
    }
  }

  private mutating func note(
    _ record: DNSRecordView, _ facts: MessageNameFacts, _ position: Int
  ) {
    switch record.type {
    case .nsec: nsecCount &+= 1
    case .a, .aaaa: addressCount &+= 1
    case .cname: aliasCount &+= 1
    default: break
    }
    let note = RecordNote(
      fingerprint: facts.fingerprint, start: facts.start,
      record: Int32(truncatingIfNeeded: position), type: record.type, ttl: record.ttl)
    notes.append(note)
  }
}
