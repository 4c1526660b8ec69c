import LanCore
import LanWire
import Testing

private let millisecond: Int64 = 1_000_000

/// A machine with its clock, and a network that says what a test lets it say.
private struct VirtualResolver {
  var machine: ResolverMachine
  var now: Int64 = 1_000_000_000_000
  let start: Int64 = 1_000_000_000_000
  var changes: [ResolverMachine.Change] = []
  var demands: [ResolverMachine.Demand] = []

  init(
    _ text: String, type: DNSRecordType? = nil, links: [UInt32] = [2],
    _ set: (inout ResolverMachine.Configuration) -> Void = { _ in }
  ) throws {
    var configuration = ResolverMachine.Configuration()
    set(&configuration)
    var hints = ResolveQuery.Hints()
    hints.recordType = type
    machine = ResolverMachine(try ResolveQuery.parse(text, hints), configuration)
    machine.start(at: now)
    for link in links {
      machine.setLink(MDNSLink(index: link, name: "v\(link)", families: .both), at: now)
    }
    turn()
  }

  mutating func turn() {
    machine.batchEnded(at: now)
    changes += machine.changes
    demands += machine.demands
    machine.changes = []
    machine.demands = []
  }

  mutating func hear(
    _ name: String, _ data: DNSRecordData, on link: UInt32 = 2, isUnique: Bool = true
  ) throws {
    let answer = MDNSAnswer(
      name: try DNSName(name), data: data, interfaceIndex: link, families: .ipv4,
      source: try address("192.0.2.20"), ttl: 120, received: now, isUnique: isUnique)
    machine.handle(.added(answer), at: now)
    turn()
  }

  mutating func lose(_ name: String, _ data: DNSRecordData) throws {
    let answer = MDNSAnswer(
      name: try DNSName(name), data: data, interfaceIndex: 2, families: .ipv4,
      source: try address("192.0.2.20"), ttl: 120, received: now, isUnique: true)
    machine.handle(.removed(answer, .goodbye), at: now)
    turn()
  }

  mutating func deny(_ name: String, _ type: DNSRecordType, on link: UInt32 = 2) throws {
    machine.handle(.denied(MDNSQuestion(try DNSName(name), type), interfaceIndex: link), at: now)
    turn()
  }

  mutating func pass(_ milliseconds: Int64) {
    let end = now + milliseconds * millisecond
    while let deadline = machine.nextDeadline, deadline <= end, !machine.isFinished {
      now = max(now, deadline)
      machine.deadlineReached(at: now)
      turn()
    }
    now = end
  }

  /// Milliseconds from the start until the machine ends by itself.
  mutating func end() -> Int64 {
    while !machine.isFinished, let deadline = machine.nextDeadline {
      now = max(now, deadline)
      machine.deadlineReached(at: now)
      turn()
    }
    return (now - start) / millisecond
  }

  var questions: [String] {
    demands.compactMap {
      if case .start(let question, _) = $0 { "\(question.name) \(question.type)" } else { nil }
    }
  }

  var told: [String] {
    changes.map { change in
      let text =
        switch change.answer {
        case .address(let value): "\(value.name) \(value.endpointText)"
        case .service(let value): "\(value.host):\(value.port)"
        case .record(let value): "\(value.name) \(value.data.type)"
        }
      return "\(change.action) \(text)"
    }
  }

  func address(_ text: String) throws -> IPAddress { try #require(IPAddress(parsing: text)) }
}

private let four = DNSRecordData.a(IPv4Address(bits: 0xC000_0214))
private let six = DNSRecordData.aaaa(IPv6Address(high: 0xFE80_0000_0000_0000, low: 0x14))

private func srv(
  _ port: UInt16, _ target: String, priority: UInt16 = 0, weight: UInt16 = 0
) throws -> DNSRecordData {
  .srv(priority: priority, weight: weight, port: port, target: try DNSName(target))
}

@Suite("Resolving by multicast DNS") struct ResolverMachineTests {
  @Test("A and AAAA are asked at once, and both answers end it at once") func both() throws {
    var resolver = try VirtualResolver("tv.local")
    #expect(resolver.questions == ["tv.local A", "tv.local AAAA"])
    resolver.pass(50)
    try resolver.hear("TV.local", four)
    try resolver.hear("tv.local", six)
    #expect(resolver.end() == 70)
    #expect(resolver.told == ["added TV.local 192.0.2.20", "added tv.local fe80::14%v2"])
    #expect(resolver.machine.failure == nil)
  }

  @Test("a link-local address has the link that it came in on (S8, RE-01)") func zone() throws {
    var resolver = try VirtualResolver("tv.local:22")
    try resolver.hear("tv.local", six)
    guard case .address(let value)? = resolver.changes.first?.answer else {
      Issue.record("no address")
      return
    }
    #expect(value.endpointText == "[fe80::14%v2]:22" && value.origin.interfaceIndex == 2)
    #expect(value.origin.provider == .mdns && value.origin.ttl == 120)
  }

  @Test("both families come, whichever is first (RE-03)", arguments: [true, false])
  func late(isIPv4First: Bool) throws {
    var resolver = try VirtualResolver("tv.local")
    resolver.pass(100)
    try resolver.hear("tv.local", isIPv4First ? four : six)
    resolver.pass(50)
    #expect(!resolver.machine.isFinished)
    try resolver.hear("tv.local", isIPv4First ? six : four)
    _ = resolver.end()
    #expect(resolver.told.count == 2)
  }

  @Test("NSEC ends its half at once (S9)") func denied() throws {
    var resolver = try VirtualResolver("tv.local")
    resolver.pass(30)
    try resolver.hear("tv.local", four)
    try resolver.deny("tv.local", .aaaa)
    #expect(resolver.end() == 50 && resolver.machine.failure == nil)
    var nothing = try VirtualResolver("tv.local")
    nothing.pass(30)
    try nothing.deny("tv.local", .a)
    try nothing.deny("tv.local", .aaaa)
    #expect(nothing.end() == 50 && nothing.machine.failure == .noAddress)
  }

  @Test("a half that nobody speaks of is given up half a second after the other half's answer")
  func silence() throws {
    var resolver = try VirtualResolver("tv.local")
    resolver.pass(30)
    try resolver.hear("tv.local", four)
    #expect(resolver.end() == 530)
    var late = try VirtualResolver("tv.local")
    late.pass(3_030)
    try late.hear("tv.local", four)
    #expect(late.end() == 3_530)
  }

  @Test("one family wanted is one family asked and waited for") func family() throws {
    var resolver = try VirtualResolver("tv.local") { $0.families = .ipv4 }
    #expect(resolver.questions == ["tv.local A"])
    try resolver.hear("tv.local", four)
    #expect(resolver.end() == 20)
  }

  @Test("nobody answers: the end of the schedule, and why") func nobody() throws {
    var resolver = try VirtualResolver("tv.local")
    #expect(resolver.end() == 5_000 && resolver.machine.failure == .noAnswer)
    var alone = try VirtualResolver("tv.local", links: [])
    #expect(alone.end() == 5_000 && alone.machine.failure == .noInterface)
  }

  @Test("another link is given a moment to answer too") func links() throws {
    var resolver = try VirtualResolver("tv.local", links: [2, 3])
    resolver.pass(30)
    try resolver.hear("tv.local", four, on: 2)
    try resolver.hear("tv.local", six, on: 2)
    resolver.pass(100)
    try resolver.hear("tv.local", six, on: 3)
    try resolver.deny("tv.local", .a, on: 3)
    #expect(resolver.end() == 150)
    #expect(
      resolver.told.suffix(2) == ["added tv.local fe80::14%v2", "added tv.local fe80::14%v3"])
  }

  @Test("only the links that are wanted are asked and heard") func wanted() throws {
    var resolver = try VirtualResolver("tv.local", links: [2, 3]) { $0.interfaces = [3] }
    let asked = resolver.demands.allSatisfy {
      if case .start(let question, _) = $0 { question.interfaceIndex == 3 } else { false }
    }
    #expect(asked)
    try resolver.hear("tv.local", four, on: 2)
    #expect(resolver.told.isEmpty)
  }

  @Test("a name or type that was not asked for is no answer") func foreign() throws {
    var resolver = try VirtualResolver("tv.local")
    try resolver.hear("other.local", four)
    try resolver.hear("tv.local", .txt([[]]))
    #expect(resolver.told.isEmpty)
  }

  @Test("an alias is followed to the host, and a circle of aliases ends") func alias() throws {
    var resolver = try VirtualResolver("www.local:80")
    resolver.pass(300)
    #expect(resolver.questions.last == "www.local CNAME")
    try resolver.hear("www.local", .cname(try DNSName("tv.local")))
    #expect(resolver.questions.suffix(2) == ["tv.local A", "tv.local AAAA"])
    try resolver.hear("tv.local", four)
    try resolver.deny("tv.local", .aaaa)
    #expect(resolver.end() == 320 && resolver.told == ["added tv.local 192.0.2.20:80"])
    var circle = try VirtualResolver("a.local")
    circle.pass(300)
    try circle.hear("a.local", .cname(try DNSName("b.local")))
    try circle.hear("b.local", .cname(try DNSName("a.local")))
    #expect(circle.end() <= 5_000 && circle.told.isEmpty)
  }

  @Test("a host that is no alias may still have addresses, which come with the second question")
  func noAlias() throws {
    var resolver = try VirtualResolver("tv.local:80")
    resolver.pass(300)
    try resolver.deny("tv.local", .cname)
    resolver.pass(700)
    #expect(!resolver.machine.isFinished)
    try resolver.hear("tv.local", four)
    try resolver.deny("tv.local", .aaaa)
    #expect(resolver.end() == 1_020 && resolver.told == ["added tv.local 192.0.2.20:80"])
    var silent = try VirtualResolver("tv.local")
    silent.pass(300)
    try silent.deny("tv.local", .cname)
    #expect(silent.end() == 5_000 && silent.machine.failure == .noAnswer)
    // Who asks for the alias itself is answered by that.
    var record = try VirtualResolver("tv.local", type: .cname)
    try record.deny("tv.local", .cname)
    #expect(record.end() <= 300 && record.machine.failure == .notFound)
  }

  // MARK: Services

  @Test("SRV and TXT, then both addresses of the target, additionals or not (S1)") func service()
    throws
  {
    var resolver = try VirtualResolver("Deck._witap._tcp.local")
    #expect(
      resolver.questions == ["Deck._witap._tcp.local SRV", "Deck._witap._tcp.local TXT"])
    resolver.pass(40)
    try resolver.hear("Deck._witap._tcp.local", try srv(4_242, "tv.local"))
    try resolver.hear("Deck._witap._tcp.local", .txt([[0x61, 0x3D, 0x31]]))
    #expect(resolver.questions.suffix(2) == ["tv.local A", "tv.local AAAA"])
    try resolver.hear("tv.local", four)
    try resolver.hear("tv.local", six)
    #expect(resolver.end() == 60)
    #expect(
      resolver.told == [
        "added tv.local:4242", "added tv.local 192.0.2.20:4242",
        "added tv.local [fe80::14%v2]:4242",
      ])
  }

  @Test("the seed's mistakes: byte order of ports, IPv6 read as IPv4, hosts before they are known")
  func seed() throws {
    var resolver = try VirtualResolver("Deck._witap._tcp.local")
    try resolver.hear("Deck._witap._tcp.local", .txt([[]]))
    // No host is told before SRV names it.
    #expect(resolver.told.isEmpty)
    try resolver.hear("Deck._witap._tcp.local", try srv(4_242, "tv.local"))
    try resolver.hear("tv.local", six)
    guard case .address(let value)? = resolver.changes.last?.answer else {
      Issue.record("no address")
      return
    }
    #expect(value.port == 4_242 && value.address.isIPv6 && value.name == "tv.local")
    #expect(!resolver.told.contains { $0.contains("37392") })
  }

  @Test("several SRV: lowest priority first, then the greater weight (S2)") func order() throws {
    var resolver = try VirtualResolver("Deck._witap._tcp.local")
    try resolver.hear("Deck._witap._tcp.local", .txt([[]]))
    try resolver.hear("Deck._witap._tcp.local", try srv(1, "c.local", priority: 20))
    try resolver.hear("Deck._witap._tcp.local", try srv(2, "b.local", priority: 10, weight: 5))
    try resolver.hear("Deck._witap._tcp.local", try srv(3, "a.local", priority: 10, weight: 60))
    for host in ["a", "b", "c"] {
      try resolver.hear("\(host).local", four)
      try resolver.deny("\(host).local", .aaaa)
    }
    _ = resolver.end()
    var final: [String] = []
    for answer in resolver.machine.currentAnswers {
      if case .service(let value) = answer { final.append("\(value.host)") }
    }
    #expect(final == ["a.local", "b.local", "c.local"])
  }

  @Test("a TXT record that does not come is the same as an empty one (S3)") func noText() throws {
    var resolver = try VirtualResolver("Deck._witap._tcp.local")
    resolver.pass(30)
    try resolver.hear("Deck._witap._tcp.local", try srv(4_242, "tv.local"))
    try resolver.hear("tv.local", four)
    try resolver.deny("tv.local", .aaaa)
    #expect(resolver.told.isEmpty)
    #expect(resolver.end() == 1_700)
    #expect(resolver.told == ["added tv.local:4242", "added tv.local 192.0.2.20:4242"])
  }

  @Test("port 0 or a target that is the root reserves a name, and nothing runs there (S12)")
  func placeholder() throws {
    for data in [try srv(0, "tv.local"), .srv(priority: 0, weight: 0, port: 9, target: .root)] {
      var resolver = try VirtualResolver("Deck._witap._tcp.local")
      try resolver.hear("Deck._witap._tcp.local", data)
      guard case .service(let value)? = resolver.changes.first?.answer else {
        Issue.record("no service")
        return
      }
      #expect(value.isPlaceholder)
    }
  }

  @Test("a service that is denied is not found") func noService() throws {
    var resolver = try VirtualResolver("Deck._witap._tcp.local")
    try resolver.deny("Deck._witap._tcp.local", .srv)
    try resolver.deny("Deck._witap._tcp.local", .txt)
    #expect(resolver.end() == 20 && resolver.machine.failure == .notFound)
  }

  // MARK: Others

  @Test("an address gets its name") func reverse() throws {
    var resolver = try VirtualResolver("192.0.2.20:80")
    #expect(resolver.questions == ["20.2.0.192.in-addr.arpa PTR"])
    try resolver.hear("20.2.0.192.in-addr.arpa", .ptr(try DNSName("tv.local")))
    #expect(resolver.end() == 20)
    #expect(resolver.told == ["added tv.local 192.0.2.20:80"])
  }

  @Test("records: a unique one ends it, of shared ones and ANY all are waited for") func records()
    throws
  {
    var unique = try VirtualResolver("tv.local", type: .hinfo)
    try unique.hear("tv.local", .hinfo(cpu: [0x41], os: [0x4C]))
    #expect(unique.end() == 20 && unique.told == ["added tv.local HINFO"])
    var shared = try VirtualResolver("_http._tcp.local", type: .ptr)
    try shared.hear(
      "_http._tcp.local", .ptr(try DNSName("a._http._tcp.local")), isUnique: false)
    #expect(shared.end() == 1_700)
    var any = try VirtualResolver("tv.local", type: .any)
    try any.hear("tv.local", four)
    #expect(any.end() == 1_700)
  }

  @Test("a watch goes on and tells what comes and goes") func watch() throws {
    var resolver = try VirtualResolver("tv.local") { $0.isWatching = true }
    #expect(resolver.end() == 5_000 && resolver.machine.failure == .noAnswer)
    resolver.now += 60_000 * millisecond
    try resolver.hear("tv.local", four)
    try resolver.lose("tv.local", four)
    #expect(resolver.told == ["added tv.local 192.0.2.20", "removed tv.local 192.0.2.20"])
    #expect(resolver.machine.nextDeadline == nil)
  }
}
