import LanWire
import TestKit
import Testing

@Suite("Damaged captures never stop the program")
struct PacketHostileTests {
  /// True when every range of the events lies in the frame.
  static func areSound(_ events: FrameEvents, _ count: Int) -> Bool {
    events.events.allSatisfy { event in
      switch event {
      case .datagram(let datagram):
        datagram.payload.lowerBound >= 8 && datagram.payload.upperBound <= count
      case .packet(let packet): packet.payload.upperBound <= count
      case .fragment(let fragment): fragment.payload.upperBound <= count
      case .malformed(let error): error.offset <= count
      case .membership, .prefix, .arp, .unsupported: true
      }
    }
  }

  @Test("a frame cut at any length is decoded within its bytes", arguments: CaptureFile.fixtures)
  func cutFrames(_ name: String) throws {
    let decoder = FrameDecoder()
    var events = FrameEvents()
    for frame in CaptureFile(try CaptureFile.fixture(name)).frames {
      let packet = frame.packet
      for length in 0..<frame.bytes.count where length < 160 || length % 16 == 0 {
        events.removeAll()
        decoder.decode(
          frame.bytes.span.extracting(first: length), linkType: packet.linkType,
          originalLength: packet.originalLength, fcsLength: packet.fcsLength, into: &events)
        #expect(Self.areSound(events, length))
      }
    }
  }

  @Test("10,000 files with flipped bits are read to an end or a fault")
  func flippedBits() throws {
    let decoder = FrameDecoder()
    var events = FrameEvents()
    var random = SeededGenerator(seed: 6762)
    let files = try CaptureFile.fixtures.map { try CaptureFile.fixture($0) }
      .filter { $0.count < 2100 }
    for round in 0..<10_000 {
      var bytes = files[round % files.count]
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let index = Int.random(in: 0..<bytes.count, using: &random)
        bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      }
      for frame in CaptureFile(bytes).frames {
        events.removeAll()
        decoder.decode(
          frame.bytes.span, linkType: frame.packet.linkType,
          originalLength: frame.packet.originalLength, fcsLength: frame.packet.fcsLength,
          into: &events)
        let isSound = Self.areSound(events, frame.bytes.count)
        if !isSound { Issue.record("round \(round), frame \(frame.packet.frame)") }
      }
    }
  }
}
