import LanCore
import LanSystem
import LanWire
import Testing

@testable import LanCLI

private func configure(_ words: String...) throws -> BrowseConfiguration {
  try BrowseSamples.configure(words)
}

private func refusal(_ words: String...) -> String {
  do {
    _ = try BrowseSamples.configure(words)
    return "accepted"
  } catch {
    return "\(error)"
  }
}

private func types(_ word: String) throws -> [String] {
  try BrowseTypeWord(Array(word.utf8)).types.map(\.description)
}

private func fault(_ word: String) -> String {
  do throws(ValueError) {
    _ = try BrowseTypeWord(Array(word.utf8))
    return "accepted"
  } catch {
    return error.reason + (error.suggestion.map { "; \($0)?" } ?? "")
  }
}

@Suite("What browse is asked to do") struct BrowseConfigurationTests {
  @Test("bare: every type in local, resolved, following") func bare() throws {
    let browse = try configure()
    #expect(
      browse.types.isEmpty && browse.subject == .services && browse.domain == .init(local: ()))
    #expect(browse.resolves && !browse.isBounded && !browse.endsWhenSettled)
    #expect(browse.families == .both && browse.settle == .milliseconds(500))
  }

  @Test("types may be many, each counts once") func many() throws {
    #expect(
      try configure("_ipp._tcp", "_HTTP._tcp", "_ipp._tcp").types.map(\.description) == [
        "_ipp._tcp", "_HTTP._tcp",
      ])
  }

  @Test("-4 and -6 together are both") func families() throws {
    #expect(try configure("-4").families == .ipv4)
    #expect(try configure("-6").families == .ipv6)
    #expect(try configure("-46").families == .both)
  }

  @Test("the name of the meta-query means the types, and so does --only-types") func metaQuery()
    throws
  {
    #expect(try configure("_services._dns-sd._udp").subject == .types)
    #expect(try configure("_services._dns-sd._udp.local.").subject == .types)
    #expect(try configure("--only-types").subject == .types)
    #expect(refusal("_services._dns-sd._udp", "_ipp._tcp").contains("name it alone"))
    #expect(refusal("--only-types", "_ipp._tcp").contains("--only-types takes no TYPE"))
    #expect(refusal("--domains", "_ipp._tcp").contains("--domains takes no TYPE"))
    #expect(refusal("_services._dns-sd._udp", "--expect", "x").contains("--expect needs services"))
  }

  @Test("a domain comes with --domain or at the end of a type, and there is one") func domain()
    throws
  {
    #expect("\(try configure("_ipp._tcp.example.org").domain)" == "example.org")
    #expect("\(try configure("-d", "example.org.", "_ipp._tcp").domain)" == "example.org")
    #expect(try configure("_ipp._tcp.local.").isMulticast)
    #expect(refusal("-d", "example.org", "_ipp._tcp.example.net").contains("one run browses one"))
    #expect(refusal("-d", "a..b").contains("'a..b' is no domain"))
    #expect(refusal("-d", "example.org", "--passive").contains("--passive needs the domain local"))
    #expect(refusal("-d", "example.org", "-i", "lo").contains("--interface needs"))
    #expect(refusal("--server", "192.0.2.53").contains("add --domain"))
  }

  @Test("a run is bounded by whatever ends it") func bounded() throws {
    for words in [
      ["--once"], ["--expect", "x"], ["--duration", "1s"], ["-r", "x.pcap"], ["--zone"],
    ] { #expect(try BrowseSamples.configure(words).isBounded, "\(words)") }
    #expect(try !configure("--timeout", "1s").isBounded)
  }

  @Test("options that contradict each other are refused") func contradictions() {
    #expect(refusal("--zone", "--json").contains("contradict"))
    #expect(refusal("--zone", "--no-resolve").contains("contradict"))
    #expect(refusal("--any").contains("means nothing without '--expect'"))
    #expect(refusal("-r", "x", "--passive").contains("contradict"))
    #expect(refusal("--expect", "").contains("an empty word"))
  }

  @Test("a server is an address, with or without a port") func server() {
    func parsed(_ text: String) -> String { ServerAddress.parse(text).map { "\($0)" } ?? "none" }
    #expect(parsed("192.0.2.53") == "192.0.2.53:53")
    #expect(parsed("192.0.2.53:5300") == "192.0.2.53:5300")
    #expect(parsed("2001:db8::53") == "[2001:db8::53]:53")
    #expect(parsed("[2001:db8::53]:5300") == "[2001:db8::53]:5300")
    #expect(parsed("[::1]") == "[::1]:53")
    for text in [
      "", "x", "192.0.2.53:", "192.0.2.53:0", "192.0.2.53:+1", "[::1", "[::1]x", "[192.0.2.1]:53",
      "fe80::1", "fe80::1%nope0", "192.0.2.1%lo", "224.0.0.251", "::",
    ] { #expect(parsed(text) == "none", "\(text)") }
    #expect(refusal("-d", "a.b", "--server", "x").contains("invalid value 'x' for '--server'"))
  }
}

extension DNSName {
  fileprivate init(local: Void) { self = BrowseConfiguration.local }
}

@Suite("A service type as typed") struct BrowseTypeWordTests {
  @Test("a type, a subtype in both forms, several subtypes, a bare name") func forms() throws {
    #expect(try types("_ipp._tcp") == ["_ipp._tcp"])
    #expect(try types("_ipp._tcp.") == ["_ipp._tcp"])
    #expect(try types("_universal._sub._ipp._tcp") == ["_universal._sub._ipp._tcp"])
    #expect(try types("_ipp._tcp,_universal") == ["_universal._sub._ipp._tcp"])
    #expect(
      try types("_ipp._tcp,_a,_b") == ["_a._sub._ipp._tcp", "_b._sub._ipp._tcp"])
    #expect(try types("_printer,_universal") == ["_universal._sub._printer._tcp"])
    #expect(try types("ipp") == ["_ipp._tcp"])
    #expect(try types("sleep-proxy") == ["_sleep-proxy._udp"])
    #expect(try types("hap") == ["_hap._tcp", "_hap._udp"])
  }

  @Test("what is no type is refused with the reason and what was meant") func faults() {
    for word in ["", ".", "_ipp._tcp,", "a b", "_._tcp", "_ipp._tpc", "_-x._tcp"] {
      #expect(fault(word) != "accepted", "\(word)")
    }
    #expect(fault("_http_tcp").hasSuffix("_http._tcp?"))
    #expect(fault("_abcdefghijklmnopqrstuvwxyz._tcp") != "accepted")
    #expect(
      refusal("_ipp._xyz").hasPrefix("lantool browse: '_ipp._xyz' is no service type: "))
  }

  @Test("a type that is in use is taken, whatever rule its name breaks") func inUse() throws {
    #expect(try types("_nvstream_dbd._tcp") == ["_nvstream_dbd._tcp"])
    #expect(try types("_androidtvremote2._tcp") == ["_androidtvremote2._tcp"])
  }
}

@Suite("The database of service types") struct ServiceTypeDatabaseTests {
  @Test("every entry is found by its name, in order, once") func complete() {
    let all = ServiceTypeDatabase.all
    #expect(all.count > 150)
    let names = all.map(\.service)
    #expect(names == names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
    #expect(Set(all.flatMap(\.types)).count == all.flatMap(\.types).count)
    for entry in all {
      #expect(ServiceTypeDatabase.entries(of: entry.service).contains(entry), "\(entry.service)")
      for type in entry.types { #expect(ServiceTypeDatabase.meaning(type) == entry.meaning) }
      #expect(!entry.meaning.hasSuffix(".") && entry.meaning.utf8.allSatisfy { $0 < 0x80 })
    }
  }

  @Test("names that are not there are not found") func absent() {
    for name in ["", "a", "zzzz", "http-", "htt", "httpx", "é", "_http", "http t"] {
      #expect(ServiceTypeDatabase.entries(of: name).isEmpty, "\(name)")
    }
    #expect(ServiceTypeDatabase.meaning(ServiceType(service: "http", transport: "udp")) == nil)
  }

  @Test("case does not matter, and a name can mean two things") func lookUp() {
    #expect(
      ServiceTypeDatabase.meaning(ServiceType(service: "HTTP", transport: "TCP")) == "Web site")
    #expect(
      ServiceTypeDatabase.meaning(ServiceType(service: "hap", transport: "udp"))
        == "HomeKit accessory (Thread)")
  }

  @Test("a pattern is looked for in types and meanings") func patterns() {
    let names = ServiceTypeDatabase.entries(matching: "PRINTER").map(\.service)
    #expect(names.contains("ipp") && names.contains("printer") && !names.contains("ssh"))
    #expect(ServiceTypeDatabase.entries(matching: "_ssh._tcp").map(\.service).contains("ssh"))
  }
}
