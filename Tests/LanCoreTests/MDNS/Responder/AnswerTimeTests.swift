import LanCore
import LanWire
import TestKit
import Testing

@Suite("Responder: when answers are given") struct AnswerTimeTests {
  private typealias Sample = ResponderSample

  /// Milliseconds from each of many questions to the answer.
  private func delays(
    _ count: Int, _ ask: (inout ResponderBench) throws -> Void
  ) throws -> [Double] {
    var bench = ResponderBench()
    bench.establish()
    var delays: [Double] = []
    for _ in 0..<count {
      let start = bench.now
      bench.sent.removeAll()
      try ask(&bench)
      bench.run(3)
      #expect(bench.multicasts.count == 1)
      delays.append(Double((bench.multicasts.first?.time ?? 0) - start) / 1e6)
    }
    #expect(bench.faults == [])
    return delays
  }

  /// Each quarter of the range holds a fair part, as the conformance test wants it (3e).
  private func isUniform(_ delays: [Double], _ first: Double, _ last: Double) -> Bool {
    let width = (last - first) / 4
    return (0..<4).allSatisfy { quarter in
      let low = first + Double(quarter) * width
      let part = delays.filter { $0 >= low && $0 < low + width }.count
      return part * 100 >= delays.count * 15 && part * 100 <= delays.count * 35
    }
  }

  @Test("R14: what only we can answer is answered at once (6)") func unique() throws {
    for (name, type) in [
      (Sample.instance, DNSRecordType.srv), (Sample.instance, .txt), (Sample.host, .a),
      (Sample.host, .aaaa), (Sample.instance, .any), (Sample.host, .hinfo),
      ("1.0.0.10.in-addr.arpa", .ptr),
    ] {
      #expect(try delays(3) { try $0.ask(name, type) } == [0, 0, 0], "\(name) \(type)")
    }
  }

  @Test("R14: what others may answer too waits for 20 to 120 ms, uniformly (6)") func shared()
    throws
  {
    let delays = try delays(200) { try $0.ask(Sample.type, .ptr) }
    #expect(delays.allSatisfy { (20...120).contains($0) })
    #expect(isUniform(delays, 20, 120))
  }

  @Test("R14: a message of several questions waits for 20 to 120 ms (6.3)") func several() throws {
    let delays = try delays(200) { bench in
      try bench.ask([(Sample.instance, .srv), (Sample.host, .a), (Sample.type, .ptr)])
    }
    #expect(delays.allSatisfy { (20...120).contains($0) })
    #expect(isUniform(delays, 20, 120))
    let unique = try self.delays(20) { bench in
      try bench.ask([(Sample.instance, .srv), (Sample.host, .a)])
    }
    #expect(unique.allSatisfy { (20...120).contains($0) })
  }

  @Test("R14: a truncated query waits for 400 to 500 ms, uniformly (7.2)") func truncated() throws {
    let delays = try delays(200) { try $0.ask(Sample.type, .ptr, truncated: true) }
    #expect(delays.allSatisfy { (400...500).contains($0) })
    #expect(isUniform(delays, 400, 500))
  }

  @Test("R14: each further truncated packet extends the wait (7.2)") func extended() throws {
    var bench = ResponderBench()
    bench.establish()
    let start = bench.now
    try bench.ask(Sample.type, .ptr, truncated: true)
    for _ in 0..<2 {
      bench.run(0.3)
      let more = DNSMessage(
        flags: DNSHeader.truncatedFlag, answers: [try Sample.pointer(to: "x._t._tcp.local")])
      bench.take(try more.encoded())
    }
    bench.run(3)
    let delays = bench.answered(.ptr, since: start)
    #expect(delays.count == 1 && delays.allSatisfy { (1_000...1_100).contains($0) })
  }

  @Test("R15: a record is multicast at most once a second on a link (6)") func limit() throws {
    for (name, type) in [(Sample.instance, DNSRecordType.srv), (Sample.type, .ptr)] {
      var bench = ResponderBench()
      bench.establish()
      let start = bench.now
      for _ in 0..<100 {
        try bench.ask(name, type)
        bench.run(0.07)
      }
      bench.run(3)
      let times = bench.answered(type, since: start)
      #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 >= 1_000 })
      #expect((6...8).contains(times.count))
    }
  }

  @Test("R15: additional records count, and announcements do (6)") func everywhere() throws {
    var bench = ResponderBench()
    bench.publish()
    var last: [DNSRecord: Int64] = [:]
    var random = SystemRandomNumberGenerator()
    let questions = [
      (Sample.type, DNSRecordType.ptr), (Sample.instance, .srv), (Sample.host, .a),
      (Sample.instance, .any), (Sample.host, .any), (Sample.host, .srv), (Sample.enumeration, .ptr),
    ]
    for _ in 0..<500 {
      let (name, type) = try #require(questions.randomElement(using: &random))
      try bench.ask(name, type, unicast: Bool.random(using: &random))
      bench.run(Double.random(in: 0...0.2, using: &random))
    }
    for item in bench.multicasts {
      for record in item.message.answers + item.message.additionals {
        if let before = last[record] { #expect(item.time - before >= ResponderBench.second) }
        last[record] = item.time
      }
    }
    #expect(bench.faults == [])
  }

  @Test("R15: links are counted each for itself (6)") func links() throws {
    var bench = ResponderBench(links: [ResponderBench.link(1), ResponderBench.link(2)])
    bench.establish()
    try bench.ask(Sample.instance, .srv)
    bench.run(0.3)
    try bench.ask(Sample.instance, .srv, on: 2)
    bench.run(0.1)
    #expect(bench.multicasts.map(\.packet.interfaceIndex) == [1, 2])
  }

  @Test("the same question over both versions of IP has one answer (6)") func families() throws {
    for (name, type) in [(Sample.instance, DNSRecordType.srv), (Sample.type, .ptr)] {
      var bench = ResponderBench()
      bench.establish()
      try bench.ask(name, type)
      bench.now += 300_000
      try bench.ask(name, type, from: ResponderBench.six(9))
      bench.run(3)
      #expect(bench.multicasts.count == 1)
      #expect(bench.multicasts.first?.packet.families == .both)
    }
  }

  @Test("R28: shared answers asked for back to back share a packet (6.4)") func aggregation() throws
  {
    var bench = ResponderBench()
    bench.establish()
    for _ in 0..<100 {
      bench.sent.removeAll()
      try bench.ask(Sample.type, .ptr)
      bench.now += 2_000_000
      try bench.ask(Sample.enumeration, .ptr)
      bench.run(3)
      #expect(bench.multicasts.count == 1)
      #expect(bench.multicasts.first?.message.answers.count == 2)
    }
  }

  @Test("R28: what was put off by the second's rule shares a packet (6.4)") func putOff() throws {
    var bench = ResponderBench()
    bench.establish()
    try bench.ask(Sample.instance, .any)
    bench.run(0.3)
    bench.sent.removeAll()
    try bench.ask(Sample.instance, .srv)
    bench.run(0.1)
    try bench.ask(Sample.instance, .txt)
    bench.run(3)
    #expect(bench.multicasts.count == 1)
  }
}
