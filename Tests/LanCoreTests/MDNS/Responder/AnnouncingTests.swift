import LanCore
import LanWire
import TestKit
import Testing

@Suite("Responder: announcing and taking back") struct AnnouncingTests {
  private typealias Sample = ResponderSample

  private func isShared(_ record: DNSRecord) -> Bool {
    record.type == .ptr && record.name.description.hasSuffix(".local")
  }

  @Test("R8: two announcements a second apart, flush bit on unique records only (8.3, 10.2)")
  func twice() throws {
    var bench = ResponderBench()
    bench.publish()
    bench.run(30)
    let times = bench.multicasts.map(\.time)
    #expect(times.count == 2)
    #expect(times[1] - times[0] == ResponderBench.second)
    for item in bench.multicasts {
      let records = item.message.answers + item.message.additionals
      #expect(records.allSatisfy { $0.cacheFlush != isShared($0) })
      let types = Set(records.map { "\($0.name) \($0.type)" })
      for name in [
        "\(Sample.type) PTR", "\(Sample.enumeration) PTR", "\(Sample.instance) SRV",
        "\(Sample.instance) TXT", "deck.local A", "deck.local AAAA", "1.0.0.10.in-addr.arpa PTR",
      ] {
        #expect(types.contains(name), "\(name)")
      }
      #expect(item.packet.families == .both)
    }
    #expect(bench.faults == [])
    guard case .published(_, let name, let host, let index)? = bench.events.first?.event else {
      Issue.record("not published")
      return
    }
    #expect(name.name.description == Sample.instance)
    #expect(host.description == Sample.host && index == 1)
    #expect(bench.events.first?.time == times[0])
  }

  @Test("R9: nothing is sent without a reason (8.3)") func quiet() throws {
    var bench = ResponderBench()
    bench.establish()
    #expect(bench.responder.nextDeadline == nil)
    bench.run(86_400)
    #expect(bench.sent.isEmpty)
  }

  @Test("R9: a link that comes back is probed and announced on anew (8, 8.3)")
  func linkReturns() throws {
    var bench = ResponderBench()
    bench.establish()
    bench.responder.removeLink(1, at: bench.now)
    bench.run(2)
    try bench.ask(Sample.instance, .srv)
    bench.run(1)
    #expect(bench.sent.isEmpty)
    bench.responder.setLink(ResponderBench.link(1), at: bench.now)
    bench.run(5)
    #expect(bench.probes.count == 3)
    #expect(bench.multicasts.count == 2)
    #expect(bench.events.count == 2)
  }

  @Test("R9: a link with other addresses throughout is another network (8.3)") func moved() throws {
    var bench = ResponderBench()
    bench.establish()
    let moved = ResponderBench.link(1, addresses: [ResponderBench.four(7, 7)])
    bench.responder.setLink(moved, at: bench.now)
    bench.run(5)
    #expect(bench.probes.count == 3)
    let addresses = bench.multicasts.flatMap(\.message.answers).filter { $0.type == .a }
    #expect(addresses.allSatisfy { $0.data == .a(IPv4Address(bits: 0x0A00_0607)) })
    #expect(addresses.count == 2)
  }

  @Test("R10: an update is announced without probing, with the flush bit (8.4)") func update()
    throws
  {
    var bench = ResponderBench()
    let id = bench.establish()
    let text = [Array("a=1".utf8)]
    bench.responder.update(id, text: text, at: bench.now)
    bench.collect()
    bench.run(5)
    #expect(bench.probes.isEmpty)
    #expect(bench.multicasts.count == 2)
    for item in bench.multicasts {
      #expect(item.message.answers.map(\.data) == [.txt(text)])
      #expect(item.message.answers[0].cacheFlush && item.message.answers[0].ttl == 4_500)
    }
    bench.responder.update(id, text: text, at: bench.now)
    bench.collect()
    bench.run(5)
    #expect(bench.multicasts.count == 2)
  }

  @Test("R10: at most ten updates a minute are announced, and the last one is (8.4)")
  func updateLimit() throws {
    var bench = ResponderBench()
    let id = bench.establish()
    let start = bench.now
    for number in 0..<300 {
      bench.responder.update(id, text: [Array("n=\(number)".utf8)], at: bench.now)
      bench.collect()
      bench.run(0.1)
    }
    bench.run(120)
    func texts(_ first: Double, _ last: Double) -> Set<DNSRecordData> {
      Set(
        bench.multicasts.filter {
          (first..<last).contains(Double($0.time - start) / 1e9)
        }.flatMap(\.message.answers).map(\.data))
    }
    #expect(texts(0, 59).count == 10)
    #expect(texts(59, 200) == [.txt([Array("n=299".utf8)])])
  }

  @Test("R10: a shared record is taken back before it changes, a unique one need not (8.4)")
  func sharedChange() throws {
    var bench = ResponderBench()
    let id = bench.establish()
    bench.responder.rename(id, to: Array("Other".utf8), at: bench.now)
    bench.collect()
    let goodbye = try #require(bench.multicasts.first)
    #expect(
      goodbye.message.answers.contains {
        $0.ttl == 0 && $0.data == .ptr((try? DNSName(Sample.instance)) ?? .root)
      })
    // The host and the type stay.
    #expect(!goodbye.message.answers.contains { $0.type == .a })
    #expect(!goodbye.message.answers.contains { $0.name.description == Sample.enumeration })
    bench.run(5)
    #expect(bench.probes.count == 3)
    #expect(bench.probes.allSatisfy { $0.message.questions.count == 1 })
    #expect(!bench.answered(.srv, since: 0, "Other._t._tcp.local").isEmpty)
  }

  @Test("R12: a clean exit takes back all that was told, with TTL 0 (10.1)") func goodbye() throws {
    var bench = ResponderBench()
    let id = bench.establish()
    bench.responder.withdraw(id, at: bench.now)
    #expect(bench.responder.isIdle)
    bench.collect()
    #expect(bench.multicasts.count == 1)
    let records = try #require(bench.multicasts.first).message.answers
    #expect(records.allSatisfy { $0.ttl == 0 })
    #expect(records.count == 8)
    #expect(bench.responder.nextDeadline == nil)
    try bench.ask(Sample.instance, .srv)
    bench.run(2)
    #expect(bench.sent.count == 1)
  }

  @Test("R12: what another service of ours needs stays (10.1)") func sharedStays() throws {
    var bench = ResponderBench()
    let first = bench.establish()
    let second = bench.establish(ResponderBench.service("Second"))
    bench.responder.withdraw(first, at: bench.now)
    bench.collect()
    let records = try #require(bench.multicasts.first).message.answers
    #expect(Set(records.map(\.type)) == [.ptr, .srv, .txt])
    #expect(records.filter { $0.type == .ptr }.map(\.name.description) == [Sample.type])
    bench.responder.withdraw(second, at: bench.now)
    bench.collect()
    let others = bench.multicasts[1].message.answers
    #expect(others.contains { $0.name.description == Sample.enumeration })
    #expect(others.contains { $0.type == .a } && others.contains { $0.type == .aaaa })
  }

  @Test("R12: a type that another host has too is not taken back (10.1)") func othersType() throws {
    var bench = ResponderBench()
    let id = bench.establish()
    try bench.hear(SampleMessage.pointer(Sample.enumeration, to: Sample.type))
    bench.responder.withdraw(id, at: bench.now)
    bench.collect()
    let records = try #require(bench.multicasts.first).message.answers
    #expect(!records.contains { $0.name.description == Sample.enumeration })
    #expect(records.contains { $0.name.description == Sample.type })
  }

  @Test("R12: nothing is said of what was never told (10.1)") func early() throws {
    var bench = ResponderBench()
    let id = bench.publish()
    bench.run(0.5)
    bench.responder.withdraw(id, at: bench.now)
    bench.collect()
    bench.run(5)
    #expect(bench.responses.isEmpty)
  }

  @Test("R12: everything goes at once, in as few packets as it needs (10.1)") func all() throws {
    var bench = ResponderBench()
    for number in 0..<50 { bench.publish(ResponderBench.service("Service \(number)")) }
    bench.run(10)
    bench.sent.removeAll()
    bench.responder.withdrawAll(at: bench.now)
    bench.collect()
    #expect(bench.responder.isIdle && bench.responder.nextDeadline == nil)
    #expect(bench.sent.flatMap(\.message.answers).count == 50 * 3 + 5)
    #expect(bench.sent.count <= 6)
    #expect(bench.faults == [])
  }

  @Test("R13: 120 s for records tied to host names, 4,500 s for others (10)") func ttl() throws {
    var bench = ResponderBench()
    bench.publish()
    bench.run(5)
    for record in bench.multicasts.flatMap(\.message.answers) {
      let isTied = !isShared(record) && record.type != .txt
      #expect(record.ttl == (isTied ? 120 : 4_500), "\(record)")
    }
  }

  @Test("a service with subtypes points to each from its own name (6763 7.1)") func subtypes()
    throws
  {
    var bench = ResponderBench()
    var service = ResponderBench.service()
    service.subtypes = [Array("_one".utf8), Array("_two".utf8), Array("_ONE".utf8)]
    let id = bench.publish(service)
    bench.run(5)
    let names = bench.multicasts[0].message.answers.filter(isShared).map(\.name.description)
    #expect(
      names.sorted()
        == [
          "_one._sub._t._tcp.local", Sample.enumeration, Sample.type, "_two._sub._t._tcp.local",
        ].sorted())
    bench.sent.removeAll()
    try bench.ask("_two._sub._t._tcp.local", .ptr)
    bench.run(1)
    #expect(bench.multicasts[0].message.answers.map(\.data) == [.ptr(try DNSName(Sample.instance))])
    bench.sent.removeAll()
    bench.responder.withdraw(id, at: bench.now)
    bench.collect()
    #expect(bench.multicasts[0].message.answers.filter(isShared).count == 4)
  }
}
