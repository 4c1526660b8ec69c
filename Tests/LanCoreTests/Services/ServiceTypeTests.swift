import LanCore
import LanWire
import Testing

@Suite("Service types")
struct ServiceTypeTests {
  @Test(
    "each way to write a type is read (RFC 6335 section 5.1, RFC 6763 section 7)",
    arguments: [
      ("_http._tcp", "_http._tcp", ""), ("_http._tcp.", "_http._tcp", ""),
      ("_http._tcp.local", "_http._tcp", "local"),
      ("_http._tcp.local.", "_http._tcp", "local"),
      ("_http._tcp.example.org", "_http._tcp", "example.org"),
      ("_IPP._TCP", "_ipp._tcp", ""), ("_ntp._udp", "_ntp._udp", ""),
      ("_a1-b2-c3._tcp", "_a1-b2-c3._tcp", ""),
      ("_abcdefghijklmno._tcp", "_abcdefghijklmno._tcp", ""),
      ("_printer,_universal", "_universal._sub._printer._tcp", ""),
      ("_printer._tcp,_universal", "_universal._sub._printer._tcp", ""),
      ("_ipp._tcp.local,_universal", "_universal._sub._ipp._tcp", "local"),
      ("_universal._sub._ipp._tcp", "_universal._sub._ipp._tcp", ""),
      ("_universal._SUB._ipp._tcp.local", "_universal._sub._ipp._tcp", "local"),
      ("http", "_http._tcp", ""), ("_http", "_http._tcp", ""),
      ("http,Third\\, floor", "Third\\, floor._sub._http._tcp", ""),
    ])
  func forms(_ text: String, _ expected: String, _ domain: String) throws {
    let read = try ServiceTypeText(parsing: text)
    let name = try DNSName(expected)
    #expect(try read.types.map { try $0.browseName(in: .root) } == [name])
    #expect(read.domain == (domain.isEmpty ? nil : try DNSName(domain)))
  }

  @Test("several subtypes are several things to browse for")
  func subtypes() throws {
    let read = try ServiceTypeText(parsing: "_ipp._tcp,_color,_duplex")
    #expect(read.types.map(\.description) == ["_color._sub._ipp._tcp", "_duplex._sub._ipp._tcp"])
    #expect(read.type.description == "_ipp._tcp")
  }

  @Test(
    "a wrong type says what is wrong with it",
    arguments: [
      ("", ServiceTypeError.Reason.empty), ("_", .empty), ("_._tcp", .empty),
      (",_a", .empty), (".", .empty), ("a..b", .notAName), ("_http\\", .notAName),
      (String(repeating: "a", count: 64), .notAName),
      ("_abcdefghijklmnop._tcp", .tooLong(16)), ("_ht tp._tcp", .badCharacter(" ")),
      ("_h_p._tcp", .badCharacter("_")), ("_schön._tcp", .badCharacter("ö")),
      ("_h\u{1B}p._tcp", .badCharacter("\\027")), ("_123._tcp", .noLetter),
      ("_-a._tcp", .hyphenAtEnd), ("_a-._tcp", .hyphenAtEnd), ("_a--b._tcp", .doubleHyphen),
      ("_http._sctp", .transport("_sctp")), ("_http.tcp", .underscore(suggestion: "_http._tcp")),
      ("http._tcp", .underscore(suggestion: "_http._tcp")),
      ("ntp.udp", .underscore(suggestion: "_ntp._udp")),
      ("http.local", .underscore(suggestion: "_http._tcp")),
      ("Deck._witap._tcp.local", .instance(type: "_witap._tcp")),
      ("_services._dns-sd._udp", .enumeration), ("_ipp._tcp,", .subtype("")),
      ("_ipp._tcp,a.b", .subtype("a.b")), ("_a._sub._ipp._tcp,_b", .twoForms),
    ])
  func errors(_ text: String, _ reason: ServiceTypeError.Reason) {
    #expect(throws: ServiceTypeError(reason, text)) { try ServiceTypeText(parsing: text) }
    let error = ServiceTypeError(reason, text)
    #expect(error.description == "'\(text)' is no service type: \(error.explanation)")
  }

  @Test("one type alone has no domain and one subtype at most")
  func single() throws {
    #expect(try ServiceType(parsing: "_ipp._tcp,_color").subtype == "_color")
    #expect(throws: ServiceTypeError(.domain("local"), "_ipp._tcp.local")) {
      try ServiceType(parsing: "_ipp._tcp.local")
    }
    #expect(throws: ServiceTypeError(.severalSubtypes, "_ipp._tcp,a,b")) {
      try ServiceType(parsing: "_ipp._tcp,a,b")
    }
  }

  @Test("types are equal whatever the case of ASCII letters, and of no others")
  func equality() {
    func type(_ service: String, _ subtype: String? = nil) -> ServiceType {
      ServiceType(service: service, transport: "tcp", subtype: subtype)
    }
    #expect(type("IPP", "_A") == ServiceType(service: "ipp", transport: "TCP", subtype: "_a"))
    #expect(Set([type("Ipp"), type("iPP"), type("ipp")]).count == 1)
    #expect(type("ä") != type("Ä"))
    #expect(type("a", "") != type("a"))
    #expect(type("ab") != type("a"))
  }

  @Test("a type heard on the network need not keep to the rules")
  func lenient() throws {
    let long = Array("_this-is-far-too-long-for-a--service_".utf8)
    let type = try #require(
      ServiceType(serviceLabel: long, transportLabel: Array("_tcp".utf8)))
    #expect(try type.browseName(in: .local).labels[0] == long)
    #expect(ServiceType(serviceLabel: [0x5F], transportLabel: Array("_tcp".utf8)) == nil)
    #expect(ServiceType(serviceLabel: [0x5F, 0xFF], transportLabel: Array("_tcp".utf8)) == nil)
    #expect(ServiceType(serviceLabel: Array("a".utf8), transportLabel: [0x5F, 0x61]) == nil)
    let nasty = try #require(
      ServiceType(serviceLabel: Array("_a.b\n".utf8), transportLabel: Array("_tcp".utf8)))
    #expect(nasty.description == "_a\\.b\\010._tcp")
  }

  @Test("an instance's label is one label, dots and backslashes included (S6)")
  func instanceLabel() throws {
    let name = try DNSName("Dr\\. Dot\\\\s\\.x._http._tcp.local")
    let service = DiscoveredService(
      name: name, type: ServiceType(service: "http", transport: "tcp"), domain: .local)
    #expect(service.instance == Array("Dr. Dot\\s.x".utf8))
    let underscored = DiscoveredService(
      name: try DNSName("_odd._http._tcp.local"), type: service.type, domain: .local)
    #expect(underscored.instance == Array("_odd".utf8))
    let broken = DiscoveredService(
      name: try DNSName("Dr.Dot._http._tcp.local"), type: service.type, domain: .local)
    #expect(broken.instance == Array("Dr.Dot".utf8), "a publisher that broke the label at its dot")
  }
}
