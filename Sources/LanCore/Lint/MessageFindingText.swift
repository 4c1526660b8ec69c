import LanWire

/// Makes the sentence of a finding from the numbers that the walk noted.
struct MessageFindingText {
  let mark: MessageMark
  let isResponse: Bool

  /// What was seen, with names and numbers, and its effect.
  func sentence(_ message: Span<UInt8>) -> String {
    let text =
      switch mark.rule.rawValue {
      case ...MessageRule.trailingBytes.rawValue: headerSentence()
      case ...MessageRule.rdataSize.rawValue: recordSentence(message)
      default: contentSentence(message)
      }
    return mark.count > 1 ? "\(text) (and \(mark.count - 1) more in this message)" : text
  }

  private func headerSentence() -> String {
    let value = mark.value
    let kind = isResponse ? "response" : "query"
    return switch mark.rule {
    case .respSrcPort:
      "response sent from UDP port \(value), not 5353; receivers must ignore it"
    case .ipTTL: "\(kind) sent with IP TTL \(value), not 255; strict receivers drop it"
    case .idNonzeroResponse: "multicast response with id \(value), not 0"
    case .idNonzeroQuery: "multicast query from port 5353 with id \(value), not 0"
    case .opcode: "opcode \(value); receivers must ignore the message"
    case .rcode: "response code \(value); receivers must ignore the message"
    case .aaClearResponse: "response without the AA bit; strict receivers ignore it"
    case .aaSetQuery: "query with the AA bit"
    case .tcResponse: "multicast response with the TC bit, which receivers ignore"
    case .reservedBits: "\(kind) with the bits \(bits(value)), which should be 0"
    case .questionInResponse:
      "multicast response with \(value) question\(plural(value)); avahi ignores this response"
    case .emptyResponse:
      value > 0
        ? "response without an answer, \(value) additional record\(plural(value)) only"
        : "response without an answer"
    case .authorityInResponse:
      "response with \(value) authority record\(plural(value)); avahi ignores this response"
    case .oversize: "\(value) bytes with IP and UDP headers, more than 9,000"
    case .fragmented: "message of \(value) records in IP fragments; one lost fragment loses all"
    case .notDNS: "\(other(value)) on UDP port 5353; responders drop it"
    case .malformedName: "name that cannot be read at byte \(value); receivers drop the message"
    case .malformedMessage: "message ends before what it announces, at byte \(value)"
    case .forwardPointer: "name with a compression pointer that leads forward"
    default: "\(value) byte\(plural(value)) after the last record; strict decoders drop the message"
    }
  }

  private func recordSentence(_ message: Span<UInt8>) -> String {
    let record = "\(mark.type) record of \(name(message))"
    return switch mark.rule {
    case .cacheFlushInKnownAnswer: "known answer with the cache-flush bit: \(record)"
    case .cacheFlushInProbe: "probe with the cache-flush bit: \(record)"
    case .cacheFlushOnShared:
      "shared \(record) with the cache-flush bit; it wipes other hosts' answers from caches"
    case .uniqueWithoutCacheFlush:
      "unique \(record) without the cache-flush bit; older data stays in caches"
    case .ttlUnusual: "\(record) with a TTL of \(mark.value) s"
    case .ttlDiffersInRRSet:
      "\(mark.type) records of \(name(message)) with TTLs of \(mark.value >> 32) s and "
        + "\(mark.value & 0xFFFF_FFFF) s"
    case .legacyResponse: legacySentence(record)
    case .recordClass: "\(mark.type) of \(name(message)) in class \(mark.value), not IN"
    case .nsecNextName:
      "NSEC record of \(name(message)) with the next name \(self.text(message, mark.value))"
    case .nsecBlock: blockSentence(message)
    case .nsecBit: "NSEC record of \(name(message)) asserts an NSEC record"
    case .nsecContradiction:
      "NSEC record of \(name(message)) denies \(mark.type), which the same message holds"
    case .otherFamilyMissing:
      "\(mark.type) record of \(name(message)) without "
        + "\(DNSRecordType(rawValue: UInt16(truncatingIfNeeded: mark.value))) or NSEC record"
    case .optMisplaced:
      mark.detail == .repeated
        ? "more than one OPT record" : "OPT record outside the additional section"
    default:
      "\(record) with \(mark.value) bytes of data, the wrong size; receivers discard it"
    }
  }

  private func legacySentence(_ record: String) -> String {
    switch mark.detail {
    case .noQuestion: "answer to a legacy query without its question; resolvers reject it"
    case .cacheFlush: "answer to a legacy query with the cache-flush bit: \(record)"
    default: "answer to a legacy query with a TTL of \(mark.value) s, above 10: \(record)"
    }
  }

  private func blockSentence(_ message: Span<UInt8>) -> String {
    let record = "NSEC record of \(name(message))"
    return switch mark.detail {
    case .blockNumber: "\(record) with bitmap block \(mark.value), not 0"
    case .blockLength: "\(record) with a bitmap of \(mark.value) bytes, not 1 to 32"
    case .blockCount: "\(record) with more than one bitmap block"
    default: "\(record) whose bitmap runs past its data"
    }
  }

  private func contentSentence(_ message: Span<UInt8>) -> String {
    let name = name(message)
    return switch mark.rule {
    case .nameControlCharacter: "control character in the name \(name)"
    case .nameNotUTF8: "name that is no valid UTF-8: \(name)"
    case .namePunycode: "Punycode in the name \(name); it matches no host's real name"
    case .nameNotLocal:
      "\(isResponse ? "record" : "question") for \(name), which is not in .local"
    case .soaOrNSQuery: "\(mark.type) question for \(name), which nobody answers"
    case .srvTarget: targetSentence(name, text(message, mark.value))
    case .serviceType: typeSentence(name)
    case .txtZeroLength: "TXT record of \(name) with no byte of data"
    case .txtKeys: keySentence(name, string(message, mark.value))
    case .txtSize: "TXT record of \(name) with \(mark.value) bytes"
    case .subtypeTarget:
      "subtype \(name) points to \(text(message, mark.value)), an instance of another type"
    default: "\(name) points to \(text(message, mark.value)), which is no service type"
    }
  }

  private func targetSentence(_ name: String, _ target: String) -> String {
    switch mark.detail {
    case .root: "SRV record of \(name) with the target \".\": there is no such service"
    case .notLocal: "SRV record of \(name) with the target \(target), which is not in .local"
    case .alias: "SRV record of \(name) with the target \(target), which is an alias"
    default: "SRV record of \(name) with port 0; clients cannot connect"
    }
  }

  private func typeSentence(_ name: String) -> String {
    switch mark.detail {
    case .noUnderscore: "service name without underscore in \(name); browsers pass over it"
    case .tooLong: "service name of more than 15 characters in \(name)"
    case .noLetter: "service name without a letter in \(name)"
    case .badProtocol: "neither _tcp nor _udp in \(name); browsers pass over it"
    default: "service name in \(name) with characters other than letters, digits, single hyphens"
    }
  }

  private func keySentence(_ name: String, _ string: String) -> String {
    let place = "in the TXT record of \(name)"
    return switch mark.detail {
    case .startsWithEquals: "string without a key \(place): \(string)"
    case .notPrintable: "key that is not printable ASCII \(place): \(string)"
    case .repeated: "repeated key \(place): \(string); only the first one counts"
    default: "key of more than 9 characters \(place): \(string)"
    }
  }

  private func bits(_ value: Int) -> String {
    let names = [(0x100, "RD"), (0x80, "RA"), (0x40, "Z"), (0x20, "AD"), (0x10, "CD")]
    return names.filter { value & $0.0 != 0 }.map(\.1).joined(separator: ", ")
  }

  private func other(_ count: Int) -> String {
    switch mark.detail {
    case .json: "JSON text of \(count) bytes"
    case .ssdp: "SSDP message of \(count) bytes"
    case .natPMP: "NAT-PMP message"
    case .short: "\(count) byte\(plural(count)), too few for a DNS header,"
    default: "\(count) bytes that are no DNS message"
    }
  }

  private func plural(_ count: Int) -> String { count == 1 ? "" : "s" }

  private func name(_ message: Span<UInt8>) -> String { text(message, mark.name) }

  private func text(_ message: Span<UInt8>, _ offset: Int) -> String {
    offset < 0 ? "." : DNSNameText.string(message, at: offset)
  }

  private func string(_ message: Span<UInt8>, _ offset: Int) -> String {
    guard offset > 0, offset <= message.count else { return "" }
    let end = min(message.count, offset + Int(message[offset - 1]))
    return "\"\(LintText.string(message, offset..<min(end, offset + 40)))\""
  }
}
