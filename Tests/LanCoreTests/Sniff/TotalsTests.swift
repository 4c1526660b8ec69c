import LanCore
import LanWire
import TestKit
import Testing

private typealias Sample = SampleMessage

private func read(
  _ payload: [UInt8], _ body: (Span<UInt8>, DNSMessageView, DNSMessageIndex) -> Void
) {
  var index = DNSMessageIndex()
  let view = index.read(payload.span)
  body(payload.span, view, index)
}

@Suite("Names of hosts, learned on the way") struct HostNameTests {
  var names = HostNames()

  private mutating func learn(_ payload: [UInt8]) {
    var index = DNSMessageIndex()
    let view = index.read(payload.span)
    names.learn(payload.span, view, index)
  }

  private func name(_ text: String) -> String? {
    IPAddress(parsing: text).flatMap { names[$0] }.map { String(decoding: $0, as: UTF8.self) }
  }

  @Test("addresses of both families teach a name, without its domain") mutating func learning()
    throws
  {
    let six = IPv6Address(high: 0xFE80_0000_0000_0000, low: 7)
    learn(
      try Sample.response(
        [Sample.address("Host.local", last: 7)],
        additionals: [Sample.record("Host.LOCAL", .aaaa(six))]))
    #expect(name("10.0.0.7") == "Host")
    #expect(name("fe80::7") == "Host")
    #expect(name("10.0.0.8") == nil)
    learn(try Sample.response([Sample.address("h.example", last: 8)]))
    #expect(name("10.0.0.8") == "h.example")
  }

  @Test("queries and goodbyes teach nothing; a newer name takes the place") mutating func changes()
    throws
  {
    learn(try Sample.query(["h.local"], proposed: [Sample.address("h.local")]))
    learn(try Sample.response([Sample.address("h.local", ttl: 0)]))
    #expect(name("10.0.0.7") == nil)
    learn(try Sample.response([Sample.address("one.local")]))
    learn(try Sample.response([Sample.address("two.local")]))
    #expect(name("10.0.0.7") == "two")
  }

  @Test("a dot inside a label is none before a domain") mutating func escaped() throws {
    learn(try Sample.response([Sample.address("odd\\.local", last: 9)]))
    #expect(name("10.0.0.9") == "odd\\.local")
  }

  @Test("a flood of addresses costs names and no more memory") mutating func flood() throws {
    for number in 0..<(HostNames.limit + 10) {
      let address = IPv4Address(bits: 0x0A00_0000 + UInt32(number))
      learn(try Sample.response([Sample.record("h\(number).local", .a(address))]))
    }
    #expect(name("10.0.0.0") == nil)
    #expect(name("10.0.16.9") == "h4105")
  }

  @Test("a sender's name stands with its messages once it is known") func inMessages() throws {
    var options = SniffOptions()
    options.names = true
    let trace = SniffTrace(options)
    #expect(try #require(trace.send(Sample.query(["x.local"]))).sourceName == -1)
    let own = try #require(trace.send(Sample.response([Sample.address("Me.local", last: 7)])))
    #expect(own.sourceName >= 0)
    let later = try #require(trace.send(Sample.query(["x.local"])))
    #expect(String(decoding: trace.batch.names[Int(later.sourceName)], as: UTF8.self) == "Me")
    #expect(try #require(trace.send(Sample.query(["x.local"]), from: "10.0.0.8")).sourceName == -1)
  }
}

@Suite("Totals of a run") struct StatisticsTests {
  @Test("messages count for their host by kind, entries for their type and name")
  func counting() throws {
    var options = SniffOptions()
    options.statistics = true
    let trace = SniffTrace(options)
    let query = try Sample.query(["_ipp._tcp.local"])
    trace.send(query)
    trace.send(query)
    let answer = try Sample.response([Sample.pointer("_IPP._tcp.local", to: "p._ipp._tcp.local")])
    trace.send(answer, from: "10.0.0.8")
    trace.send(Array(query.dropLast()), from: "10.0.0.8")
    let statistics = trace.analyzer.statistics
    let hosts = statistics.hosts
    #expect(hosts.map(\.address.description) == ["10.0.0.7", "10.0.0.8"])
    #expect(hosts[0].kinds[Int(MessageKind.query.rawValue)] == 2)
    #expect(hosts[0].bytes == 2 * query.count && hosts[0].malformed == 0)
    #expect(hosts[1].kinds[Int(MessageKind.response.rawValue)] == 1 && hosts[1].malformed == 1)
    #expect(hosts[1].messages == 2)
    #expect(hosts[1].bytes == answer.count + query.count - 1)
    #expect(statistics.types.map(\.type) == [.ptr])
    #expect(statistics.types[0].occurrences.questions == 2)
    #expect(statistics.types[0].occurrences.records == 1)
    #expect(
      statistics.names.map { String(decoding: $0.name, as: UTF8.self) } == ["_ipp._tcp.local"])
    #expect(statistics.names[0].occurrences.questions == 2)
  }

  @Test("the busiest come first, equals by address, number and name") func order() throws {
    var options = SniffOptions()
    options.statistics = true
    let trace = SniffTrace(options)
    for source in ["10.0.0.3", "10.0.0.1", "10.0.0.2", "10.0.0.2"] {
      trace.send(try Sample.query(["b.local", "a.local"], type: .txt), from: source)
    }
    trace.send(try Sample.query(["c.local"], type: .a), from: "10.0.0.2")
    let statistics = trace.analyzer.statistics
    #expect(statistics.hosts.map(\.address.description) == ["10.0.0.2", "10.0.0.1", "10.0.0.3"])
    #expect(statistics.types.map(\.type) == [.txt, .a])
    let names = statistics.names.map { String(decoding: $0.name, as: UTF8.self) }
    #expect(names == ["a.local", "b.local", "c.local"])
  }

  @Test("newcomers beyond the limit are counted together") func limit() throws {
    var statistics = SniffStatistics()
    let group = IPAddress.v4(.mdnsGroup)
    for number in 0..<(SniffStatistics.limit + 3) {
      let source = IPAddress.v4(IPv4Address(bits: UInt32(number)))
      let envelope = MessageEnvelope(
        frame: 1, nanoseconds: 0, source: source, destination: group)
      read(try Sample.query(["h\(number).local"])) { bytes, view, index in
        statistics.count(bytes, view, index, envelope, .query, isMalformed: false)
      }
    }
    #expect(statistics.hosts.count == SniffStatistics.limit && statistics.otherHosts == 3)
    #expect(statistics.names.count == SniffStatistics.limit && statistics.otherNames == 3)
  }
}
