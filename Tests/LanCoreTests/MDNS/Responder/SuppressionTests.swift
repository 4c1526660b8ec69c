import LanCore
import LanWire
import TestKit
import Testing

@Suite("Responder: answers that are not needed, or needed again") struct SuppressionTests {
  private typealias Sample = ResponderSample

  /// How many answers a question with known answers gets.
  private func answers(
    _ name: String, _ type: DNSRecordType, known: [DNSRecord], links: [MDNSLink]? = nil
  ) throws -> Int {
    var bench = ResponderBench(links: links ?? [ResponderBench.link(1)])
    bench.establish()
    try bench.ask(name, type, known: known)
    bench.run(3)
    return bench.multicasts.count
  }

  @Test("R16: a known answer with half of its time left is not answered, with less it is (7.1)")
  func half() throws {
    for (ttl, count) in [(4_500, 0), (2_250, 0), (2_249, 1), (60, 1), (0, 1)] {
      #expect(
        try answers(Sample.type, .ptr, known: [Sample.pointer(ttl: UInt32(ttl))]) == count)
    }
    for (ttl, count) in [(120, 0), (60, 0), (59, 1)] {
      #expect(
        try answers(Sample.instance, .srv, known: [Sample.service(ttl: UInt32(ttl))]) == count)
    }
  }

  @Test("R16: a known answer counts only when it is ours (7.1)") func others() throws {
    #expect(try answers(Sample.type, .ptr, known: [Sample.pointer(to: "x._t._tcp.local")]) == 1)
    #expect(try answers(Sample.instance, .srv, known: [Sample.service(port: 1)]) == 1)
    // Names are compared without case, also in the data.
    #expect(try answers(Sample.type, .ptr, known: [Sample.pointer(to: "dECK._T._tcp.LOCAL")]) == 0)
  }

  @Test("R16: a set of which one record is known goes out whole (7.1, 10.2)") func partOfSet()
    throws
  {
    let link = ResponderBench.link(
      1, addresses: [ResponderBench.four(1, 1), ResponderBench.four(1, 2)])
    #expect(try answers(Sample.host, .a, known: [Sample.address(1)], links: [link]) == 1)
    #expect(
      try answers(Sample.host, .a, known: [Sample.address(1), Sample.address(2)], links: [link])
        == 0)
  }

  @Test("R16: of an ANY question only what is not known is answered (7.1)") func partial() throws {
    var bench = ResponderBench()
    bench.establish()
    try bench.ask(Sample.instance, .any, known: [Sample.service()])
    bench.run(1)
    #expect(bench.multicasts.map(\.answerTypes) == [[.txt]])
  }

  @Test("R16: a denial that is known is not given (7.1)") func denial() throws {
    let denial = try SampleMessage.record(
      Sample.host, .nsec(next: try DNSName(Sample.host), types: [.a, .aaaa]))
    #expect(try answers(Sample.host, .srv, known: []) == 1)
    #expect(try answers(Sample.host, .srv, known: [denial]) == 0)
  }

  // MARK: Known answers in several packets

  @Test("R17: known answers of further packets delete what was planned (7.2)") func further() throws
  {
    for isLast in [true, false] {
      var bench = ResponderBench()
      bench.establish()
      try bench.ask(
        Sample.type, .ptr, known: [Sample.pointer(to: "x._t._tcp.local")], truncated: true)
      bench.run(0.2)
      let more = DNSMessage(
        flags: isLast ? 0 : DNSHeader.truncatedFlag, answers: [try Sample.pointer()])
      bench.take(try more.encoded())
      bench.run(3)
      #expect(bench.multicasts.isEmpty)
    }
  }

  @Test("R17: those of another host, or with little time left, delete nothing (7.2)")
  func foreignPackets() throws {
    var bench = ResponderBench()
    bench.establish()
    try bench.ask(Sample.type, .ptr, truncated: true)
    bench.take(
      try DNSMessage(answers: [Sample.pointer()]).encoded(), from: ResponderBench.four(1, 77))
    bench.take(try DNSMessage(answers: [Sample.pointer(ttl: 9)]).encoded())
    bench.run(3)
    #expect(bench.multicasts.count == 1)
  }

  @Test("R17: what another host waits for is given all the same (7.2)") func otherAsker() throws {
    var bench = ResponderBench()
    bench.establish()
    try bench.ask(Sample.type, .ptr, truncated: true)
    bench.run(0.01)
    try bench.ask(Sample.type, .ptr, from: ResponderBench.four(1, 77))
    bench.take(try DNSMessage(answers: [Sample.pointer()]).encoded())
    bench.run(3)
    #expect(bench.multicasts.count == 1)
  }

  @Test("R17: a set that is known in parts of two packets is known (7.2)") func parts() throws {
    let link = ResponderBench.link(
      1, addresses: [ResponderBench.four(1, 1), ResponderBench.four(1, 2)])
    var bench = ResponderBench(links: [link])
    bench.establish()
    try bench.ask(Sample.host, .a, known: [Sample.address(1)], truncated: true)
    bench.take(try DNSMessage(answers: [Sample.address(2)]).encoded())
    bench.run(3)
    #expect(bench.multicasts.isEmpty)
  }

  @Test("R17: questions of further packets are answered with the first (7.2)")
  func moreQuestions() throws {
    var bench = ResponderBench()
    bench.establish()
    let start = bench.now
    try bench.ask(Sample.type, .ptr, truncated: true)
    try bench.ask(Sample.enumeration, .ptr)
    bench.run(3)
    #expect(bench.multicasts.count == 1)
    #expect(bench.multicasts[0].message.answers.count == 2)
    #expect(bench.answered(.ptr, since: start).allSatisfy { $0 >= 400 })
  }

  // MARK: Answers of other hosts

  @Test("R18: the same answer from another host counts as ours (7.4)") func duplicate() throws {
    var bench = ResponderBench()
    bench.establish()
    try bench.ask(Sample.type, .ptr)
    bench.now += 5_000_000
    try bench.hear(Sample.pointer())
    bench.run(3)
    #expect(bench.multicasts.isEmpty)
    // A longer time to live will do, a shorter one will not.
    for (ttl, count) in [(9_000, 0), (4_499, 1)] {
      try bench.ask(Sample.type, .ptr)
      try bench.hear(Sample.pointer(ttl: UInt32(ttl)))
      bench.run(3)
      #expect(bench.multicasts.count == count)
    }
  }

  @Test("R18: nor need what waits for more known answers be given again (7.2, 7.4)")
  func duplicateOfHeld() throws {
    var bench = ResponderBench()
    bench.establish()
    try bench.ask(Sample.type, .ptr, truncated: true)
    bench.run(0.1)
    try bench.hear(Sample.pointer())
    bench.run(3)
    #expect(bench.sent.isEmpty)
  }

  @Test("R18: nor does one that came by unicast, or with other data (7.4)") func noDuplicate()
    throws
  {
    var bench = ResponderBench()
    bench.establish()
    try bench.ask(Sample.type, .ptr)
    try bench.hear(Sample.pointer(), isMulticast: false)
    try bench.hear(Sample.pointer(to: "x._t._tcp.local"))
    bench.run(3)
    #expect(bench.multicasts.count == 1)
  }

  @Test("R18: our own announcement that comes back is nobody's answer (7.4)") func ownPacket()
    throws
  {
    var bench = ResponderBench(links: [ResponderBench.link(1), ResponderBench.link(2)])
    bench.establish()
    try bench.ask(Sample.type, .ptr)
    bench.run(0.2)
    let answer = try #require(bench.multicasts.first)
    bench.run(2)
    try bench.ask(Sample.type, .ptr, on: 2)
    // The wires of both links are one.
    bench.take(answer.packet.bytes, on: 2, from: ResponderBench.four(1, 1))
    bench.run(3)
    #expect(bench.events.count == 2 && bench.probes.isEmpty)
  }

  @Test("R19: a copy of ours with less than half of its time is corrected (6.6)") func low() throws
  {
    for (record, type) in [
      (try Sample.pointer(ttl: 2_249), DNSRecordType.ptr), (try Sample.service(ttl: 59), .srv),
      (try Sample.address(1, ttl: 1), .a),
    ] {
      var bench = ResponderBench()
      bench.establish()
      let start = bench.now
      try bench.hear(record)
      bench.run(3)
      let times = bench.answered(type, since: start)
      #expect(times.count == 1)
      #expect(times.allSatisfy { $0 <= 120 })
    }
    var bench = ResponderBench()
    bench.establish()
    try bench.hear(Sample.pointer(ttl: 2_250), Sample.service(ttl: 60))
    bench.run(3)
    #expect(bench.sent.isEmpty)
  }

  @Test("R19: a goodbye that is not ours is taken back within a second (6.6, 10.1)")
  func rescue() throws {
    for wait in [0.0, 0.02, 0.5, 3] {
      var bench = ResponderBench()
      bench.establish()
      try bench.ask(Sample.type, .ptr)
      bench.run(0.13 + wait)
      bench.sent.removeAll()
      let start = bench.now
      try bench.hear(Sample.pointer(ttl: 0))
      bench.run(3)
      let times = bench.answered(.ptr, since: start)
      #expect(times.count == 1 && times.allSatisfy { $0 <= 1_000 })
    }
  }
}
