import LanWire
import TestKit
import Testing

@testable import LanCore

@Suite("Responder: strangers' bytes, memory and cost") struct ResponderHostileTests {
  private typealias Sample = ResponderSample

  /// Sound messages of every kind, about our names and others.
  private static func messages() throws -> [[UInt8]] {
    let rival = try Sample.service(port: 9, host: "rival.local")
    let names = [Sample.type, Sample.instance, Sample.host, Sample.enumeration, "x.local"]
    let all = try names.map { DNSQuestion(name: try DNSName($0), type: .any) }
    return [
      try SampleMessage.query(names), try SampleMessage.query(names, type: .any, unicast: true),
      try SampleMessage.query([Sample.type], known: [Sample.pointer()]),
      try DNSMessage(flags: 0x0200, questions: all, answers: [Sample.pointer()]).encoded(),
      try DNSMessage(answers: [Sample.pointer(), Sample.service(), Sample.address(1)]).encoded(),
      try SampleMessage.query([Sample.instance], type: .any, unicast: true, proposed: [rival]),
      try SampleMessage.query([Sample.host], type: .any, proposed: [Sample.address(9)]),
      try SampleMessage.response([rival]), try SampleMessage.response([Sample.address(99)]),
      try SampleMessage.response([Sample.pointer(ttl: 0), Sample.service(ttl: 0)]),
      try SampleMessage.response(
        [Sample.pointer(), Sample.service(), Sample.address(1)],
        additionals: [
          SampleMessage.record(Sample.host, .nsec(next: try DNSName(Sample.host), types: [.a]))
        ]),
    ]
  }

  private func mutated(_ bytes: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 0...4, using: &random) where !bytes.isEmpty {
      let place = Int.random(in: bytes.indices, using: &random)
      switch Int.random(in: 0..<4, using: &random) {
      case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
      case 1: bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
      case 2: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
      default: bytes.removeSubrange(place..<min(place + 3, bytes.count))
      }
    }
    if Int.random(in: 0..<20, using: &random) == 0 {
      bytes = Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &random)))
    }
    return bytes
  }

  /// Tables that belong together do.
  private func check(_ responder: MDNSResponder) {
    for zone in responder.zones {
      var standing: [Int32: Int32] = [:]
      var holders: [Int32: Int32] = [:]
      for number in Array(zone.services.values) + Array(zone.hosts.values) {
        let claim = zone.claims[number]
        #expect(zone.owners[claim.owner].claim == number)
        for set in claim.sets + [claim.denial] + claim.dependents { holders[set, default: 0] += 1 }
        if claim.isVerified {
          for set in claim.sets + [claim.denial] { standing[set, default: 0] += 1 }
        }
        if claim.isStanding {
          for set in claim.dependents { standing[set, default: 0] += 1 }
        }
      }
      #expect(zone.sets.count == holders.count)
      for (set, count) in holders {
        #expect(zone.sets[set].holders == count)
        #expect(zone.sets[set].standing == standing[set] ?? 0)
        #expect(zone.owners[zone.sets[set].owner].sets.contains(set))
        #expect(zone.sets[set].isPlanned == zone.planned.contains(set))
      }
    }
    #expect(responder.replies.count <= 128 && responder.held.count <= 64)
  }

  /// Something that the program does to its responder.
  private func act(_ bench: inout ResponderBench, _ random: inout SeededGenerator) {
    let ids = bench.responder.publications.keys.sorted().map { MDNSService.ID($0) }
    let id = ids.randomElement(using: &random)
    let now = bench.now
    switch (Int.random(in: 0..<12, using: &random), id) {
    case (0, _) where ids.count < 6:
      var service = ResponderBench.service("Deck")
      service.subtypes = Bool.random(using: &random) ? [Array("_s".utf8)] : []
      if Bool.random(using: &random) {
        service.host = .proxy(
          label: Array("deck".utf8), addresses: [.v4(IPv4Address(bits: 0xC000_0201))])
      }
      bench.publish(service, on: Bool.random(using: &random) ? nil : [1])
    case (1, let id?) where ids.count > 1: bench.responder.withdraw(id, at: now)
    case (2, let id?): bench.responder.update(id, text: [[UInt8.random(in: 0...255)]], at: now)
    case (3, let id?): bench.responder.rename(id, to: Array("Other".utf8), at: now)
    case (4, let id?): bench.responder.update(id, host: .own, at: now)
    case (5, let id?): bench.responder.update(id, host: .foreign(.local), at: now)
    case (6, let id?): bench.responder.setInterfaces([2], of: id, at: now)
    case (7, let id?): bench.responder.setInterfaces(nil, of: id, at: now)
    case (8, _): bench.responder.removeLink(2, at: now)
    case (9, _):
      let last = UInt8.random(in: 1...4, using: &random)
      let link = ResponderBench.link(
        2, families: last == 1 ? .ipv4 : .both,
        addresses: (1...last).map { ResponderBench.four(2, $0) })
      bench.responder.setLink(link, at: now)
    case (10, _):
      bench.responder.foreignAddresses =
        Bool.random(using: &random) ? [ResponderBench.four(2, 1)] : []
    default: break
    }
    bench.collect()
  }

  @Test("mutated messages never trap; output is bounded, sound, and without a record twice")
  func mutations() throws {
    let messages = try Self.messages()
    for seed: UInt64 in 1...4 {
      var random = SeededGenerator(seed: seed)
      var bench = ResponderBench(
        seed: seed, links: [ResponderBench.link(1), ResponderBench.link(2)])
      bench.publish()
      for step in 0..<2_500 {
        let message = mutated(messages.randomElement(using: &random) ?? [], &random)
        let before = bench.sent.count
        let host = UInt8.random(in: 1...250, using: &random)
        let source =
          Int.random(in: 0..<8, using: &random) == 0
          ? .v4(IPv4Address(bits: 0xC000_0200)) : ResponderBench.four(1, host)
        bench.take(
          message, on: UInt32.random(in: 1...3, using: &random), from: source,
          port: Int.random(in: 0..<6, using: &random) == 0 ? 999 : 5_353,
          isMulticast: Int.random(in: 0..<6, using: &random) != 0)
        #expect(bench.sent.count - before <= 8)
        if Int.random(in: 0..<10, using: &random) == 0 { act(&bench, &random) }
        bench.run(Double.random(in: 0...0.2, using: &random))
        if step % 50 == 0 { check(bench.responder) }
        bench.sent.removeAll()
      }
      #expect(bench.faults == [])
      bench.responder.withdrawAll(at: bench.now)
      bench.collect()
      check(bench.responder)
      #expect(bench.responder.isIdle && bench.responder.nextDeadline == nil)
      #expect(bench.responder.zones.allSatisfy { $0.owners.count == 0 && $0.sets.count == 0 })
      #expect(bench.responder.hosts.count == 0 && bench.responder.serviceNames.isEmpty)
    }
  }

  @Test("noise is no message") func noise() {
    var random = SeededGenerator(seed: 9)
    var bench = ResponderBench()
    bench.establish()
    for _ in 0..<5_000 {
      bench.take(
        (0..<Int.random(in: 0...80, using: &random)).map { _ in
          UInt8.random(in: 0...255, using: &random)
        })
    }
    bench.run(2)
    #expect(bench.sent.isEmpty)
  }

  @Test("askers that never end their queries, or all ask at once, cost bounded memory")
  func waiting() throws {
    var bench = ResponderBench()
    bench.establish()
    for host in 0..<1_500 {
      let source = IPAddress.v4(IPv4Address(bits: 0x0A00_0000 | UInt32(host % 250)))
      try bench.ask(Sample.type, .ptr, truncated: true, from: source)
      try bench.ask(Sample.type, .ptr, unicast: true, from: source)
      try bench.ask(Sample.enumeration, .ptr, from: source, port: 7_777)
      #expect(bench.responder.held.count <= 64 && bench.responder.replies.count <= 128)
    }
    bench.run(10)
    #expect(bench.responder.held.isEmpty && bench.responder.replies.isEmpty)
    #expect(bench.responder.nextDeadline == nil)
  }

  @Test("a query costs what it asks for, however many services there are") func cost() throws {
    var bench = ResponderBench()
    for number in 0..<1_000 { bench.publish(ResponderBench.service("Service \(number)")) }
    bench.run(10)
    try bench.ask("Service 77._t._tcp.local", .srv)
    #expect(bench.responder.work <= 8)
    try bench.ask("nobody.local", .a)
    #expect(bench.responder.work == 1)
    try bench.ask(Sample.type, .ptr)
    #expect((1_000...1_002).contains(bench.responder.work))
    // Many questions for the same many records are not each walked to the end.
    let question = DNSQuestion(name: try DNSName(Sample.type), type: .ptr)
    let many = DNSMessage(questions: Array(repeating: question, count: 600))
    bench.take(try many.encoded())
    #expect(bench.responder.work <= 20_000)
    bench.run(3)
    bench.sent.removeAll()
    try bench.ask(Sample.type, .ptr)
    bench.run(3)
    #expect(bench.sent.flatMap(\.message.answers).count == 1_000)
    #expect(bench.faults == [])
    bench.responder.withdrawAll(at: bench.now)
    bench.collect()
    #expect(bench.responder.zones[0].sets.count == 0)
  }

  @Test("what it says in a busy hour breaks no rule that the linter knows of") func lint() throws {
    var options = SniffOptions()
    options.lint = true
    let trace = SniffTrace(options)
    var bench = ResponderBench()
    var random = SeededGenerator(seed: 4)
    var service = ResponderBench.service()
    service.subtypes = [Array("_sub".utf8)]
    let id = bench.publish(service)
    let start = bench.now
    func pass(_ bench: inout ResponderBench) {
      for item in bench.sent where item.packet.destination == nil {
        trace.send(
          item.packet.bytes, at: 1_700_000_000_000_000_000 + item.time - start,
          from: "10.0.0.1")
      }
      bench.sent.removeAll()
    }
    bench.run(5)
    pass(&bench)
    let asked = [
      (Sample.type, DNSRecordType.ptr), (Sample.type, .any), (Sample.instance, .srv),
      (Sample.instance, .txt), (Sample.instance, .any), (Sample.host, .a), (Sample.host, .aaaa),
      (Sample.enumeration, .ptr), ("_sub._sub.\(Sample.type)", .ptr),
    ]
    for step in 0..<600 {
      let (name, type) = try #require(asked.randomElement(using: &random))
      let query = try SampleMessage.query([name], type: type)
      trace.send(
        query, at: 1_700_000_000_000_000_000 + bench.now - start, from: "10.0.0.9", mac: 9)
      bench.take(query)
      bench.run(Double.random(in: 1.3...8, using: &random))
      if step % 100 == 50 {
        bench.responder.update(id, text: [[UInt8(step / 100) + 65, 0x3D]], at: bench.now)
        bench.collect()
        bench.run(5)
      }
      pass(&bench)
    }
    bench.responder.withdraw(id, at: bench.now)
    bench.collect()
    bench.run(5)
    pass(&bench)
    let findings = trace.analyzer.finishLint().filter { $0.source == ResponderBench.four(1, 1) }
    for finding in findings {
      Issue.record("\(finding.rule.id): \(finding.text) (\(finding.count))")
    }
    #expect(trace.batch.messages.count > 800)
  }
}
