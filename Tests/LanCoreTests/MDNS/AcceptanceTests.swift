import LanCore
import LanWire
import TestKit
import Testing

@Suite("Querier: which messages are believed") struct AcceptanceTests {
  private func heard(
    flags: UInt16 = 0x8400, id: UInt16 = 0, from source: IPAddress? = nil, port: UInt16 = 5_353,
    isMulticast: Bool = true, on interface: UInt32 = 1, after seconds: Double = 0.15,
    type: DNSRecordType = .ptr
  ) throws -> Int {
    var bench = QuerierBench()
    try bench.start(MDNSSample.type, .ptr)
    bench.run(seconds)
    let message = DNSMessage(id: id, flags: flags, answers: [try MDNSSample.pointer("s")])
    bench.take(
      try message.encoded(), on: interface, from: source, port: port, isMulticast: isMulticast)
    #expect(bench.diagnostics.isEmpty)
    return bench.news().count
  }

  @Test("Q14: any id will do, and any section (18.1)") func anyID() throws {
    #expect(try heard(id: 4_711) == 1)
    var bench = QuerierBench()
    try bench.start(MDNSSample.type, .ptr)
    bench.take(
      try SampleMessage.response(
        [], authorities: [MDNSSample.pointer("s")], additionals: [MDNSSample.pointer("t")]))
    #expect(bench.news().count == 2)
    #expect(bench.sent.allSatisfy { $0.message.id == 0 && $0.message.flags == 0 })
  }

  @Test("Q15: a response from another port is ignored (6)") func otherPort() throws {
    #expect(try heard(port: 53) == 0)
  }

  @Test("Q16: a unicast response is taken for two seconds after a QU question (6)")
  func unicast() throws {
    #expect(try heard(isMulticast: false) == 1)
    #expect(try heard(isMulticast: false, after: 1.9) == 1)
    #expect(try heard(isMulticast: false, after: 2.3) == 0)
  }

  @Test("Q17: unicast from off the link is ignored, multicast is taken from anywhere (11)")
  func offLink() throws {
    let far = IPAddress.v4(IPv4Address(bits: 0xC000_0201))
    #expect(try heard(from: far) == 1)
    #expect(try heard(from: far, isMulticast: false) == 0)
    let local4 = IPAddress.v4(IPv4Address(bits: 0xA9FE_0102))
    let local6 = IPAddress.v6(IPv6Address(high: 0xFE80 << 48, low: 5))
    #expect(try heard(from: local4, isMulticast: false) == 1)
    #expect(try heard(from: local6, isMulticast: false) == 1)
    let far6 = IPAddress.v6(IPv6Address(high: 0x2001_0DB8 << 32, low: 5))
    #expect(try heard(from: far6, isMulticast: false) == 0)
  }

  @Test("Q24: opcode and rcode other than 0 are ignored, other bits don't matter (18)")
  func flags() throws {
    #expect(try heard(flags: 0x8C00) == 0)
    #expect(try heard(flags: 0x8403) == 0)
    for flags: UInt16 in [0x8000, 0x8600, 0x8500, 0x8480, 0x8470] {
      #expect(try heard(flags: flags) == 1)
    }
  }

  @Test("an unknown interface is no link of ours") func unknownLink() throws {
    #expect(try heard(on: 9) == 0)
  }

  @Test("nothing of a malformed message is used, and that is told once") func malformed() throws {
    var bench = QuerierBench()
    try bench.start(MDNSSample.type, .ptr)
    let whole = try SampleMessage.response([MDNSSample.pointer("s"), MDNSSample.pointer("t")])
    bench.take(Array(whole.dropLast(3)))
    #expect(bench.news().isEmpty)
    #expect(bench.diagnostics.count == 1)
  }

  @Test("a flood of rubbish does not become a flood of complaints") func flood() throws {
    var bench = QuerierBench()
    for number in 0..<10_000 {
      bench.take([1, 2, 3], from: .v4(IPv4Address(bits: UInt32(number % 500))))
    }
    #expect((1...32).contains(bench.diagnostics.count))
    bench.run(11)
    bench.take([1, 2, 3])
    #expect((2...33).contains(bench.diagnostics.count))
  }

  @Test("BR-03: pointers that loop are dropped, and the good announcement behind them is taken")
  func pointers() throws {
    var bench = QuerierBench()
    try bench.start("_witap2._tcp.local", .ptr)
    let bad = [
      "000084000000000100000000c00c000c0001000000780002c00c",
      "000084000000000200000000c01a000c0001000000780002c00cc00c000c0001000000780002c01a",
      """
      000084000000000100000000c018000c0001000000780014\
      075f776974617032045f746370056c6f63616c00
      """,
    ]
    for text in bad {
      let before = bench.diagnostics.count
      bench.take(hex(text))
      #expect(bench.diagnostics.count <= before + 1)
    }
    #expect(bench.diagnostics.count >= 2)
    _ = bench.news()
    bench.take(
      hex(
        """
        000084000000000100000000075f776974617032045f746370056c6f63616c00000c000100001194001904\
        4465636b075f776974617032045f746370056c6f63616c00
        """))
    #expect(bench.news().map(kind) == ["added"])
  }

  private func hex(_ text: String) -> [UInt8] {
    let digits = text.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count - 1, by: 2).map {
      UInt8(digits[$0] << 4 | digits[$0 + 1])
    }
  }

  @Test("no cut or flipped message traps or is believed to its harm") func hostile() throws {
    let messages = [
      try SampleMessage.response(
        [
          MDNSSample.pointer("s"), MDNSSample.service("s"), SampleMessage.address("h.local"),
          MDNSSample.denial("h.local", has: [.a, .txt]),
          SampleMessage.record("s._t._tcp.local", flush: true, .txt([[65, 61, 66]])),
        ]),
      try SampleMessage.query([MDNSSample.type], known: [MDNSSample.pointer("s")]),
      try SampleMessage.response([
        MDNSSample.pointer("s", ttl: 0), MDNSSample.service("s", port: 81, ttl: 1),
      ]),
    ]
    var bench = QuerierBench { $0.unaskedLimit = 200 }
    var random = SeededGenerator(seed: 3)
    for (name, type) in [
      (MDNSSample.type, DNSRecordType.ptr), ("s._t._tcp.local", .srv), ("s._t._tcp.local", .any),
      ("h.local", .a), ("h.local", .aaaa),
    ] {
      try bench.start(name, type)
    }
    for message in messages {
      for length in 0...message.count { bench.take(Array(message.prefix(length))) }
      for bit in 0..<(message.count * 8) {
        var flipped = message
        flipped[bit >> 3] ^= 1 << UInt8(bit & 7)
        if bit % 7 == 0 { flipped[Int.random(in: 2..<message.count, using: &random)] ^= 0x55 }
        bench.take(flipped)
        if bit % 16 == 0 { bench.run(0.3) }
      }
      bench.run(1_000)
    }
    bench.run(604_800 * 2)
    bench.querier.removeLink(1, at: bench.now)
    bench.collect()
    #expect(bench.querier.nextDeadline == nil)
    let added = bench.news().reduce(into: 0) { count, change in
      switch change {
      case .added: count += 1
      case .removed: count -= 1
      default: break
      }
    }
    // The question for any type and those for one type tell a record once.
    #expect(added == 0)
  }
}
