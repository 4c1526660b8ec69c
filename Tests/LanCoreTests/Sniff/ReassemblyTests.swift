import LanCore
import LanWire
import TestKit
import Testing

@Suite("Fragments")
struct ReassemblyTests {
  /// An Ethernet frame with an IPv4 fragment of UDP from 192.0.2.`host`.
  static func frame(
    _ identification: UInt16, offset: Int, more: Bool, host: UInt8 = 7, _ payload: [UInt8]
  ) -> [UInt8] {
    let total = 20 + payload.count
    let place = UInt16(offset / 8) | (more ? 0x2000 : 0)
    var bytes = hex("01005e0000fb0200000000010800") + [0x45, 0, UInt8(total >> 8)]
    bytes += [UInt8(total & 255), UInt8(identification >> 8), UInt8(identification & 255)]
    bytes += [UInt8(place >> 8), UInt8(place & 255), 255, 17, 0, 0, 192, 0, 2, host]
    return bytes + [224, 0, 0, 251] + payload
  }

  /// A UDP header for a datagram with `count` bytes of payload.
  static func header(_ count: Int) -> [UInt8] {
    hex("14e914e9") + [UInt8((count + 8) >> 8), UInt8((count + 8) & 255), 0, 0]
  }

  var assembler = PacketAssembler()
  var events = FrameEvents()

  mutating func add(_ frame: [UInt8], at seconds: Int64) -> [UDPDatagram] {
    assembler.decode(
      frame.span, linkType: .ethernet, originalLength: frame.count,
      at: CaptureTime(nanoseconds: seconds * 1_000_000_000, fractionDigits: 6), into: &events)
    return events.events.compactMap {
      if case .datagram(let datagram) = $0 { datagram } else { nil }
    }
  }

  @Test("the frame that completes a datagram has it whole, in whatever order the parts came")
  mutating func order() throws {
    let data = [UInt8](0..<24)
    #expect(add(Self.frame(1, offset: 24, more: false, Array(data[16...])), at: 0).isEmpty)
    let first = Self.frame(1, offset: 0, more: true, Self.header(24) + data[..<16])
    let datagram = try #require(add(first, at: 1).first)
    #expect(datagram.storage == .reassembled && datagram.isFragmented)
    #expect(Array(assembler.reassembled[datagram.payload]) == data)
    #expect(assembler.reassembler.openCount == 0)
  }

  @Test("a part that comes twice does no harm, one that differs is marked")
  mutating func duplicates() throws {
    let data = [UInt8](0..<24)
    let first = Self.frame(1, offset: 0, more: true, Self.header(24) + data[..<16])
    let last = Self.frame(1, offset: 24, more: false, Array(data[16...]))
    _ = add(first, at: 0)
    _ = add(first, at: 0)
    #expect(try #require(add(last, at: 0).first).hasOverlap == false)
    _ = add(first, at: 1)
    _ = add(Self.frame(1, offset: 8, more: true, [9, 9, 9, 9, 9, 9, 9, 9]), at: 1)
    let marked = try #require(add(last, at: 1).first)
    #expect(marked.hasOverlap)
    #expect(Array(assembler.reassembled[marked.payload]) == data)
  }

  @Test("parts whose ends contradict each other are thrown away and the reason is told")
  mutating func contradiction() {
    _ = add(Self.frame(1, offset: 16, more: false, [1, 2, 3]), at: 0)
    _ = add(Self.frame(1, offset: 24, more: true, [UInt8](repeating: 0, count: 8)), at: 0)
    #expect(assembler.lastDrop == .conflict)
    #expect(assembler.reassembler.openCount == 0 && assembler.reassembler.dropped == 1)
    _ = add(Self.frame(2, offset: 65_528, more: false, [UInt8](repeating: 0, count: 32)), at: 0)
    #expect(assembler.lastDrop == .tooLong)
    _ = add(Self.frame(3, offset: 0, more: true, [1, 2, 3]), at: 0)
    #expect(assembler.lastDrop == .unaligned)
  }

  @Test("parts are forgotten 30 s after the first, by the capture's clock")
  mutating func age() {
    let first = Self.frame(1, offset: 0, more: true, Self.header(8))
    let last = Self.frame(1, offset: 8, more: false, [UInt8](repeating: 1, count: 8))
    _ = add(first, at: 100)
    #expect(add(last, at: 130).count == 1)
    _ = add(first, at: 200)
    #expect(add(last, at: 231).isEmpty)
    #expect(assembler.reassembler.forgotten == 1)
  }

  @Test("a flood of first parts keeps 64 packets and a megabyte")
  mutating func flood() {
    let part = [UInt8](repeating: 0, count: 1480)
    for number in 0..<100 as Range<UInt16> {
      _ = add(Self.frame(number, offset: 60_000, more: true, part), at: 0)
    }
    // Each of these claims 61,480 bytes of room: 17 of them are more than the bound.
    #expect(assembler.reassembler.openCount <= 17)
    for number in 0..<100 as Range<UInt16> {
      _ = add(Self.frame(number, offset: 0, more: true, host: 8, Self.header(8)), at: 0)
    }
    #expect(assembler.reassembler.openCount == FragmentReassembler.openSets)
  }

  @Test("overlapping IPv6 parts are thrown away (RFC 5722)")
  mutating func overlapIPv6() {
    let link = "3333000000fb020000000001" + "86dd"
    let addresses = "fe800000000000000000000000000001" + "ff0200000000000000000000000000fb"
    let first =
      hex(link + "6000000000182cff" + addresses + "1100000100000009")
      + Self.header(16) + [1, 1, 1, 1, 1, 1, 1, 1]
    let second =
      hex(link + "6000000000102cff" + addresses + "1100000900000009")
      + [2, 2, 2, 2, 2, 2, 2, 2]
    _ = add(first, at: 0)
    _ = add(second, at: 0)
    #expect(assembler.lastDrop == .conflict && assembler.reassembler.openCount == 0)
  }

  @Test("a tunnel whose outer packet was fragmented is looked into")
  mutating func fragmentedTunnel() throws {
    let inner = hex(
      "4500004000010000ff1118a9c0000207e00000fb14e914e9002c0000000000000001000000000000"
        + "075f776974617032045f746370056c6f63616c00000c8001")
    func outer(_ offset: Int, _ more: Bool, _ part: [UInt8]) -> [UInt8] {
      var bytes = Self.frame(5, offset: offset, more: more, part)
      // IP in IP instead of UDP.
      bytes[23] = 4
      return bytes
    }
    #expect(add(outer(0, true, Array(inner[..<32])), at: 0).isEmpty)
    let found = add(outer(32, false, Array(inner[32...])), at: 0)
    let datagram = try #require(found.first)
    #expect(datagram.destinationPort == 5353 && datagram.tunnels.count == 1)
    #expect(events.tunnel(0, of: datagram.tunnels)?.kind == .ipip)
  }
}
