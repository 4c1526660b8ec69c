import LanCore
import LanWire
import TestKit
import Testing

@Suite("Querier: series of questions") struct SeriesTests {
  @Test("Q1: the first question waits 20 to 120 ms, spread over all of it (5.2)")
  func firstDelay() throws {
    var delays: [Double] = []
    for seed in 0..<200 {
      var bench = QuerierBench(seed: UInt64(seed))
      let origin = bench.now
      try bench.start(MDNSSample.type, .ptr)
      bench.run(0.5)
      delays += try bench.asked(MDNSSample.type, .ptr, since: origin)
    }
    #expect(delays.count == 200)
    #expect(delays.allSatisfy { (0.020...0.120).contains($0) })
    let early = delays.filter { $0 < 0.045 }.count
    let late = delays.filter { $0 > 0.095 }.count
    #expect(early > 25 && late > 25)
  }

  @Test("Q1: questions that begin together leave in one packet (5.3)") func together() throws {
    var bench = QuerierBench()
    try bench.start(MDNSSample.type, .ptr)
    bench.now += 5 * QuerierBench.millisecond
    try bench.start("h.local", .a)
    try bench.start("h.local", .aaaa)
    bench.run(0.5)
    let counts = bench.sent.map(\.message.questions.count)
    #expect(counts.reduce(0, +) == 3)
    #expect(counts.count <= 2)
  }

  @Test("Q2: gaps are 1 s, then double up to an hour (5.2)") func gaps() throws {
    var bench = QuerierBench()
    try bench.start(MDNSSample.type, .ptr)
    bench.run(5 * 3_600)
    let times = try bench.asked(MDNSSample.type, .ptr)
    let gaps = zip(times.dropFirst(), times).map { ($0 - $1).rounded() }
    #expect(
      gaps == [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1_024, 2_048, 3_600, 3_600, 3_600])
  }

  @Test("Q8: only the first question of a series asks for unicast answers (5.4)")
  func unicastOnce() throws {
    var bench = QuerierBench()
    try bench.start(MDNSSample.type, .ptr)
    bench.run(10)
    let bits = bench.sent.flatMap(\.message.questions).map(\.wantsUnicastResponse)
    #expect(bits == [true, false, false, false])
  }

  @Test("Q28: with port 5353 shared, no question asks for unicast answers (15.1)")
  func neverUnicast() throws {
    var bench = QuerierBench { $0.mayAskUnicast = false }
    try bench.start(MDNSSample.type, .ptr)
    bench.run(10)
    let bits = bench.sent.flatMap(\.message.questions).map(\.wantsUnicastResponse)
    #expect(bits == [false, false, false, false])
  }
}
