import LanCore
import LanWire
import TestKit
import Testing

@Suite struct HistoryHostileTests {
  @Test("damaged messages at impossible times are survived") func damaged() throws {
    var random = SplitMix(state: 1)
    let capture = HistoryCapture(
      try Repository.bytes("Tests/Fixtures/pcap/syn-rfc6762-faults.pcapng"))
    var replay = HistoryReplay()
    for _ in 0..<60 {
      var datagrams = capture.datagrams
      for place in datagrams.indices {
        let count = datagrams[place].payload.count
        for _ in 0..<(random.next() % 4) where count > 0 {
          datagrams[place].payload[Int(random.next() % UInt64(count))] =
            UInt8(truncatingIfNeeded: random.next())
        }
        if random.next() % 50 == 0 {
          datagrams[place].envelope.nanoseconds = [Int64.max, .min, 0, -1][Int(random.next() % 4)]
        }
        if random.next() % 10 == 0 { datagrams[place].envelope.sourceMAC = nil }
      }
      datagrams[datagrams.count - 1].envelope.nanoseconds = 1_800_000_000_000_000_000
      replay.play(datagrams)
    }
    #expect(replay.messages > 5_000)
  }
}

/// Numbers that are the same in every run.
private struct SplitMix: RandomNumberGenerator {
  var state: UInt64
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}
