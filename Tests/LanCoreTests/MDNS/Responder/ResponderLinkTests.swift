import LanCore
import LanWire
import TestKit
import Testing

@Suite("Responder: links, hosts and addresses") struct ResponderLinkTests {
  private typealias Sample = ResponderSample

  private func records(_ bench: ResponderBench) -> [DNSRecord] {
    bench.multicasts.flatMap(\.message.answers)
  }

  @Test("R9: a new address is announced with the whole set, without probing (8.4)")
  func newAddress() throws {
    var bench = ResponderBench()
    bench.establish()
    let link = ResponderBench.link(
      1,
      addresses: [ResponderBench.four(1, 1), ResponderBench.six(1), ResponderBench.four(1, 5)])
    bench.responder.setLink(link, at: bench.now)
    bench.collect()
    bench.run(5)
    #expect(bench.probes.isEmpty)
    #expect(bench.multicasts.count == 2)
    for item in bench.multicasts {
      let addresses = item.message.answers.filter { $0.type == .a }
      #expect(
        addresses.map(\.data) == [
          .a(IPv4Address(bits: 0x0A00_0001)), .a(IPv4Address(bits: 0x0A00_0005)),
        ])
      #expect(addresses.allSatisfy { $0.cacheFlush })
      #expect(item.message.answers.contains { $0.name.description == "5.0.0.10.in-addr.arpa" })
      #expect(!item.message.answers.contains { $0.type == .srv })
    }
  }

  @Test("R9: of a removed address the rest is announced, and its reverse name taken back (8.4)")
  func removedAddress() throws {
    let link = ResponderBench.link(
      1, addresses: [ResponderBench.four(1, 1), ResponderBench.four(1, 5), ResponderBench.six(1)])
    var bench = ResponderBench(links: [link])
    bench.establish()
    bench.responder.setLink(ResponderBench.link(1), at: bench.now)
    bench.collect()
    bench.run(5)
    let alive = records(bench).filter { $0.ttl > 0 }
    #expect(alive.map(\.data) == Array(repeating: .a(IPv4Address(bits: 0x0A00_0001)), count: 2))
    let gone = records(bench).filter { $0.ttl == 0 }
    #expect(gone.map(\.name.description) == ["5.0.0.10.in-addr.arpa"])
    bench.sent.removeAll()
    try bench.ask(Sample.host, .a)
    #expect(records(bench).map(\.data) == [.a(IPv4Address(bits: 0x0A00_0001))])
  }

  @Test("R9: the last address of a family is taken back (8.4, 10.1)") func lostFamily() throws {
    var bench = ResponderBench()
    bench.establish()
    bench.responder.setLink(
      ResponderBench.link(1, families: .ipv4, addresses: [ResponderBench.four(1, 1)]),
      at: bench.now)
    bench.collect()
    bench.run(5)
    #expect(Set(records(bench).map(\.ttl)) == [0])
    #expect(Set(records(bench).map(\.type)) == [.aaaa, .ptr])
    bench.sent.removeAll()
    try bench.ask(Sample.host, .aaaa)
    #expect(records(bench).map(\.data) == [.nsec(next: try DNSName(Sample.host), types: [.a])])
    #expect(bench.multicasts[0].packet.families == .ipv4)
  }

  @Test("R9: a family that is joined later gets all announcements (8.3)") func gainedFamily() throws
  {
    var bench = ResponderBench(links: [ResponderBench.link(1, families: .ipv4)])
    bench.establish()
    bench.responder.setLink(ResponderBench.link(1), at: bench.now)
    bench.collect()
    bench.run(5)
    #expect(bench.probes.isEmpty && bench.multicasts.count == 2)
    #expect(bench.multicasts.allSatisfy { $0.packet.families == .both })
    #expect(Set(records(bench).map(\.type)) == [.ptr, .srv, .txt, .a, .aaaa])
  }

  @Test("a service can be on some links only, and move") func interfaces() throws {
    var bench = ResponderBench(links: [ResponderBench.link(1), ResponderBench.link(2)])
    let id = bench.publish(on: [2])
    bench.run(5)
    #expect(Set(bench.sent.map(\.packet.interfaceIndex)) == [2])
    bench.sent.removeAll()
    bench.responder.setInterfaces([1], of: id, at: bench.now)
    bench.collect()
    #expect(bench.multicasts.map(\.packet.interfaceIndex) == [2])
    #expect(records(bench).allSatisfy { $0.ttl == 0 })
    bench.run(5)
    #expect(bench.probes.map(\.packet.interfaceIndex) == [1, 1, 1])
    bench.sent.removeAll()
    bench.responder.setLink(ResponderBench.link(3), at: bench.now)
    bench.run(5)
    #expect(bench.sent.isEmpty)
    bench.responder.setInterfaces(nil, of: id, at: bench.now)
    bench.run(5)
    #expect(Set(bench.probes.map(\.packet.interfaceIndex)) == [2, 3])
  }

  @Test("a host that another stack answers for: its name in SRV, and no records of it")
  func foreign() throws {
    var bench = ResponderBench()
    var service = ResponderBench.service()
    service.host = .foreign(try DNSName("stack.local"))
    let id = bench.publish(service)
    bench.run(5)
    let all = bench.sent.flatMap {
      $0.message.answers + $0.message.authorities + $0.message.additionals
    }
    #expect(Set(all.map(\.type)) == [.ptr, .srv, .txt])
    #expect(!all.contains { $0.name.description.hasSuffix(".arpa") })
    #expect(
      all.contains {
        $0.data
          == .srv(
            priority: 0, weight: 0, port: 4_242, target: (try? DNSName("stack.local")) ?? .root)
      })
    bench.sent.removeAll()
    bench.responder.update(id, host: .own, at: bench.now)
    bench.collect()
    bench.run(5)
    #expect(bench.probes.count == 3)
    #expect(
      bench.probes.allSatisfy { $0.message.questions.map(\.name.description) == [Sample.host] })
    #expect(records(bench).contains { $0.type == .a })
    #expect(
      records(bench).filter { $0.type == .srv }.allSatisfy {
        $0.data
          == .srv(priority: 0, weight: 0, port: 4_242, target: (try? DNSName(Sample.host)) ?? .root)
      })
    #expect(bench.faults == [])
    bench.sent.removeAll()
    bench.responder.update(id, host: service.host, at: bench.now)
    bench.collect()
    bench.run(5)
    #expect(records(bench).filter { $0.ttl == 0 }.contains { $0.type == .a })
    #expect(records(bench).filter { $0.type == .srv }.count == 2)
  }

  @Test("another machine that this one announces: its name is probed, its addresses everywhere")
  func proxy() throws {
    var bench = ResponderBench(links: [ResponderBench.link(1), ResponderBench.link(2)])
    var service = ResponderBench.service()
    let address = IPAddress.v4(IPv4Address(bits: 0xC000_0207))
    service.host = .proxy(label: Array("printer".utf8), addresses: [address])
    bench.publish(service)
    var second = ResponderBench.service("Second")
    second.host = service.host
    bench.publish(second)
    bench.run(5)
    for link: UInt32 in [1, 2] {
      let sent = bench.sent.filter { $0.packet.interfaceIndex == link }
      #expect(
        sent.first?.message.questions.contains { $0.name.description == "printer.local" } ?? false)
      let answers = sent.flatMap(\.message.answers)
      #expect(
        Set(answers.filter { $0.type == .a || $0.type == .aaaa }.map(\.data)) == [
          .a(IPv4Address(bits: 0xC000_0207))
        ])
      #expect(!answers.contains { $0.name.description.hasSuffix(".arpa") })
    }
    bench.responder.withdrawAll(at: bench.now)
    bench.collect()
    #expect(bench.responder.isIdle && bench.faults == [])
  }

  @Test("addresses that another stack answers for have no reverse name of ours") func reverse()
    throws
  {
    var bench = ResponderBench()
    bench.responder.foreignAddresses = [ResponderBench.four(1, 1)]
    bench.establish()
    try bench.ask("1.0.0.10.in-addr.arpa", .ptr)
    #expect(bench.sent.isEmpty)
    bench.responder.foreignAddresses = []
    bench.run(3)
    #expect(
      records(bench).map(\.name.description) == Array(repeating: "1.0.0.10.in-addr.arpa", count: 2))
    bench.sent.removeAll()
    bench.responder.foreignAddresses = [ResponderBench.four(1, 1)]
    bench.collect()
    #expect(records(bench).map(\.ttl) == [0])
    try bench.ask("1.0.0.10.in-addr.arpa", .ptr)
    #expect(bench.sent.count == 1)
  }

  @Test("a link without families is not used") func noFamily() throws {
    var bench = ResponderBench(links: [ResponderBench.link(1, families: [])])
    bench.publish()
    bench.run(5)
    #expect(bench.sent.isEmpty && bench.responder.nextDeadline == nil)
    try bench.ask(Sample.instance, .srv)
    #expect(bench.sent.isEmpty)
  }

  @Test("manual renaming: goodbye, probing and announcing under the new name (3e)")
  func manual() throws {
    var bench = ResponderBench()
    let id = bench.establish()
    bench.responder.rename(id, to: Array("Board".utf8), at: bench.now)
    bench.collect()
    #expect(records(bench).allSatisfy { $0.ttl == 0 } && !records(bench).isEmpty)
    bench.run(5)
    #expect(bench.probes.count == 3)
    #expect(bench.answered(.srv, since: 0, "Board._t._tcp.local").count == 2)
    try bench.ask(Sample.instance, .srv)
    bench.run(1)
    #expect(bench.multicasts.count == 3)
    guard case .published(_, let name, _, _)? = bench.events.last?.event else {
      Issue.record("not published")
      return
    }
    #expect(name.instance == Array("Board".utf8))
  }
}
