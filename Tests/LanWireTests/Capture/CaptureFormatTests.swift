import LanWire
import TestKit
import Testing

@Suite("Details of the capture formats")
struct CaptureFormatTests {
  @Test("SN-13: a record that claims 7FFFFFFF bytes is named with its length and offset")
  func absurdLength() {
    let file = CaptureFile(
      hex(
        """
        d4c3b2a1020004000000000000000000000004000100000000f1536500000000ffffff7fffffff7f\
        00000000000000000000000000000000
        """))
    #expect(file.frames.isEmpty)
    #expect(file.error == CaptureError(.frameLength(0x7FFF_FFFF), at: 24))
    #expect(file.error?.description.contains("2147483647") == true)
  }

  static let query =
    "01005e0000fb02000000000108004500004000010000ff1118a9c0000207e00000fb14e914e9002c0000"
    + "000000000001000000000000075f776974617032045f746370056c6f63616c00000c8001"

  @Test("SN-15: byte order and resolution come from the file's first bytes")
  func byteOrderAndResolution() throws {
    let big = CaptureFile(
      hex(
        "a1b2c3d400020004000000000000000000040000000000016553f100000003e80000004e0000004e"
          + Self.query))
    let nano = CaptureFile(
      hex(
        "4d3cb2a1020004000000000000000000000004000100000000f15365e80300004e0000004e000000"
          + Self.query))
    #expect(big.error == nil && nano.error == nil)
    let first = try #require(big.frames.first)
    let second = try #require(nano.frames.first)
    #expect(first.bytes == second.bytes)
    let base: Int64 = 0x6553_F100 * 1_000_000_000
    #expect(first.packet.time == CaptureTime(nanoseconds: base + 1_000_000, fractionDigits: 6))
    #expect(second.packet.time == CaptureTime(nanoseconds: base + 1000, fractionDigits: 9))
    let strange = CaptureFile(hex("11223344") + [UInt8](repeating: 0, count: 40))
    #expect(strange.error?.description.hasPrefix("not a capture file") == true)
  }

  @Test("an empty file and a compressed one are told apart from what is no capture")
  func strangeStarts() {
    #expect(CaptureFile([]).error?.reason == .empty)
    #expect(CaptureFile([0x0A, 0x0D]).error?.reason == .notACapture)
    let starts: [(String, CaptureError.Compression)] = [
      ("1f8b0800", .gzip), ("28b52ffd", .zstd), ("04224d18", .lz4), ("fd377a58", .xz),
      ("425a6839", .bzip2),
    ]
    for (start, format) in starts {
      let error = CaptureFile(hex(start) + [0, 0, 0, 0]).error
      #expect(error?.reason == .compressed(format))
      #expect(error?.description.contains("\(format.rawValue) -dc") == true)
    }
  }

  @Test("comments, direction and drop counts of pcapng packets are read")
  func packetOptions() throws {
    let file = CaptureFile(try CaptureFile.fixture("syn-ng-options.pcapng"))
    #expect(
      file.frames.map(\.comments) == [
        ["first – with UTF-8", "second comment"], [], [], ["no end-of-options"],
      ])
    #expect(file.frames.contains { $0.packet.direction == .inbound })
    #expect(file.frames.contains { $0.packet.direction == .outbound })
    #expect(file.interfaces.contains { $0.droppedBetweenPackets > 0 })
  }

  @Test("interfaces have their own link types and clocks, and run on over sections")
  func interfaces() throws {
    let mixed = CaptureFile(try CaptureFile.fixture("syn-ng-mixed-links.pcapng"))
    #expect(Set(mixed.frames.map(\.packet.linkType)).count > 1)
    #expect(mixed.frames.map(\.packet.interface) == [0, 1, 2, 3, 4])
    #expect(mixed.frames.map { $0.packet.time?.fractionDigits } == [6, 9, 6, 9, 6])
    let sections = CaptureFile(try CaptureFile.fixture("syn-ng-sections.pcapng"))
    #expect(sections.frames.map(\.packet.interface) == [0, 1, 2])
    #expect(sections.interfaces.count == 3)
  }

  @Test("a simple packet block has no time, custom and journal blocks use up a number")
  func blocks() throws {
    let simple = CaptureFile(try CaptureFile.fixture("syn-ng-simple.pcapng"))
    #expect(simple.frames.allSatisfy { $0.packet.time == nil })
    let blocks = CaptureFile(try CaptureFile.fixture("syn-ng-blocks.pcapng"))
    #expect(blocks.frames.map(\.packet.frame) == [1, 4, 5])
    #expect(blocks.interfaces.first?.received != nil)
  }

  @Test("a check sequence in the link field is told and the link type stays what it is")
  func checkSequence() throws {
    let file = CaptureFile(try CaptureFile.fixture("syn-fmt-fcs-in-network.pcap"))
    #expect(file.interfaces.first?.linkType == .ethernet)
    #expect(file.interfaces.first?.fcsLength == 4)
  }
}
