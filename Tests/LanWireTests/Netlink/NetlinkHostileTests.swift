import LanWire
import TestKit
import Testing

@Suite("Damaged netlink messages never stop the program")
struct NetlinkHostileTests {
  @Test("a dump that is cut anywhere inside a message has a fault within its bytes")
  func cut() {
    for fixture in NetlinkFixtures.all {
      var ends: Set<Int> = [0]
      var messages = NetlinkMessages(fixture.bytes.span)
      while let message = try? messages.next(fixture.bytes.span) {
        ends.insert(message.bytes.upperBound)
        // Padding, and up to 3 bytes of a next message, are no fault.
        for extra in 1..<4 { ends.insert((message.bytes.upperBound + 3) & ~3 + extra - 1) }
        for extra in 1..<4 { ends.insert(message.bytes.upperBound + extra) }
        ends.insert((message.bytes.upperBound + 3) & ~3 + 3)
      }
      for extra in 1..<4 { ends.insert(extra) }
      for length in 0..<fixture.bytes.count {
        let reading = NetlinkReading(
          Array(fixture.bytes.prefix(length)), generic: fixture.name == "family")
        let isSound = reading.faults.allSatisfy { $0.offset <= length }
        if !isSound || reading.faults.isEmpty != ends.contains(length) {
          Issue.record("\(fixture.name) cut at \(length): \(reading.faults)")
        }
      }
    }
  }

  @Test("a message whose length was shortened loses its tail, or has a fault within it")
  func shortened() {
    for fixture in NetlinkFixtures.all {
      let whole = Array(fixture.bytes)
      let first = Int(whole.span.littleUInt32(at: 0))
      for length in 16..<first {
        var bytes = Array(whole.prefix(length))
        bytes.replaceSubrange(0..<4, with: NetlinkBytes.little(UInt32(length)))
        let reading = NetlinkReading(bytes, generic: fixture.name == "family")
        #expect(reading.count == 1 && reading.faults.allSatisfy { $0.offset <= length })
      }
    }
  }

  @Test("10,000 datagrams with flipped bits are read to their end")
  func flippedBits() {
    var random = SeededGenerator(seed: 3549)
    let fixtures = NetlinkFixtures.all
    for round in 0..<10_000 {
      var bytes = fixtures[round % fixtures.count].bytes
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        let index = Int.random(in: 0..<min(bytes.count, 600), using: &random)
        bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      }
      for isGeneric in [false, true] {
        let reading = NetlinkReading(bytes, generic: isGeneric)
        if !reading.faults.allSatisfy({ $0.offset <= bytes.count }) {
          Issue.record("round \(round): \(reading.faults)")
        }
      }
    }
  }

  @Test("2,000 datagrams of noise behind a good header are read to their end")
  func noise() {
    var random = SeededGenerator(seed: 9)
    let types: [UInt32] = [2, 3, 16, 20, 24, 28, 32, 68, 104]
    for round in 0..<2000 {
      let payload = (0..<Int.random(in: 0...200, using: &random)).map { _ in
        // Small numbers make plausible lengths.
        UInt8.random(in: 0...(Bool.random(using: &random) ? 12 : 255), using: &random)
      }
      let bytes = NetlinkBytes.message(types[round % types.count], flags: 0x200, payload)
      let reading = NetlinkReading(bytes)
      #expect(reading.count == 1 && reading.faults.allSatisfy { $0.offset <= bytes.count })
      _ = NetlinkReading(bytes, generic: true)
    }
  }

  @Test("impossible lengths are faults at their place")
  func lengths() {
    let short = NetlinkBytes.little(15) + [UInt8](repeating: 0, count: 12)
    #expect(NetlinkReading(short).faults == [WireError(.badLength, at: 0)])
    let long = NetlinkBytes.little(.max) + [UInt8](repeating: 0, count: 12)
    #expect(NetlinkReading(long).faults == [WireError(.truncated, at: 0)])
    let header = [UInt8](repeating: 0, count: 16)
    for (length, reason) in [(UInt32(3), WireError.Reason.badLength), (9, .truncated)] {
      let bytes = NetlinkBytes.message(16, header + NetlinkBytes.little(length, 2) + [3, 0, 65, 0])
      #expect(NetlinkReading(bytes).faults.first == WireError(reason, at: 32))
    }
    for (length, reason) in [(UInt32(7), WireError.Reason.badLength), (17, .truncated)] {
      let leg = NetlinkBytes.little(length, 2) + [0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
      let route = [2, 0, 0, 0, 254, 2, 0, 1, 0, 0, 0, 0] + NetlinkBytes.attribute(9, leg)
      #expect(
        NetlinkReading(NetlinkBytes.message(24, route)).faults == [WireError(reason, at: 32)])
    }
  }
}
