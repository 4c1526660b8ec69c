import LanCore
import LanWire
import TestKit
import Testing

/// The machine beside a querier, on one clock that tests turn.
private struct Script {
  var bench = QuerierBench()
  var machine: ReconfirmationMachine
  var told: [(time: Int64, event: ReconfirmationMachine.Event)] = []

  /// A service that was heard and resolved, and that nobody asks about any more.
  init() throws {
    let name = try #require(ServiceInstanceName(try DNSName("s._t._tcp.local")))
    machine = ReconfirmationMachine(name, host: try DNSName("h.local"), families: .ipv4)
    // Somebody asked: what nobody wants is not kept.
    try bench.start("s._t._tcp.local", .srv, .attempts(1))
    try bench.start("h.local", .a, .attempts(1))
    try bench.hear(MDNSSample.service("s"), Self.address)
    bench.run(0.2)
    try bench.stop("s._t._tcp.local", .srv)
    try bench.stop("h.local", .a)
    bench.told = []
    converse()
    machine.began()
    bench.sent = []
    #expect(told.isEmpty)
  }

  static var address: DNSRecord {
    get throws {
      try SampleMessage.record(
        "h.local", ttl: 120, flush: true, .a(IPv4Address(bits: 0x0A00_0009)))
    }
  }

  /// Lets both talk until neither has anything to say.
  mutating func converse() {
    while true {
      let changes = bench.news()
      for change in changes { machine.handle(change) }
      if !changes.isEmpty { machine.batchEnded(at: bench.now) }
      told += machine.events.map { (bench.now, $0) }
      machine.events = []
      let demands = machine.demands
      machine.demands = []
      for demand in demands {
        switch demand {
        case .start(let question, let effort):
          bench.querier.start(question, effort, at: bench.now)
        case .stop(let question): bench.querier.stop(question, at: bench.now)
        case .reconfirm(let name, let type, let data, let link):
          bench.querier.reconfirm(name, type, data: data, interfaceIndex: link, at: bench.now)
        }
        bench.collect()
      }
      if demands.isEmpty, bench.told.isEmpty { return }
    }
  }

  mutating func run(_ seconds: Double) {
    let end = bench.now + Int64(seconds * 1e9)
    while bench.now < end {
      bench.run(0.05)
      converse()
      if let deadline = machine.nextDeadline, deadline <= bench.now {
        machine.deadlineReached(at: bench.now)
        converse()
      }
    }
  }

  mutating func doubt() {
    machine.reconfirm(at: bench.now)
    converse()
  }

  var events: [ReconfirmationMachine.Event] { told.map(\.event) }
}

@Suite("What became of records that failed (RFC 6762 section 10.4)") struct ReconfirmationTests {
  @Test("nothing is asked before a doubt, and an expiry that nobody prevented is no news")
  func quiet() throws {
    var script = try Script()
    script.run(200)
    #expect(script.bench.sent.isEmpty && script.events.isEmpty)
  }

  @Test("records that are repeated after the doubt are announced still") func announced() throws {
    var script = try Script()
    script.doubt()
    script.run(1)
    #expect(try !script.bench.asked("s._t._tcp.local", .srv).isEmpty && script.events.isEmpty)
    try script.bench.hear(MDNSSample.service("s"), Script.address)
    script.run(0.5)
    #expect(script.events == [.announced])
    script.run(60)
    #expect(script.events == [.announced] && script.machine.nextDeadline == nil)
  }

  @Test("silence for ten seconds means gone") func gone() throws {
    var script = try Script()
    let began = script.bench.now
    script.doubt()
    script.run(12)
    #expect(script.events == [.gone])
    let passed = Double(script.told[0].time - began) / 1e9
    #expect((10...10.7).contains(passed), "\(passed)")
    #expect(try script.bench.asked("s._t._tcp.local", .srv).count >= 2)
  }

  @Test("what was never heard, or has expired, is asked for") func unheard() throws {
    var script = try Script()
    script.run(150)
    script.bench.sent = []
    script.doubt()
    script.run(8)
    #expect(script.events == [.gone])
    #expect(try script.bench.asked("s._t._tcp.local", .srv).count == 3)
    var answered = try Script()
    answered.run(150)
    answered.doubt()
    try answered.bench.hear(MDNSSample.service("s", port: 81), Script.address)
    answered.run(2)
    #expect(answered.events == [.changed])
  }

  @Test("a goodbye is told, with a doubt or without") func goodbye() throws {
    var script = try Script()
    try script.bench.hear(MDNSSample.service("s", ttl: 0))
    script.run(2)
    #expect(script.events == [.gone])
    // Back again, elsewhere.
    try script.bench.hear(MDNSSample.service("s", port: 81))
    script.run(2)
    #expect(script.events == [.gone, .changed])
  }

  @Test("a service that moves is told once, when the old record is over") func moved() throws {
    var script = try Script()
    script.run(2)
    try script.bench.hear(MDNSSample.service("s", port: 81))
    script.run(3)
    #expect(script.events == [.changed])
    script.doubt()
    try script.bench.hear(MDNSSample.service("s", port: 82))
    script.run(3)
    #expect(script.events == [.changed, .changed])
  }

  @Test("a record that was repeated just before its successor came is waited for (10.2)")
  func freshRival() throws {
    var script = try Script()
    script.run(2)
    try script.bench.hear(MDNSSample.service("s"))
    script.run(0.5)
    try script.bench.hear(MDNSSample.service("s", port: 81))
    script.run(1.2)
    #expect(script.events.isEmpty)
    try script.bench.hear(MDNSSample.service("s", port: 81))
    script.run(3)
    #expect(script.events == [.changed])
  }

  @Test("a service is followed to another host, whose addresses are no news then") func host()
    throws
  {
    var script = try Script()
    let other = try SampleMessage.record(
      "g.local", ttl: 120, flush: true, .a(IPv4Address(bits: 0x0A00_000A)))
    script.run(2)
    try script.bench.hear(MDNSSample.service("s", host: "g.local"), other)
    script.run(3)
    #expect(script.events == [.changed])
    script.machine.follow(try DNSName("g.local"))
    script.converse()
    script.machine.began()
    script.run(3)
    #expect(script.events == [.changed])
    let moved = try SampleMessage.record(
      "g.local", ttl: 120, flush: true, .a(IPv4Address(bits: 0x0A00_000B)))
    try script.bench.hear(moved)
    script.run(3)
    #expect(script.events == [.changed, .changed])
  }
}
