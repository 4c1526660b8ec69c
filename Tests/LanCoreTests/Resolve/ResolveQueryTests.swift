import LanCore
import LanWire
import Testing

@Suite("What is to be resolved") struct ResolveQueryTests {
  private func hints(_ domain: String = "local") throws -> ResolveQuery.Hints {
    ResolveQuery.Hints(domain: try DNSName(domain)) { ["ssh": 22, "http": 80][$0] }
  }

  private func parse(_ text: String) throws -> ResolveQuery {
    try ResolveQuery.parse(text, try hints())
  }

  @Test(
    "a host may carry a port or the name of one",
    arguments: [
      ("tv.local", "tv.local", nil), ("tv.local:22", "tv.local", 22), ("tv:ssh", "tv", 22),
      ("tv.example.:80", "tv.example.", 80),
    ] as [(String, String, UInt16?)])
  func host(_ text: String, _ name: String, _ port: UInt16?) throws {
    let query = try parse(text)
    #expect(query.subject == .host(name) && query.port == port && query.text == text)
  }

  @Test(
    "what is an address asks for its name",
    arguments: [
      ("192.0.2.7", "192.0.2.7", nil, nil), ("192.0.2.7:80", "192.0.2.7", nil, 80),
      ("2001:db8::7", "2001:db8::7", nil, nil), ("[2001:db8::7]:443", "2001:db8::7", nil, 443),
      ("fe80::1%eth0", "fe80::1", "eth0", nil), ("[fe80::1%eth0]:ssh", "fe80::1", "eth0", 22),
      ("[fe80::1%2]", "fe80::1", "2", nil), ("::ffff:192.0.2.7", "192.0.2.7", nil, nil),
    ] as [(String, String, String?, UInt16?)])
  func address(_ text: String, _ address: String, _ zone: String?, _ port: UInt16?) throws {
    let query = try parse(text)
    let expected = try #require(IPAddress(parsing: address))
    #expect(query.subject == .address(expected, zone: zone) && query.port == port)
  }

  @Test("a name with a type in it is a service instance; its label is given raw")
  func instance() throws {
    for (text, instance) in [
      ("Deck._witap._tcp.local", "Deck"), ("Deck._witap._tcp.local.", "Deck"),
      ("Deck._witap._tcp", "Deck"), (#"Dr\. Pepper \\o\\._witap._tcp.local"#, #"Dr. Pepper \o\"#),
      ("Dr. Pepper._witap._tcp.local", "Dr. Pepper"),
      ("Border Router #0F07._meshcop._udp.local", "Border Router #0F07"),
      (#"Bell \007._http._tcp.local"#, "Bell \u{7}"),
    ] {
      guard case .service(let service) = try parse(text).subject else {
        Issue.record("\(text) is no service")
        continue
      }
      #expect(String(decoding: service.instance, as: UTF8.self) == instance)
      #expect(service.domain == .local && service.name.labelCount == 4)
    }
  }

  @Test("with a type beside it every word is an instance label, dots and all") func label() throws {
    var hints = try hints("example.org")
    hints.serviceType = ServiceType(service: "ipp", transport: "tcp")
    let query = try ResolveQuery.parse("192.0.2.7 (2nd. floor):80", hints)
    guard case .service(let service) = query.subject else {
      Issue.record("no service")
      return
    }
    #expect(service.instance == Array("192.0.2.7 (2nd. floor):80".utf8))
    #expect("\(service.name)" == #"192\.0\.2\.7 (2nd\. floor):80._ipp._tcp.example.org"#)
    #expect(throws: ResolveQuery.ParseError.tooLong) {
      try ResolveQuery.parse(String(repeating: "é", count: 32), hints)
    }
  }

  @Test("a record type takes any name, and PTR also an address") func record() throws {
    var hints = try hints()
    hints.recordType = .txt
    let name = try DNSName("Deck._witap._tcp.local")
    #expect(try ResolveQuery.parse("Deck._witap._tcp.local", hints).subject == .record(name, .txt))
    hints.recordType = .ptr
    let reverse = try DNSName("7.2.0.192.in-addr.arpa")
    #expect(try ResolveQuery.parse("192.0.2.7", hints).subject == .record(reverse, .ptr))
  }

  @Test(
    "what is nothing is refused with the reason",
    arguments: [
      ("", .empty), ("a..b", .badName), ("two words", .badName), ("tv:", .badPort("")),
      ("tv:nosuch", .badPort("nosuch")), ("tv:0", .badPort("0")), ("tv:65536", .badPort("65536")),
      ("fe80::1%", .badZone), ("192.0.2.7%eth0", .badZone), ("[tv]:80", .badName),
      ("_http._tcp.local", .typeWithoutInstance),
      (String(repeating: "a", count: 64), .tooLong), ("[::1]80", .badName),
    ] as [(String, ResolveQuery.ParseError)])
  func refused(_ text: String, _ error: ResolveQuery.ParseError) {
    #expect(throws: error) { try parse(text) }
  }

  @Test("the reverse name of an address has its bytes or digits backwards") func reverse() throws {
    let four = try #require(IPAddress(parsing: "192.0.2.7"))
    #expect("\(DNSName(reverseOf: four))" == "7.2.0.192.in-addr.arpa")
    let six = try #require(IPAddress(parsing: "2001:db8::567:89ab"))
    #expect(
      "\(DNSName(reverseOf: six))"
        == "b.a.9.8.7.6.5.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa")
  }

  @Test(
    "local and the link-local reverse names belong to multicast DNS (RFC 6762 sections 3 and 4)",
    arguments: [
      ("tv.local", true), ("TV.LOCAL.", true), ("tv.notlocal", false), ("local.example", false),
      ("1.0.254.169.in-addr.arpa", true), ("1.0.168.192.in-addr.arpa", false),
    ])
  func linkLocal(_ name: String, _ isLinkLocal: Bool) throws {
    #expect(try DNSName(name).isLinkLocal == isLinkLocal)
    let address = try #require(IPAddress(parsing: "fe80::1"))
    #expect(DNSName(reverseOf: address).isLinkLocal)
  }

  @Test("what can be connected to is text that can be typed again") func endpoint() throws {
    let address = try #require(IPAddress(parsing: "fe80::1"))
    var origin = ResolveOrigin(.mdns)
    origin.interfaceIndex = 3
    origin.interface = "v0"
    var value = ResolvedAddress(name: "tv.local", address: address, port: 22, origin: origin)
    #expect(value.endpointText == "[fe80::1%v0]:22")
    let again = try parse(value.endpointText)
    #expect(again.subject == .address(address, zone: "v0") && again.port == 22)
    value.port = nil
    #expect(value.endpointText == "fe80::1%v0")
    value.address = try #require(IPAddress(parsing: "192.0.2.7"))
    value.port = 4242
    #expect(value.endpointText == "192.0.2.7:4242")
  }
}
