import LanCore
import LanWire
import Testing

@testable import LanCLI

@Suite("Names for a shell") struct HeardNamesTests {
  private static func service(_ label: String, _ type: String = "_ipp._tcp") throws -> DNSName {
    try DNSName("\(type).local").prepending(Array(label.utf8))
  }

  private static func response(_ records: DNSRecord...) -> DNSMessage {
    DNSMessage(flags: 0x8400, answers: records)
  }

  private static func pointer(_ name: DNSName, ttl: UInt32 = 4500) throws -> DNSRecord {
    DNSRecord(name: try #require(name.parent), ttl: ttl, data: .ptr(name))
  }

  private static func host(_ name: String, ttl: UInt32 = 120) throws -> DNSRecord {
    DNSRecord(name: try DNSName(name), ttl: ttl, data: .a(IPv4Address(bits: 0xC000_0201)))
  }

  @Test("hosts, whole names and labels are told, each for its place") func kinds() throws {
    var names = HeardNames()
    let printer = try Self.service("Büro 3. Stock")
    names.take(
      Self.response(
        try Self.pointer(printer), try Self.pointer(try Self.service("Deck", "_witap2._tcp")),
        DNSRecord(
          name: printer, ttl: 120,
          data: .srv(priority: 0, weight: 0, port: 631, target: try DNSName("lp.local")))))
    #expect(names.words(.hosts) == ["lp.local"])
    #expect(
      names.words(.targets)
        == ["Büro 3\\. Stock._ipp._tcp.local", "Deck._witap2._tcp.local", "lp.local"])
    #expect(names.words(.instances) == ["Büro 3. Stock", "Deck"])
    let witap = ServiceType(service: "WiTap2", transport: "tcp")
    #expect(names.words(.instances, of: [witap]) == ["Deck"])
  }

  @Test("what a query tells is no name, and a goodbye takes one away") func goodbye() throws {
    var names = HeardNames()
    let deck = try Self.service("Deck")
    names.take(DNSMessage(answers: [try Self.pointer(deck)]))
    #expect(names.words(.targets) == [])
    names.take(Self.response(try Self.pointer(deck), try Self.host("deck.local")))
    #expect(names.words(.targets) == ["Deck._ipp._tcp.local", "deck.local"])
    names.take(Self.response(try Self.pointer(deck, ttl: 0), try Self.host("DECK.local", ttl: 0)))
    #expect(names.words(.targets) == [])
  }

  @Test(
    "a name that steers a terminal, or would be an option, is kept from the shell",
    arguments: [
      "a\u{1B}[31m", "a\nb", "a\tb", "\u{7F}", "a\u{9B}b", "a\u{202E}b", "-rf", "--exec=x", "~root",
    ])
  func unsafe(_ label: String) throws {
    var names = HeardNames()
    names.take(Self.response(try Self.pointer(try Self.service(label))))
    for kind in HeardNames.Kind.allCases { #expect(names.words(kind) == []) }
  }

  @Test("a host name that resolve would refuse is not offered") func hosts() throws {
    var names = HeardNames()
    for label in ["a b", "x:7", "ok"] {
      let name = try DNSName.local.prepending(Array(label.utf8))
      names.take(
        Self.response(
          DNSRecord(name: name, ttl: 120, data: .a(IPv4Address(bits: 1))),
          try Self.host("elsewhere.example")))
    }
    #expect(names.words(.hosts) == ["ok.local"])
  }

  @Test("no more names are kept than a shell can show") func limit() throws {
    var names = HeardNames()
    for number in 0..<1_200 {
      names.take(Self.response(try Self.pointer(try Self.service("\(number)"))))
    }
    #expect(names.words(.instances).count == HeardNames.limit)
  }

  private static func request(_ line: String) -> CompletionRequest? {
    let words = line.split(separator: " ").map { Array($0.utf8) }
    if case .complete(let request) = Invocation(words) { return request }
    return nil
  }

  @Test("an unfinished line says which names are wanted, whatever is wrong with it")
  func request() {
    let ipp = ServiceType(service: "ipp", transport: "tcp")
    let plain = Self.request("--complete targets resolve --json")
    #expect(plain == CompletionRequest(.targets, []))
    let service = Self.request("--complete targets resolve -i eth0 --service=_ipp._tcp --nonsense")
    #expect(service?.kind == .instances && service?.types == [ipp])
    #expect(service?.interfaces == ["eth0"])
    let expect = Self.request("--complete instances browse --netns lab _ipp._tcp --expect")
    #expect(expect?.kind == .instances && expect?.types == [ipp] && expect?.namespace == "lab")
    let name = Self.request("--complete instances ping-peer --browse ipp --name")
    #expect(name?.kind == .instances && name?.types.contains(ipp) == true)
    #expect(Self.request("--complete hosts nothing at all") == CompletionRequest(.hosts, []))
  }
}
