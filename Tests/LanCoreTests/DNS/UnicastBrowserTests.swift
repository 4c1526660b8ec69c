import LanCore
import LanWire
import Testing

/// A machine that is answered from a zone, on a clock of its own.
private struct Browsing {
  var machine: UnicastBrowserMachine
  var zone: UnicastZone
  var now: Int64 = 0
  var events: [ServiceEvent] = []

  init(
    _ types: String..., zone: UnicastZone,
    change: (inout UnicastBrowserMachine.Configuration) -> Void = { _ in }
  ) {
    var configuration = UnicastBrowserMachine.Configuration(domain: Unicast.name("example.org"))
    configuration.types = types.compactMap { try? ServiceType(parsing: $0) }
    change(&configuration)
    machine = UnicastBrowserMachine(configuration)
    self.zone = zone
  }

  mutating func start(prefixes: [IPPrefix] = []) {
    machine.start(prefixes: prefixes, at: now)
    answer()
  }

  /// Answers all questions, and those that follow from the answers.
  mutating func answer() {
    while true {
      take()
      let questions = machine.questions
      machine.questions = []
      if questions.isEmpty { return }
      zone.asked += questions
      for question in questions {
        machine.handle(
          question, zone.outcome(question), name: question.name, from: Unicast.server, at: now)
      }
      machine.batchEnded(at: now)
    }
  }

  /// Lets time pass, deadline by deadline.
  mutating func pass(seconds: Int64) {
    let end = now + seconds * Unicast.second
    while let next = machine.nextDeadline, next <= end {
      now = next
      machine.deadlineReached(at: now)
      answer()
    }
    now = end
  }

  mutating func take() {
    events += machine.events
    machine.events = []
  }

  /// What was told since the last call, in a line each.
  mutating func told() -> [String] {
    defer { events = [] }
    return events.compactMap(Self.line)
  }

  private static func line(_ event: ServiceEvent) -> String? {
    switch event {
    case .added(let service): "+ \(text(service))"
    case .updated(let service): "= \(text(service))"
    case .removed(let service, let cause): "- \(service.name) \(cause)"
    case .typeAdded(let type, let domain, _): "+ \(type) \(domain)"
    case .typeRemoved(let type, let domain, _): "- \(type) \(domain)"
    case .domainAdded(let domain, let kind, _): "+ \(kind.rawValue) \(domain)"
    case .domainRemoved(let domain, let kind, _): "- \(kind.rawValue) \(domain)"
    case .batchEnded: nil
    case .settled: "settled"
    case .diagnostic(.unanswered(let question, let failure)): "! \(question.name) \(failure)"
    case .diagnostic(let diagnostic): "! \(diagnostic)"
    }
  }

  private static func text(_ service: DiscoveredService) -> String {
    var words = ["\(service.name)"]
    if let host = service.host, let port = service.port { words.append("\(host):\(port)") }
    words += service.addresses.map {
      switch $0 {
      case .v4(let address): "\(address)"
      case .v6(let address): "\(address)"
      }
    }
    if let text = service.text {
      words.append(text.map { String(decoding: $0, as: UTF8.self) }.joined(separator: " "))
    }
    if service.isOwn { words.append("own") }
    words += service.subtypes
    return words.joined(separator: " ")
  }
}

extension UnicastZone {
  /// One web server.
  fileprivate static var web: UnicastZone {
    UnicastZone([
      Unicast.ptr("_http._tcp.example.org", "Web._http._tcp.example.org"),
      Unicast.srv("Web._http._tcp.example.org", "host.example.org"),
      Unicast.txt("Web._http._tcp.example.org", "path=/"), Unicast.a("host.example.org", 7),
      Unicast.aaaa("host.example.org", 7),
    ])
  }

  fileprivate mutating func remove(_ name: String, _ type: DNSRecordType) {
    records.removeAll { $0.name == Unicast.name(name) && $0.type == type }
  }
}

@Suite struct UnicastBrowserTests {
  private static let web =
    "Web._http._tcp.example.org host.example.org:80 192.0.2.7 2001:db8::7 path=/"

  @Test("an instance is told once with all that is known, and then the list is complete")
  func one() {
    var run = Browsing("_http._tcp", zone: .web)
    run.start()
    #expect(run.told() == ["+ \(Self.web)", "settled"])
    #expect(run.machine.isSettled)
    #expect(run.now == 0)
    let service = run.machine.services.first
    #expect(service?.origin == .dns)
    #expect(service?.interfaceIndex == nil && service?.interface == nil)
    #expect(service?.isComplete == true)
    #expect(service?.ttl == 120)
    // PTR, SRV, TXT, A, AAAA: each once.
    #expect(run.zone.asked.count == 5 && Set(run.zone.asked).count == 5)
  }

  @Test("no such name and no such record mean that there is nothing")
  func nothing() {
    var run = Browsing("_ipp._tcp", zone: .web)
    run.start()
    #expect(run.told() == ["settled"])
    run = Browsing("_ipp._tcp", zone: UnicastZone([Unicast.txt("_ipp._tcp.example.org", "x")]))
    run.start()
    #expect(run.told() == ["settled"])
  }

  @Test("what the server adds unasked is not asked for")
  func additionals() {
    var run = Browsing("_http._tcp", zone: .web)
    run.zone.additionals = run.zone.records.filter { $0.type != .ptr }
    run.start()
    #expect(run.told() == ["+ \(Self.web)", "settled"])
    #expect(run.zone.asked.count == 1)
  }

  @Test("of several SRV records the least priority holds, then the greatest weight (S2)")
  func priorities() {
    var zone = UnicastZone.web
    zone.remove("Web._http._tcp.example.org", .srv)
    let name = "Web._http._tcp.example.org"
    zone.records += [
      Unicast.srv(name, "far.example.org", priority: 9, weight: 99),
      Unicast.srv(name, "light.example.org", port: 81, priority: 1, weight: 1),
      Unicast.srv(name, "heavy.example.org", port: 82, priority: 1, weight: 5),
      Unicast.a("heavy.example.org", 82), Unicast.a("light.example.org", 81),
    ]
    var run = Browsing("_http._tcp", zone: zone)
    run.start()
    #expect(
      run.told() == [
        "+ Web._http._tcp.example.org heavy.example.org:82 192.0.2.82 path=/", "settled",
      ])
  }

  @Test("records are asked for again when their TTL has passed, and changes are told")
  func changes() {
    var run = Browsing("_http._tcp", zone: .web)
    run.start()
    _ = run.told()
    run.pass(seconds: 119)
    #expect(run.told().isEmpty)
    #expect(run.zone.asked.count == 5)
    run.zone.remove("host.example.org", .a)
    run.zone.records.append(Unicast.a("host.example.org", 8))
    run.pass(seconds: 2)
    #expect(
      run.told() == [
        "= Web._http._tcp.example.org host.example.org:80 192.0.2.8 2001:db8::7 path=/"
      ])
    #expect(run.zone.asked.count == 10)
    run.zone.remove("_http._tcp.example.org", .ptr)
    run.pass(seconds: 120)
    #expect(run.told() == ["- Web._http._tcp.example.org expired"])
    #expect(run.machine.services.isEmpty)
    // Only the list is asked for from now on.
    let count = run.zone.asked.count
    run.pass(seconds: 61)
    #expect(run.zone.asked.count == count + 1)
  }

  @Test("while no server answers, what was known stays and the user is told once")
  func outage() {
    var run = Browsing("_http._tcp", zone: .web)
    run.start()
    _ = run.told()
    for name in ["_http._tcp.example.org", "Web._http._tcp.example.org", "host.example.org"] {
      run.zone.failures[Unicast.name(name)] = .servFail
    }
    run.pass(seconds: 3_600)
    let told = run.told()
    #expect(told.count == 3 && told.allSatisfy { $0.hasPrefix("! ") })
    #expect(run.machine.services.count == 1)
    run.zone.failures = [:]
    run.zone.remove("_http._tcp.example.org", .ptr)
    run.pass(seconds: 301)
    #expect(run.told() == ["- Web._http._tcp.example.org expired"])
  }

  @Test("a list that nobody can tell is complete with a diagnostic and nothing in it")
  func noServer() {
    var zone = UnicastZone.web
    zone.failures[Unicast.name("_http._tcp.example.org")] = .timeout
    var run = Browsing("_http._tcp", zone: zone)
    run.start()
    #expect(run.told() == ["! _http._tcp.example.org \(UnicastFailure.timeout)", "settled"])
    run.zone.failures = [:]
    run.pass(seconds: 10)
    #expect(run.told() == ["+ \(Self.web)"])
  }

  @Test("an instance whose SRV record is missing is told without one, and with it once it comes")
  func unresolved() {
    var zone = UnicastZone.web
    let target = zone.records[1]
    zone.remove("Web._http._tcp.example.org", .srv)
    var run = Browsing("_http._tcp", zone: zone)
    run.start()
    #expect(run.told() == ["+ Web._http._tcp.example.org path=/", "settled"])
    run.zone.records.append(target)
    run.pass(seconds: 61)
    #expect(run.told() == ["= \(Self.web)"])
  }

  @Test("a service that moves to another host is told with that one's addresses, in one event")
  func move() {
    var run = Browsing("_http._tcp", zone: .web)
    run.start()
    _ = run.told()
    run.zone.remove("Web._http._tcp.example.org", .srv)
    run.zone.records += [
      Unicast.srv("Web._http._tcp.example.org", "new.example.org", port: 8_080),
      Unicast.a("new.example.org", 9),
    ]
    run.pass(seconds: 121)
    #expect(
      run.told() == ["= Web._http._tcp.example.org new.example.org:8080 192.0.2.9 path=/"])
  }

  @Test("an instance whose records take long is told after a second, and is no longer waited for")
  func late() {
    var run = Browsing("_http._tcp", zone: .web)
    run.machine.start(at: 0)
    let list = run.machine.questions
    run.machine.questions = []
    for question in list {
      run.machine.handle(
        question, run.zone.outcome(question), name: question.name, from: Unicast.server, at: 0)
    }
    run.machine.batchEnded(at: 0)
    run.take()
    #expect(run.told().isEmpty)
    #expect(run.machine.nextDeadline == Unicast.second)
    run.machine.deadlineReached(at: Unicast.second)
    run.take()
    #expect(run.told() == ["+ Web._http._tcp.example.org"])
    #expect(!run.machine.isSettled)
    run.now = 6 * Unicast.second
    run.answer()
    let told = run.told()
    #expect(told.last == "settled")
    #expect(told.dropLast().last == "= \(Self.web)")
  }

  @Test("a subtype is asked for in its form, and the instance is one with that of its type (Q30)")
  func subtypes() {
    var zone = UnicastZone.web
    zone.records.append(
      Unicast.ptr("_admin._sub._http._tcp.example.org", "Web._http._tcp.example.org"))
    var run = Browsing("_admin._sub._http._tcp", "_http._tcp", zone: zone)
    run.start()
    #expect(run.told() == ["+ \(Self.web) _admin", "settled"])
    run.zone.remove("_admin._sub._http._tcp.example.org", .ptr)
    run.pass(seconds: 121)
    #expect(run.told() == ["= \(Self.web)"])
  }

  @Test("without a type the types are asked for first, and then each one's instances (Q29)")
  func enumeration() {
    var zone = UnicastZone.web
    let types = "_services._dns-sd._udp.example.org"
    zone.records += [
      Unicast.ptr(types, "_http._tcp.example.org"), Unicast.ptr(types, "_ipp._tcp.elsewhere.net"),
    ]
    var run = Browsing(zone: zone)
    run.start()
    #expect(run.told() == ["+ \(Self.web)", "settled"])
    #expect(run.zone.asked.contains(Unicast.question("_ipp._tcp.example.org", .ptr)))

    var list = Browsing(zone: zone) { $0.listsTypes = true }
    list.start()
    #expect(
      list.told() == ["+ _http._tcp example.org", "+ _ipp._tcp example.org", "settled"])
    list.zone.remove(types, .ptr)
    list.zone.records.append(Unicast.ptr(types, "_http._tcp.example.org"))
    list.pass(seconds: 121)
    #expect(list.told() == ["- _ipp._tcp example.org"])
  }

  @Test("domains come from the five names, and from those of the own networks (Q31)")
  func domains() {
    let zone = UnicastZone([
      Unicast.ptr("b._dns-sd._udp.example.org", "example.org"),
      Unicast.ptr("b._dns-sd._udp.example.org", "lab.example.org"),
      Unicast.ptr("db._dns-sd._udp.example.org", "example.org"),
      Unicast.ptr("lb._dns-sd._udp.0.2.0.192.in-addr.arpa", "net.example.org"),
    ])
    var run = Browsing(zone: zone) { $0.listsDomains = true }
    run.start(prefixes: [
      IPPrefix(.v4(Unicast.address(9)), 24), IPPrefix(.v4(IPv4Address(bits: 0x7F00_0001)), 8),
      IPPrefix(.v6(IPv6Address(high: 0xFE80 << 48, low: 1)), 64),
    ])
    #expect(
      run.told().sorted() == [
        "+ b example.org", "+ b lab.example.org", "+ db example.org", "+ lb net.example.org",
        "settled",
      ])
    // Five names each of the domain and of one network; loopback and link-local have none.
    #expect(run.zone.asked.count == 10)
  }

  @Test("an own service is marked, and a placeholder waits for no address (S12)")
  func ownAndPlaceholder() {
    var zone = UnicastZone.web
    zone.records += [
      Unicast.ptr("_http._tcp.example.org", "None._http._tcp.example.org"),
      Unicast.srv("None._http._tcp.example.org", ".", port: 0),
    ]
    var run = Browsing("_http._tcp", zone: zone)
    run.start(prefixes: [IPPrefix(.v4(Unicast.address(7)), 24)])
    #expect(
      run.told().sorted() == [
        "+ None._http._tcp.example.org .:0 ", "+ \(Self.web) own", "settled",
      ])
  }

  @Test("without resolving only the list is asked for")
  func unresolvedByWish() {
    var run = Browsing("_http._tcp", zone: .web) { $0.resolves = false }
    run.start()
    #expect(run.told() == ["+ Web._http._tcp.example.org", "settled"])
    #expect(run.zone.asked.count == 1)
  }

  @Test("with 2,000 instances each record is asked for once, and idle time wakes nobody")
  func many() {
    var records: [DNSRecord] = []
    for number in 0..<2_000 {
      let name = "Instance \(number)._http._tcp.example.org"
      let host = "h\(number % 100).example.org"
      records += [
        Unicast.ptr("_http._tcp.example.org", name, ttl: 3_600),
        Unicast.srv(name, host, ttl: 3_600),
      ]
      if number < 100 { records.append(Unicast.a(host, UInt8(number), ttl: 3_600)) }
    }
    var run = Browsing("_http._tcp", zone: UnicastZone(records))
    run.start()
    #expect(run.told().count == 2_001)
    // One list; SRV and TXT of each instance; A and AAAA of each host.
    #expect(run.zone.asked.count == 1 + 2 * 2_000 + 2 * 100)
    #expect(Set(run.zone.asked).count == run.zone.asked.count)
    run.pass(seconds: 9)
    #expect(run.told().isEmpty)
    #expect(run.machine.nextDeadline.map { $0 > 9 * Unicast.second } == true)
  }
}
