import LanCore
import LanWire
import TestKit
import Testing

@Suite("Responder: answers to one asker") struct UnicastTests {
  private typealias Sample = ResponderSample
  private let far = IPAddress.v4(IPv4Address(bits: 0xC000_0201))

  private func unicasts(_ bench: ResponderBench) -> [ResponderBench.Sent] {
    bench.responses.filter { $0.packet.destination != nil }
  }

  @Test("R20: QU is answered by unicast when the group heard it within a quarter of the TTL (5.4)")
  func quarter() throws {
    for (wait, isUnicast) in [(20.0, true), (35.0, false)] {
      var bench = ResponderBench()
      bench.establish(settle: wait)
      try bench.ask(Sample.instance, .srv, unicast: true)
      bench.run(1)
      #expect(bench.responses.count == 1)
      #expect(
        bench.responses[0].packet.destination == (isUnicast ? MDNSDestination(bench.peer) : nil))
      #expect(bench.responses[0].message.answers.map(\.type) == [.srv])
      #expect(bench.responses[0].message.answers[0].ttl == 120)
    }
  }

  @Test("R20: QU for what others may answer too waits like any other (5.4, 6)") func shared() throws
  {
    var bench = ResponderBench()
    bench.establish()
    let start = bench.now
    try bench.ask(Sample.type, .ptr, unicast: true)
    bench.run(1)
    #expect(unicasts(bench).count == 1 && bench.multicasts.isEmpty)
    #expect((20...120).contains(ResponderBench.milliseconds(bench.responses[0].time - start)))
    #expect(bench.responses[0].additionalTypes == [.a, .txt, .aaaa, .srv])
  }

  @Test("R20: unicast answers do not count as multicast ones (6)") func noCount() throws {
    var bench = ResponderBench()
    bench.establish()
    try bench.ask(Sample.instance, .srv, unicast: true)
    bench.run(0.1)
    try bench.ask(Sample.instance, .srv)
    #expect(bench.multicasts.count == 1)
  }

  @Test("R20: a probe by QU always has its unicast answer, at once (5.4)") func probe() throws {
    for wait in [5.0, 100] {
      var bench = ResponderBench()
      bench.establish(settle: wait)
      let start = bench.now
      try bench.probe(Sample.instance, [Sample.service(port: 9, flush: false)])
      #expect(unicasts(bench).count == 1)
      #expect(unicasts(bench)[0].time == start)
      #expect(unicasts(bench)[0].packet.destination == MDNSDestination(bench.peer))
      #expect(unicasts(bench)[0].answerTypes == [.txt, .srv])
      bench.run(1)
      // The group is told too where it has not heard the record for long.
      #expect(bench.multicasts.count == (wait > 30 ? 1 : 0))
    }
  }

  @Test("R20: where the port is shared, probes are QM, and QU of others is answered as ever (15.1)")
  func sharedPort() throws {
    var bench = ResponderBench { $0.mayAskForUnicast = false }
    bench.publish()
    bench.run(5)
    #expect(
      bench.probes.allSatisfy { $0.message.questions.allSatisfy { !$0.wantsUnicastResponse } })
    bench.sent.removeAll()
    try bench.ask(Sample.instance, .srv, unicast: true)
    #expect(bench.responses.map(\.packet.destination) == [MDNSDestination(bench.peer)])
    #expect(bench.multicasts.isEmpty)
  }

  @Test(
    "R20: shortly after an announcement QU is answered at once, on a shared port too (5.4)",
    arguments: [0.01, 0.15, 0.5])
  func shortlyAfter(_ wait: Double) throws {
    var bench = ResponderBench { $0.mayAskForUnicast = false }
    bench.publish()
    while bench.multicasts.isEmpty { bench.run(0.01) }
    bench.run(wait)
    bench.sent.removeAll()
    let start = bench.now
    try bench.ask(Sample.host, .a, unicast: true)
    #expect(unicasts(bench).map(\.time) == [start])
  }

  @Test("R20: another program on this machine cannot be reached by unicast for certain (15.1)")
  func sameMachine() throws {
    var bench = ResponderBench()
    bench.establish()
    let own = ResponderBench.four(1, 1)
    try bench.ask(Sample.instance, .srv, unicast: true, from: own)
    #expect(bench.multicasts.count == 1 && bench.responses.count == 1)
    bench.run(3)
    bench.sent.removeAll()
    bench.take(
      try SampleMessage.query(
        [Sample.instance], type: .any, unicast: true, proposed: [Sample.service(port: 9)]),
      from: own)
    #expect(bench.multicasts.count == 1 && bench.responses.count == 1)
    bench.sent.removeAll()
    try bench.ask(Sample.instance, .srv, from: own, port: 7_777)
    #expect(bench.responses.map(\.packet.destination) == [MDNSDestination(own, port: 7_777)])
  }

  @Test("R21: QU from off the link is answered by multicast (11)") func offLink() throws {
    var bench = ResponderBench()
    bench.establish()
    try bench.ask(Sample.instance, .srv, unicast: true, from: far)
    bench.run(1)
    #expect(bench.responses.count == 1 && bench.multicasts.count == 1)
    try bench.probe(Sample.instance, [Sample.service(port: 9)])
    bench.sent.removeAll()
    bench.take(
      try SampleMessage.query(
        [Sample.host], type: .any, unicast: true, proposed: [Sample.address(9)]),
      from: far)
    bench.run(1)
    #expect(unicasts(bench).isEmpty && bench.multicasts.count == 1)
  }

  @Test("R22: a direct question is one by QU, and not answered to off the link (5.5)")
  func direct() throws {
    var bench = ResponderBench()
    bench.establish()
    for source in [bench.peer, ResponderBench.six(9)] {
      bench.sent.removeAll()
      try bench.ask(Sample.instance, .srv, from: source, isMulticast: false)
      bench.run(1)
      #expect(bench.responses.map(\.packet.destination) == [MDNSDestination(source)])
    }
    bench.sent.removeAll()
    try bench.ask(Sample.instance, .srv, from: far, isMulticast: false)
    try bench.ask(Sample.type, .ptr, from: far, isMulticast: false)
    bench.run(1)
    #expect(bench.sent.isEmpty)
  }

  // MARK: Conventional resolvers

  @Test("R23: id and question repeated, no flush bit, at most 10 s, to the port it came from (6.7)")
  func legacy() throws {
    for (name, type) in [
      (Sample.instance, DNSRecordType.any), (Sample.type, .ptr), (Sample.host, .a),
    ] {
      for source in [IPAddress.v4(IPv4Address(bits: 0x0A00_0009)), ResponderBench.six(9)] {
        var bench = ResponderBench()
        bench.establish()
        try bench.ask(name, type, from: source, port: 40_000, id: 0xBEEF)
        bench.run(1)
        #expect(bench.responses.count == 1)
        let item = try #require(bench.responses.first)
        #expect(item.packet.destination == MDNSDestination(source, port: 40_000))
        #expect(item.message.id == 0xBEEF && item.message.flags == 0x8400)
        #expect(item.message.questions == [DNSQuestion(name: try DNSName(name), type: type)])
        let records = item.message.answers + item.message.additionals
        #expect(records.allSatisfy { !$0.cacheFlush && $0.ttl <= 10 && $0.ttl > 0 })
        #expect(bench.faults == [])
      }
    }
  }

  @Test("R23: the target of SRV is not compressed, and TC is never set (6.7, 18.5, 18.14)")
  func uncompressed() throws {
    var bench = ResponderBench()
    var service = ResponderBench.service()
    service.text = (0..<8).map { [UInt8](repeating: 0x41 + UInt8($0), count: 200) }
    bench.establish(service)
    try bench.ask(Sample.instance, .srv, port: 40_000)
    bench.run(1)
    let bytes = try #require(bench.responses.first).packet.bytes
    let target = Array("\u{4}deck\u{5}local\u{0}".utf8)
    #expect(bytes.indices.contains { bytes[$0...].starts(with: target) })
    try bench.ask(Sample.instance, .txt, port: 40_000)
    try bench.ask(Sample.type, .ptr, port: 40_000)
    bench.run(1)
    #expect(bench.responses.count == 3)
    #expect(bench.responses.allSatisfy { $0.message.flags & DNSHeader.truncatedFlag == 0 })
    // What is only additional stays out of a packet that not all could take.
    #expect(bench.responses[2].packet.bytes.count <= 512)
  }

  @Test("R23: off the link nobody is told by unicast (6.7, 11)") func legacyOffLink() throws {
    var bench = ResponderBench()
    bench.establish()
    try bench.ask(Sample.instance, .srv, from: far, port: 40_000)
    try bench.ask(Sample.instance, .srv, from: far, port: 40_000, isMulticast: false)
    bench.run(1)
    #expect(bench.sent.isEmpty)
  }

  @Test("R23: a name without the type has an empty answer (6.7, 6.1)") func empty() throws {
    var bench = ResponderBench()
    bench.establish()
    try bench.ask(Sample.host, .txt, port: 40_000)
    let message = try #require(bench.responses.first).message
    #expect(message.answers.isEmpty && message.additionals.map(\.type) == [.nsec])
  }
}
