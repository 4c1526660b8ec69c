// Rules about the fields of records. Their order is that of `MessageRule`.
extension LintRules {
  static let recordRules = [
    cacheFlushInKnownAnswer, cacheFlushInProbe, cacheFlushOnShared, uniqueWithoutCacheFlush,
    ttlUnusual, ttlDiffersInRRSet, legacyResponse, recordClass, nsecNextName, nsecBlock, nsecBit,
    nsecDenial, otherFamilyMissing, optMisplaced, rdataSize,
  ]

  static let cacheFlushInKnownAnswer = LintRule(
    "cache-flush-in-known-answer", .error, "RFC 6762 section 10.2",
    "Known answers in a query have the cache-flush bit clear.",
    "Responders may not know the answer again and repeat it. Clear the bit in queries.")
  static let cacheFlushInProbe = LintRule(
    "cache-flush-in-probe", .info, "RFC 6762 section 8.2",
    "Records that are probed for have the cache-flush bit clear.",
    "The bit is left out of the comparison that decides a tie; careless hosts compare it. Clear it."
  )
  static let cacheFlushOnShared = LintRule(
    "cache-flush-on-shared", .error, "RFC 6762 section 10.2",
    "Shared records have the cache-flush bit clear.",
    "It wipes the other hosts' services of that type from every cache. Clear the bit on PTR "
      + "records of service types.")
  static let uniqueWithoutCacheFlush = LintRule(
    "unique-without-cache-flush", .error, "RFC 6762 section 10.2",
    "Unique records in multicast responses have the cache-flush bit set.",
    "Old addresses and texts stay in caches until their TTL ends. Set the bit on records that "
      + "the host has probed for.")
  static let ttlUnusual = LintRule(
    "ttl-unusual", .info, "RFC 6762 section 10",
    "Records about hosts have a TTL of 120 seconds, others one of 4,500.",
    "A short TTL makes every browser ask again and again, a long one keeps what is gone. Use the "
      + "recommended values.")
  static let ttlDiffersInRRSet = LintRule(
    "ttl-differs-in-rrset", .warning, "RFC 2181 section 5.2",
    "The records of one name and type have the same TTL.",
    "Caches lose a part of the set before the rest. Give all of them one TTL.")
  static let legacyResponse = LintRule(
    "legacy-response", .error, "RFC 6762 section 6.7",
    "An answer to a legacy query repeats its question and has no cache-flush bit and TTLs of at "
      + "most 10 seconds.",
    "Simple resolvers reject the answer or keep it too long. Answer as a conventional server does.")
  static let recordClass = LintRule(
    "class", .warning, "RFC 6762 section 6",
    "Records are of class IN, questions of class IN or ANY.",
    "Responders and caches pass over other classes. Use class IN.")
  static let nsecNextName = LintRule(
    "nsec-next-name", .warning, "RFC 6762 section 6.1",
    "The next name of an NSEC record is its owner.",
    "Receivers that check it discard the record and ask on. Repeat the owner's name.")
  static let nsecBlock = LintRule(
    "nsec-block", .warning, "RFC 6762 section 6.1",
    "An NSEC record has one bitmap, of block 0 and 1 to 32 bytes.",
    "Receivers discard the record and ask on. Leave types above 255 out of NSEC records.")
  static let nsecBit = LintRule(
    "nsec-bit", .error, "RFC 6762 section 6.1",
    "An NSEC record does not assert an NSEC record.",
    "Receivers may wait for a record that does not exist. Clear bit 47.")
  static let nsecDenial = LintRule(
    "nsec-contradiction", .error, "RFC 6762 section 6.1",
    "An NSEC record denies no type that its sender has for that name.",
    "Which of the two holds is chance: hosts take the type for missing. Build the bitmap from the "
      + "records that exist.")
  static let otherFamilyMissing = LintRule(
    "other-family-missing", .info, "RFC 6762 section 6.2",
    "A response with a host's addresses of one family holds those of the other, or an NSEC record.",
    "Every connection waits for a second question. Add the other addresses, or an NSEC record "
      + "that says there are none.")
  static let optMisplaced = LintRule(
    "opt-misplaced", .warning, "RFC 6891 section 6.1.1",
    "A message has at most one OPT record, in its additional section.",
    "Receivers may drop the message. Put one OPT record into the additional section.")
  static let rdataSize = LintRule(
    "rdata-size", .error, "RFC 1035 section 3.2.1",
    "Record data has the size that its type demands.",
    "Receivers discard the record; weak ones read the neighbour's bytes. Correct the sender.")
}
