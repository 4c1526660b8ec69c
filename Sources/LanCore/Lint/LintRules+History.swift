/// The rules that only several messages show, in the order of the protocol's sections.
extension LintRules {
  /// A response goes to the group unless its receiver asked for unicast within the last 2 s.
  public static let unaskedUnicast = LintRule(
    "resp-dst-unasked", .error, "RFC 6762 section 6",
    "A response goes to the group unless its receiver asked for unicast within the last 2 s.",
    "Other hosts' caches miss the answer and receivers should ignore it; answer to the group.")
  /// A query without a question follows a query with the TC bit within 500 ms.
  public static let emptyQuery = LintRule(
    "empty-query", .warning, "RFC 6762 section 7.2",
    "A query without a question follows a query with the TC bit within 500 ms.",
    "It asks nothing and wakes every host; send known answers right behind their truncated query.")
  /// A message comes from an address of the local link.
  public static let offLinkSource = LintRule(
    "off-link-source", .error, "RFC 6762 section 11",
    "A message comes from an address of the local link.",
    "Receivers drop unicast from elsewhere; check the host's address and subnet mask, or "
      + "the router that forwards it.")
  /// Records with the cache-flush bit come with all others of their name and type.
  public static let partialSet = LintRule(
    "partial-rrset", .error, "RFC 6762 section 10.2",
    "Records with the cache-flush bit come with all others of their name and type.",
    "Caches drop the members that were left out after a second; send the whole set.")
  /// An NSEC record denies no type that its host asserts.
  public static let nsecContradiction = LintRule(
    "nsec-contradiction", .error, "RFC 6762 section 6.1",
    "An NSEC record denies no type that its host asserts.",
    "Clients stop asking for a record that exists; correct the bitmap.")
  /// A host answers the same over IPv4 and IPv6.
  public static let nsecPerFamily = LintRule(
    "nsec-per-family", .error, "RFC 6762 section 6.2",
    "A host answers the same over IPv4 and IPv6.",
    "Clients on one family believe that the other address type does not exist; answer from "
      + "one set of records.")
  /// A record is multicast at most once a second, except to defend it against a probe.
  public static let repeatWithinSecond = LintRule(
    "repeat-within-second", .error, "RFC 6762 section 6",
    "A record is multicast at most once a second, except to defend it against a probe.",
    "It loads every host on the link; suppress repeats for a second.")
  /// See `demand`.
  public static let queryInterval = LintRule(
    "query-interval", .error, "RFC 6762 section 5.2",
    "The first two queries are at least a second apart, and each gap is at least twice the "
      + "one before.",
    "It loads every host on the link; double the interval up to an hour.")
  /// A host asks for a unicast response once; later queries ask for multicast.
  public static let unicastRepeated = LintRule(
    "qu-repeated", .warning, "RFC 6762 section 5.4",
    "A host asks for a unicast response once; later queries ask for multicast.",
    "Other hosts cannot learn from the answers; clear the QU bit after the first query.")
  /// A responder does not send what the query lists with at least half its TTL.
  public static let knownAnswerIgnored = LintRule(
    "known-answer-ignored", .error, "RFC 6762 section 7.1",
    "A responder does not send what the query lists with at least half its TTL.",
    "The answer is wasted traffic; compare with the known answers before answering.")
  /// A query lists no known answer with less than half its TTL left.
  public static let staleKnownAnswer = LintRule(
    "stale-known-answer", .warning, "RFC 6762 section 7.1",
    "A query lists no known answer with less than half its TTL left.",
    "The responder may stay silent and the record expire; leave old answers out.")
  /// A query with the TC bit is followed by more known answers within 500 ms.
  public static let truncatedAlone = LintRule(
    "tc-without-follow-up", .warning, "RFC 6762 section 7.2",
    "A query with the TC bit is followed by more known answers within 500 ms.",
    "Responders wait in vain and answer late; clear the TC bit or send the rest.")
  /// A host probes for its unique names before it announces them.
  public static let noProbe = LintRule(
    "no-probe", .error, "RFC 6762 section 8.1",
    "A host probes for its unique names before it announces them.",
    "Two hosts may own one name without noticing; probe three times first.")
  /// A host probes three times, 250 ms apart.
  public static let probeTiming = LintRule(
    "probe-timing", .warning, "RFC 6762 section 8.1",
    "A host probes three times, 250 ms apart.",
    "Another owner may have too little time to object; send three probes 250 ms apart.")
  /// A probe asks for type ANY.
  public static let probeType = LintRule(
    "probe-not-any", .warning, "RFC 6762 section 8.1",
    "A probe asks for type ANY.",
    "A conflict over another type of the name stays hidden; ask for ANY.")
  /// A probe holds the proposed records in its authority section.
  public static let probeAuthority = LintRule(
    "probe-without-authority", .warning, "RFC 6762 section 8.2",
    "A probe holds the proposed records in its authority section.",
    "Two hosts that probe at once cannot tell who wins; add the records.")
  /// A new record is announced at least twice, a second apart.
  public static let announcedOnce = LintRule(
    "announced-once", .warning, "RFC 6762 section 8.3",
    "A new record is announced at least twice, a second apart.",
    "One lost packet leaves caches without it; announce a second time.")
  /// Unchanged records are not announced at regular intervals.
  public static let periodicAnnouncement = LintRule(
    "periodic-announcement", .error, "RFC 6762 section 8.3",
    "Unchanged records are not announced at regular intervals.",
    "It loads every host on the link; announce at start and on change, then wait to be asked.")
  /// A record changes no more than ten times a minute.
  public static let updateRate = LintRule(
    "update-rate", .warning, "RFC 6762 section 8.4",
    "A record changes no more than ten times a minute.",
    "Every change costs all caches an update; put fast values elsewhere.")
  /// One unique name and type belongs to one host.
  public static let conflict = LintRule(
    "conflict", .error, "RFC 6762 section 9",
    "One unique name and type belongs to one host.",
    "Clients reach now one host, now the other; rename one of them.")
  /// A host that loses its name settles on another one.
  public static let renameLoop = LintRule(
    "rename-loop", .error, "RFC 6762 section 9",
    "A host that loses its name settles on another one.",
    "The number in the name rises for ever, mostly from a reflector or a second interface "
      + "that echoes its own records; remove the echo.")
  /// A record that was withdrawn stays away.
  public static let goodbyeFlap = LintRule(
    "goodbye-flap", .warning, "RFC 6762 section 10.1",
    "A record that was withdrawn stays away.",
    "The service comes and goes in every browser; check why the program restarts.")
  /// A host withdraws its own records only.
  public static let goodbyeForeign = LintRule(
    "goodbye-foreign", .warning, "RFC 6762 section 10.1",
    "A host withdraws its own records only.",
    "Clients lose a service that still runs; check the host that sent the goodbye.")
  /// Questions find an answer.
  public static let unanswered = LintRule(
    "unanswered", .info, "RFC 6762 section 5.2",
    "Questions find an answer.",
    "Nobody has the record; the askers wait for something that is not there.")
  /// An answer comes within half a second.
  public static let answerLate = LintRule(
    "answer-late", .warning, "RFC 6762 section 6",
    "An answer comes within half a second.",
    "Clients may have given up; look for a busy or sleeping responder.")
  /// What a PTR or SRV record refers to can be found.
  public static let danglingReference = LintRule(
    "dangling-reference", .warning, "RFC 6763 section 12",
    "What a PTR or SRV record refers to can be found.",
    "The service shows up but cannot be used; publish the missing record.")
  /// A host publishes addresses that are reachable on the link.
  public static let addressNotOnLink = LintRule(
    "address-not-on-link", .error, "RFC 6762 section 6.2",
    "A host publishes addresses that are reachable on the link.",
    "Clients try an address that leads nowhere; publish only the addresses of the interface.")
  /// A message is sent by one host.
  public static let reflectorLoop = LintRule(
    "reflector-loop", .warning, "RFC 6762 section 11",
    "A message is sent by one host.",
    "A reflector repeats traffic of its own link; keep its interfaces apart.")
  /// Hosts keep multicast traffic low.
  public static let storm = LintRule(
    "storm", .warning, "RFC 6762 section 7",
    "Hosts keep multicast traffic low.",
    "It fills Wi-Fi air time and wakes sleeping devices; find out what makes the host send.")
  /// Questions and their answers travel over the same IP version.
  public static let familySplit = LintRule(
    "family-split", .info, "RFC 6762 section 20",
    "Questions and their answers travel over the same IP version.",
    "A host with one IP version only would see no answer; check the multicast of the other one.")
  /// A host reports its membership of the group while a querier asks.
  public static let membership = LintRule(
    "membership", .info, "RFC 4541 section 2.1.2",
    "A host reports its membership of the group while a querier asks.",
    "A snooping switch may keep multicast from it; check the host, or set up a querier.")
  /// A service has a TXT record beside its SRV record.
  public static let txtMissing = LintRule(
    "txt-missing", .error, "RFC 6763 section 6",
    "A service has a TXT record beside its SRV record.",
    "Clients wait for the TXT record; publish one, if only with a zero byte.")
  /// A host answers for its own names only.
  public static let answersEverybody = LintRule(
    "answers-for-everybody", .error, "RFC 4795 section 5",
    "A host answers for its own names only.",
    "Clients send their passwords to it: it looks like a poisoning attack; find and isolate "
      + "the host.")
  /// Names are looked up without LLMNR.
  public static let llmnrInUse = LintRule(
    "llmnr-in-use", .info, "RFC 4795 section 5",
    "Names are looked up without LLMNR.",
    "Any host can answer; turn LLMNR off where multicast DNS serves.")

  /// All rules that `LintHistory` judges.
  public static let history: [LintRule] = [
    unaskedUnicast, emptyQuery, offLinkSource, partialSet, nsecContradiction, nsecPerFamily,
    repeatWithinSecond, queryInterval, unicastRepeated, knownAnswerIgnored, staleKnownAnswer,
    truncatedAlone, noProbe, probeTiming, probeType, probeAuthority, announcedOnce,
    periodicAnnouncement, updateRate, conflict, renameLoop, goodbyeFlap, goodbyeForeign,
    unanswered, answerLate, danglingReference, addressNotOnLink, reflectorLoop, storm,
    familySplit, membership, txtMissing, answersEverybody, llmnrInUse,
  ]
}
