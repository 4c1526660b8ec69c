import LanWire
import Testing

@testable import LanCore

@Suite struct UnicastQuerierTests {
  private static let host = Unicast.question("host.test", .a)
  private static let other = Unicast.question("host.test", .aaaa)
  private static let list = Unicast.question("_http._tcp.test", .ptr)

  private static func taken(_ querier: inout UnicastQuerier) -> [DNSQuestion] {
    defer { querier.questions = [] }
    return querier.questions
  }

  /// Changes in a word each.
  private static func told(_ querier: inout UnicastQuerier) -> [String] {
    defer { querier.changes = [] }
    return querier.changes.map {
      switch $0 {
      case .added(let answer): "+\(text(answer))"
      case .removed(let answer, let cause): "-\(text(answer)) \(cause)"
      case .denied(let question, _): "denied \(question.type)"
      case .exhausted(let question, _): "exhausted \(question.type)"
      case .heardOver: "heard"
      }
    }
  }

  private static func text(_ answer: MDNSAnswer) -> String {
    switch answer.data {
    case .a(let address): "\(address)"
    case .ptr(let name): "\(name)"
    case .aaaa(let address): "\(address)"
    default: "\(answer.type)"
    }
  }

  private static func answer(
    _ querier: inout UnicastQuerier, _ question: DNSQuestion, _ records: [DNSRecord],
    additionals: [DNSRecord] = [], at now: Int64
  ) {
    querier.handle(
      question, .answers(Unicast.message(records, additionals: additionals)), name: question.name,
      from: Unicast.server, at: now)
  }

  @Test("a question is asked once at first, and again when its TTL has passed")
  func timeToLive() {
    var querier = UnicastQuerier()
    querier.start(Self.host.name, .a, at: 0)
    #expect(Self.taken(&querier) == [Self.host])
    #expect(querier.isWaiting)
    #expect(querier.nextDeadline == nil)
    Self.answer(&querier, Self.host, [Unicast.a("host.test", 1, ttl: 120)], at: 5)
    #expect(Self.told(&querier) == ["+192.0.2.1"])
    #expect(!querier.isWaiting)
    #expect(querier.nextDeadline == 5 + 120 * Unicast.second)
    querier.deadlineReached(at: 119 * Unicast.second)
    #expect(Self.taken(&querier).isEmpty)
    querier.deadlineReached(at: 121 * Unicast.second)
    #expect(Self.taken(&querier) == [Self.host])
    // Nothing wakes while the answer is under way.
    #expect(querier.nextDeadline == nil)
    Self.answer(
      &querier, Self.host, [Unicast.a("host.test", 1), Unicast.a("host.test", 2)],
      at: 121 * Unicast.second)
    #expect(Self.told(&querier) == ["+192.0.2.2"])
    Self.answer(&querier, Self.host, [Unicast.a("host.test", 2)], at: 241 * Unicast.second)
    #expect(Self.told(&querier) == ["-192.0.2.1 expired"])
  }

  @Test("TTLs are held between ten seconds and an hour (a Discovery Proxy's are 10 s at most)")
  func limits() {
    for (ttl, wait) in [(UInt32(0), Int64(10)), (9, 10), (75, 75), (86_400, 3_600)] {
      var querier = UnicastQuerier()
      querier.start(Self.host.name, .a, at: 0)
      Self.answer(&querier, Self.host, [Unicast.a("host.test", 1, ttl: ttl)], at: 0)
      #expect(querier.nextDeadline == wait * Unicast.second)
    }
    for (ttl, wait) in [(UInt32?.none, Int64(60)), (1, 10), (30, 30), (86_400, 300)] {
      var querier = UnicastQuerier()
      querier.start(Self.host.name, .a, at: 0)
      querier.handle(
        Self.host, .nxdomain(ttl: ttl), name: Self.host.name, from: Unicast.server, at: 0)
      #expect(querier.nextDeadline == wait * Unicast.second)
      #expect(Self.told(&querier) == ["denied A"])
    }
  }

  @Test("a failure keeps what is known, is told once, and is tried again ever later")
  func failures() {
    var querier = UnicastQuerier()
    querier.start(Self.list.name, .ptr, at: 0)
    Self.answer(&querier, Self.list, [Unicast.ptr("_http._tcp.test", "A._http._tcp.test")], at: 0)
    _ = Self.told(&querier)
    var now = Int64(0)
    var waits: [Int64] = []
    for _ in 0..<7 {
      now = querier.nextDeadline ?? 0
      querier.deadlineReached(at: now)
      #expect(Self.taken(&querier).contains(Self.list))
      querier.handle(
        Self.list, .failed(.servFail), name: Self.list.name, from: Unicast.server, at: now)
      waits.append(((querier.nextDeadline ?? 0) - now) / Unicast.second)
    }
    #expect(waits == [10, 20, 40, 80, 160, 300, 300])
    #expect(Self.told(&querier).isEmpty)
    #expect(querier.diagnostics == [.unanswered(Self.list, .servFail)])
    querier.diagnostics = []
    Self.answer(
      &querier, Self.list, [Unicast.ptr("_http._tcp.test", "B._http._tcp.test")], at: now)
    #expect(Self.told(&querier) == ["+B._http._tcp.test", "-A._http._tcp.test expired"])
    querier.handle(
      Self.list, .failed(.timeout), name: Self.list.name, from: Unicast.server, at: now)
    #expect(querier.diagnostics == [.unanswered(Self.list, .timeout)])
  }

  @Test("a dead server is not told of by each question")
  func manyFailures() {
    var querier = UnicastQuerier()
    for number in 0..<50 {
      let question = Unicast.question("n\(number).test", .txt)
      querier.start(question.name, .txt, at: 0)
      querier.handle(
        question, .failed(.timeout), name: question.name, from: Unicast.server, at: 0)
    }
    #expect(querier.diagnostics.count == UnicastQuerier.toldLimit)
    #expect(Self.told(&querier).count == 50)
  }

  @Test("a host's families are told together, unless one takes its time (RFC 8305)")
  func families() {
    var querier = UnicastQuerier()
    querier.start(Self.host.name, .a, at: 0)
    querier.start(Self.host.name, .aaaa, at: 0)
    Self.answer(&querier, Self.host, [Unicast.a("host.test", 1)], at: 10)
    #expect(Self.told(&querier).isEmpty)
    Self.answer(&querier, Self.other, [Unicast.aaaa("host.test", 1)], at: 20)
    #expect(Self.told(&querier) == ["+2001:db8::1", "+192.0.2.1"])

    var slow = UnicastQuerier()
    slow.start(Self.host.name, .a, at: 0)
    slow.start(Self.host.name, .aaaa, at: 0)
    Self.answer(&slow, Self.host, [Unicast.a("host.test", 1)], at: 0)
    #expect(slow.nextDeadline == 50_000_000)
    slow.deadlineReached(at: 50_000_000)
    #expect(Self.told(&slow) == ["+192.0.2.1"])
    #expect(slow.isWaiting)
    slow.handle(Self.other, .noData(ttl: 60), name: Self.other.name, from: Unicast.server, at: 60)
    #expect(Self.told(&slow) == ["denied AAAA"])
    #expect(!slow.isWaiting)
  }

  @Test("what a server adds unasked answers questions that follow at once (RFC 6763 section 12)")
  func additionals() {
    var querier = UnicastQuerier()
    querier.start(Self.list.name, .ptr, at: 0)
    _ = Self.taken(&querier)
    Self.answer(
      &querier, Self.list, [Unicast.ptr("_http._tcp.test", "A._http._tcp.test")],
      additionals: [Unicast.a("host.test", 1), Unicast.a("host.test", 2)], at: 0)
    _ = Self.told(&querier)
    querier.start(Self.host.name, .a, at: 0)
    #expect(Self.taken(&querier).isEmpty)
    #expect(Self.told(&querier) == ["+192.0.2.1", "+192.0.2.2"])
    // Those that nobody wanted are forgotten.
    querier.stop(Self.host.name, .a)
    querier.forgetOffers()
    querier.start(Self.host.name, .a, at: 0)
    #expect(Self.taken(&querier) == [Self.host])
  }

  @Test("the second of two interests hears at once what is known; the last one ends the asking")
  func interests() {
    var querier = UnicastQuerier()
    querier.start(Self.host.name, .a, at: 0)
    Self.answer(&querier, Self.host, [Unicast.a("host.test", 1)], at: 0)
    #expect(Self.told(&querier) == ["+192.0.2.1"])
    querier.start(Self.host.name, .a, at: 0)
    #expect(Self.told(&querier) == ["+192.0.2.1"])
    querier.stop(Self.host.name, .a)
    querier.deadlineReached(at: 200 * Unicast.second)
    #expect(Self.taken(&querier).count == 2)
    querier.stop(Self.host.name, .a)
    // An answer that was under way says nothing to anybody.
    Self.answer(&querier, Self.host, [Unicast.a("host.test", 9)], at: 201 * Unicast.second)
    #expect(Self.told(&querier).isEmpty)
    querier.deadlineReached(at: 500 * Unicast.second)
    #expect(Self.taken(&querier).isEmpty)
    #expect(!querier.isWaiting)
  }

  @Test("a doubt asks before the time, and not twice in a second")
  func doubt() {
    var querier = UnicastQuerier()
    querier.start(Self.host.name, .a, at: 0)
    _ = Self.taken(&querier)
    querier.reconfirm(Self.host.name, .a, at: 0)
    #expect(Self.taken(&querier).isEmpty)
    Self.answer(&querier, Self.host, [Unicast.a("host.test", 1)], at: 0)
    querier.reconfirm(Self.host.name, .a, at: 100_000_000)
    #expect(Self.taken(&querier).isEmpty)
    querier.reconfirm(Self.host.name, .a, at: 2 * Unicast.second)
    querier.reconfirm(Self.host.name, .a, at: 2 * Unicast.second)
    #expect(Self.taken(&querier) == [Self.host])
  }
}
