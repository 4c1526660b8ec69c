import LanCore
import LanWire
import TestKit
import Testing

@Suite("Querier: doubts and denials") struct DoubtTests {
  private func known() throws -> QuerierBench {
    var bench = QuerierBench()
    try bench.start("s._t._tcp.local", .srv)
    try bench.hear(MDNSSample.service("s"))
    bench.run(10)
    _ = bench.news()
    bench.sent.removeAll()
    return bench
  }

  @Test("Q21: a doubted record is asked for twice or more, and gone after 10 s of silence (10.4)")
  func silence() throws {
    var bench = try known()
    let began = bench.now
    bench.querier.reconfirm(
      try DNSName("s._t._tcp.local"), .srv, interfaceIndex: 1, at: bench.now)
    bench.run(9.99)
    #expect(bench.sent.count >= 2)
    let gaps = zip(bench.sent.dropFirst(), bench.sent).map { $0.time - $1.time }
    #expect(gaps.allSatisfy { $0 >= QuerierBench.second })
    #expect(bench.news().isEmpty)
    bench.run(0.02)
    #expect(bench.told.map(\.time) == [began + 10 * QuerierBench.second])
    #expect(bench.news().map(kind) == ["noResponse"])
  }

  @Test("Q21: an answer ends the doubt (10.4)") func answered() throws {
    var bench = try known()
    bench.querier.reconfirm(
      try DNSName("s._t._tcp.local"), .srv, interfaceIndex: 1, at: bench.now)
    bench.run(2)
    let count = bench.sent.count
    try bench.hear(MDNSSample.service("s"))
    bench.run(60)
    #expect(bench.sent.count == count)
    #expect(bench.news().isEmpty)
  }

  @Test("Q21: one record of many can be doubted, and is not listed as known then") func one() throws
  {
    var bench = QuerierBench()
    try bench.start(MDNSSample.type, .ptr)
    try bench.hear(MDNSSample.pointer("s"), MDNSSample.pointer("t"))
    bench.run(40)
    bench.sent.removeAll()
    _ = bench.news()
    bench.querier.reconfirm(
      try DNSName(MDNSSample.type), .ptr, data: .ptr(try DNSName("S._t._tcp.local")),
      interfaceIndex: 1, at: bench.now)
    bench.run(11)
    #expect(bench.sent.count >= 2)
    #expect(bench.sent.allSatisfy { $0.message.answers.count == 1 })
    #expect(bench.news().map(kind) == ["noResponse"])
  }

  /// Another host asks for the type at these seconds.
  private func observe(
    _ bench: inout QuerierBench, _ seconds: [Double], known: [DNSRecord] = [],
    unicast: Bool = false, answers: Bool = false
  ) throws {
    let began = bench.now
    for second in seconds {
      bench.run(until: began + Int64(second * 1e9))
      bench.take(try SampleMessage.query([MDNSSample.type], unicast: unicast, known: known))
      if answers { try bench.hear(MDNSSample.pointer("s")) }
    }
    bench.run(12)
  }

  private func observing(
    _ change: (inout MDNSQuerier.Configuration) -> Void = { _ in }
  ) throws -> QuerierBench {
    var bench = QuerierBench(change)
    try bench.start(MDNSSample.type, .ptr, .attempts(1))
    try bench.hear(MDNSSample.pointer("s"))
    bench.run(100)
    _ = bench.news()
    bench.sent.removeAll()
    return bench
  }

  @Test("Q22: what others ask for in vain is asked for by us, then gone (10.5)") func poof() throws
  {
    var bench = try observing()
    try observe(&bench, [0, 1, 3, 7])
    #expect(bench.news().map(kind).first == "noResponse")
    #expect(bench.sent.count >= 2)
    bench = try observing()
    try observe(&bench, [0, 9, 20])
    #expect(bench.news().map(kind).first == "noResponse")
  }

  @Test("Q22: a passive querier lets it go without asking (10.5)") func poofPassive() throws {
    var bench = try observing { $0.isPassive = true }
    try observe(&bench, [0, 1, 3, 7, 15])
    #expect(bench.news().map(kind) == ["noResponse"])
    #expect(bench.sent.isEmpty)
  }

  @Test("Q22: known answers, answers, QU, probes and bursts are no misses") func noPoof() throws {
    let times = [0.0, 1, 3, 7, 15, 31]
    var bench = try observing()
    try observe(&bench, times, known: [MDNSSample.pointer("s")])
    try observe(&bench, times, answers: true)
    try observe(&bench, times, unicast: true)
    try observe(&bench, [0, 0.1, 0.2, 0.3, 0.4, 0.5])
    for _ in 0..<6 {
      bench.take(
        try SampleMessage.query([MDNSSample.type], proposed: [MDNSSample.pointer("s")]))
      bench.run(5)
    }
    #expect(bench.news().isEmpty && bench.sent.isEmpty)
  }

  @Test("Q22: known answers in the packets that follow are no misses either (7.2)")
  func following() throws {
    var bench = try observing()
    var first = try SampleMessage.query([MDNSSample.type])
    first[2] |= 2
    for _ in 0..<6 {
      bench.take(first)
      bench.run(0.002)
      bench.take(try SampleMessage.query([], known: [MDNSSample.pointer("s")]))
      bench.run(6)
    }
    #expect(bench.news().isEmpty && bench.sent.isEmpty)
  }

  @Test("Q23: NSEC denies at once, once, and rests the question (6.1)") func denied() throws {
    var bench = QuerierBench()
    try bench.start("h.local", .aaaa)
    bench.run(0.15)
    try bench.hear(MDNSSample.denial("h.local", has: [.a]))
    try bench.hear(MDNSSample.denial("h.local", has: [.a]))
    #expect(bench.news().map(kind) == ["denied"])
    bench.run(90)
    #expect(bench.sent.count == 1)
    bench.run(10)
    #expect(bench.sent.count > 1)
    try bench.hear(
      SampleMessage.record("h.local", flush: true, .aaaa(IPv6Address(high: 1, low: 2))))
    #expect(bench.news().map(kind) == ["added"])
  }

  @Test("Q23: a denial in the cache is told to who asks later, and nothing is sent") func later()
    throws
  {
    var bench = QuerierBench()
    try bench.hear(MDNSSample.denial("h.local", has: [.a]))
    bench.run(5)
    try bench.start("h.local", .aaaa, .attempts(3))
    #expect(bench.news().map(kind) == ["denied"])
    bench.run(60)
    #expect(bench.sent.isEmpty && bench.news().isEmpty)
  }

  @Test("Q23: NSEC of another next name, or that lists the type, denies nothing (6.1)")
  func noDenial() throws {
    var bench = QuerierBench()
    try bench.start("h.local", .aaaa)
    try bench.hear(MDNSSample.denial("h.local", has: [.a], next: "other.local"))
    try bench.hear(MDNSSample.denial("h.local", has: [.a, .aaaa]))
    try bench.hear(MDNSSample.denial("other.local", has: [.a]))
    #expect(bench.news().isEmpty)
  }

  @Test(
    "Q23: bitmaps that can't be read void neither the message nor a question (6.1)",
    arguments: [[0, 33, 64], [0, 0], [0, 200, 1], [1, 1, 1], [0]] as [[UInt8]])
  func badBitmaps(_ bitmaps: [UInt8]) throws {
    var bench = QuerierBench()
    try bench.start("h.local", .a)
    try bench.start("h.local", .aaaa)
    let name = DNSBytes.name("h.local")
    bench.take(
      DNSBytes.message(
        flags: 0x8400, counts: [0, 1, 0, 1],
        DNSBytes.record(name, type: 1, class: 0x8001, [10, 0, 0, 7]),
        DNSBytes.record(name, type: 47, class: 0x8001, name + bitmaps)))
    #expect(bench.news().map(kind) == ["added"])
    #expect(bench.diagnostics.isEmpty)
  }
}
