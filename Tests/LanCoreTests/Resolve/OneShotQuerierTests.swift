import LanCore
import LanWire
import Testing

@Suite("One-shot questions (RFC 6762 sections 5.1 and 6.7)") struct OneShotQuerierTests {
  private let second: Int64 = 1_000_000_000

  private func querier() throws -> OneShotQuerier {
    var querier = OneShotQuerier(seed: 7)
    let own = try #require(IPAddress(parsing: "192.0.2.10"))
    querier.setLink(
      MDNSLink(index: 2, name: "v0", families: .both, prefixes: [IPPrefix(own, 24)]))
    return querier
  }

  private func question(_ type: DNSRecordType = .a) throws -> MDNSQuestion {
    MDNSQuestion(try DNSName("tv.local"), type)
  }

  private func reply(
    to packet: MDNSPacket, _ change: (inout DNSMessage) -> Void = { _ in }
  ) throws -> [UInt8] {
    var message = try DNSMessage(packet.bytes.span)
    message.flags = 0x8400
    message.answers = [
      DNSRecord(
        name: try DNSName("tv.local"), ttl: 10, data: .a(IPv4Address(bits: 0xC000_0214)))
    ]
    change(&message)
    return try message.encoded()
  }

  private func arrival(_ source: String = "192.0.2.20", port: UInt16 = 5_353) throws -> MDNSArrival
  {
    MDNSArrival(
      interfaceIndex: 2, source: try #require(IPAddress(parsing: source)), sourcePort: port,
      isMulticast: false)
  }

  @Test("a question leaves at 0, 1 and 3 s, by both families, with a number and without QU")
  func schedule() throws {
    var querier = try querier()
    querier.start(try question(), .attempts(3), at: 0)
    var times: [Int64] = [0]
    while let deadline = querier.nextDeadline, querier.changes.isEmpty {
      let before = querier.packets.count
      querier.deadlineReached(at: deadline)
      if querier.packets.count > before { times.append(deadline / second) }
    }
    #expect(times == [0, 1, 3])
    #expect(querier.changes == [.exhausted(try question(), interfaceIndex: 2)])
    let packet = try #require(querier.packets.first)
    let sent = try DNSMessage(packet.bytes.span)
    #expect(sent.id != 0 && sent.questions.first?.wantsUnicastResponse == false)
    #expect(querier.packets.allSatisfy { $0.families == .both && $0.interfaceIndex == 2 })
  }

  @Test(
    "a reply with number and question, from the link, is taken at once, whoever sends it (RE-13)")
  func taken() throws {
    var querier = try querier()
    querier.start(try question(), .attempts(3), at: 0)
    let bytes = try reply(to: try #require(querier.packets.first))
    querier.handle(bytes.span, try arrival(), at: 5)
    guard case .added(let answer)? = querier.changes.first else {
      Issue.record("nothing was taken")
      return
    }
    #expect(answer.data == .a(IPv4Address(bits: 0xC000_0214)) && answer.ttl == 10)
    // It is not asked again.
    #expect(querier.nextDeadline == nil)
  }

  @Test(
    "a wrong number, question, port, sender or code is not (RE-13)",
    arguments: ["id", "question", "port", "sender", "code", "query", "late"])
  func refused(_ fault: String) throws {
    var querier = try querier()
    querier.start(try question(), .attempts(3), at: 0)
    let packet = try #require(querier.packets.first)
    let bytes = try reply(to: packet) { message in
      switch fault {
      case "id": message.id ^= 1
      case "question": message.questions = []
      case "code": message.flags = 0x8403
      case "query": message.flags = 0
      default: break
      }
    }
    if fault == "late" { querier.stop(try question()) }
    let from = try arrival(
      fault == "sender" ? "198.51.100.1" : "192.0.2.20", port: fault == "port" ? 5_354 : 5_353)
    querier.handle(bytes.span, from, at: 5)
    #expect(querier.changes.isEmpty)
  }

  @Test("NSEC in a reply denies, and a cut reply is nothing") func denied() throws {
    var querier = try querier()
    querier.start(try question(.aaaa), .attempts(3), at: 0)
    let name = try DNSName("tv.local")
    let bytes = try reply(to: try #require(querier.packets.first)) { message in
      message.answers = [DNSRecord(name: name, ttl: 10, data: .nsec(next: name, types: [.a]))]
    }
    for count in 0..<bytes.count {
      let part = Array(bytes[..<count])
      querier.handle(part.span, try arrival(), at: 5)
    }
    #expect(querier.changes.isEmpty)
    querier.handle(bytes.span, try arrival(), at: 5)
    #expect(querier.changes == [.denied(try question(.aaaa), interfaceIndex: 2)])
  }
}
