import LanCore
import LanWire
import TestKit
import Testing

@Suite("Querier: how long records live") struct RecordLifeTests {
  @Test("Q5: with interest a record is asked for at 80, 85, 90 and 95 % and gone at 100 % (5.2)")
  func ladder() throws {
    for seed in 0..<20 {
      var bench = QuerierBench(seed: UInt64(seed))
      try bench.start("s._t._tcp.local", .srv)
      try bench.hear(MDNSSample.service("s"))
      let heard = bench.now
      bench.run(119.9)
      let times = try bench.asked("s._t._tcp.local", .srv, since: heard)
      try #require(times.count == 4)
      for (time, percent) in zip(times, [80.0, 85, 90, 95]) {
        #expect((percent * 1.2...(percent + 2) * 1.2).contains(time))
      }
      #expect(bench.news().map(kind) == ["added"])
      bench.run(0.1)
      #expect(bench.told.map { $0.time } == [heard + 120 * QuerierBench.second])
      #expect(bench.news().map(kind) == ["expired"])
    }
  }

  @Test("Q5: what was refreshed stays, asked for once per lifetime") func refreshed() throws {
    var bench = QuerierBench()
    var responder = ScriptedResponder(hosts: [[try MDNSSample.service("s")]])
    try bench.start("s._t._tcp.local", .srv)
    bench.run(until: bench.now + QuerierBench.hour, with: &responder)
    let times = try bench.asked("s._t._tcp.local", .srv)
    #expect((36...39).contains(times.count))
    #expect(bench.news().count == 1)
  }

  @Test("Q6: without interest nothing is asked and nobody is woken (5.2)") func noInterest() throws
  {
    var bench = QuerierBench()
    try bench.hear(MDNSSample.service("s"), MDNSSample.pointer("s"))
    #expect(bench.querier.nextDeadline == nil)
    try bench.start("s._t._tcp.local", .srv)
    try bench.stop("s._t._tcp.local", .srv)
    bench.run(5_000)
    #expect(bench.sent.isEmpty)
    #expect(bench.wakes == 0)
  }

  @Test("Q6: a passive question hears and forgets, and sends nothing") func passive() throws {
    var bench = QuerierBench()
    try bench.start("s._t._tcp.local", .srv, .passive)
    try bench.hear(MDNSSample.service("s"))
    bench.run(200)
    #expect(bench.sent.isEmpty)
    #expect(bench.news().map(kind) == ["added", "expired"])
  }

  @Test("Q7: a unique answer ends the questions until 80 % of its time (5.2)") func unique() throws
  {
    var bench = QuerierBench()
    try bench.start("s._t._tcp.local", .srv)
    bench.run(0.15)
    try bench.hear(MDNSSample.service("s"))
    let heard = bench.now
    bench.run(100)
    let times = try bench.asked("s._t._tcp.local", .srv, since: heard)
    #expect(times.count == 2)
    #expect((96...98.4).contains(times[1]))
  }

  @Test("Q7: a unique answer in the cache is told at once and never asked for") func cached() throws
  {
    var bench = QuerierBench()
    try bench.hear(MDNSSample.service("s"))
    bench.run(10)
    try bench.start("s._t._tcp.local", .srv)
    #expect(bench.news().map(kind) == ["added"])
    bench.run(80)
    #expect(bench.sent.isEmpty)
  }

  @Test("shared answers do not end a series") func shared() throws {
    var bench = QuerierBench()
    try bench.start(MDNSSample.type, .ptr)
    bench.run(0.15)
    try bench.hear(MDNSSample.pointer("s"))
    bench.run(10)
    #expect(bench.sent.count == 4)
  }

  @Test("refreshes of a set share one question") func coalesce() throws {
    var bench = QuerierBench()
    try bench.start(MDNSSample.type, .ptr)
    for number in 0..<50 {
      try bench.hear(MDNSSample.pointer("s\(number)", ttl: 120))
      bench.run(0.04)
    }
    bench.run(97)
    let times = try bench.asked(MDNSSample.type, .ptr, since: 1_000 * QuerierBench.second)
    #expect(times.filter { $0 > 90 }.count == 1)
  }

  @Test("Q13: known answers of another host's question are not cached (7.1)")
  func notFromQueries() throws {
    var bench = QuerierBench()
    try bench.start(MDNSSample.type, .ptr)
    bench.take(try SampleMessage.query([MDNSSample.type], known: [MDNSSample.pointer("s")]))
    bench.run(1)
    #expect(bench.news().isEmpty)
    #expect(bench.querier.answers(try DNSName(MDNSSample.type), .ptr).isEmpty)
  }

  @Test("Q18: a goodbye removes a second later (10.1)") func goodbye() throws {
    var bench = QuerierBench()
    try bench.start(MDNSSample.type, .ptr)
    try bench.hear(MDNSSample.pointer("s"))
    bench.run(10)
    try bench.hear(MDNSSample.pointer("s", ttl: 0))
    let time = bench.now
    bench.run(0.999)
    #expect(bench.news().map(kind) == ["added"])
    bench.run(1)
    #expect(bench.told.map(\.time) == [time + QuerierBench.second])
    #expect(bench.news().map(kind) == ["goodbye"])
  }

  @Test("Q18: an answer within the second rescues quietly; a goodbye of the unknown is nothing")
  func rescue() throws {
    var bench = QuerierBench()
    try bench.start(MDNSSample.type, .ptr)
    try bench.hear(MDNSSample.pointer("s"))
    bench.run(10)
    try bench.hear(MDNSSample.pointer("s", ttl: 0), MDNSSample.pointer("other", ttl: 0))
    bench.run(0.9)
    try bench.hear(MDNSSample.pointer("s"))
    bench.run(100)
    #expect(bench.news().map(kind) == ["added"])
  }

  @Test("Q19: the flush bit ends what is older than a second, in a second (10.2)")
  func flush() throws {
    var bench = QuerierBench()
    try bench.start("h.local", .a)
    try bench.hear(SampleMessage.address("h.local", last: 7))
    bench.run(3)
    try bench.hear(SampleMessage.address("h.local", last: 8))
    bench.run(0.9)
    #expect(bench.news().map(kind) == ["added", "added"])
    bench.run(0.2)
    let news = bench.news()
    #expect(news.map(kind) == ["flushed"])
    guard case .removed(let answer, _) = news.first else { return }
    #expect(answer.data == .a(IPv4Address(bits: 0x0A00_0007)))
  }

  @Test("Q19: what came within the last second, or comes again with the flush, stays (10.2)")
  func flushKeeps() throws {
    var bench = QuerierBench()
    try bench.start("h.local", .a)
    try bench.hear(SampleMessage.address("h.local", last: 7))
    bench.run(0.5)
    try bench.hear(SampleMessage.address("h.local", last: 8))
    bench.run(5)
    try bench.hear(
      SampleMessage.address("h.local", last: 7), SampleMessage.address("h.local", last: 8))
    bench.run(5)
    #expect(bench.news().map(kind) == ["added", "added"])
  }

  @Test("Q19: shared records stay beside each other, and other types are not flushed")
  func flushNothing() throws {
    var bench = QuerierBench()
    try bench.start(MDNSSample.type, .ptr)
    try bench.start("h.local", .a)
    try bench.hear(MDNSSample.pointer("s"), SampleMessage.address("h.local"))
    bench.run(3)
    try bench.hear(
      MDNSSample.pointer("other"),
      SampleMessage.record("h.local", flush: true, .aaaa(IPv6Address(high: 1, low: 2))))
    bench.run(3)
    #expect(bench.news().map(kind) == ["added", "added", "added"])
  }

  @Test(
    "Q20: what was heard on a link goes with it; when it is back, it is asked anew by QU (10.3)")
  func linkDown() throws {
    var bench = QuerierBench()
    try bench.start(MDNSSample.type, .ptr)
    try bench.hear(MDNSSample.pointer("s"))
    bench.run(100)
    bench.querier.removeLink(1, at: bench.now)
    bench.collect()
    #expect(bench.news().map(kind) == ["added", "interfaceDown"])
    #expect(bench.querier.nextDeadline == nil)
    bench.sent.removeAll()
    bench.querier.setLink(QuerierBench.link(1), at: bench.now)
    bench.run(0.2)
    #expect(bench.sent.flatMap(\.message.questions).map(\.wantsUnicastResponse) == [true])
    #expect(bench.sent.first?.message.answers.isEmpty == true)
  }

  @Test("Q8: a link that gains a version of IP is asked anew by QU") func gained() throws {
    var bench = QuerierBench(links: [QuerierBench.link(1, families: .ipv4)])
    try bench.start(MDNSSample.type, .ptr)
    bench.run(100)
    #expect(bench.sent.allSatisfy { $0.packet.families == .ipv4 })
    bench.sent.removeAll()
    bench.querier.setLink(QuerierBench.link(1), at: bench.now)
    bench.run(2)
    #expect(
      bench.sent.flatMap(\.message.questions).map(\.wantsUnicastResponse) == [true, false])
    #expect(bench.sent.allSatisfy { $0.packet.families == .both })
  }

  @Test("Q25: names are one by ASCII case and by nothing else (16)") func names() throws {
    var bench = QuerierBench()
    try bench.start("_T._TCP.Local", .ptr)
    try bench.hear(MDNSSample.pointer("Deck"))
    try bench.hear(MDNSSample.pointer("DECK"))
    #expect(bench.news().map(kind) == ["added"])
    try bench.hear(MDNSSample.pointer("é"), MDNSSample.pointer("É"))
    #expect(bench.news().map(kind) == ["added", "added"])
  }

  @Test("Q26: compressed names in the data of SRV, PTR and NSEC are read (18.14)")
  func compression() throws {
    var bench = QuerierBench()
    try bench.start("s._t._tcp.local", .srv)
    try bench.start(MDNSSample.type, .ptr)
    let records = [
      try MDNSSample.pointer("s"), try MDNSSample.service("s", host: "s._t._tcp.local"),
    ]
    for compression in [DNSCompression.multicast, .none] {
      bench.take(
        try DNSMessage(flags: 0x8400, answers: records).encoded(compression: compression))
    }
    let news = bench.news()
    #expect(news.map(kind) == ["added", "added"])
    guard case .added(let answer) = news.last else { return }
    #expect(answer.data == records[1].data)
  }

  @Test("Q27: the same name on two links is two answers, each with its own fate (14)")
  func links() throws {
    var bench = QuerierBench(links: [QuerierBench.link(1), QuerierBench.link(2)])
    try bench.start("h.local", .a)
    try bench.hear(SampleMessage.address("h.local", last: 7), on: 1)
    try bench.hear(SampleMessage.address("h.local", last: 8), on: 2)
    bench.run(3)
    try bench.hear(SampleMessage.address("h.local", last: 9), on: 2)
    bench.run(3)
    var seen: [String] = []
    for change in bench.news() {
      switch change {
      case .added(let answer): seen.append("+\(answer.interfaceIndex)")
      case .removed(let answer, _): seen.append("-\(answer.interfaceIndex)")
      default: seen.append("?")
      }
    }
    #expect(seen == ["+1", "+2", "+2", "-2"])
  }

  @Test("a question for one link leaves on that link only") func oneLink() throws {
    var bench = QuerierBench(links: [QuerierBench.link(1), QuerierBench.link(2)])
    let question = MDNSQuestion(try DNSName("h.local"), .a, interfaceIndex: 2)
    bench.querier.start(question, .unlimited, at: bench.now)
    try bench.hear(SampleMessage.address("h.local"), on: 1)
    bench.run(5)
    #expect(!bench.sent.isEmpty && bench.sent.allSatisfy { $0.packet.interfaceIndex == 2 })
    #expect(bench.news().isEmpty)
  }

  @Test("the same record over both versions of IP is one, and that is told") func families() throws
  {
    var bench = QuerierBench()
    try bench.start(MDNSSample.type, .ptr)
    try bench.hear(MDNSSample.pointer("s"))
    bench.peer = .v6(IPv6Address(high: 0xFE80 << 48, low: 9))
    try bench.hear(MDNSSample.pointer("s"))
    try bench.hear(MDNSSample.pointer("s"))
    let news = bench.news()
    #expect(news.map(kind) == ["added", "heardOver"])
    guard case .heardOver(let answer) = news.last else { return }
    #expect(answer.families == .both)
  }

  @Test("a TTL with the top bit is 0, and none counts for more than a week") func odd() throws {
    var bench = QuerierBench()
    try bench.start(MDNSSample.type, .ptr)
    try bench.hear(
      MDNSSample.pointer("s", ttl: 0x8000_0001), MDNSSample.pointer("t", ttl: 0x7FFF_FFFF))
    let answers = bench.querier.answers(try DNSName(MDNSSample.type), .ptr)
    #expect(answers.map(\.ttl) == [604_800])
  }

  @Test("a question for any type gets all types") func any() throws {
    var bench = QuerierBench()
    try bench.start("h.local", .any)
    try bench.hear(
      SampleMessage.address("h.local"), SampleMessage.record("h.local", .txt([[1]])),
      SampleMessage.record("h.local", .cname(try DNSName("other.local"))))
    #expect(bench.news().map(kind) == ["added", "added", "added"])
    try bench.stop("h.local", .any)
    bench.run(200)
    #expect(bench.news().isEmpty)
  }

  @Test("data of any type is told as it was sent") func dataKinds() throws {
    var bench = QuerierBench()
    let name = try DNSName("h.local")
    let other = try DNSName("Other.local")
    let kinds: [DNSRecordData] = [
      .a(IPv4Address(bits: 7)), .aaaa(IPv6Address(high: 1, low: 2)), .cname(other), .ptr(other),
      .txt([[1, 2], []]), .srv(priority: 1, weight: 2, port: 3, target: other),
      .hinfo(cpu: [65], os: [66]), .nsec(next: name, types: [.a, .txt]),
      .mx(preference: 5, exchange: other), .unknown(DNSRecordType(rawValue: 4_000), [9, 8, 7]),
    ]
    try bench.start("h.local", .any)
    for kind in kinds { try bench.hear(DNSRecord(name: name, ttl: 120, data: kind)) }
    let told = bench.news().map { change -> DNSRecordData? in
      guard case .added(let answer) = change else { return nil }
      return answer.data
    }
    #expect(told == kinds)
  }

  @Test("interests are counted, the last one ends all") func counted() throws {
    var bench = QuerierBench()
    try bench.start("h.local", .a)
    try bench.start("h.local", .a)
    try bench.stop("h.local", .a)
    try bench.hear(SampleMessage.address("h.local"))
    #expect(bench.news().map(kind) == ["added"])
    try bench.stop("h.local", .a)
    #expect(bench.querier.nextDeadline == nil)
    bench.run(500)
    #expect(bench.news().isEmpty && bench.sent.isEmpty)
  }

  @Test("attempts end with `exhausted`, and an answer begins anew") func exhausted() throws {
    var bench = QuerierBench()
    try bench.start("h.local", .a, .attempts(2))
    bench.run(3_600)
    #expect(bench.sent.count == 2)
    #expect(bench.news().map(kind) == ["exhausted"])
    try bench.hear(SampleMessage.address("h.local"))
    #expect(bench.news().map(kind) == ["added"])
  }

  @Test("attempts that were answered do not end with `exhausted`") func notExhausted() throws {
    var bench = QuerierBench()
    try bench.start(MDNSSample.type, .ptr, .attempts(1))
    bench.run(0.15)
    try bench.hear(MDNSSample.pointer("s"))
    bench.run(60)
    #expect(bench.sent.count == 1)
    #expect(bench.news().map(kind) == ["added"])
  }
}

/// The kind of a change, or why an answer is gone.
func kind(_ change: MDNSChange) -> String {
  switch change {
  case .added: "added"
  case .heardOver: "heardOver"
  case .removed(_, let cause): "\(cause)"
  case .denied: "denied"
  case .exhausted: "exhausted"
  }
}
