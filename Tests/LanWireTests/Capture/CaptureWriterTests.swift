import LanWire
import TestKit
import Testing

@Suite("What the writers write, the reader reads")
struct CaptureWriterTests {
  let time = CaptureTime(nanoseconds: 1_700_000_000_123_456_789, fractionDigits: 9)
  let frame: [UInt8] = [1, 2, 3, 4, 5]

  @Test("pcap keeps bytes, original length, link type and the digits of its resolution")
  func pcap() throws {
    for (resolution, expected) in [
      (PcapWriter.Resolution.nanoseconds, time.nanoseconds),
      (.microseconds, time.nanoseconds - 789),
    ] {
      let writer = PcapWriter(resolution)
      var output: [UInt8] = []
      writer.appendHeader(linkType: .netlink, snapLength: 65_535, to: &output)
      writer.appendPacket(frame.span, time: time, originalLength: 90, to: &output)
      let file = CaptureFile(output)
      #expect(file.error == nil)
      let read = try #require(file.frames.first)
      #expect(read.bytes == frame)
      #expect(read.packet.originalLength == 90)
      #expect(read.packet.linkType == .netlink)
      #expect(read.packet.time?.nanoseconds == expected)
    }
  }

  @Test("pcapng keeps interface, time, direction, comment and statistics")
  func pcapng() throws {
    var writer = PcapngWriter()
    var output: [UInt8] = []
    writer.appendSection(application: "lantool", to: &output)
    let first = writer.appendInterface(
      linkType: .ethernet, snapLength: 0, name: "eth0", to: &output)
    let second = writer.appendInterface(
      linkType: .netlink, snapLength: 0, name: nil, to: &output)
    #expect(first == 0 && second == 1)
    writer.appendPacket(
      frame.span, interface: second, time: time, originalLength: 5, direction: .outbound,
      comment: "a comment", to: &output)
    writer.appendPacket(
      frame.span, interface: first, time: time, originalLength: 9, to: &output)
    writer.appendStatistics(
      interface: first, time: time, received: 12, dropped: 3, to: &output)
    let file = CaptureFile(output)
    #expect(file.error == nil)
    #expect(file.interfaces.map(\.name) == ["eth0", nil])
    #expect(file.interfaces.map(\.linkType) == [.ethernet, .netlink])
    #expect(file.interfaces.first?.received == 12 && file.interfaces.first?.dropped == 3)
    #expect(file.frames.map(\.bytes) == [frame, frame])
    #expect(file.frames.map(\.packet.time) == [time, time])
    #expect(file.frames.map(\.packet.interface) == [1, 0])
    #expect(file.frames.map(\.packet.direction) == [.outbound, .unknown])
    #expect(file.frames.map(\.comments) == [["a comment"], []])
    #expect(file.frames.map(\.packet.originalLength) == [5, 9])
  }
}
