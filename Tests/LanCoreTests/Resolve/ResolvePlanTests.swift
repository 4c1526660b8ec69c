import LanCore
import LanWire
import Testing

private func query(_ text: String, type: DNSRecordType? = nil) throws -> ResolveQuery {
  var hints = ResolveQuery.Hints()
  hints.recordType = type
  return try ResolveQuery.parse(text, hints)
}

private func plan(
  _ text: String, type: DNSRecordType? = nil, _ set: (inout ResolvePlan.Facts) -> Void = { _ in }
) throws -> ResolvePlan {
  var facts = ResolvePlan.Facts()
  set(&facts)
  return ResolvePlan(try query(text, type: type), facts)
}

private func address(
  _ text: String, _ provider: ResolveProvider, name: String = "tv.local"
) throws -> ResolveAnswer {
  let address = try #require(IPAddress(parsing: text))
  return .address(ResolvedAddress(name: name, address: address, origin: ResolveOrigin(provider)))
}

private func words(_ events: [ResolveEvent]) -> [String] {
  events.map { event in
    switch event {
    case .willResolve: "will"
    case .answer(.address(let value), let action): "\(action) \(value.address)"
    case .answer: "answer"
    case .contradiction(let found):
      "contradiction \(found.deciding.map(\.addressText)) \(found.other.map(\.addressText))"
    case .diagnostic(let text): text
    case .didResolve(let answers): "resolved \(answers.count)"
    case .didNotResolve(let failure): "failed \(failure.word)"
    case .didStop: "stop"
    }
  }
}

@Suite("Who is asked") struct ResolvePlanTests {
  @Test("a single label in local is multicast's, DNS is asked only if it serves local") func local()
    throws
  {
    #expect(try plan("tv.local").deciding == [.mdns, .dnsIfLocalIsServed])
    #expect(try plan("tv.house.local").deciding == [.mdns, .dns])
    #expect(try plan("tv.example").deciding == [.system])
    #expect(try plan("Deck._witap._tcp.local").deciding == [.mdns, .dnsIfLocalIsServed])
    #expect(try plan("Deck._witap._tcp.example.org").deciding == [.dns])
    #expect(try plan("Deck._a._tcp.local", type: .txt).deciding == [.mdns, .dnsIfLocalIsServed])
  }

  @Test("the hosts file comes first, and multicast may contradict it") func hosts() throws {
    let found = try plan("tv.local") { $0.isInHostsFile = true }
    #expect(found.deciding == [.system] && found.checking == [.mdns])
    #expect(try plan("tv.example") { $0.isInHostsFile = true }.checking.isEmpty)
  }

  @Test("the name of an address is asked of multicast where it is on a link") func reverse() throws
  {
    #expect(try plan("169.254.1.1").deciding == [.mdns])
    #expect(try plan("fe80::1%eth0").deciding == [.mdns])
    #expect(try plan("192.0.2.7") { $0.isOnLink = true }.deciding == [.mdns, .system])
    #expect(try plan("192.0.2.7").deciding == [.system])
  }

  @Test("a server that was named is the only one asked, and --all asks everybody") func others()
    throws
  {
    #expect(try plan("tv.local") { $0.hasServer = true }.deciding == [.dns])
    #expect(try plan("tv.local") { $0.isAll = true }.deciding == [.hosts, .system, .mdns, .dns])
    #expect(try plan("tv.example") { $0.isAll = true }.deciding == [.hosts, .system, .dns])
  }
}

@Suite("What the sources come to") struct ResolveTallyTests {
  @Test("answers of one source end the query when it has finished") func one() throws {
    var tally = ResolveTally(try plan("tv.example"))
    tally.take(try address("192.0.2.7", .dns), .added, from: .system, at: 5)
    #expect(!tally.isFinished)
    tally.finish(.system, nil, at: 6)
    #expect(words(tally.events) == ["added 192.0.2.7", "resolved 1", "stop"])
  }

  @Test("without answers the most telling failure is the reason") func failure() throws {
    var tally = ResolveTally(try plan("tv.house.local"))
    tally.finish(.mdns, .noAnswer, at: 5)
    #expect(!tally.isFinished)
    tally.finish(.dns, .notFound, at: 6)
    #expect(words(tally.events) == ["failed notFound", "stop"])
  }

  @Test("whether DNS serves local is nothing to wait for, nor a reason") func unserved() throws {
    var tally = ResolveTally(try plan("tv.local"))
    tally.finish(.mdns, .noAnswer, at: 5)
    #expect(words(tally.events) == ["failed noAnswer", "stop"])
    var served = ResolveTally(try plan("tv.local"))
    served.confirmLocal()
    served.finish(.mdns, .noAnswer, at: 5)
    #expect(!served.isFinished)
    served.take(try address("192.0.2.7", .dns), .added, from: .dnsIfLocalIsServed, at: 6)
    served.finish(.dnsIfLocalIsServed, nil, at: 7)
    #expect(words(served.events) == ["added 192.0.2.7", "resolved 1", "stop"])
  }

  @Test("once one source has answered, the other is waited for a second more") func patience()
    throws
  {
    var tally = ResolveTally(try plan("tv.house.local"))
    tally.take(try address("192.0.2.7", .mdns), .added, from: .mdns, at: 5)
    tally.finish(.mdns, nil, at: 10)
    #expect(tally.nextDeadline == 10 + ResolveTally.patience)
    tally.deadlineReached(at: 10 + ResolveTally.patience)
    #expect(words(tally.events) == ["added 192.0.2.7", "resolved 1", "stop"])
  }

  @Test("what two sources say alike is told once, and with --all twice") func duplicates() throws {
    for isAll in [false, true] {
      var tally = ResolveTally(try plan("tv.house.local"), isAll: isAll)
      tally.take(try address("192.0.2.7", .mdns), .added, from: .mdns, at: 5)
      tally.take(try address("192.0.2.7", .dns), .added, from: .dns, at: 5)
      tally.finish(.mdns, nil, at: 10)
      tally.finish(.dns, nil, at: 10)
      #expect(
        tally.events.contains {
          if case .didResolve(let all) = $0 { all.count == (isAll ? 2 : 1) } else { false }
        })
    }
  }

  @Test("the hosts file decides, and a contradiction is pointed out (RE-11)") func contradiction()
    throws
  {
    var tally = ResolveTally(try plan("tv.local") { $0.isInHostsFile = true })
    tally.take(try address("192.0.2.99", .hosts), .added, from: .system, at: 1)
    tally.finish(.system, nil, at: 1)
    #expect(!tally.isFinished && tally.nextDeadline == 1 + ResolveTally.checkPatience)
    tally.take(try address("192.0.2.20", .mdns), .added, from: .mdns, at: 2)
    tally.finish(.mdns, nil, at: 3)
    #expect(
      words(tally.events) == [
        "added 192.0.2.99", "contradiction [\"192.0.2.99\"] [\"192.0.2.20\"]", "resolved 1", "stop",
      ])
  }

  @Test("a file that multicast agrees with is not contradicted, nor by the other family")
  func agreement() throws {
    var tally = ResolveTally(try plan("tv.local") { $0.isInHostsFile = true })
    tally.take(try address("192.0.2.20", .hosts), .added, from: .system, at: 1)
    tally.take(try address("192.0.2.20", .mdns), .added, from: .mdns, at: 2)
    tally.take(try address("2001:db8::20", .mdns), .added, from: .mdns, at: 2)
    tally.finish(.system, nil, at: 3)
    tally.finish(.mdns, nil, at: 3)
    #expect(words(tally.events) == ["added 192.0.2.20", "resolved 1", "stop"])
  }

  @Test("a watch tells of changes and never ends by itself") func watch() throws {
    var tally = ResolveTally(try plan("tv.local"), isWatching: true)
    tally.finish(.mdns, .noAnswer, at: 5)
    tally.take(try address("192.0.2.7", .mdns), .added, from: .mdns, at: 9)
    tally.take(try address("192.0.2.7", .mdns), .removed, from: .mdns, at: 99)
    tally.end(.cancelled, at: 100)
    #expect(
      words(tally.events) == [
        "failed noAnswer", "added 192.0.2.7", "removed 192.0.2.7", "failed cancelled", "stop",
      ])
  }

  @Test("a time limit ends it with what there is") func limit() throws {
    var tally = ResolveTally(try plan("tv.example"))
    tally.end(.timeout, at: 5)
    #expect(words(tally.events) == ["failed timeout", "stop"])
    #expect(ResolveFailure.timeout.code == -72_007 && ResolveFailure.cancelled.code == -72_005)
  }
}

@Suite("Files of the system's resolver") struct ResolverFileTests {
  @Test("a hosts file is read as glibc reads it") func hosts() throws {
    let text = """
      127.0.0.1\tlocalhost loopback # here
      ::1 localhost
      # 192.0.2.1 gone
      fe80::7%eth0 printer Printer.Example
      ::ffff:192.0.2.9 mapped
      nonsense tv
      192.0.2.2
      """
    let file = HostsFile(Array(text.utf8))
    #expect(file.entries(of: "LOCALHOST.").map { "\($0.address)" } == ["127.0.0.1", "::1"])
    #expect(file.entries(of: "printer.example").first?.zone == "eth0")
    #expect(file.entries(of: "mapped").map { "\($0.address)" } == ["192.0.2.9"])
    #expect(file.entries(of: "tv").isEmpty && file.entries(of: "gone").isEmpty)
    let printer = try #require(IPAddress(parsing: "fe80::7"))
    #expect(file.entries(of: printer, zone: "eth0").count == 1)
    #expect(file.entries(of: printer, zone: "eth1").isEmpty)
  }

  @Test(
    "the provider is named where only one can have answered",
    arguments: [
      ("hosts: files dns", .dns), ("", .dns), ("hosts:\tfiles mdns4_minimal", .mdns),
      ("hosts: files mdns4_minimal [NOTFOUND=return] dns", .system),
      ("hosts: files resolve [!UNAVAIL=return] myhostname dns", .system),
      ("passwd: files\nhosts:files dns # comment", .dns),
    ] as [(String, ResolveProvider)])
  func switching(_ text: String, _ provider: ResolveProvider) {
    #expect(NameServiceSwitch(Array(text.utf8)).provider == provider)
  }
}
