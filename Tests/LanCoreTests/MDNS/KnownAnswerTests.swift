import LanCore
import LanWire
import TestKit
import Testing

@Suite("Querier: known answers and duplicate questions") struct KnownAnswerTests {
  @Test(
    "Q9, Q10: known answers have more than half of their time left, and no flush bit (7.1, 10.2)")
  func half() throws {
    var bench = QuerierBench()
    try bench.start(MDNSSample.type, .ptr)
    bench.run(0.15)
    try bench.hear(MDNSSample.pointer("s", ttl: 100))
    bench.run(70)
    let known = bench.sent.map(\.message.answers)
    #expect(known.map(\.count) == [0, 1, 1, 1, 1, 1, 0])
    #expect(known.joined().allSatisfy { !$0.cacheFlush && $0.ttl > 50 && $0.ttl < 100 })
    #expect(try known[1].map(\.data) == [.ptr(DNSName("s._t._tcp.local"))])
  }

  @Test("Q9: unique records are not listed (7.1)") func unique() throws {
    var bench = QuerierBench()
    try bench.start("h.local", .any)
    try bench.hear(
      SampleMessage.address("h.local"), SampleMessage.record("h.local", .txt([[1]])))
    bench.run(0.15)
    #expect(bench.sent.first?.message.answers.map(\.type) == [.txt])
  }

  @Test(
    "Q11: what doesn't fit follows in packets without question, TC on all but the last (7.2)",
    arguments: [1_500, 1_280])
  func several(_ mtu: Int) throws {
    var bench = QuerierBench(links: [QuerierBench.link(1, mtu: mtu)])
    for number in 0..<300 { try bench.hear(MDNSSample.pointer("instance \(number)")) }
    try bench.start(MDNSSample.type, .ptr)
    bench.run(0.15)
    #expect(bench.sent.count > 3)
    #expect(Set(bench.sent.map(\.time)).count == 1)
    #expect(
      bench.sent.map(\.message.questions.count) == [1] + bench.sent.dropFirst().map { _ in 0 })
    let truncated = bench.sent.map { $0.message.flags & DNSHeader.truncatedFlag != 0 }
    #expect(truncated == bench.sent.dropLast().map { _ in true } + [false])
    #expect(bench.sent.allSatisfy { $0.packet.bytes.count <= mtu - 48 })
    let names = bench.sent.flatMap(\.message.answers).map(\.data)
    #expect(names.count == 300 && Set(names).count == 300)
  }

  @Test("many questions share packets up to the MTU") func manyQuestions() throws {
    var bench = QuerierBench()
    for number in 0..<200 { try bench.start("instance \(number)._t._tcp.local", .srv) }
    bench.run(0.15)
    #expect(bench.sent.flatMap(\.message.questions).count == 200)
    #expect(bench.sent.count < 8)
    #expect(bench.sent.allSatisfy { $0.packet.bytes.count <= 1_452 })
  }

  /// A querier that asked first and is about to ask for the second time.
  private func waiting() throws -> QuerierBench {
    var bench = QuerierBench { $0.mayAskUnicast = false }
    try bench.start(MDNSSample.type, .ptr)
    bench.run(0.15)
    try bench.hear(MDNSSample.pointer("s"))
    bench.now = bench.sent[0].time + 800 * QuerierBench.millisecond
    return bench
  }

  @Test("Q12: another host's question counts as ours, if it knows nothing that we lack (7.3)")
  func duplicate() throws {
    for known in [[], [try MDNSSample.pointer("s")]] {
      var bench = try waiting()
      bench.take(try SampleMessage.query([MDNSSample.type], known: known))
      bench.run(1)
      #expect(bench.sent.count == 1)
      bench.run(2)
      #expect(bench.sent.count == 2)
    }
  }

  @Test("Q12: it does not if it knows more, asks by QU, is not complete or is not from port 5353")
  func noDuplicate() throws {
    let type = MDNSSample.type
    var truncated = try SampleMessage.query([type])
    truncated[2] |= 2
    let queries = [
      try SampleMessage.query([type], known: [MDNSSample.pointer("other")]),
      try SampleMessage.query([type], unicast: true), truncated,
      try SampleMessage.query([type], type: .srv),
    ]
    for query in queries {
      var bench = try waiting()
      bench.take(query)
      bench.run(1)
      #expect(bench.sent.count == 2)
    }
    var bench = try waiting()
    bench.take(try SampleMessage.query([type]), port: 40_000)
    bench.run(1)
    #expect(bench.sent.count == 2)
  }

  @Test("Q12: our own question that comes back spares nothing; another stack's on this host does")
  func echo() throws {
    let own = IPAddress.v4(IPv4Address(bits: 0x0A00_0001))
    var bench = try waiting()
    bench.take(bench.sent[0].packet.bytes, from: own)
    bench.run(1)
    #expect(bench.sent.count == 2)
    bench = try waiting()
    bench.take(
      try SampleMessage.query([MDNSSample.type], known: [MDNSSample.pointer("s")]), from: own)
    bench.run(1)
    #expect(bench.sent.count == 1)
  }
}
