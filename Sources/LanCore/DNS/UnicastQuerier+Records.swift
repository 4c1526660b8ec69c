import LanWire

// What is known of each question.
extension UnicastQuerier {
  /// A question that somebody is interested in.
  struct Entry: Sendable {
    var interests = 1
    var isInFlight = false
    var hasOutcome = false
    /// The records that were told.
    var records: [MDNSAnswer] = []
    /// It was told that there are none.
    var isDenied = false
    var failures = 0
    /// When it is asked again, or given up to wait for its sibling.
    var due: Int64?
    /// When the last outcome came.
    var answered: Int64 = .min / 2
    /// The outcome, while the other family of addresses has none.
    var parked: Parked?
  }

  /// An outcome that waits.
  struct Parked: Sendable {
    var outcome: UnicastOutcome
    var name: DNSName
    var source: IPAddress
  }

  /// Records that came unasked with an answer.
  struct Offer: Sendable {
    var records: [DNSRecordData]
    var ttl: UInt32
    var source: IPAddress
  }

  mutating func repeatKnown(_ question: DNSQuestion) {
    guard let entry = entries[question] else { return }
    changes += entry.records.map { .added($0) }
    if entry.isDenied { changes.append(.denied(Self.told(question), interfaceIndex: 0)) }
  }

  private static func told(_ question: DNSQuestion) -> MDNSQuestion {
    MDNSQuestion(question.name, question.type)
  }

  /// Takes the records that answer a question now.
  mutating func take(
    _ question: DNSQuestion, _ data: [DNSRecordData], ttl: UInt32, from source: IPAddress,
    at now: Int64
  ) {
    _ = conclude(question, at: now)
    recover(question)
    guard let old = entries[question]?.records else { return }
    let known = Dictionary(old.map { ($0.data, $0) }) { first, _ in first }
    var seen: Set<DNSRecordData> = []
    var records: [MDNSAnswer] = []
    for data in data where seen.insert(data).inserted {
      var answer = MDNSAnswer(
        name: question.name, data: data, interfaceIndex: 0, families: [], source: source, ttl: ttl,
        received: now, isUnique: false)
      if let earlier = known[data] {
        // When it was first seen decides which of two records is the newer one.
        answer.received = earlier.received
      } else {
        changes.append(.added(answer))
      }
      records.append(answer)
    }
    for answer in old where !seen.contains(answer.data) {
      changes.append(.removed(answer, .expired))
    }
    entries[question]?.records = records
    entries[question]?.isDenied = false
    let life = Int64(ttl) * 1_000_000_000
    setDue(question, now + max(pace.floor, min(life, pace.ceiling)))
  }

  /// Takes it that there is no such record.
  mutating func takeAbsence(_ question: DNSQuestion, _ ttl: UInt32?, _ now: Int64) {
    _ = conclude(question, at: now)
    recover(question)
    guard let entry = entries[question] else { return }
    changes += entry.records.map { .removed($0, .expired) }
    if !entry.isDenied { changes.append(.denied(Self.told(question), interfaceIndex: 0)) }
    entries[question]?.records = []
    entries[question]?.isDenied = true
    let life = ttl.map { Int64($0) * 1_000_000_000 } ?? pace.negativeUsual
    setDue(question, now + max(pace.floor, min(life, pace.negativeCeiling)))
  }

  /// Takes it that nobody could tell: what was known stays.
  mutating func takeFailure(_ question: DNSQuestion, _ failure: UnicastFailure, _ now: Int64) {
    let isFirst = conclude(question, at: now)
    guard let failures = entries[question]?.failures else { return }
    entries[question]?.failures = failures + 1
    let wait = min(pace.retry << Int64(min(failures, 16)), pace.retryCeiling)
    setDue(question, now + wait)
    if isFirst { changes.append(.exhausted(Self.told(question), interfaceIndex: 0)) }
    guard toldFailures.count < Self.toldLimit, toldFailures.insert(question).inserted else {
      return
    }
    diagnostics.append(.unanswered(question, failure))
  }

  private mutating func recover(_ question: DNSQuestion) {
    entries[question]?.failures = 0
    toldFailures.remove(question)
  }

  /// Keeps what a server adds unasked (RFC 6763 section 12), for questions that may follow.
  mutating func keepOffers(_ message: DNSMessage, _ source: IPAddress) {
    for record in message.additionals where record.dnsClass == .in {
      guard [.srv, .txt, .a, .aaaa].contains(record.type), offers.count < Self.offerLimit else {
        continue
      }
      let question = DNSQuestion(name: record.name, type: record.type)
      guard entries[question] == nil else { continue }
      var offer = offers[question] ?? Offer(records: [], ttl: record.ttl, source: source)
      offer.records.append(record.data)
      offer.ttl = min(offer.ttl, record.ttl)
      offers[question] = offer
    }
  }
}
