import LanWire
import TestKit
import Testing

@Suite("Messages")
struct DNSMessageTests {
  @Test(
    "every record type is read as it was written",
    arguments: [DNSCompression.none, .unicast, .multicast])
  func everyType(compression: DNSCompression) throws {
    let message = try DNSSamples.message()
    let bytes = try message.encoded(compression: compression)
    #expect(try readMessage(bytes) == message)
    for data in try DNSSamples.data() {
      let alone = DNSMessage(answers: [DNSRecord(name: .root, ttl: 1, data: data)])
      let read = try readMessage(try alone.encoded(compression: compression))
      #expect(read.answers.first?.data == data)
      #expect(read.answers.first?.type == data.type)
    }
  }

  @Test("compression saves bytes and points only backward")
  func compressionSaves() throws {
    let message = try DNSSamples.message()
    let sizes = try [DNSCompression.multicast, .unicast, .none].map {
      try message.encoded(compression: $0).count
    }
    #expect(sizes[0] < sizes[1])
    #expect(sizes[1] < sizes[2] / 2 + 1_000)
    var index = DNSMessageIndex()
    let bytes = try message.encoded(compression: .multicast)
    let view = index.read(bytes.span)
    #expect(!view.hasForwardPointer)
  }

  @Test("an SRV target is compressed in multicast only, an SVCB target never")
  func pointersWhereAllowed() throws {
    let host = try DNSName("host.local")
    let srv = DNSMessage(
      questions: [DNSQuestion(name: host, type: .srv)],
      answers: [
        DNSRecord(
          name: host, ttl: 1, data: .srv(priority: 0, weight: 0, port: 80, target: host))
      ])
    let start = 12 + 16 + 2 + 10
    #expect(try srv.encoded(compression: .multicast).count == start + 6 + 2)
    #expect(try srv.encoded(compression: .unicast).count == start + 6 + 12)
    #expect(try srv.encoded(compression: .none).count == start + 10 + 6 + 12)
    let svcb = DNSMessage(
      questions: [DNSQuestion(name: host, type: .svcb)],
      answers: [
        DNSRecord(name: host, ttl: 1, data: .svcb(DNSServiceBinding(priority: 1, target: host)))
      ])
    #expect(try svcb.encoded(compression: .multicast).count == start + 2 + 12)
    let nsec = DNSMessage(
      questions: [DNSQuestion(name: host, type: .any)],
      answers: [DNSRecord(name: host, ttl: 1, data: .nsec(next: host, types: [.a, .aaaa]))])
    #expect(
      try nsec.encoded(compression: .multicast).suffix(8)
        == [0xC0, 0x0C, 0, 4, 0x40, 0, 0, 0x08])
  }

  @Test("a suffix is pointed at, whatever its case")
  func suffixes() throws {
    let message = DNSMessage(questions: [
      DNSQuestion(name: try DNSName("a.Example.local"), type: .a),
      DNSQuestion(name: try DNSName("b.example.LOCAL"), type: .a),
      DNSQuestion(name: try DNSName("local"), type: .a),
    ])
    let bytes = try message.encoded()
    let expected = DNSBytes.message(
      counts: [3, 0, 0, 0], DNSBytes.question(DNSBytes.name("a.Example.local")),
      DNSBytes.question([1, 0x62] + DNSBytes.pointer(14)),
      DNSBytes.question(DNSBytes.pointer(22)))
    #expect(bytes == expected)
  }

  @Test("names behind byte 16,383 are never pointed at")
  func farNames() throws {
    let filler = DNSRecord(
      name: .root, ttl: 1,
      data: .unknown(DNSRecordType(rawValue: 65_280), [UInt8](repeating: 0, count: 16_380)))
    let host = DNSRecord(name: try DNSName("far.away.local"), ttl: 1, data: .txt([]))
    let message = DNSMessage(answers: [filler, host, host])
    let bytes = try message.encoded()
    #expect(bytes.count == 12 + 11 + 16_380 + 2 * (16 + 10))
    #expect(try readMessage(bytes) == message)
  }

  @Test("twenty thousand labels in one message are read as written")
  func manyNames() throws {
    var generator = SeededGenerator(seed: 7)
    let names = try (0..<2_000).map { _ in
      try DNSName(
        labels: (0..<Int.random(in: 1...20, using: &generator)).map { _ in
          [[0x61, 0x42, 0x63].randomElement(using: &generator) ?? 0]
        })
    }
    let message = DNSMessage(questions: names.map { DNSQuestion(name: $0, type: .a) })
    #expect(try readMessage(try message.encoded()) == message)
  }

  @Test("what cannot be written is refused")
  func tooLong() throws {
    func refuses(_ data: DNSRecordData) {
      let message = DNSMessage(answers: [DNSRecord(name: .root, ttl: 1, data: data)])
      #expect { try message.encoded() } throws: {
        ($0 as? WireError)?.reason == .tooLongToWrite
      }
    }
    refuses(.txt([[UInt8](repeating: 0, count: 256)]))
    refuses(.hinfo(cpu: [], os: [UInt8](repeating: 0, count: 256)))
    refuses(.caa(flags: 0, tag: [UInt8](repeating: 0, count: 256), value: []))
    refuses(.opt([DNSOption(code: 1, value: [UInt8](repeating: 0, count: 65_536))]))
    refuses(.unknown(DNSRecordType(rawValue: 65_280), [UInt8](repeating: 0, count: 65_513)))
    let fits = DNSRecordData.unknown(
      DNSRecordType(rawValue: 65_280), [UInt8](repeating: 0, count: 65_512))
    #expect(
      try DNSMessage(answers: [DNSRecord(name: .root, ttl: 1, data: fits)]).encoded().count
        == 65_535)
    let question = DNSQuestion(name: .root, type: .a)
    #expect(throws: WireError.self) {
      try DNSMessage(questions: [question]).encoded(limit: 16)
    }
    #expect(try DNSMessage(questions: [question]).encoded(limit: 17).count == 17)
    #expect(throws: WireError.self) { try DNSMessage().encoded(limit: 11) }
  }

  @Test("record data is compared without compression")
  func uncompressed() throws {
    let data = DNSRecordData.srv(
      priority: 0, weight: 1, port: 2, target: try DNSName("a.local"))
    #expect(try data.uncompressedBytes() == [0, 0, 0, 1, 0, 2] + DNSBytes.name("a.local"))
    #expect(throws: WireError.self) {
      try DNSRecordData.txt([[UInt8](repeating: 0, count: 256)]).uncompressedBytes()
    }
  }

  @Test("an OPT record's class and TTL are its own fields")
  func opt() throws {
    let opt = DNSRecord.opt(
      udpPayloadSize: 1440, extendedRcode: 1, version: 2, dnssecOk: true,
      options: [DNSOption(code: 4, value: [1])])
    let bytes = try DNSMessage(additionals: [opt]).encoded()
    #expect(
      bytes
        == DNSBytes.message(
          counts: [0, 0, 0, 1], hex("00 0029 05A0 01 02 8000 0005 0004 0001 01")))
    let read = try #require(try readMessage(bytes).opt)
    #expect(read.udpPayloadSize == 1440)
    #expect(read.extendedRcode == 1)
    #expect(read.ednsVersion == 2)
    #expect(read.dnssecOk)
  }

  @Test("the bits of an LLMNR header are read by place")
  func llmnr() throws {
    let message = try readMessage(
      DNSBytes.message(
        id: 0xBEEF, flags: 0x8500, counts: [1, 0, 0, 0],
        DNSBytes.question(DNSBytes.name("wpad"))
      ))
    #expect(message.header.id == 0xBEEF)
    #expect(message.header.isResponse)
    #expect(message.header.isAuthoritative)  // C, conflict
    #expect(message.header.recursionDesired)  // T, tentative
    #expect(!message.header.isTruncated)
    #expect(message.header.questionCount == 1)
  }
}
