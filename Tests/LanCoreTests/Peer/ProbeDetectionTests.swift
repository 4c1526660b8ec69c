import LanCore
import Testing

@Suite("What probes give away") struct ProbeDetectionTests {
  private let millisecond: Int64 = 1_000_000

  @Test("acknowledgements after about 40 ms on a fast path point to the peer's timer")
  func delayed() {
    var detector = DelayedAckDetector()
    for turn in 0..<20 {
      detector.record(turn % 2 == 0 ? 41 * millisecond : 200_000, handshake: 150_000)
    }
    #expect(detector.isSuspected)
  }

  @Test("a path that takes 40 ms itself does not, nor do two stragglers") func notDelayed() {
    var path = DelayedAckDetector()
    for _ in 0..<20 { path.record(41 * millisecond, handshake: 40 * millisecond) }
    #expect(!path.isSuspected)
    var stragglers = DelayedAckDetector()
    for turn in 0..<20 {
      stragglers.record(turn < 2 ? 41 * millisecond : 200_000, handshake: 150_000)
    }
    #expect(!stragglers.isSuspected)
    var scattered = DelayedAckDetector()
    for turn in 0..<20 as Range<Int64> {
      scattered.record((turn * 17 + 55) * millisecond, handshake: 150_000)
    }
    #expect(!scattered.isSuspected)
  }

  @Test("three losses in a row and a kernel that sends in vain mean half open") func halfOpen() {
    var silence = ProbeSilence()
    silence.lost()
    silence.lost()
    #expect(!silence.isHalfOpen(unacknowledged: 1, retransmissions: 5))
    silence.lost()
    #expect(silence.isHalfOpen(unacknowledged: 1, retransmissions: 2))
    // A peer whose kernel acknowledges is slow, not gone.
    #expect(!silence.isHalfOpen(unacknowledged: 0, retransmissions: 0))
    silence.heard()
    #expect(!silence.isSuspect)
  }

  @Test("bytes differ from probe to probe, and a pattern is repeated") func content() {
    let varied = ProbeContent(size: 64, pattern: [])
    func bytes(_ number: Int) -> [UInt8] {
      let place = varied.place(of: number)
      return Array(varied.table[place..<place + 64])
    }
    #expect(Set((1...4_093).map(bytes)).count == 4_093)
    #expect(bytes(1) == bytes(1 + 4_093))
    let pattern = ProbeContent(size: 7, pattern: [1, 2, 3])
    #expect(pattern.table == [1, 2, 3, 1, 2, 3, 1])
    #expect(pattern.place(of: 5) == 0)
    #expect(ProbeContent(size: 0, pattern: []).size == 1)
    #expect(ProbeContent(size: .max, pattern: [9]).table.count == 1_048_576)
  }
}
