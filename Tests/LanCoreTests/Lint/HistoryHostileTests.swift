import LanCore
import LanWire
import TestKit
import Testing

@Suite struct HistoryHostileTests {
  @Test("damaged messages at impossible times are survived") func damaged() throws {
    var random = SeededGenerator(seed: 1)
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
