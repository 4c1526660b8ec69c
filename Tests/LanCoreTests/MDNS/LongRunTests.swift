import LanCore
import LanWire
import TestKit
import Testing

@Suite("Querier: hours of life") struct LongRunTests {
  private func services(_ count: Int, ttl: UInt32 = 120) throws -> [[DNSRecord]] {
    try (0..<count).map { number in
      [
        try MDNSSample.pointer("s\(number)"),
        try MDNSSample.service("s\(number)", host: "h\(number).local", ttl: ttl),
        try SampleMessage.address("h\(number).local", ttl: ttl),
      ]
    }
  }

  private func watch(_ bench: inout QuerierBench, _ count: Int) throws {
    try bench.start(MDNSSample.type, .ptr)
    for number in 0..<count {
      try bench.start("s\(number)._t._tcp.local", .srv)
      try bench.start("h\(number).local", .a)
    }
  }

  @Test("four hours with 100 services: woken for what TTLs ask for, and for nothing else")
  func idle() throws {
    var bench = QuerierBench()
    var responder = ScriptedResponder(hosts: try services(100))
    try watch(&bench, 100)
    bench.run(until: bench.now + 4 * QuerierBench.hour, with: &responder)
    #expect(bench.news().count == 300)
    // 150 lifetimes of two minutes, and what the longer ones and the series need.
    #expect(bench.wakes < 200)
    let wakesThatSent = Set(bench.sent.map(\.time)).count
    #expect(bench.wakes == wakesThatSent)
  }

  @Test("a day with 100 services of long TTLs: two wakes an hour") func longIdle() throws {
    var bench = QuerierBench()
    var responder = ScriptedResponder(hosts: try services(100, ttl: 4_500))
    try watch(&bench, 100)
    bench.run(until: bench.now + 24 * QuerierBench.hour, with: &responder)
    #expect(bench.news().count == 300)
    #expect(bench.wakes < 75)
  }

  @Test(
    "30 % of the answers lost and 20 % doubled: the list is complete and nothing flaps",
    arguments: [1, 2, 3] as [UInt64])
  func loss(_ seed: UInt64) throws {
    var bench = QuerierBench(seed: seed)
    var responder = ScriptedResponder(hosts: try services(50), loss: 0.3, duplication: 0.2)
    responder.random = SeededGenerator(seed: seed)
    try watch(&bench, 50)
    bench.run(until: bench.now + 20 * QuerierBench.second, with: &responder)
    #expect(bench.news().map(kind) == [String](repeating: "added", count: 150))
    bench.run(until: bench.now + QuerierBench.hour, with: &responder)
    #expect(bench.news().map(kind) == [])
  }

  @Test("loss with another host that asks every minute: nothing flaps either") func lossAndPoof()
    throws
  {
    var bench = QuerierBench(seed: 9)
    var responder = ScriptedResponder(hosts: try services(50), loss: 0.3)
    try watch(&bench, 50)
    bench.run(until: bench.now + 20 * QuerierBench.second, with: &responder)
    _ = bench.news()
    for _ in 0..<60 {
      for pause in [1.0, 2, 4, 53] {
        let query = try SampleMessage.query([MDNSSample.type])
        bench.take(query, from: .v4(IPv4Address(bits: 0x0A00_0063)))
        responder.answer([DNSMessage.lenient(query.span).message], at: bench.now)
        bench.run(until: bench.now + Int64(pause * 1e9), with: &responder)
      }
    }
    #expect(bench.news().map(kind) == [])
  }

  @Test(
    "a host that died is noticed when its records end, by four questions on a link without loss")
  func death() throws {
    var bench = QuerierBench()
    var responder = ScriptedResponder(hosts: try services(3))
    try watch(&bench, 3)
    bench.run(until: bench.now + 300 * QuerierBench.second, with: &responder)
    _ = bench.news()
    bench.sent.removeAll()
    responder.hosts.removeFirst()
    bench.run(until: bench.now + 121 * QuerierBench.second, with: &responder)
    let end = Double(bench.told.first?.time ?? 0) / 1e9
    #expect(bench.news().map(kind) == ["expired", "expired"])
    #expect(try bench.asked("s0._t._tcp.local", .srv).filter { $0 < end }.count == 4)
  }

  @Test("equal seeds and inputs give equal packets") func repeatable() throws {
    func run() throws -> [MDNSPacket] {
      var bench = QuerierBench(seed: 77)
      var responder = ScriptedResponder(hosts: try services(20))
      try watch(&bench, 20)
      bench.run(until: bench.now + QuerierBench.hour, with: &responder)
      return bench.sent.map(\.packet)
    }
    #expect(try run() == run())
  }
}
