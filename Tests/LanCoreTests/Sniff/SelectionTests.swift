import LanCore
import LanWire
import TestKit
import Testing

private typealias Sample = SampleMessage

/// How many of the sample's messages are wanted, by their place.
private func selected(_ change: (inout SniffSelection) throws -> Void) throws -> [Int] {
  var options = SniffOptions()
  try change(&options.selection)
  let trace = SniffTrace(options)
  let messages: [(payload: [UInt8], source: String, mac: UInt8)] = [
    (try Sample.query(["_ipp._tcp.local"]), "10.0.0.1", 1),
    (try Sample.response([Sample.address("Printer.local", last: 2)]), "10.0.0.2", 2),
    (
      try Sample.response([
        Sample.pointer("_ipp._tcp.local", to: "Büro 2\\.1._ipp._tcp.local")
      ]), "10.0.0.2", 2
    ),
    (
      try Sample.query(["h.local"], type: .any, proposed: [Sample.address("h.local")]), "fe80::3", 3
    ),
    (try Sample.response([Sample.address("h.local", ttl: 0)]), "fe80::3", 3),
    (try Sample.query(["x.local"], type: .txt), "10.0.0.4", 4),
  ]
  var wanted: [Int] = []
  for (place, message) in messages.enumerated() {
    let found = trace.send(
      message.payload, at: Int64(place) * 10_000_000_000, from: message.source, mac: message.mac)
    if found != nil { wanted.append(place) }
  }
  // What was not wanted leaves nothing behind.
  let questions = trace.batch.messages.reduce(0) { $0 + Int($1.view.questionCount) }
  let records = trace.batch.messages.reduce(0) { $0 + Int($1.view.recordCount) }
  #expect(trace.batch.index.questions.count == questions)
  #expect(trace.batch.index.records.count == records)
  #expect(trace.batch.findings.isEmpty)
  #expect(trace.batch.messages.map(\.sequence) == Array(1..<(wanted.count + 1)))
  #expect(trace.analyzer.messages == wanted.count)
  return wanted
}

@Suite("Selecting messages") struct SelectionTests {
  @Test("nothing asked for is everything") func all() throws {
    #expect(try selected { _ in } == [0, 1, 2, 3, 4, 5])
  }

  @Test(
    "a name is any name of the message, data included, ASCII case aside",
    arguments: [
      ("_ipp._tcp.local", [0, 2]), ("*._IPP._tcp.local", [2]), ("*ipp*", [0, 2]),
      ("printer.LOCAL", [1]), ("?.local", [3, 4, 5]), ("[gh].local", [3, 4]), ("[!h].local", [5]),
      ("büro 2\\.1._ipp._tcp.local", [2]), ("b?ro*", [2]), ("*2\\.1*", [2]), ("nothing", []),
      ("*", [0, 1, 2, 3, 4, 5]), ("local", []), ("", []),
    ])
  func names(_ pattern: String, _ expected: [Int]) throws {
    #expect(try selected { $0.names = [pattern] } == expected)
  }

  @Test("several patterns, types or kinds are alternatives") func alternatives() throws {
    #expect(try selected { $0.names = ["x.local", "printer.local"] } == [1, 5])
    #expect(try selected { $0.types = [.txt, .any] } == [3, 5])
    #expect(try selected { $0.kinds = [.probe, .goodbye] } == [3, 4])
  }

  @Test("a type is that of a question or record; a kind is the kind") func typesAndKinds() throws {
    #expect(try selected { $0.types = [.a] } == [1, 3, 4])
    #expect(try selected { $0.types = [.srv] } == [])
    #expect(try selected { $0.kinds = [.query] } == [0, 5])
    #expect(try selected { $0.kinds = [.announcement] } == [1, 2])
  }

  @Test("different options must all hold") func conjunction() throws {
    #expect(
      try selected {
        $0.types = [.a]
        $0.kinds = [.goodbye]
      } == [4])
    #expect(
      try selected {
        $0.names = ["h.local"]
        $0.onlyIPv4 = true
      } == [])
  }

  @Test("a host is an address, a link-layer address, or a name heard before") func hosts() throws {
    func address(_ text: String) throws -> SniffHost {
      .address(try #require(IPAddress(parsing: text)))
    }
    #expect(try selected { $0.hosts = [try address("10.0.0.2")] } == [1, 2])
    #expect(try selected { $0.hosts = [try address("fe80::3")] } == [3, 4])
    #expect(try selected { $0.hosts = [try address("ff02::fb")] } == [3, 4])
    #expect(try selected { $0.hosts = [.mac(MACAddress(bits: 0x0200_0000_0004))] } == [5])
    #expect(
      try selected { $0.hosts = [try address("10.0.0.1"), try address("10.0.0.4")] } == [0, 5])
  }

  @Test(
    "a host's name is taken with and without its domain, in any case",
    arguments: [
      "printer", "Printer", "printer.local", "PRINTER.LOCAL", "printer.local.",
    ])
  func hostName(_ name: String) throws {
    #expect(try selected { $0.hosts = [.name(name)] } == [1, 2])
  }

  @Test("one family leaves the other out") func families() throws {
    #expect(try selected { $0.onlyIPv4 = true } == [0, 1, 2, 5])
    #expect(try selected { $0.onlyIPv6 = true } == [3, 4])
  }

  @Test("the run ends with exactly as many messages as were asked for, malformed ones included")
  func count() throws {
    var options = SniffOptions()
    options.count = 3
    options.frames = true
    options.statistics = true
    let trace = SniffTrace(options)
    for index in 0..<6 {
      let payload = try Sample.query(["h.local"])
      trace.send(index == 1 ? Array(payload.dropLast()) : payload)
      #expect(trace.analyzer.isFinished == (index >= 2))
    }
    #expect(trace.batch.messages.map(\.sequence) == [1, 2, 3])
    #expect(trace.analyzer.messages == 2 && trace.analyzer.malformed == 1)
    #expect(trace.batch.frames.map(\.number) == [1, 2, 3])
    #expect(trace.batch.index.questions.count == 2)
    #expect(trace.analyzer.statistics.hosts.first?.messages == 3)
  }

  @Test("frames are listed only for messages that are wanted") func frames() throws {
    var options = SniffOptions()
    options.frames = true
    options.selection.types = [.txt]
    let trace = SniffTrace(options)
    trace.send(try Sample.query(["h.local"]))
    trace.send(try Sample.query(["h.local"], type: .txt))
    #expect(trace.batch.frames.map(\.number) == [2])
    #expect(trace.batch.frames.map(\.bytes) == [(trace.bytes.count / 2)..<trace.bytes.count])
  }

  @Test("a message that is not wanted leaves no tunnels and no reassembled bytes")
  func leftovers() throws {
    var options = SniffOptions()
    options.selection.types = [.txt]
    for type in [DNSRecordType.ptr, .txt] {
      let trace = SniffTrace(options)
      for fragment in try Fragments.of(Sample.query(["h.local"], type: type)) {
        trace.handle(fragment)
      }
      #expect(trace.batch.messages.isEmpty == (type == .ptr))
      #expect(trace.batch.reassembled.isEmpty == (type == .ptr))
    }
  }

  @Test(
    "the outer packets of a message that is not wanted are not kept",
    arguments: [
      [], [DNSRecordType.loc],
    ])
  func tunnels(_ types: [DNSRecordType]) throws {
    var options = SniffOptions()
    options.selection.types = types
    let trace = SniffTrace(options)
    for frame in CaptureFile(try CaptureFile.fixture("syn-tunnels.pcap")).frames {
      trace.handle(frame.bytes)
    }
    #expect(trace.batch.messages.isEmpty == !types.isEmpty)
    #expect(trace.batch.tunnels.isEmpty == !types.isEmpty)
  }

  @Test("payloads that came in fragments stand behind each other in a batch")
  func reassembled() throws {
    let trace = SniffTrace()
    let first = try Sample.query(["first.local"])
    let second = try Sample.query(["the-second-one.local"], type: .txt)
    for (number, payload) in [first, second].enumerated() {
      for fragment in Fragments.of(payload, identification: UInt16(number)) {
        trace.handle(fragment)
      }
      trace.send(first)
    }
    let messages = trace.batch.messages
    #expect(messages.map(\.isReassembled) == [true, false, true, false])
    #expect(Array(trace.batch.reassembled[messages[0].payload]) == first)
    #expect(Array(trace.batch.reassembled[messages[2].payload]) == second)
    #expect(Array(trace.bytes[messages[1].payload]) == first)
    #expect(messages.map(\.envelope.isFragmented) == [true, false, true, false])
    #expect(messages.map(\.envelope.frame) == [2, 3, 5, 6])
  }
}

/// The frames of a datagram in two fragments.
enum Fragments {
  static func of(_ payload: [UInt8], identification: UInt16 = 0) -> [[UInt8]] {
    let datagram = ReassemblyTests.header(payload.count) + payload
    return [
      ReassemblyTests.frame(identification, offset: 0, more: true, Array(datagram[..<16])),
      ReassemblyTests.frame(identification, offset: 16, more: false, Array(datagram[16...])),
    ]
  }
}
