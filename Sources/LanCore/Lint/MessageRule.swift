import LanWire

/// A rule that one message shows by itself; its number is its place in `LintRules.message`.
enum MessageRule: UInt8, CaseIterable, Sendable {
  case respSrcPort, ipTTL, idNonzeroResponse, idNonzeroQuery, opcode, rcode, aaClearResponse
  case aaSetQuery, tcResponse, reservedBits, questionInResponse, emptyResponse
  case authorityInResponse, oversize, fragmented, notDNS, malformedName, malformedMessage
  case forwardPointer, trailingBytes

  case cacheFlushInKnownAnswer, cacheFlushInProbe, cacheFlushOnShared, uniqueWithoutCacheFlush
  case ttlUnusual, ttlDiffersInRRSet, legacyResponse, recordClass, nsecNextName, nsecBlock
  case nsecBit, nsecContradiction, otherFamilyMissing, optMisplaced, rdataSize

  case nameControlCharacter, nameNotUTF8, namePunycode, nameNotLocal, soaOrNSQuery, srvTarget
  case serviceType, txtZeroLength, txtKeys, txtSize, subtypeTarget, enumTarget

  /// The rule's words.
  var rule: LintRule { LintRules.message[Int(rawValue)] }
}

/// A breach seen while a message is walked, as numbers; its text is made when the walk is over.
struct MessageMark: Sendable {
  /// The rule.
  var rule: MessageRule
  /// How bad the worst of the breaches is.
  var severity: FindingSeverity
  /// What of the rule was broken, for rules with several demands.
  var detail: MessageDetail
  /// Offset of the name that the text gives; -1 for none.
  var name: Int
  /// Type of the record or question that the text gives.
  var type: DNSRecordType
  /// A number or an offset that the text gives.
  var value: Int
  /// Breaches of the rule in this message.
  var count: Int
}

/// Which of a rule's demands was not met.
enum MessageDetail: UInt8, Sendable {
  case none
  case cacheFlush, noQuestion, ttl
  case blockNumber, blockLength, blockCount, blockOverrun
  case outsideAdditional, repeated
  case port, notLocal, root, alias
  case noUnderscore, tooLong, badCharacter, noLetter, badProtocol
  case startsWithEquals, notPrintable, longKey
  case json, ssdp, natPMP, short, noise
}
