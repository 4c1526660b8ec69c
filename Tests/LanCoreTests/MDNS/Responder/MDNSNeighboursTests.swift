import LanCore
import LanWire
import TestKit
import Testing

private let millisecond: Int64 = 1_000_000
private let second: Int64 = 1_000_000_000

@Suite("Other stacks on this machine") struct MDNSNeighboursTests {
  let own = IPAddress(parsing: "10.0.0.7")
  let later = IPAddress(parsing: "10.0.0.8")

  private func machine(isGiven: Bool = false, isAlone: Bool = false) throws -> MDNSNeighbours {
    var machine = MDNSNeighbours(
      .init(label: Array("deck".utf8), isGiven: isGiven, isAlone: isAlone), seed: 1)
    machine.linkComes(try link(), at: 0)
    machine.setLink(try link(), at: 0)
    return machine
  }

  private func link(_ addresses: [String] = ["10.0.0.7"]) throws -> MDNSLink {
    let prefixes = try addresses.map { IPPrefix(try #require(IPAddress(parsing: $0)), 24) }
    return MDNSLink(index: 2, name: "eth0", families: .ipv4, prefixes: prefixes)
  }

  private func question() throws -> MDNSQuestion {
    MDNSQuestion(DNSName(reverseOf: try #require(own)), .ptr, interfaceIndex: 2)
  }

  private func answer(_ host: String, from source: String = "10.0.0.7") throws -> MDNSAnswer {
    MDNSAnswer(
      name: DNSName(reverseOf: try #require(own)), data: .ptr(try DNSName(host)),
      interfaceIndex: 2, families: .ipv4, source: try #require(IPAddress(parsing: source)),
      ttl: 120, received: 0, isUnique: true)
  }

  private func arrival(_ source: String = "10.0.0.7") throws -> MDNSArrival {
    MDNSArrival(interfaceIndex: 2, source: try #require(IPAddress(parsing: source)))
  }

  @Test("with the port to ourselves the name is our own at once, and nothing is asked")
  func alone() throws {
    var machine = try machine(isAlone: true)
    #expect(machine.host == .own)
    #expect(machine.demands == [.start(try question(), .passive)])
    #expect(machine.nextDeadline == nil)
    machine.demands = []
    machine.removeLink(2, at: second)
    #expect(machine.demands == [.stop(try question())])
  }

  @Test("nobody who answers within 300 ms is nobody; the questions go on for 1.3 s more")
  func nobody() throws {
    var machine = try machine()
    #expect(machine.host == .undecided)
    #expect(machine.demands == [.start(try question(), .attempts(2))])
    #expect(machine.nextDeadline == 300 * millisecond)
    machine.demands = []
    machine.deadlineReached(at: 300 * millisecond)
    #expect(machine.host == .own)
    #expect(machine.foreignAddresses.isEmpty)
    #expect(machine.nextDeadline == 1_600 * millisecond)
    machine.deadlineReached(at: 1_600 * millisecond)
    #expect(machine.demands == [.stop(try question()), .start(try question(), .passive)])
    #expect(machine.nextDeadline == nil)
  }

  @Test("who answers has its host name used, 50 ms after its first answer")
  func found() throws {
    var machine = try machine()
    machine.handle(.added(try answer("other.local")), at: 100 * millisecond)
    #expect(machine.host == .undecided)
    #expect(machine.nextDeadline == 150 * millisecond)
    machine.deadlineReached(at: 150 * millisecond)
    #expect(machine.host == .foreign(try DNSName("other.local")))
    #expect(machine.foreignAddresses == [try #require(own)])
    #expect(machine.nextDeadline == nil)
  }

  @Test("an answer from another host, or about another name, says nothing") func others() throws {
    var machine = try machine()
    machine.handle(.added(try answer("other.local", from: "10.0.0.9")), at: 100 * millisecond)
    machine.deadlineReached(at: 300 * millisecond)
    #expect(machine.host == .own)
  }

  @Test("who answers late is used as well") func late() throws {
    var machine = try machine()
    machine.deadlineReached(at: 300 * millisecond)
    machine.handle(.added(try answer("other.local")), at: second)
    #expect(machine.host == .foreign(try DNSName("other.local")))
  }

  @Test(
    "when it says goodbye, expires or answers no more, the name is our own at once",
    arguments: [MDNSRemovalCause.goodbye, .expired, .noResponse])
  func gone(_ cause: MDNSRemovalCause) throws {
    var machine = try machine()
    machine.handle(.added(try answer("other.local")), at: 0)
    machine.deadlineReached(at: 50 * millisecond)
    machine.handle(.removed(try answer("other.local"), cause), at: 9 * second)
    #expect(machine.host == .own)
    #expect(machine.foreignAddresses.isEmpty)
  }

  @Test("after a flush or an interruption it has 4 to 6 s to be heard again")
  func doubted() throws {
    var machine = try machine()
    machine.handle(.added(try answer("other.local")), at: 0)
    machine.deadlineReached(at: 50 * millisecond)
    machine.handle(.removed(try answer("other.local"), .interfaceDown), at: 10 * second)
    #expect(machine.host == .foreign(try DNSName("other.local")))
    let end = try #require(machine.nextDeadline)
    #expect((14 * second...16 * second).contains(end))
    var heardAgain = machine
    heardAgain.handle(.added(try answer("other.local")), at: 12 * second)
    #expect(heardAgain.nextDeadline == nil)
    machine.deadlineReached(at: end)
    #expect(machine.host == .own)
  }

  @Test("a new name of it is followed") func renamed() throws {
    var machine = try machine()
    machine.handle(.added(try answer("other.local")), at: 0)
    machine.deadlineReached(at: 50 * millisecond)
    machine.handle(.added(try answer("other-2.local")), at: 5 * second)
    #expect(machine.host == .foreign(try DNSName("other-2.local")))
  }

  @Test("an address that is added while it is used gets no reverse name of ours")
  func added() throws {
    var machine = try machine()
    machine.handle(.added(try answer("other.local")), at: 0)
    machine.deadlineReached(at: 50 * millisecond)
    let both = try link(["10.0.0.7", "10.0.0.8"])
    machine.linkComes(both, at: second)
    #expect(machine.foreignAddresses == [try #require(own), try #require(later)])
  }

  @Test("a name that the user gave is claimed, without reverse names where another answers")
  func given() throws {
    var machine = try machine(isGiven: true)
    machine.handle(.added(try answer("other.local")), at: 100 * millisecond)
    machine.deadlineReached(at: 150 * millisecond)
    #expect(machine.host == .own)
    #expect(machine.foreignAddresses == [try #require(own)])
  }

  @Test("who comes later and claims our name with a part of our addresses is given way")
  func latecomer() throws {
    let name = try DNSName("deck.local")
    var machine = MDNSNeighbours(.init(label: Array("deck".utf8)), seed: 1)
    let both = try link(["10.0.0.7", "10.0.0.8"])
    machine.linkComes(both, at: 0)
    machine.setLink(both, at: 0)
    machine.deadlineReached(at: 300 * millisecond)
    let whole = try SampleMessage.query(
      ["deck.local"], type: .any,
      proposed: [
        SampleMessage.address("deck.local", last: 7), SampleMessage.address("deck.local", last: 8),
      ])
    machine.look(at: whole.span, try arrival(), hostName: name, at: second)
    #expect(machine.host == .own, "equal data are no conflict")
    let part = try SampleMessage.query(
      ["deck.local"], type: .any, proposed: [SampleMessage.address("deck.local", last: 7)])
    machine.look(at: part.span, try arrival("10.0.0.99"), hostName: name, at: second)
    #expect(machine.host == .own, "another host's claim is a conflict, and the responder's matter")
    machine.look(at: part.span, try arrival(), hostName: name, at: second)
    #expect(machine.host == .foreign(name))
    // It was never heard of again: the name is ours, and is not given away a second time.
    machine.deadlineReached(at: try #require(machine.nextDeadline))
    #expect(machine.host == .own)
    machine.look(at: part.span, try arrival(), hostName: name, at: 20 * second)
    #expect(machine.host == .own)
  }

  @Test("what we sent ourselves and what comes back of it is no other stack") func echo() throws {
    let name = try DNSName("deck.local")
    var machine = try machine()
    machine.deadlineReached(at: 300 * millisecond)
    let sent = try SampleMessage.query(
      ["deck.local"], type: .any, proposed: [SampleMessage.address("deck.local", last: 9)])
    machine.willSend(sent, hostName: name, at: second)
    machine.look(at: sent.span, try arrival(), hostName: name, at: second)
    #expect(machine.host == .own)
    machine.handle(.added(try answer("deck.local")), at: 2 * second)
    #expect(machine.host == .own)
    machine.look(at: sent.span, try arrival(), hostName: name, at: 4 * second)
    #expect(machine.host != .own, "two seconds later the same bytes are somebody else's")
  }
}
