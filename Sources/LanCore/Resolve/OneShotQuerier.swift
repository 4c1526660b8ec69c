import LanWire

/// Asks one-shot multicast DNS questions, from a port other than 5353 (RFC 6762 sections 5.1 and
/// 6.7).
///
/// It is for hosts where somebody else holds port 5353 and does not share it. Answers come by
/// unicast; a reply is taken only with the number and the question of ours, from port 5353 and from
/// on the link. Nothing is cached, and nothing is heard that was not asked for. Times are
/// nanoseconds of a monotonic clock.
public struct OneShotQuerier: Sendable {
  /// When the questions of a series leave, in nanoseconds after the first; later gaps double.
  private static let gaps: [Int64] = [1_000_000_000, 2_000_000_000, 4_000_000_000]
  private static let longestGap: Int64 = 3_600_000_000_000

  private struct Interest {
    var question: MDNSQuestion
    var id: UInt16
    var left: Int?
    var gap: Int64
    var next: Int64?
  }

  /// To be sent from an own port to port 5353 of the groups.
  public var packets: [MDNSPacket] = []
  /// To be told to whoever asked.
  public var changes: [MDNSChange] = []

  private var interests: [Interest] = []
  private var links: [UInt32: MDNSLink] = [:]
  private var chance: UInt64

  /// A querier without links and questions; `seed` chooses the numbers of its messages.
  public init(seed: UInt64) { chance = seed }

  /// Begins to use a link.
  public mutating func setLink(_ link: MDNSLink) { links[link.index] = link }

  /// Begins to ask.
  public mutating func start(_ question: MDNSQuestion, _ effort: MDNSEffort, at now: Int64) {
    let left: Int?
    switch effort {
    case .passive: return
    case .attempts(let count): left = count
    case .unlimited: left = nil
    }
    interests.append(
      Interest(question: question, id: nextID(), left: left, gap: Self.gaps[0], next: now))
    deadlineReached(at: now)
  }

  /// Asks no more; late replies are not taken.
  public mutating func stop(_ question: MDNSQuestion) {
    interests.removeAll { $0.question == question }
  }

  /// Sends what is due.
  public mutating func deadlineReached(at now: Int64) {
    for index in interests.indices {
      guard let next = interests[index].next, next <= now else { continue }
      if let left = interests[index].left {
        guard left > 0 else {
          interests[index].next = nil
          for link in links.keys.sorted() {
            changes.append(.exhausted(interests[index].question, interfaceIndex: link))
          }
          continue
        }
        interests[index].left = left - 1
      }
      send(interests[index])
      interests[index].next = now + interests[index].gap
      interests[index].gap = min(interests[index].gap * 2, Self.longestGap)
    }
  }

  /// When `deadlineReached` is to be called next; nil for not at all.
  public var nextDeadline: Int64? { interests.compactMap(\.next).min() }

  /// Takes one datagram that came to the own port.
  public mutating func handle(_ bytes: Span<UInt8>, _ arrival: MDNSArrival, at now: Int64) {
    guard arrival.sourcePort == 5_353, let link = links[arrival.interfaceIndex],
      Self.isOnLink(arrival.source, link), let message = try? DNSMessage(bytes)
    else { return }
    let header = message.header
    guard header.isResponse, header.opcode == 0, header.rcode == 0,
      let place = interests.firstIndex(where: { isAnswered($0, by: message, arrival) })
    else { return }
    let question = interests[place].question
    // Once is enough: whoever answered goes on knowing it, and nobody else is asked.
    interests[place].next = nil
    for record in message.answers + message.additionals where record.isInternet {
      tell(record, question, arrival, at: now)
    }
  }

  private func isAnswered(
    _ interest: Interest, by message: DNSMessage, _ arrival: MDNSArrival
  ) -> Bool {
    let wanted = interest.question.interfaceIndex
    guard message.id == interest.id, wanted == nil || wanted == arrival.interfaceIndex else {
      return false
    }
    return message.questions.contains {
      $0.name == interest.question.name && $0.type == interest.question.type
    }
  }

  private mutating func tell(
    _ record: DNSRecord, _ question: MDNSQuestion, _ arrival: MDNSArrival, at now: Int64
  ) {
    if case .nsec(_, let types) = record.data {
      guard record.name == question.name, !types.contains(question.type) else { return }
      changes.append(.denied(question, interfaceIndex: arrival.interfaceIndex))
      return
    }
    guard record.ttl > 0 else { return }
    changes.append(
      .added(
        MDNSAnswer(
          name: record.name, data: record.data, interfaceIndex: arrival.interfaceIndex,
          families: MDNSFamilies(arrival.source), source: arrival.source, ttl: record.ttl,
          received: now, isUnique: true)))
  }

  private static func isOnLink(_ address: IPAddress, _ link: MDNSLink) -> Bool {
    if case .v6(let value) = address, value.isLinkLocal { return true }
    return link.prefixes.contains { $0.contains(address) }
  }

  private mutating func send(_ interest: Interest) {
    let message = DNSMessage(
      id: interest.id,
      questions: [DNSQuestion(name: interest.question.name, type: interest.question.type)])
    guard let bytes = try? message.encoded() else { return }
    for link in links.values.sorted(by: { $0.index < $1.index }) {
      guard interest.question.interfaceIndex ?? link.index == link.index else { continue }
      packets.append(
        MDNSPacket(bytes: bytes, interfaceIndex: link.index, families: link.families))
    }
  }

  /// A number above zero that no other question has; SplitMix64.
  private mutating func nextID() -> UInt16 {
    while true {
      chance &+= 0x9E37_79B9_7F4A_7C15
      var mixed = chance
      mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
      let id = UInt16(truncatingIfNeeded: mixed ^ mixed >> 31)
      if id != 0, !interests.contains(where: { $0.id == id }) { return id }
    }
  }
}

extension DNSRecord {
  fileprivate var isInternet: Bool { rawClass & 0x7FFF == DNSClass.in.rawValue }
}
