import LanCore
import LanWire
import TestKit
import Testing

@Suite("Responder: defence and conflicts") struct ConflictTests {
  private typealias Sample = ResponderSample

  private func renames(_ bench: ResponderBench) -> [MDNSResponderEvent] {
    bench.events.map(\.event).filter {
      switch $0 {
      case .renamed, .hostRenamed, .refused: true
      default: false
      }
    }
  }

  @Test("R7: a probed name is defended at once (6, 8.1)") func defence() throws {
    for name in [Sample.instance, Sample.host] {
      var bench = ResponderBench()
      bench.establish()
      let start = bench.now
      try bench.probe(name, [SampleMessage.record(name, .txt([[65]]))], unicast: false)
      #expect(bench.multicasts.count == 1)
      #expect(bench.multicasts.first?.time == start)
      #expect(bench.multicasts[0].message.answers.count == 2)
      bench.run(3)
      #expect(bench.probes.isEmpty && renames(bench).isEmpty)
    }
  }

  @Test("R7: by multicast 250 ms after the record was last multicast, the second's rule aside (6)")
  func soon() throws {
    for (wait, delay) in [(0.1, 150.0), (0.25, 0), (0.6, 0)] {
      var bench = ResponderBench()
      bench.establish()
      try bench.ask(Sample.instance, .any)
      bench.run(wait)
      bench.sent.removeAll()
      let start = bench.now
      try bench.probe(Sample.instance, [Sample.service(port: 9)], unicast: false)
      bench.run(2)
      #expect(bench.answered(.srv, since: start) == [delay])
    }
  }

  @Test("R7: a probe that goes on after a unicast answer is answered by multicast too (8.1)")
  func deaf() throws {
    var bench = ResponderBench()
    bench.establish()
    for number in 0..<3 {
      bench.sent.removeAll()
      try bench.probe(Sample.instance, [Sample.service(port: 9)])
      #expect(bench.responses.filter { $0.packet.destination != nil }.count == 1)
      #expect(bench.multicasts.count == (number > 0 ? 1 : 0))
      bench.run(0.25)
    }
  }

  @Test("R7: several names probed for in one packet are defended at once (8.1)") func several()
    throws
  {
    var bench = ResponderBench()
    bench.establish()
    let message = DNSMessage(
      questions: [
        DNSQuestion(name: try DNSName(Sample.host), type: .any),
        DNSQuestion(name: try DNSName(Sample.instance), type: .any),
      ], authorities: [try Sample.address(9), try Sample.service(port: 9)])
    bench.take(try message.encoded())
    #expect(bench.multicasts.map(\.answerTypes) == [[.a, .txt, .aaaa, .srv]])
  }

  @Test("R11: a conflict after success leads back to probing at once, and nothing is given (9)")
  func reset() throws {
    for (rival, name) in [
      (try Sample.service(port: 9, host: "rival.local"), Sample.instance),
      (try SampleMessage.record(Sample.instance, .txt([[65]])), Sample.instance),
      (try Sample.address(99), Sample.host),
    ] {
      var bench = ResponderBench()
      bench.establish()
      let start = bench.now
      try bench.hear(rival)
      try bench.ask(name, .any)
      #expect(bench.sent.isEmpty)
      bench.run(5)
      #expect(bench.probes.count == 3)
      #expect(
        bench.probes.first.map { $0.time - start <= 250 * ResponderBench.millisecond } ?? false)
      #expect(
        bench.probes.allSatisfy { $0.message.questions.map(\.name.description) == [name] })
      // Nobody defended it: it is kept, and announced.
      #expect(renames(bench).isEmpty)
      #expect(bench.multicasts.count == 2)
      #expect(
        bench.multicasts.allSatisfy { $0.message.answers.contains { $0.name.description == name } })
    }
  }

  @Test("R11: the loser takes another name, tells it, and says no goodbye for the winner (9)")
  func loser() throws {
    var bench = ResponderBench()
    let id = bench.establish()
    let rival = try Sample.service(port: 9, host: "rival.local")
    try bench.hear(rival)
    bench.run(0.26)
    try bench.hear(rival, isMulticast: false)
    bench.run(5)
    #expect(
      renames(bench) == [
        .renamed(id, from: Array("Deck".utf8), to: Array("Deck (2)".utf8), rival: bench.peer)
      ])
    #expect(bench.multicasts.flatMap(\.message.answers).allSatisfy { $0.ttl > 0 })
    guard case .published(_, let name, _, _)? = bench.events.last?.event else {
      Issue.record("not published anew")
      return
    }
    #expect(name.instance == Array("Deck (2)".utf8))
  }

  @Test("R11: on other links the old name is taken back (9, 10.1)") func otherLinks() throws {
    var bench = ResponderBench(links: [ResponderBench.link(1), ResponderBench.link(2)])
    bench.establish()
    let rival = try Sample.service(port: 9, host: "rival.local")
    try bench.hear(rival)
    bench.run(0.26)
    try bench.hear(rival)
    bench.run(5)
    let goodbyes = bench.multicasts.filter { $0.message.answers.contains { $0.ttl == 0 } }
    #expect(goodbyes.map(\.packet.interfaceIndex) == [2])
    for link: UInt32 in [1, 2] {
      #expect(
        bench.multicasts.contains {
          $0.packet.interfaceIndex == link
            && $0.message.answers.contains { $0.name.description == "Deck (2)._t._tcp.local" }
        })
    }
  }

  @Test("R11: a host that loses its name points its services to the new one (9)") func host() throws
  {
    var bench = ResponderBench()
    bench.establish()
    bench.establish(ResponderBench.service("Second"))
    try bench.hear(Sample.address(99))
    bench.run(0.26)
    try bench.hear(Sample.address(99))
    #expect(bench.responder.hostName.description == "deck-2.local")
    bench.sent.removeAll()
    bench.run(5)
    #expect(
      bench.probes.allSatisfy { $0.message.questions.map(\.name.description) == ["deck-2.local"] })
    #expect(bench.probes.count == 3)
    let answers = bench.multicasts.flatMap(\.message.answers)
    let targets = answers.filter { $0.type == .srv }.map(\.data)
    #expect(targets.count == 4)
    let name = try DNSName("deck-2.local")
    #expect(targets.allSatisfy { $0 == .srv(priority: 0, weight: 0, port: 4_242, target: name) })
    #expect(answers.contains { $0.name == name && $0.type == .a })
    #expect(answers.contains { $0.data == .ptr(name) && $0.type == .ptr })
    #expect(
      renames(bench) == [
        .hostRenamed(from: Array("deck".utf8), to: Array("deck-2".utf8), rival: bench.peer)
      ])
    let hosts = bench.events.suffix(2).map { event -> String in
      if case .published(_, _, let host, _) = event.event { return host.description }
      return ""
    }
    #expect(hosts == ["deck-2.local", "deck-2.local"])
  }

  @Test("R11: equal data, other types, goodbyes and unicast answers are no conflict (9)")
  func noConflict() throws {
    var bench = ResponderBench()
    bench.establish()
    try bench.hear(Sample.service(), Sample.address(1))
    try bench.hear(SampleMessage.record(Sample.instance, .hinfo(cpu: [1], os: [2])))
    try bench.hear(Sample.service(port: 9, ttl: 0))
    try bench.hear(Sample.service(port: 9), isMulticast: false)
    try bench.hear(
      SampleMessage.record(Sample.host, .nsec(next: try DNSName(Sample.host), types: [.a])))
    bench.run(5)
    #expect(bench.sent.isEmpty && renames(bench).isEmpty)
  }

  @Test("what another program on this machine says of its host is no conflict") func sameMachine()
    throws
  {
    var bench = ResponderBench()
    bench.establish()
    let own = ResponderBench.four(1, 1)
    try bench.hear(Sample.address(2), from: own)
    bench.run(3)
    #expect(bench.sent.isEmpty)
    // A service of the same name there is one.
    try bench.hear(Sample.service(port: 9), from: own)
    bench.run(1)
    #expect(bench.probes.count == 3)
  }

  // MARK: Names

  private func next(_ label: String, isHost: Bool = false) throws -> String {
    var bench = ResponderBench(host: isHost ? label : "deck")
    bench.publish(ResponderBench.service(isHost ? "Deck" : label))
    bench.run(0.45)
    let name =
      isHost
      ? bench.responder.hostName
      : try DNSName(labels: [Array(label.utf8)]).appending(DNSName(Sample.type))
    try bench.hear(DNSRecord(name: name, ttl: 120, data: .txt([[65]])))
    switch renames(bench).first {
    case .renamed(_, _, let to, _): return String(decoding: to, as: UTF8.self)
    case .hostRenamed(_, let to, _): return String(decoding: to, as: UTF8.self)
    default: return ""
    }
  }

  @Test("other names: (2), one by one to ten, then by up to a hundred; -2 for hosts")
  func suffixes() throws {
    #expect(try next("Deck") == "Deck (2)")
    #expect(try next("Deck (2)") == "Deck (3)")
    #expect(try next("Deck (9)") == "Deck (10)")
    let leap = try next("Deck (10)")
    let number = leap.dropFirst(6).dropLast().split(separator: "x").first.flatMap { Int($0) }
    #expect(leap.hasPrefix("Deck (") && number.map { (11...110).contains($0) } ?? false)
    #expect(try next("Deck(2)") == "Deck(2) (2)")
    #expect(try next("(2)") == "(2) (2)")
    #expect(try next("Deck (99999999999)") == "Deck (99999999999) (2)")
    #expect(try next("deck", isHost: true) == "deck-2")
    #expect(try next("deck-2", isHost: true) == "deck-3")
    #expect(try next("deck2", isHost: true) == "deck2-2")
  }

  @Test("other names: cut between characters to 63 bytes, without spaces at the cut")
  func cut() throws {
    let long = String(repeating: "é", count: 31) + "x"
    #expect(try next(long) == String(repeating: "é", count: 29) + " (2)")
    let spaced = String(repeating: "a", count: 57) + "  bcd"
    #expect(try next(spaced) == String(repeating: "a", count: 57) + " (2)")
    let host = String(repeating: "h", count: 63)
    #expect(try next(host, isHost: true) == String(repeating: "h", count: 61) + "-2")
    let emoji = String(repeating: "🎉", count: 15) + "abc"
    #expect(try next(emoji) == String(repeating: "🎉", count: 14) + "abc".prefix(0) + " (2)")
  }

  @Test("a service that may have no other name is refused, and taken back elsewhere")
  func refused() throws {
    var bench = ResponderBench(links: [ResponderBench.link(1), ResponderBench.link(2)])
    var service = ResponderBench.service()
    service.mayRename = false
    let id = bench.establish(service)
    try bench.hear(Sample.service(port: 9))
    bench.run(0.26)
    try bench.hear(Sample.service(port: 9))
    bench.run(5)
    #expect(renames(bench) == [.refused(id, rival: bench.peer)])
    #expect(bench.responder.isIdle && bench.responder.nextDeadline == nil)
    let goodbyes = bench.multicasts.filter { $0.message.answers.contains { $0.ttl == 0 } }
    #expect(goodbyes.contains { $0.packet.interfaceIndex == 2 })
  }

  @Test("a host that may have no other name has its services refused") func hostRefused() throws {
    var bench = ResponderBench { $0.mayRenameHost = false }
    let ids = [bench.publish(), bench.publish(ResponderBench.service("Second"))]
    bench.run(0.45)
    try bench.hear(Sample.address(99))
    bench.run(3)
    #expect(renames(bench) == ids.map { .refused($0, rival: bench.peer) })
    #expect(bench.responder.isIdle && bench.responses.isEmpty)
  }

  @Test("two services of one name here: the second gets another one") func ownCollision() throws {
    var bench = ResponderBench()
    bench.publish()
    let second = bench.publish(ResponderBench.service("dECK"))
    bench.run(5)
    let own = ResponderBench.four(1, 1)
    #expect(
      renames(bench) == [
        .renamed(second, from: Array("dECK".utf8), to: Array("dECK (2)".utf8), rival: own)
      ])
    #expect(!bench.answered(.srv, since: 0, "dECK (2)._t._tcp.local").isEmpty)
    #expect(bench.faults == [])
  }
}
