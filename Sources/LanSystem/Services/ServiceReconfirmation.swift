public import LanCore
public import LanWire

/// Keeps an eye on the records that a service or host was reached by, and doubts them where using
/// them failed (RFC 6762 section 10.4).
///
/// It sends nothing before `reconfirm`: what others send is heard. Everything happens on the thread
/// of the node's reactor.
public final class ServiceReconfirmation {
  /// What it tells.
  public enum Event: Hashable, Sendable {
    /// Somebody repeated the records after they were doubted.
    case announced
    /// Nobody did, or a goodbye came.
    case gone
    /// Other records came, or some of several went: it is to be resolved anew.
    case changed
  }

  /// Called with everything that it tells.
  public var onEvent: ((Event) -> Void)?

  private let service: ServiceInstanceName?
  private let families: MDNSFamilies
  private let node: MDNSNode
  private var host: DNSName
  private var demands: [MDNSDemand] = []
  private var answers: [Key: MDNSAnswer] = [:]
  private var questions: [MDNSQuestion] = []
  private var doubt: (began: Int64, isAsking: Bool)?
  private var nextLook: Int64?
  /// What was told in this batch.
  private var heard: (isNew: Bool, isLost: Bool, isExhausted: Bool) = (false, false, false)
  private var settling: Int64?
  private var isStarting = false

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

  /// Keeps an eye on a service, and on the host that it runs on.
  ///
  /// - Parameters:
  ///   - service: The service; nil for a host alone.
  ///   - host: The host.
  ///   - families: The versions of IP whose addresses matter.
  ///   - node: Who speaks multicast DNS; it has to run.
  public init(
    _ service: ServiceInstanceName?, host: DNSName, families: MDNSFamilies, node: MDNSNode
  ) {
    self.service = service
    self.host = host
    self.families = families
    self.node = node
  }

  /// Begins to listen.
  public func start() {
    isStarting = true
    listen()
    node.add(self)
    isStarting = false
  }

  /// Ends; a second time does nothing.
  public func stop() { node.remove(self) }

  /// Follows a service to another host.
  public func follow(_ host: DNSName) {
    guard host != self.host else { return }
    for question in questions { demands.append(.stop(question)) }
    self.host = host
    (questions, answers) = ([], [:])
    isStarting = true
    listen()
    node.update()
    isStarting = false
  }

  /// Doubts the records, because using them failed; `announced`, `gone` or `changed` follows.
  public func reconfirm() {
    guard doubt == nil else { return }
    let now = MonotonicClock.now
    let decisive = answers.values.filter { isDecisive($0.name, $0.type) }
    doubt = (now, isAsking: decisive.isEmpty)
    for answer in answers.values {
      demands.append(
        .reconfirm(answer.name, answer.type, nil, interfaceIndex: answer.interfaceIndex))
    }
    if let service, let pointer = try? service.type.base.name(in: service.domain) {
      for link in Set(answers.values.map(\.interfaceIndex)) {
        demands.append(.reconfirm(pointer, .ptr, .ptr(service.name), interfaceIndex: link))
      }
    }
    if decisive.isEmpty { for question in decisiveQuestions { start(question, .attempts(3)) } }
    nextLook = now + Self.look
    node.update()
  }

  // MARK: Questions

  private var decisiveQuestions: [MDNSQuestion] {
    if let service { return [MDNSQuestion(service.name, .srv)] }
    return hostTypes.map { MDNSQuestion(host, $0) }
  }

  private var hostTypes: [DNSRecordType] {
    (families.contains(.ipv6) ? [.aaaa] : []) + (families.contains(.ipv4) ? [.a] : [])
  }

  /// Whether the service stands and falls with a record.
  private func isDecisive(_ name: DNSName, _ type: DNSRecordType) -> Bool {
    if let service { return type == .srv && name == service.name }
    return name == host && hostTypes.contains(type)
  }

  private func listen() {
    if let service { start(MDNSQuestion(service.name, .srv), .passive) }
    for type in hostTypes { start(MDNSQuestion(host, type), .passive) }
  }

  private func start(_ question: MDNSQuestion, _ effort: MDNSEffort) {
    questions.append(question)
    demands.append(.start(question, effort))
  }

  // MARK: What comes

  /// Looks whether what was doubted was repeated.
  private func lookAgain(at now: Int64) {
    nextLook = nil
    guard let doubt else { return }
    if now - doubt.began > Self.patience { return end(.gone) }
    nextLook = now + Self.look
    // Each beginning tells what is known again, with the time that it was received.
    for question in decisiveQuestions {
      demands += [.start(question, .passive), .stop(question)]
    }
  }

  private func end(_ event: Event) {
    (doubt, nextLook) = (nil, nil)
    onEvent?(event)
  }

  private func judge(at now: Int64) {
    let heard = heard
    self.heard = (false, false, false)
    if heard.isNew, !isStarting { settling = now + Self.replacement }
    let decisive = answers.values.filter { isDecisive($0.name, $0.type) }
    if heard.isLost, decisive.isEmpty {
      settling = nil
      return end(.gone)
    }
    if heard.isLost {
      settling = nil
      return end(.changed)
    }
    guard let doubt else { return }
    if settling == nil, decisive.contains(where: { $0.received > doubt.began }) {
      return end(.announced)
    }
    if heard.isExhausted, doubt.isAsking, decisive.isEmpty { end(.gone) }
  }
}

extension ServiceReconfirmation: MDNSClient {
  /// Does nothing: questions are asked on every link.
  public func setLink(_ link: MDNSLink, at now: Int64) {}

  /// Does nothing: what was heard there is removed by the node.
  public func removeLink(_ index: UInt32, at now: Int64) {}

  /// Takes a change from the node.
  public func handle(_ change: MDNSChange, at now: Int64) {
    switch change {
    case .added(let answer), .heardOver(let answer):
      guard isWanted(answer) else { return }
      let key = Key(name: answer.name, data: answer.data, link: answer.interfaceIndex)
      if answers.updateValue(answer, forKey: key) == nil { heard.isNew = true }
    case .removed(let answer, _):
      let key = Key(name: answer.name, data: answer.data, link: answer.interfaceIndex)
      if answers.removeValue(forKey: key) != nil { heard.isLost = true }
    case .exhausted(let question, _):
      if isDecisive(question.name, question.type) { heard.isExhausted = true }
    case .denied: break
    }
  }

  private func isWanted(_ answer: MDNSAnswer) -> Bool {
    if let service, answer.name == service.name { return answer.type == .srv }
    return answer.name == host && hostTypes.contains(answer.type)
  }

  /// Ends a batch.
  public func batchEnded(at now: Int64) { judge(at: now) }

  /// When `deadlineReached` is to be called.
  public var nextDeadline: Int64? { [nextLook, settling].compactMap(\.self).min() }

  /// Does what is due.
  public func deadlineReached(at now: Int64) {
    if let due = settling, due <= now {
      settling = nil
      end(.changed)
    }
    if let due = nextLook, due <= now { lookAgain(at: now) }
  }

  /// What the node's querier is to do.
  public func takeDemands() -> [MDNSDemand] {
    let demands = demands
    self.demands = []
    return demands
  }
}
