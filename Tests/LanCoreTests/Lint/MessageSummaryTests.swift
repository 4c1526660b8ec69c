import LanCore
import LanWire
import Testing

@Suite struct MessageSummaryTests {
  private let bad = MessageSample(flags: 0x0400, questions: [question("_http._tcp.local", 12)])

  private func send(_ linter: inout Linter, frame: Int, gap: Int64, source: UInt32 = 1) -> Int {
    let sample = bad.with {
      $0.frame = frame
      $0.nanoseconds = Int64(frame) * gap
      $0.source = .v4(IPv4Address(bits: 0xC000_0200 + source))
    }
    return sample.findings(&linter).count
  }

  @Test func oneSummaryARuleAndSourceCountsAndKeepsTheFirstAndTheLastFrames() throws {
    var linter = Linter()
    for frame in 1...100 { #expect(send(&linter, frame: frame, gap: 1_000_000_000) == 1) }
    #expect(send(&linter, frame: 101, gap: 1_000_000_000, source: 2) == 1)
    let summaries = linter.finish(at: 0).filter { $0.rule.id == "aa-set-query" }
    #expect(summaries.map(\.count) == [100, 1])
    let first = try #require(summaries.first)
    #expect(first.frames == Array(1...20) + [100])
    #expect(first.text == "query with the AA bit")
  }

  @Test func copiesOfAPacketWithinAMillisecondAreOnePacket() {
    var linter = Linter()
    #expect(send(&linter, frame: 1, gap: 400_000) == 1)
    #expect(send(&linter, frame: 2, gap: 400_000) == 0)
    #expect(send(&linter, frame: 9, gap: 400_000) == 1)
    #expect(send(&linter, frame: 10, gap: 400_000, source: 2) == 1)
  }

  @Test func pairsOfRuleAndSourceAreBoundedAndTheRestIsCounted() {
    var linter = Linter()
    for frame in 1...(Linter.pairLimit + 10) {
      _ = send(&linter, frame: frame, gap: 1_000_000_000, source: UInt32(frame))
    }
    #expect(linter.finish(at: 0).filter { $0.rule.id == "aa-set-query" }.count <= Linter.pairLimit)
    #expect(linter.uncounted >= 10)
  }

  @Test func theWorstComesFirstAndMilderFindingsCanBeLeftOut() {
    let sample = MessageSample(
      flags: 0x0500, questions: [question("_http._tcp.local", 12), question("example.com", 1)])
    var linter = Linter()
    _ = sample.findings(&linter)
    #expect(linter.finish(at: 0).first?.rule.id == "aa-set-query")
    var strict = Linter(leastSeverity: .error)
    #expect(sample.findings(&strict).map(\.rule.id) == ["aa-set-query"])
  }
}
