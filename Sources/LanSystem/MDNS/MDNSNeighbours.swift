import LanCore
import LanWire

/// Looks after other multicast DNS stacks on this machine, so that nothing of theirs is fought over.
///
/// A stack shows by the reverse PTR records of this machine's addresses, heard from these addresses,
/// which host name it has. Services then point to that name and have no address records of their
/// own; when the stack goes, they get some. Who comes later than we do is given way.
final class MDNSNeighbours: MDNSClient {
  /// Whose host name is used.
  enum Host: Hashable {
    /// It is being found out.
    case undecided
    /// One of our own.
    case own
    /// That of another stack on this machine.
    case foreign(DNSName)
  }

  private(set) var host: Host
  private unowned let publishing: MDNSPublishing
  private var links: [UInt32: MDNSLink] = [:]
  /// The reverse names that are asked for, by link, and how eagerly.
  private var questions: [MDNSQuestion: MDNSEffort] = [:]
  private var demands: [MDNSDemand] = []
  /// What other stacks say of our addresses.
  private var heard: [MDNSQuestion: DNSName] = [:]
  /// When the finding out ends, or the asking after it.
  private var deadline: Int64?
  /// Questions are sent: somebody else has the port too.
  private var isAsking: Bool
  /// A name was given up for a stack that was never heard of again.
  private var hasReturned = false
  /// Hashes of what we sent last, to know it when it comes back.
  private var sent: [(hash: Int, time: Int64)] = []
  /// Host names that we have sent records of.
  private var claimed: Set<DNSName> = []
  private var index = DNSMessageIndex()

  /// How long an answer is waited for: two questions, 20 to 120 ms and the host's own delay.
  private static let patience: Int64 = 300_000_000
  /// How long questions go on after it: a stack that gave the answer to others just now may keep it
  /// back for a second (RFC 6762 section 6).
  private static let followUp: Int64 = 1_300_000_000
  /// How long more is waited for after the first answer.
  private static let gathering: Int64 = 50_000_000
  /// How long a stack may take to claim its names on an address that is new, or at all.
  private static let grace: Int64 = 4_000_000_000
  private static let echoSpan: Int64 = 2_000_000_000

  /// Nothing is asked where the port is ours alone.
  init(_ publishing: MDNSPublishing, isAlone: Bool, at now: Int64) {
    self.publishing = publishing
    host = isAlone ? .own : .undecided
    isAsking = !isAlone
  }

  private var isGiven: Bool { publishing.claim.isGiven }

  // MARK: Links

  /// A link comes, before the responder is told of it.
  func linkComes(_ link: MDNSLink, at now: Int64) {
    guard !heard.isEmpty || isForeign else { return }
    // The other stack claims the names of new addresses as well.
    publishing.responder.foreignAddresses.formUnion(link.prefixes.map(\.address))
  }

  private var isForeign: Bool { if case .foreign = host { true } else { false } }

  func setLink(_ link: MDNSLink, at now: Int64) {
    links[link.index] = link
    ask(at: now)
  }

  func removeLink(_ index: UInt32, at now: Int64) {
    links[index] = nil
    ask(at: now)
  }

  // MARK: Questions

  /// Asks for the reverse names of all own addresses: by question while another stack is looked for
  /// or used, else by listening alone.
  private func ask(at now: Int64) {
    let effort: MDNSEffort = isAsking || isForeign || !heard.isEmpty ? .attempts(2) : .passive
    var wanted: Set<MDNSQuestion> = []
    for link in links.values {
      for prefix in link.prefixes {
        wanted.insert(
          MDNSQuestion(DNSName(reverseOf: prefix.address), .ptr, interfaceIndex: link.index))
      }
    }
    for (question, old) in questions where old != effort || !wanted.contains(question) {
      demands.append(.stop(question))
      questions[question] = nil
    }
    for question in wanted where questions[question] == nil {
      demands.append(.start(question, effort))
      questions[question] = effort
    }
    let lost = heard.keys.filter { !wanted.contains($0) }
    for question in lost { heard[question] = nil }
    if host == .undecided, deadline == nil, !wanted.isEmpty { deadline = now + Self.patience }
    if !lost.isEmpty, heard.isEmpty, !wanted.isEmpty { doubt(at: now, for: Self.grace) }
  }

  func takeDemands() -> [MDNSDemand] {
    defer { demands = [] }
    return demands
  }

  func handle(_ change: MDNSChange, at now: Int64) {
    switch change {
    case .added(let answer): learn(answer, at: now)
    case .removed(let answer, let cause): unlearn(answer, cause, at: now)
    case .heardOver, .denied, .exhausted: break
    }
  }

  private func question(_ answer: MDNSAnswer) -> MDNSQuestion? {
    let question = MDNSQuestion(answer.name, .ptr, interfaceIndex: answer.interfaceIndex)
    guard answer.type == .ptr, questions[question] != nil else { return nil }
    return question
  }

  private func learn(_ answer: MDNSAnswer, at now: Int64) {
    guard let question = question(answer), case .ptr(let name) = answer.data,
      isOwn(answer.source, answer.interfaceIndex), !isOurs(name)
    else { return }
    heard[question] = name
    keepOffReverseNames()
    switch host {
    case .undecided: deadline = min(deadline ?? .max, now + Self.gathering)
    case .own where !isGiven: decide(.foreign(name), at: now)
    case .own: break
    case .foreign(let old):
      deadline = nil
      if old != name { decide(.foreign(name), at: now) }
    }
  }

  /// True for a host name that we have claimed ourselves; what we said of an earlier one may still
  /// come back.
  private func isOurs(_ name: DNSName) -> Bool { host == .own && claimed.contains(name) }

  private func unlearn(_ answer: MDNSAnswer, _ cause: MDNSRemovalCause, at now: Int64) {
    guard let question = question(answer), case .ptr(let name) = answer.data,
      heard[question] == name
    else { return }
    heard[question] = nil
    guard heard.isEmpty else { return }
    switch cause {
    case .goodbye, .expired, .noResponse: decide(.own, at: now)
    case .flushed, .interfaceDown: doubt(at: now, for: Self.grace)
    }
  }

  // MARK: Decisions

  /// The other stack's name is kept for a time, to see whether it is heard again.
  private func doubt(at now: Int64, for span: Int64) {
    guard isForeign else { return }
    // Not the same span everywhere: two programs that gave way to each other are not to come back
    // at once.
    deadline = now + span + Int64.random(in: 0..<span / 2)
  }

  private func decide(_ decision: Host, at now: Int64) {
    deadline = nil
    let isNew = host != decision
    host = decision
    if decision == .own, heard.isEmpty { publishing.responder.foreignAddresses = [] }
    if isForeign { keepOffReverseNames() }
    ask(at: now)
    if isNew { publishing.hostDecided(at: now) }
  }

  private func keepOffReverseNames() {
    for link in links.values {
      publishing.responder.foreignAddresses.formUnion(link.prefixes.map(\.address))
    }
  }

  var nextDeadline: Int64? { deadline }

  func deadlineReached(at now: Int64) {
    deadline = nil
    if host == .own {
      isAsking = false
      return ask(at: now)
    }
    hasReturned = isForeign && heard.isEmpty
    decide(choice, at: now)
    if host == .own, isAsking { deadline = now + Self.followUp }
  }

  /// The host that follows from what was heard.
  private var choice: Host {
    guard let name = heard.min(by: { "\($0.key.name)" < "\($1.key.name)" })?.value else {
      return .own
    }
    let isSame = name.firstLabel.map { $0 == publishing.claim.label } ?? false
    return isGiven && !isSame ? .own : .foreign(name)
  }

  func batchEnded(at now: Int64) {}

  // MARK: Those who come later

  private func isOwn(_ address: IPAddress, _ index: UInt32) -> Bool {
    links[index]?.prefixes.contains { $0.address == address } ?? false
  }

  /// Remembers what is sent.
  func willSend(_ bytes: [UInt8], at now: Int64) {
    if sent.count >= 64 { sent.removeFirst(32) }
    sent.append((Self.hash(bytes.span), now))
    if host == .own { claimed.insert(publishing.responder.hostName) }
  }

  private static func hash(_ message: Span<UInt8>) -> Int {
    var hasher = Hasher()
    for position in message.indices { hasher.combine(message[position]) }
    return hasher.finalize()
  }

  /// Looks at a datagram before the responder does: where another stack on this machine claims what
  /// we have, it gets it.
  func look(at message: Span<UInt8>, _ arrival: MDNSArrival, at now: Int64) {
    guard !isForeign, arrival.sourcePort == 5_353, isOwn(arrival.source, arrival.interfaceIndex)
    else { return }
    let hash = Self.hash(message)
    if sent.contains(where: { $0.hash == hash && now - $0.time <= Self.echoSpan }) { return }
    index.removeAll()
    let view = index.read(message)
    guard view.problem == nil, view.header.opcode == 0 else { return }
    let claims = claims(view, message, arrival.interfaceIndex)
    if host == .own, !claims.reverse.isEmpty { keepOffReverseNames() }
    guard !isGiven else { return }
    if host == .undecided {
      // A stack that starts just now: it has no answers yet.
      if let name = claims.reverse.first { giveWay(to: name, at: now) }
    } else if !claims.addresses.isEmpty, !hasReturned {
      // Equal data are no conflict; but who claims a part of our addresses takes the rest for one.
      let ours = Set((links[arrival.interfaceIndex]?.prefixes ?? []).map(\.address))
      if claims.addresses != ours { giveWay(to: publishing.responder.hostName, at: now) }
    }
  }

  /// The addresses that a message of this machine gives our host name, and the names that it gives
  /// our addresses.
  private func claims(
    _ view: DNSMessageView, _ message: Span<UInt8>, _ link: UInt32
  ) -> (addresses: Set<IPAddress>, reverse: [DNSName]) {
    var claims: (addresses: Set<IPAddress>, reverse: [DNSName]) = ([], [])
    let hostName = publishing.responder.hostName
    // A query claims by its authority section alone (RFC 6762 section 8.2).
    let records = view.header.isResponse ? view.records : view.records(in: .authority)
    for position in records where index.records[position].ttl > 0 {
      guard let record = try? DNSRecord(index.records[position], message) else { continue }
      switch record.data {
      case .a(let address) where record.name == hostName: claims.addresses.insert(.v4(address))
      case .aaaa(let address) where record.name == hostName: claims.addresses.insert(.v6(address))
      case .ptr(let target) where !isOurs(target):
        let question = MDNSQuestion(record.name, .ptr, interfaceIndex: link)
        if questions[question] != nil { claims.reverse.append(target) }
      default: break
      }
    }
    return claims
  }

  /// Uses another stack's host name, which is still to be heard.
  private func giveWay(to name: DNSName, at now: Int64) {
    decide(.foreign(name), at: now)
    doubt(at: now, for: Self.grace)
  }
}
