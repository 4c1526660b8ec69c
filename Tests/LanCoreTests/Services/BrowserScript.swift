import LanCore
import LanWire
import Testing

/// A browser machine on top of a table of records, with a clock of its own: a network where every
/// question is answered at once by what was put in, and by nothing else.
struct BrowserScript {
  var machine: ServiceBrowserMachine
  /// Milliseconds since the start.
  var clock: Int64 = 0
  /// What is known on the network.
  var records: [MDNSAnswer] = []
  /// How many interests there are in each question.
  var interests: [MDNSQuestion: Int] = [:]
  var efforts: [MDNSQuestion: MDNSEffort] = [:]
  var starts = 0
  var stops = 0
  var doubts: [String] = []
  /// What was told, with the milliseconds.
  var told: [(time: Int64, event: ServiceEvent)] = []

  static let local = named("local")

  static func named(_ text: String) -> DNSName {
    do { return try DNSName(text) } catch { fatalError("\(text): \(error)") }
  }

  init(
    _ types: [String] = ["_witap2._tcp"],
    _ change: (inout ServiceBrowserMachine.Configuration) -> Void = { _ in }
  ) {
    var configuration = ServiceBrowserMachine.Configuration(domain: Self.local)
    configuration.types = types.map { text in
      do { return try ServiceType(parsing: text) } catch { fatalError("\(error)") }
    }
    change(&configuration)
    machine = ServiceBrowserMachine(configuration)
  }

  /// A script three seconds after `deck` was heard and told.
  static func knowingDeck() -> BrowserScript {
    var script = BrowserScript()
    script.start()
    script.hear(script.deck())
    script.endBatch()
    script.wait(3_000)
    _ = script.takeStory()
    return script
  }

  var now: Int64 { clock * 1_000_000 }

  // MARK: Driving

  mutating func start(links: [UInt32] = [2]) {
    machine.start(at: now)
    perform()
    for link in links { setLink(link) }
  }

  mutating func setLink(_ index: UInt32, own: [String] = ["192.0.2.10/24"]) {
    let prefixes = own.map { text in
      let parts = text.split(separator: "/")
      return IPPrefix(Self.address(String(parts[0])), UInt8(parts[1]) ?? 0)
    }
    machine.setLink(
      MDNSLink(index: index, name: "v\(index)", families: .both, prefixes: prefixes), at: now)
    perform()
  }

  static func address(_ text: String) -> IPAddress {
    guard let address = IPAddress(parsing: text) else { fatalError(text) }
    return address
  }

  mutating func perform() {
    while !machine.demands.isEmpty {
      let demands = machine.demands
      machine.demands = []
      for demand in demands { perform(demand) }
    }
    told += machine.events.map { (clock, $0) }
    machine.events = []
  }

  private mutating func perform(_ demand: ServiceBrowserMachine.Demand) {
    switch demand {
    case .start(let question, let effort):
      starts += 1
      interests[question, default: 0] += 1
      efforts[question] = effort
      for record in records where matches(record, question) {
        machine.handle(.added(record), at: now)
      }
    case .stop(let question):
      stops += 1
      interests[question, default: 0] -= 1
      if interests[question] == 0 { interests[question] = nil }
    case .reconfirm(let name, let type, _, let link): doubts.append("\(name) \(type) \(link)")
    }
  }

  private func matches(_ record: MDNSAnswer, _ question: MDNSQuestion) -> Bool {
    record.name == question.name && record.type == question.type
      && (question.interfaceIndex ?? record.interfaceIndex) == record.interfaceIndex
  }

  private func isAsked(_ record: MDNSAnswer) -> Bool {
    interests.keys.contains { matches(record, $0) }
  }

  /// Lets time pass, deadlines included.
  mutating func wait(_ milliseconds: Int64) {
    let end = clock + milliseconds
    while let due = machine.nextDeadline, due <= end * 1_000_000 {
      clock = max(clock, (due + 999_999) / 1_000_000)
      machine.deadlineReached(at: now)
      perform()
    }
    clock = end
  }

  mutating func endBatch() {
    machine.batchEnded(at: now)
    perform()
  }

  // MARK: The network

  func answer(
    _ name: String, _ data: DNSRecordData, link: UInt32 = 2, families: MDNSFamilies = .ipv4,
    unique: Bool = true
  ) -> MDNSAnswer {
    MDNSAnswer(
      name: Self.named(name), data: data, interfaceIndex: link, families: families,
      source: Self.address("192.0.2.20"), ttl: 120, received: now, isUnique: unique)
  }

  /// Records come, all in the cache before any is told.
  mutating func hear(_ answers: [MDNSAnswer]) {
    records += answers
    for answer in answers where isAsked(answer) { machine.handle(.added(answer), at: now) }
    perform()
  }

  mutating func hear(_ answers: MDNSAnswer...) { hear(answers) }

  /// Records come that nobody asked for, the first of which the querier tells.
  mutating func overhear(_ answers: MDNSAnswer...) {
    records += answers
    if let first = answers.first { machine.handle(.added(first), at: now) }
    perform()
  }

  /// Records go.
  mutating func lose(_ cause: MDNSRemovalCause, where isGone: (MDNSAnswer) -> Bool) {
    let gone = records.filter(isGone)
    records.removeAll(where: isGone)
    for answer in gone where isAsked(answer) { machine.handle(.removed(answer, cause), at: now) }
    perform()
  }

  /// These records go.
  mutating func lose(_ cause: MDNSRemovalCause, _ answer: MDNSAnswer) {
    lose(cause) {
      $0.name == answer.name && $0.data == answer.data
        && $0.interfaceIndex == answer.interfaceIndex
    }
  }

  mutating func deny(_ name: String, _ type: DNSRecordType, link: UInt32 = 2) {
    let question = MDNSQuestion(Self.named(name), type, interfaceIndex: link)
    machine.handle(.denied(question, interfaceIndex: link), at: now)
    perform()
  }

  mutating func exhaust(_ name: String, _ type: DNSRecordType, link: UInt32 = 2) {
    let question = MDNSQuestion(Self.named(name), type, interfaceIndex: link)
    machine.handle(.exhausted(question, interfaceIndex: link), at: now)
    perform()
  }

  func pointer(
    _ instance: String = "Deck", type: String = "_witap2._tcp.local", base: String? = nil,
    link: UInt32 = 2, families: MDNSFamilies = .ipv4
  ) -> MDNSAnswer {
    answer(
      type, .ptr(Self.named("\(instance).\(base ?? type)")), link: link, families: families,
      unique: false)
  }

  func service(
    _ instance: String = "Deck", port: UInt16 = 4_242, host: String = "tv.local",
    priority: UInt16 = 0, weight: UInt16 = 0, type: String = "_witap2._tcp.local",
    link: UInt32 = 2
  ) -> MDNSAnswer {
    answer(
      "\(instance).\(type)",
      .srv(priority: priority, weight: weight, port: port, target: Self.named(host)), link: link)
  }

  func text(
    _ instance: String = "Deck", _ strings: [String] = ["v=2"],
    type: String = "_witap2._tcp.local", link: UInt32 = 2
  ) -> MDNSAnswer {
    answer("\(instance).\(type)", .txt(strings.map { Array($0.utf8) }), link: link)
  }

  func address(
    _ text: String = "192.0.2.20", host: String = "tv.local", link: UInt32 = 2,
    unique: Bool = true
  ) -> MDNSAnswer {
    switch Self.address(text) {
    case .v4(let address): answer(host, .a(address), link: link, unique: unique)
    case .v6(let address): answer(host, .aaaa(address), link: link, unique: unique)
    }
  }

  /// The four records of "Deck".
  func deck(link: UInt32 = 2) -> [MDNSAnswer] {
    [pointer(link: link), service(link: link), text(link: link), address(link: link)]
  }

  // MARK: What was told

  /// Each event in a short form.
  var story: [String] { told.map { Self.brief($0.event) } }

  mutating func takeStory() -> [String] {
    defer { told = [] }
    return story
  }

  static func brief(_ event: ServiceEvent) -> String {
    switch event {
    case .added(let service): "added \(brief(service))"
    case .updated(let service): "updated \(brief(service))"
    case .removed(let service, let cause): "removed \(brief(service)) \(cause)"
    case .typeAdded(let type, _, let link): "type \(type) \(link ?? 0)"
    case .typeRemoved(let type, _, let link): "no type \(type) \(link ?? 0)"
    case .domainAdded(let domain, let kind, let link): "\(kind.rawValue) \(domain) \(link ?? 0)"
    case .domainRemoved(let domain, let kind, let link):
      "no \(kind.rawValue) \(domain) \(link ?? 0)"
    case .batchEnded: "end"
    case .settled: "settled"
    case .diagnostic(let diagnostic): "\(diagnostic)"
    }
  }

  static func brief(_ service: DiscoveredService) -> String {
    var words = [String(decoding: service.instance, as: UTF8.self)]
    words.append("\(service.type)@\(service.interface ?? "-")")
    if let host = service.host, let port = service.port { words.append("\(host):\(port)") }
    words += service.addresses.map { "\($0)" }
    if let text = service.text {
      words.append("[\(text.map { String(decoding: $0, as: UTF8.self) }.joined(separator: " "))]")
    }
    words += service.subtypes.map { "+\($0)" }
    if service.isOwn { words.append("own") }
    if service.isPlaceholder { words.append("placeholder") }
    return words.joined(separator: " ")
  }
}
