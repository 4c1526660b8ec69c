import LanCore
import LanWire
import TestKit
import Testing

@Suite("Responder: probing") struct ProbingTests {
  private typealias Sample = ResponderSample

  /// Milliseconds at which probes for a name were sent, since `origin`.
  private func times(_ bench: ResponderBench, _ name: String, since origin: Int64) throws
    -> [Double]
  {
    let name = try DNSName(name)
    return bench.probes.filter { item in item.message.questions.contains { $0.name == name } }
      .map { ResponderBench.milliseconds($0.time - origin) }
  }

  @Test("R1: 0 to 250 ms, three ANY questions 250 ms apart, success 250 ms after the third (8.1)")
  func schedule() throws {
    var firsts: [Double] = []
    for seed: UInt64 in 1...40 {
      var bench = ResponderBench(seed: seed)
      let start = bench.now
      bench.publish()
      bench.run(3)
      let probes = try times(bench, Sample.instance, since: start)
      #expect(probes.count == 3)
      #expect((0...250).contains(probes[0]))
      #expect(probes[1] == probes[0] + 250 && probes[2] == probes[0] + 500)
      #expect(
        bench.multicasts.first.map { ResponderBench.milliseconds($0.time - start) }
          == probes[0] + 750)
      #expect(bench.probes.allSatisfy { $0.message.questions.allSatisfy { $0.type == .any } })
      firsts.append(probes[0])
    }
    #expect(firsts.min().map { $0 < 60 } ?? false)
    #expect(firsts.max().map { $0 > 190 } ?? false)
  }

  @Test("R1: names that begin together are probed for in one packet (8.1)") func together() throws {
    var bench = ResponderBench()
    bench.publish()
    bench.publish(ResponderBench.service("Other"))
    bench.run(3)
    #expect(bench.probes.count == 3)
    #expect(bench.probes.allSatisfy { $0.message.questions.count == 3 })
    #expect(bench.faults == [])
  }

  @Test("R2: probes are QU, with all proposed records and no flush bit in Authority (8.1, 8.2)")
  func content() throws {
    var bench = ResponderBench()
    bench.publish()
    bench.run(3)
    for probe in bench.probes {
      let message = probe.message
      #expect(message.questions.allSatisfy { $0.wantsUnicastResponse })
      #expect(message.flags == 0 && message.id == 0 && message.answers.isEmpty)
      #expect(message.authorities.allSatisfy { !$0.cacheFlush && $0.ttl > 0 })
      let types = Set(message.authorities.map { "\($0.name) \($0.type)" })
      #expect(
        types == [
          "deck.local A", "deck.local AAAA", "\(Sample.instance) SRV", "\(Sample.instance) TXT",
        ])
      #expect(probe.packet.families == .both)
    }
  }

  @Test("R2: what was heard before is no reason to give way (8.1)") func noCache() throws {
    var bench = ResponderBench()
    bench.establish(ResponderBench.service("First"))
    try bench.hear(Sample.service(port: 9, host: "rival.local"))
    bench.publish()
    bench.run(3)
    #expect(try times(bench, Sample.instance, since: 0).count == 3)
    #expect(!bench.events.contains { if case .renamed = $0.event { true } else { false } })
  }

  @Test("R3: a conflicting answer before the first probe is ignored (8.1)") func early() throws {
    var bench = ResponderBench(seed: 3)
    bench.publish()
    try bench.hear(Sample.service(port: 9, host: "rival.local"))
    bench.run(3)
    #expect(bench.events.count == 1)
    #expect(!bench.answered(.srv, since: 0, Sample.instance).isEmpty)
  }

  @Test("R3: any record of the name during probing is a conflict (8.1)")
  func anyRecord() throws {
    let rivals = [
      try Sample.service(port: 9, host: "rival.local"),
      try SampleMessage.record(Sample.instance, .hinfo(cpu: [65], os: [66])),
      try SampleMessage.record(Sample.instance, .txt([Array("x=1".utf8)])),
      try SampleMessage.record(
        Sample.instance, .nsec(next: try DNSName(Sample.instance), types: [.txt])),
    ]
    for rival in rivals {
      for isMulticast in [true, false] {
        var bench = ResponderBench()
        bench.publish()
        bench.run(0.45)
        try bench.hear(rival, isMulticast: isMulticast)
        bench.run(3)
        #expect(bench.answered(.srv, since: 0, Sample.instance).isEmpty)
        #expect(!bench.answered(.srv, since: 0, "Deck (2)._t._tcp.local").isEmpty)
        #expect(
          bench.events.first?.event
            == .renamed(
              MDNSService.ID(1), from: Array("Deck".utf8), to: Array("Deck (2)".utf8),
              rival: bench.peer))
      }
    }
  }

  @Test("R3: neither goodbyes, nor equal records, nor off-link unicast are conflicts (8.1, 11)")
  func noConflict() throws {
    var bench = ResponderBench()
    bench.publish()
    bench.run(0.45)
    try bench.hear(Sample.service(port: 9, host: "rival.local", ttl: 0))
    try bench.hear(Sample.service())
    try bench.hear(Sample.address(1))
    let far = IPAddress.v4(IPv4Address(bits: 0xC000_0201))
    try bench.hear(Sample.service(port: 9), from: far, isMulticast: false)
    bench.run(3)
    #expect(bench.events.map(\.event).count == 1)
    #expect(!bench.answered(.srv, since: 0, Sample.instance).isEmpty)
  }

  @Test("R3: a record of ours from another link of ours is no conflict") func otherLink() throws {
    var bench = ResponderBench(links: [ResponderBench.link(1), ResponderBench.link(2)])
    bench.publish()
    bench.run(0.45)
    // The wire of link 2 carries over to link 1.
    let mine = try SampleMessage.record(
      "deck.local", flush: true, .a(IPv4Address(bits: 0x0A00_0101)))
    try bench.hear(mine, from: bench.peer)
    try bench.probe("deck.local", [mine])
    bench.run(3)
    #expect(bench.events.count == 2)
    #expect(bench.responder.hostName.description == "deck.local")
    try bench.hear(mine, from: bench.peer)
    bench.run(1)
    #expect(bench.probes.count == 6)
  }

  @Test("R4: after 15 conflicts in 10 s each further try waits 5 s (8.1)") func brake() throws {
    var bench = ResponderBench()
    bench.publish()
    var tries: [Int64] = []
    var seen = 0
    while tries.count < 20, let deadline = bench.responder.nextDeadline {
      bench.run(until: deadline)
      guard bench.sent.count > seen, let probe = bench.sent.last, !probe.message.authorities.isEmpty
      else { continue }
      seen = bench.sent.count
      guard
        let name = probe.message.questions.map(\.name).first(where: {
          $0.labelCount == 4
        })
      else { continue }
      tries.append(bench.now)
      try bench.hear(
        DNSRecord(
          name: name, cacheFlush: true, ttl: 120,
          data: .srv(priority: 0, weight: 0, port: 9, target: try DNSName("rival.local"))))
    }
    let gaps = zip(tries, tries.dropFirst()).map { Double($1 - $0) / 1e9 }
    #expect(gaps.prefix(14).allSatisfy { $0 <= 0.25 })
    #expect(gaps.dropFirst(14).allSatisfy { $0 >= 5 && $0 < 5.5 })
    #expect(!bench.events.contains { $0.event == .struggling(MDNSService.ID(1)) })
  }

  @Test("R4: no name for a minute is told once (9)") func struggling() throws {
    var bench = ResponderBench()
    bench.publish()
    let start = bench.now
    while bench.now < start + 90 * ResponderBench.second,
      let deadline = bench.responder.nextDeadline
    {
      bench.run(until: deadline)
      let probe = bench.take().last
      guard let name = probe?.message.authorities.first(where: { $0.type == .srv })?.name else {
        continue
      }
      try bench.hear(DNSRecord(name: name, ttl: 120, data: .txt([[65]])))
    }
    let told = bench.events.filter { $0.event == .struggling(MDNSService.ID(1)) }
    #expect(told.count == 1)
    #expect(told.first.map { $0.time - start >= 60 * ResponderBench.second } ?? false)
  }

  // MARK: Tiebreak

  private func meet(_ rivals: [DNSRecord], name: String = Sample.instance) throws
    -> (bench: ResponderBench, origin: Int64)
  {
    var bench = ResponderBench()
    bench.publish()
    bench.run(0.45)
    bench.sent.removeAll()
    let origin = bench.now
    try bench.probe(name, rivals)
    return (bench, origin)
  }

  private func loses(_ rivals: [DNSRecord], name: String = Sample.instance) throws -> Bool {
    var (bench, origin) = try meet(rivals, name: name)
    bench.run(3)
    let probes = try times(bench, name, since: origin)
    #expect(bench.faults == [])
    return probes.first.map { $0 >= 1_000 } ?? false
  }

  @Test("R5: records are compared by class, type, then data; then the longer list wins (8.2)")
  func order() throws {
    let text = try SampleMessage.record(Sample.instance, ttl: 4_500, .txt([[]]))
    let own = try Sample.service(flush: false)
    // Ours: TXT "" and SRV 0 0 4242 deck.local; TXT (16) is compared before SRV (33).
    #expect(try !loses([own, text]))
    #expect(try loses([Sample.service(port: 4_243, flush: false), text]))
    #expect(try !loses([Sample.service(port: 4_241, flush: false), text]))
    // Unsigned bytes: 0x80 is more than 0x10.
    #expect(try loses([Sample.service(port: 0x8000, flush: false), text]))
    // The order in the packet says nothing.
    #expect(try loses([text, Sample.service(port: 4_243, flush: false)]))
    // The first difference decides: a type of 13 is less than 16, whatever follows.
    let low = try SampleMessage.record(Sample.instance, .hinfo(cpu: [255], os: [255]))
    #expect(try !loses([low, Sample.service(port: 65_535, flush: false), text]))
    // A list that is longer, otherwise equal, wins; a shorter one loses.
    let high = try SampleMessage.record(
      Sample.instance, .unknown(DNSRecordType(rawValue: 65_280), [1]))
    #expect(try loses([own, text, high]))
    #expect(try !loses([text]))
    // The class comes first, without the flush bit.
    var other = own
    other.rawClass = 3
    #expect(try loses([other]))
    other = own
    other.cacheFlush = true
    #expect(try !loses([other, text]))
  }

  @Test("R5: addresses are compared as sorted lists (8.2.1)") func addresses() throws {
    // Ours: A 10.0.0.1 and AAAA fe80::1.
    #expect(try loses([Sample.address(2)], name: Sample.host))
    #expect(try !loses([Sample.address(0)], name: Sample.host))
    #expect(try !loses([Sample.address(9), Sample.address(0)], name: Sample.host))
  }

  @Test("R6: the loser waits a second and probes for the same name again (8.2)")
  func loser() throws {
    let rival = try Sample.service(port: 65_000, host: "rival.local")
    var (bench, origin) = try meet([rival])
    try bench.hear(rival)
    bench.run(0.9)
    #expect(try times(bench, Sample.instance, since: origin) == [])
    bench.run(2)
    #expect(try times(bench, Sample.instance, since: origin) == [1_000, 1_250, 1_500])
    #expect(bench.answered(.srv, since: origin, Sample.instance) == [1_750, 2_750])
    #expect(!bench.events.contains { if case .renamed = $0.event { true } else { false } })
  }

  @Test("R6: it takes another name when the winner defends it (8.2)") func defended() throws {
    let rival = try Sample.service(port: 65_000, host: "rival.local")
    var (bench, _) = try meet([rival])
    bench.run(1.1)
    try bench.hear(rival, isMulticast: false)
    bench.run(2)
    #expect(bench.answered(.srv, since: 0, Sample.instance).isEmpty)
    #expect(!bench.answered(.srv, since: 0, "Deck (2)._t._tcp.local").isEmpty)
  }
}
