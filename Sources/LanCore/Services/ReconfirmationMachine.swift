public import LanWire

/// Decides what became of the records that a service or host was reached by, after using them
/// failed (RFC 6762 section 10.4), and notices when they change.
///
/// It asks nothing before `reconfirm`: what others send is heard. `demands` are given to a querier,
/// whose changes come back by `handle`; after a batch of them call `batchEnded`. Times are
/// nanoseconds of a monotonic clock.
public struct ReconfirmationMachine: Sendable {
  /// What it tells.
  public enum Event: Hashable, Sendable {
    /// Somebody repeated the records after they were doubted.
    case announced
    /// Nobody did, or a goodbye came.
    case gone
    /// Other records came, or some of several went: it is to be resolved anew.
    case changed
  }

  /// What the querier is to do; the caller performs and empties it.
  public var demands: [ServiceBrowserMachine.Demand] = []
  /// What is to be told; the caller tells and empties it.
  public var events: [Event] = []

  private let service: ServiceInstanceName?
  private let families: MDNSFamilies
  private var host: DNSName
  private var answers: [Key: MDNSAnswer] = [:]
  private var questions: [MDNSQuestion] = []
  private var doubted: Int64?
  private var nextLook: Int64?
  private var settling: Int64?
  /// How often the end of older records was waited for in vain.
  private var postponed = 0
  /// What this batch brought.
  private var hasNew = false
  private var hasLost = false
  private var isExhausted = false
  /// What the cache knows at the beginning is no news.
  private var isListening = false

  private struct Key: Hashable {
    var name: DNSName
    var data: DNSRecordData
    var link: UInt32
  }

  /// How often it is looked whether a record was repeated.
  private static let look: Int64 = 200_000_000
  /// Nobody repeats records so long after they were doubted.
  private static let patience: Int64 = 10_500_000_000
  /// Records that others replace live a second more (RFC 6762 section 10.2).
  private static let replacement: Int64 = 1_100_000_000

  /// A machine for a service and the host that it runs on; `service` is nil for a host alone.
  ///
  /// `families` are the versions of IP whose addresses matter.
  public init(_ service: ServiceInstanceName?, host: DNSName, families: MDNSFamilies) {
    self.service = service
    self.host = host
    self.families = families
    listen()
  }

  /// Everything that is known already has been handed in; from now on it is news.
  public mutating func began() {
    (hasNew, hasLost, isExhausted) = (false, false, false)
    isListening = true
  }

  /// Follows the service to another host; `began` is to be called again.
  public mutating func follow(_ host: DNSName) {
    guard host != self.host else { return }
    for question in questions { demands.append(.stop(question)) }
    self.host = host
    (questions, answers, isListening) = ([], [:], false)
    listen()
  }

  /// Doubts the records, because using them failed; `announced`, `gone` or `changed` follows.
  public mutating func reconfirm(at now: Int64) {
    guard doubted == nil else { return }
    doubted = now
    nextLook = now + Self.look
    for answer in answers.values {
      demands.append(
        .reconfirm(answer.name, answer.type, nil, interfaceIndex: answer.interfaceIndex))
    }
    if let service, let pointer = try? service.type.base.name(in: service.domain) {
      for link in Set(answers.values.map(\.interfaceIndex)).sorted() {
        demands.append(.reconfirm(pointer, .ptr, .ptr(service.name), interfaceIndex: link))
      }
    }
    // What nobody has heard cannot be doubted, only asked for.
    if decisive.isEmpty { for question in decisiveQuestions { start(question, .attempts(3)) } }
  }

  /// Takes a change that the querier told.
  public mutating func handle(_ change: MDNSChange) {
    switch change {
    case .added(let answer), .heardOver(let answer):
      guard isWanted(answer.name, answer.type) else { return }
      if answers.updateValue(answer, forKey: key(answer)) == nil { hasNew = true }
    case .removed(let answer, let cause):
      guard answers.removeValue(forKey: key(answer)) != nil else { return }
      // Nobody was asked to keep it, so that its end says nothing.
      if cause != .expired { hasLost = true }
    case .exhausted(let question, _):
      if decisiveQuestions.contains(where: { $0.name == question.name && $0.type == question.type })
      {
        isExhausted = true
      }
    case .denied: break
    }
  }

  /// Ends a batch: judges what it brought.
  public mutating func batchEnded(at now: Int64) {
    defer { (hasNew, hasLost, isExhausted) = (false, false, false) }
    guard isListening else { return }
    if hasNew { settling = now + Self.replacement }
    if hasLost { return end(decisive.isEmpty ? .gone : .changed) }
    guard let doubted else { return }
    if settling == nil, decisive.contains(where: { $0.received > doubted }) {
      end(.announced)
    } else if isExhausted, decisive.isEmpty {
      end(.gone)
    }
  }

  /// Does what is due.
  public mutating func deadlineReached(at now: Int64) {
    if let due = settling, due <= now {
      if hasRivals, postponed < 2 {
        postponed += 1
        settling = now + Self.replacement
      } else {
        end(.changed)
      }
    }
    guard let due = nextLook, due <= now, let doubted else { return }
    if now - doubted > Self.patience { return end(.gone) }
    nextLook = now + Self.look
    // Each beginning tells what is known again, with the time that it was received.
    for question in decisiveQuestions {
      demands += [.start(question, .passive), .stop(question)]
    }
  }

  /// When `deadlineReached` is to be called next; nil for not before something else happens.
  public var nextDeadline: Int64? { [nextLook, settling].compactMap(\.self).min() }

  private mutating func end(_ event: Event) {
    (doubted, nextLook, settling, postponed) = (nil, nil, nil, 0)
    events.append(event)
  }

  // MARK: Records

  /// The records that the service stands and falls with.
  private var decisive: [MDNSAnswer] {
    answers.values.filter { answer in
      decisiveQuestions.contains { $0.name == answer.name && $0.type == answer.type }
    }
  }

  /// An older record stands beside its successor: one that was repeated within the second before it
  /// is replaced only by the next announcement.
  private var hasRivals: Bool {
    let links = answers.values.filter { $0.type == .srv }.map(\.interfaceIndex)
    return links.count > Set(links).count
  }

  private var decisiveQuestions: [MDNSQuestion] {
    if let service { return [MDNSQuestion(service.name, .srv)] }
    return hostTypes.map { MDNSQuestion(host, $0) }
  }

  private var hostTypes: [DNSRecordType] {
    (families.contains(.ipv6) ? [.aaaa] : []) + (families.contains(.ipv4) ? [.a] : [])
  }

  private func isWanted(_ name: DNSName, _ type: DNSRecordType) -> Bool {
    if type == .srv { return name == service?.name }
    return name == host && hostTypes.contains(type)
  }

  private func key(_ answer: MDNSAnswer) -> Key {
    Key(name: answer.name, data: answer.data, link: answer.interfaceIndex)
  }

  private mutating func listen() {
    if let service { start(MDNSQuestion(service.name, .srv), .passive) }
    for type in hostTypes { start(MDNSQuestion(host, type), .passive) }
  }

  private mutating func start(_ question: MDNSQuestion, _ effort: MDNSEffort) {
    questions.append(question)
    demands.append(.start(question, effort))
  }
}
