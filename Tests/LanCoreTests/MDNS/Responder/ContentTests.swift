import LanCore
import LanWire
import TestKit
import Testing

@Suite("Responder: what answers hold") struct ContentTests {
  private typealias Sample = ResponderSample

  private func answer(
    _ name: String, _ type: DNSRecordType, links: [MDNSLink]? = nil, on interface: UInt32 = 1,
    class dnsClass: DNSClass = .in, service: MDNSService = ResponderBench.service()
  ) throws -> DNSMessage? {
    var bench = ResponderBench(links: links ?? [ResponderBench.link(1)])
    bench.establish(service)
    try bench.ask(name, type, class: dnsClass, on: interface)
    bench.run(1)
    #expect(bench.faults == [])
    #expect(bench.sent.count <= 1)
    return bench.sent.first?.message
  }

  @Test("R24: id 0, no question, AA and nothing else (6, 18)") func header() throws {
    var bench = ResponderBench()
    bench.establish()
    for name in [Sample.type, Sample.instance, Sample.host] {
      try bench.ask(name, .any, id: 77)
      bench.run(3)
    }
    #expect(bench.responses.count == 3)
    for item in bench.responses {
      #expect(item.message.id == 0 && item.message.flags == 0x8400)
      #expect(item.message.questions.isEmpty)
    }
  }

  @Test("R24: other opcodes, rcodes and classes are not answered; class ANY is (18)")
  func ignored() throws {
    var bench = ResponderBench()
    bench.establish()
    for flags: UInt16 in [0x1000, 0x0003, 0x2800] {
      let question = DNSQuestion(name: try DNSName(Sample.instance), type: .srv)
      bench.take(try DNSMessage(flags: flags, questions: [question]).encoded())
    }
    try bench.ask(Sample.instance, .srv, class: DNSClass(rawValue: 3))
    bench.run(1)
    #expect(bench.sent.isEmpty)
    #expect(try answer(Sample.instance, .srv, class: DNSClass(rawValue: 255)) != nil)
  }

  @Test("R24: responses from another port are not heard (6)") func otherPort() throws {
    var bench = ResponderBench()
    bench.establish()
    bench.take(
      try SampleMessage.response([Sample.service(port: 9, host: "rival.local")]), port: 53)
    bench.run(2)
    #expect(bench.sent.isEmpty)
  }

  @Test("R25: a name of ours that lacks the type is answered with NSEC (6.1)") func denial() throws
  {
    for (name, type, types) in [
      (Sample.instance, DNSRecordType.a, [DNSRecordType.txt, .srv]),
      (Sample.host, .srv, [.a, .aaaa]), (Sample.host, DNSRecordType(rawValue: 99), [.a, .aaaa]),
      ("1.0.0.10.in-addr.arpa", .txt, [.ptr]), (Sample.host, .nsec, [.a, .aaaa]),
    ] {
      let message = try #require(try answer(name, type))
      let record = try #require(message.answers.first)
      #expect(message.answers.count == 1)
      #expect(record.name == (try DNSName(name)) && record.cacheFlush && record.ttl == 120)
      #expect(record.data == .nsec(next: try DNSName(name), types: types))
    }
  }

  @Test("R25: a shared name lacks nothing that we could speak for (6.1)") func noDenial() throws {
    #expect(try answer(Sample.type, .txt) == nil)
    #expect(try answer(Sample.enumeration, .a) == nil)
    #expect(try answer("nobody.local", .a) == nil)
  }

  @Test("R26: all addresses of the link, none of another (6.2)") func addresses() throws {
    let links = [
      ResponderBench.link(
        1,
        addresses: [
          ResponderBench.four(1, 1), ResponderBench.four(1, 2), ResponderBench.six(1),
          .v6(IPv6Address(high: 0x2001_0DB8 << 32, low: 1)),
        ]), ResponderBench.link(2),
    ]
    let message = try #require(try answer(Sample.host, .any, links: links))
    #expect(
      Set(message.answers.map(\.data)) == [
        .a(IPv4Address(bits: 0x0A00_0001)), .a(IPv4Address(bits: 0x0A00_0002)),
        .aaaa(IPv6Address(high: 0xFE80 << 48, low: 1)),
        .aaaa(IPv6Address(high: 0x2001_0DB8 << 32, low: 1)),
      ])
    let other = try #require(try answer(Sample.host, .a, links: links, on: 2))
    #expect(other.answers.map(\.data) == [.a(IPv4Address(bits: 0x0A00_0101))])
  }

  @Test("R26: the other family is additional, or that there is none (6.2)") func family() throws {
    let both = try #require(try answer(Sample.host, .a))
    #expect(both.answers.map(\.type) == [.a] && both.additionals.map(\.type) == [.aaaa])
    let link = ResponderBench.link(1, families: .ipv4, addresses: [ResponderBench.four(1, 1)])
    let one = try #require(try answer(Sample.host, .a, links: [link]))
    #expect(
      one.additionals.map(\.data) == [.nsec(next: try DNSName(Sample.host), types: [.a])])
    let none = try #require(try answer(Sample.host, .aaaa, links: [link]))
    #expect(none.answers.map(\.type) == [.nsec])
    let service = try #require(try answer(Sample.instance, .srv, links: [link]))
    #expect(service.additionals.map(\.type) == [.a, .nsec])
  }

  @Test("R27: ANY has every record, and whole sets (6, 6.5, 10.2)") func any() throws {
    let instance = try #require(try answer(Sample.instance, .any))
    #expect(instance.answers.map(\.type) == [.srv, .txt])
    let host = try #require(try answer(Sample.host, .any))
    #expect(host.answers.map(\.type) == [.a, .aaaa])
    let type = try #require(try answer(Sample.type, .any))
    #expect(type.answers.map(\.type) == [.ptr])
  }

  @Test("R27: never the records of others (6)") func foreign() throws {
    var bench = ResponderBench()
    bench.establish()
    try bench.hear(
      Sample.pointer(to: "Other._t._tcp.local"),
      Sample.service("Other._t._tcp.local", host: "o.local"))
    try bench.ask(Sample.type, .ptr)
    try bench.ask("Other._t._tcp.local", .srv)
    bench.run(3)
    #expect(
      bench.multicasts.flatMap(\.message.answers).map(\.data) == [
        .ptr(try DNSName(Sample.instance))
      ])
  }

  @Test("R29: packets are within what the link carries; only a single record is larger (17)")
  func size() throws {
    for (mtu, families) in [(1_500, MDNSFamilies.both), (1_280, .both), (1_500, .ipv4)] {
      var bench = ResponderBench(links: [ResponderBench.link(1, families: families, mtu: mtu)])
      for number in 0..<120 {
        var service = ResponderBench.service("Service number \(number)")
        service.text = [[UInt8](repeating: 0x61, count: number)]
        bench.publish(service)
      }
      bench.run(10)
      try bench.ask(Sample.type, .ptr)
      bench.run(3)
      bench.responder.withdrawAll(at: bench.now)
      bench.collect()
      let limit = mtu - (families == .both ? 48 : 28)
      #expect(bench.sent.allSatisfy { $0.packet.bytes.count <= limit })
      #expect(bench.sent.contains { $0.packet.bytes.count > limit - 300 })
      #expect(bench.faults == [])
    }
  }

  @Test("R29: a record that is larger than a frame goes alone, and below 9,000 bytes (17)")
  func large() throws {
    var bench = ResponderBench()
    var service = ResponderBench.service()
    service.text = (0..<20).map { [UInt8](repeating: 0x61 + UInt8($0), count: 250) }
    bench.publish(service)
    bench.run(5)
    let large = bench.multicasts.filter { $0.packet.bytes.count > 1_452 }
    #expect(large.count == 2)
    #expect(large.allSatisfy { $0.message.answers.map(\.type) == [.txt] })
    #expect(large.allSatisfy { $0.message.additionals.isEmpty })
    bench.sent.removeAll()
    try bench.ask(Sample.instance, .txt)
    try bench.ask(Sample.instance, .txt, unicast: true)
    bench.responder.withdrawAll(at: bench.now)
    bench.collect()
    #expect(bench.sent.filter { $0.packet.bytes.count > 1_452 }.count == 3)
    #expect(bench.faults == [])
    service.text = (0..<36).map { _ in [UInt8](repeating: 0x61, count: 250) }
    #expect(service.problem == .textLength(36 * 251))
  }

  @Test("R30: PTR brings SRV, TXT and addresses, SRV brings addresses, as additionals (6763 12)")
  func additionals() throws {
    let pointer = try #require(try answer(Sample.type, .ptr))
    #expect(pointer.answers.map(\.type) == [.ptr])
    #expect(pointer.additionals.map(\.type) == [.srv, .txt, .a, .aaaa])
    let service = try #require(try answer(Sample.instance, .srv))
    #expect(service.answers.map(\.type) == [.srv])
    #expect(service.additionals.map(\.type) == [.a, .aaaa])
    let text = try #require(try answer(Sample.instance, .txt))
    #expect(text.answers.map(\.type) == [.txt] && text.additionals.isEmpty)
  }

  @Test("R31: a TXT record has at least one string, the empty one (6763 6.1)") func text() throws {
    let message = try #require(try answer(Sample.instance, .txt))
    #expect(message.answers.map(\.data) == [.txt([[]])])
    var service = ResponderBench.service()
    service.text = [Array("a=\u{0}b".utf8), Array("A=2".utf8), [0xFF, 0x00]]
    let own = try #require(try answer(Sample.instance, .txt, service: service))
    #expect(own.answers.map(\.data) == [.txt(service.text)])
  }

  @Test("R31: the list of types is answered (6763 9)") func enumeration() throws {
    let message = try #require(try answer(Sample.enumeration, .ptr))
    #expect(message.answers.map(\.data) == [.ptr(try DNSName(Sample.type))])
    #expect(message.answers[0].ttl == 4_500 && !message.answers[0].cacheFlush)
    #expect(message.additionals.isEmpty)
  }

  @Test("R32: what is no name or type is not published (6763 4.1.1, 7)") func names() throws {
    typealias Service = MDNSService
    func problem(_ change: (inout Service) -> Void) -> Service.Problem? {
      var service = ResponderBench.service()
      change(&service)
      return service.problem
    }
    #expect(problem { _ in } == nil)
    #expect(problem { $0.instance = [] } == .instanceLength(0))
    #expect(problem { $0.instance = [UInt8](repeating: 0x61, count: 64) } == .instanceLength(64))
    #expect(problem { $0.instance = Array("é".utf8) + [UInt8](repeating: 0x61, count: 61) } == nil)
    #expect(problem { $0.instance = [0x61, 0xFF] } == nil)
    #expect(problem { $0.instance = [0x61, 0x07] } == .instanceText)
    #expect(problem { $0.instance = [0x7F] } == .instanceText)
    for name in ["a-name-of-16-char", "under_score", "1234", "-x", "x-", "x--y", ""] {
      let found = problem { $0.type = ServiceType(service: name, transport: "tcp") }
      if case .type = found { continue }
      Issue.record("'\(name)' is taken: \(String(describing: found))")
    }
    #expect(problem { $0.type = ServiceType(service: "x", transport: "sctp") } != nil)
    #expect(problem { $0.subtypes = [[]] } == .subtypeLength(0))
    #expect(problem { $0.text = [[UInt8](repeating: 1, count: 256)] } == .stringLength(256))
    #expect(problem { $0.host = .proxy(label: [0x61], addresses: []) } == .host)
    var bench = ResponderBench()
    var bad = ResponderBench.service()
    bad.instance = []
    let id = bench.publish(bad)
    bench.run(5)
    #expect(bench.sent.isEmpty && bench.responder.isIdle)
    #expect(bench.events.map(\.event) == [.refused(id, rival: ResponderBench.four(1, 1))])
  }

  @Test("names are found whatever the case of their letters (16)") func letters() throws {
    let message = try #require(try answer("dECK._T._TCP.LOCAL", .srv))
    #expect(message.answers.map(\.type) == [.srv])
    #expect(message.answers[0].name.description == Sample.instance)
  }
}
