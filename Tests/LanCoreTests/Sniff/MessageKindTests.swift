import LanCore
import LanWire
import TestKit
import Testing

private let second: Int64 = 1_000_000_000
private typealias Sample = SampleMessage

@Suite("Kinds of messages") struct MessageKindTests {
  var trace = SniffTrace()
  let start = 1_700_000_000 * second

  private func kind(
    _ payload: [UInt8], after nanoseconds: Int64 = 0, from source: String = "10.0.0.7",
    to destination: String? = nil, port: UInt16 = 5353
  ) throws -> MessageKind {
    try #require(
      trace.send(payload, at: start + nanoseconds, from: source, to: destination, port: port)
    ).kind
  }

  private func pointer(ttl: UInt32 = 4500) throws -> DNSRecord {
    try Sample.pointer("_ipp._tcp.local", to: "P._ipp._tcp.local", ttl: ttl)
  }

  @Test("a question is a query, with records to be claimed a probe") func queries() throws {
    #expect(try kind(Sample.query(["_ipp._tcp.local"])) == .query)
    #expect(try kind(Sample.query(["_ipp._tcp.local"], known: [pointer()])) == .query)
    let claim = try Sample.address("h.local")
    #expect(try kind(Sample.query(["h.local"], type: .any, proposed: [claim])) == .probe)
  }

  @Test(
    "an answer belongs to a question for a second, the last nanosecond included",
    arguments: [
      (0, MessageKind.response), (999_999_999, .response), (second, .response),
      (second + 1, .announcement), (60 * second, .announcement),
    ] as [(Int64, MessageKind)])
  func boundary(_ age: Int64, _ expected: MessageKind) throws {
    _ = try kind(Sample.query(["_ipp._tcp.local"]))
    #expect(try kind(Sample.response([pointer()]), after: age) == expected)
  }

  @Test("asking again starts the second anew") func repetition() throws {
    _ = try kind(Sample.query(["_ipp._tcp.local"]))
    _ = try kind(Sample.query(["_ipp._tcp.local"]), after: second)
    #expect(try kind(Sample.response([pointer()]), after: 2 * second) == .response)
  }

  @Test("whoever asked, over whichever family and in whatever case, for that type or any")
  mutating func askers() throws {
    for type in [DNSRecordType.ptr, .any] {
      trace = SniffTrace()
      _ = try kind(Sample.query(["_IPP._tcp.LOCAL"], type: type), from: "fe80::9")
      #expect(try kind(Sample.response([pointer()]), after: second / 2) == .response)
    }
  }

  @Test("an NSEC record answers a question for any type of its name (RFC 6762 section 6.1)")
  func denials() throws {
    let name = try DNSName("h.local")
    let denial = DNSRecord(
      name: name, cacheFlush: true, ttl: 120, data: .nsec(next: name, types: [.a]))
    _ = try kind(Sample.query(["h.local"], type: .aaaa))
    #expect(try kind(Sample.response([denial])) == .response)
    _ = try kind(Sample.query(["other.local"], type: .aaaa), after: 2 * second)
    #expect(try kind(Sample.response([denial]), after: 2 * second) == .announcement)
  }

  @Test("another type or name explains nothing; one answer of several asked for is enough")
  func others() throws {
    _ = try kind(Sample.query(["_ipp._tcp.local"], type: .txt))
    _ = try kind(Sample.query(["_http._tcp.local"]))
    #expect(try kind(Sample.response([pointer()])) == .announcement)
    let other = try Sample.pointer("_http._tcp.local", to: "W._http._tcp.local")
    #expect(try kind(Sample.response([pointer(), other])) == .response)
  }

  @Test("additional records need no question, and only answers make an announcement")
  func additionals() throws {
    _ = try kind(Sample.query(["h.local"], type: .a))
    let answer = try Sample.address("h.local")
    #expect(try kind(Sample.response([answer], additionals: [pointer()])) == .response)
    #expect(try kind(Sample.response([], additionals: [pointer()])) == .response)
  }

  @Test("only what goes to the group announces") func unicast() throws {
    #expect(try kind(Sample.response([pointer()]), to: "10.0.0.9") == .response)
    #expect(try kind(Sample.response([pointer()])) == .announcement)
    #expect(try kind(Sample.response([pointer()]), from: "fe80::7") == .announcement)
  }

  @Test("a goodbye has nothing but answers of TTL 0; one that lives makes it none")
  func goodbyes() throws {
    let dead = try pointer(ttl: 0)
    #expect(try kind(Sample.response([dead])) == .goodbye)
    #expect(try kind(Sample.response([dead, dead])) == .goodbye)
    #expect(try kind(Sample.response([dead, Sample.address("h.local")])) == .announcement)
    let living = try Sample.address("h.local")
    #expect(try kind(Sample.response([dead], additionals: [living])) == .goodbye)
    #expect(try kind(Sample.response([dead]), to: "10.0.0.9") == .goodbye)
    // Being asked for does not keep a record alive.
    _ = try kind(Sample.query(["_ipp._tcp.local"]))
    #expect(try kind(Sample.response([dead])) == .goodbye)
  }

  @Test("goodbyes counts TTL 0 in every section and leaves OPT out") func counting() throws {
    let dead = try pointer(ttl: 0)
    let option = DNSRecord.opt(udpPayloadSize: 1440)
    let living = try Sample.address("h.local")
    let payload = try Sample.response(
      [dead, living], authorities: [dead], additionals: [dead, option])
    let message = try #require(trace.send(payload))
    #expect(message.goodbyes == 3 && message.kind == .announcement)
    let query = try Sample.query(["h.local"], known: [dead], additionals: [option])
    #expect(try #require(trace.send(query)).goodbyes == 1)
  }

  @Test(
    "LLMNR and DNS only ask and answer, and their questions explain nothing in mDNS",
    arguments: [UInt16(5355), 53])
  mutating func others(_ port: UInt16) throws {
    var options = SniffOptions()
    options.selection.protocols = NameProtocol.allCases
    trace = SniffTrace(options)
    let claim = try Sample.address("h.local")
    let query = try Sample.query(["h.local"], type: .a, proposed: [claim])
    #expect(try kind(query, to: "224.0.0.252", port: port) == .query)
    let dead = try Sample.address("h.local", ttl: 0)
    let answer = try Sample.response([dead])
    #expect(try kind(answer, to: "224.0.0.251", port: port) == .response)
    #expect(try kind(Sample.response([claim])) == .announcement)
  }

  @Test("what a capture has cut is a message with that mark, not a malformed one")
  func cut() throws {
    let payload = try Sample.response([pointer(), Sample.address("h.local")])
    let message = try #require(trace.send(payload, cut: 4))
    #expect(message.envelope.isCut && !message.isMalformed)
    #expect(message.view.recordCount == 1)
    let short = try #require(trace.handle(Array(trace.bytes.dropLast(4))))
    _ = short
    #expect(trace.analyzer.malformed + trace.analyzer.messages == 2)
  }

  @Test("the same bytes cut by the sender are malformed") func malformed() throws {
    let payload = try Sample.response([pointer(), Sample.address("h.local")])
    let message = try #require(trace.send(Array(payload.dropLast(4))))
    #expect(message.isMalformed && !message.envelope.isCut)
    #expect(trace.analyzer.malformed == 1 && trace.analyzer.messages == 0)
  }

  @Test("a frame without a time has no digits and takes the time of the one before")
  func timeless() throws {
    let query = try Sample.query(["_ipp._tcp.local"])
    let first = try #require(trace.send(query, at: nil))
    #expect(first.fractionDigits == 0 && first.sinceFirst == 0 && first.sinceLast == 0)
    let timed = try #require(trace.send(query, at: start))
    #expect(timed.fractionDigits == 6 && timed.envelope.nanoseconds == start)
    #expect(timed.sinceFirst == 0 && timed.sinceLast == 0)
    let next = try #require(trace.send(query, at: nil))
    #expect(next.fractionDigits == 0 && next.envelope.nanoseconds == start)
    let last = try #require(trace.send(query, at: start + 5))
    #expect(last.sinceFirst == 5 && last.sinceLast == 5)
  }

  @Test("time that steps back gives negative spans, and old questions do not explain for ever")
  func backwards() throws {
    let query = try Sample.query(["_ipp._tcp.local"])
    _ = trace.send(query, at: start)
    let answer = try #require(trace.send(Sample.response([pointer()]), at: start - second / 2))
    #expect(answer.sinceFirst == -second / 2 && answer.sinceLast == -second / 2)
    #expect(answer.kind == .response)
    let late = try #require(trace.send(Sample.response([pointer()]), at: start - 3_600 * second))
    #expect(late.kind == .announcement)
    #expect(try #require(trace.send(query, at: .min)).kind == .query)
    #expect(try #require(trace.send(query, at: .max)).kind == .query)
  }

  @Test("32 questions in one message are all remembered") func manyQuestions() throws {
    let names = (0..<32).map { "host\($0).local" }
    _ = try kind(Sample.query(names, type: .a))
    for name in names {
      #expect(try kind(Sample.response([Sample.address(name)])) == .response)
    }
  }
}
