import LanWire
import TestKit
import Testing

@Suite("Filling a message")
struct DNSMessageWriterTests {
  private func record(_ name: String) throws -> DNSRecord {
    DNSRecord(
      name: try DNSName(name), ttl: 120, data: .ptr(try DNSName("x." + name)))
  }

  @Test("an entry that does not fit leaves the message as it was")
  func rollsBack() throws {
    var writer = DNSMessageWriter(limit: 60, compression: .multicast)
    writer.begin(DNSHeader(id: 1, flags: 0x8400))
    #expect(try writer.add(record("one.local"), to: .answer))
    let before = writer.count
    let large = DNSRecord(
      name: try DNSName("two.local"), ttl: 1, data: .txt([[UInt8](repeating: 0, count: 40)]))
    #expect(try !writer.add(large, to: .answer))
    #expect(writer.count == before)
    #expect(try writer.add(record("two.local"), to: .answer))
    #expect(try !writer.add(DNSQuestionBehind.record(), to: .additional))
    writer.flags |= DNSHeader.truncatedFlag
    let message = try readMessage(writer.finish())
    #expect(try message.answers == [record("one.local"), record("two.local")])
    #expect(message.header.isTruncated)
  }

  @Test("thousands of records that do not fit leave no trace")
  func manyRefused() throws {
    var writer = DNSMessageWriter(limit: 100)
    let name = try DNSName("a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q.r.s.t")
    let large = DNSRecord(
      name: name, ttl: 1, data: .txt([[UInt8](repeating: 0, count: 90)]))
    // As many names as the table of known names has numbers for, and more.
    for _ in 0..<3_500 where try writer.add(large, to: .answer) {
      Issue.record("a record of 150 bytes in a message of 100")
    }
    #expect(try writer.add(DNSRecord(name: name, ttl: 1, data: .txt([[]])), to: .answer))
    #expect(try readMessage(writer.finish()).answers.map(\.name) == [name])
  }

  @Test("one writer serves many messages")
  func reuse() throws {
    var writer = DNSMessageWriter(compression: .multicast)
    var sizes: Set<Int> = []
    for number in 0..<3 {
      writer.begin(DNSHeader(id: UInt16(number)))
      #expect(try writer.add(DNSQuestion(name: DNSName("same.local"), type: .a)))
      #expect(try writer.add(record("same.local"), to: .answer))
      let bytes = writer.finish()
      sizes.insert(bytes.count)
      #expect(try readMessage(bytes).id == UInt16(number))
    }
    #expect(sizes.count == 1)
  }

  @Test("sections are written in their order")
  func order() throws {
    var writer = DNSMessageWriter()
    #expect(try writer.add(record("a"), to: .authority))
    #expect(throws: WireError.self) { try writer.add(record("a"), to: .answer) }
    #expect(throws: WireError.self) {
      try writer.add(DNSQuestion(name: .root, type: .a))
    }
    #expect(try writer.add(record("a"), to: .additional))
    let header = try readMessage(writer.finish()).header
    #expect(header.authorityCount == 1)
    #expect(header.additionalCount == 1)
    #expect(header.answerCount == 0)
  }

  @Test("a record that no message can hold is refused and the message stays")
  func refuses() throws {
    var writer = DNSMessageWriter()
    let bad = DNSRecord(
      name: try DNSName("bad.local"), ttl: 1, data: .txt([[UInt8](repeating: 0, count: 256)]))
    #expect(throws: WireError.self) { try writer.add(bad, to: .answer) }
    #expect(writer.count == 12)
    #expect(try writer.add(record("bad.local"), to: .answer))
    #expect(try readMessage(writer.finish()).answers == [record("bad.local")])
  }

  @Test("a limit may be raised for one large record")
  func raisedLimit() throws {
    var writer = DNSMessageWriter(limit: 100)
    let large = DNSRecord(
      name: .root, ttl: 1, data: .txt([[UInt8](repeating: 7, count: 200)]))
    #expect(try !writer.add(large, to: .answer))
    writer.limit = DNSLimits.multicastMessageOctets
    #expect(try writer.add(large, to: .answer))
    #expect(try readMessage(writer.finish()).answers == [large])
  }

  @Test("at every limit the message is within it and sound")
  func everyLimit() throws {
    let whole = try DNSSamples.message()
    var writer = DNSMessageWriter(compression: .multicast)
    for limit in stride(from: 12, through: 3_000, by: 7) {
      writer.limit = limit
      writer.begin()
      var added: [DNSRecord] = []
      for record in whole.answers where try writer.add(record, to: .answer) {
        added.append(record)
      }
      let bytes = writer.finish()
      #expect(bytes.count <= limit)
      #expect(try readMessage(bytes).answers == added)
    }
  }

  private enum DNSQuestionBehind {
    static func record() throws -> DNSRecord {
      DNSRecord(name: try DNSName("three.local"), ttl: 1, data: .txt([[1, 2, 3]]))
    }
  }
}
