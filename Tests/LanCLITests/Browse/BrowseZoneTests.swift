import Foundation
import LanCore
import LanSystem
import LanWire
import Testing

@testable import LanCLI

private typealias Samples = BrowseSamples

private func zone(_ services: [DiscoveredService], domain: DNSName = Samples.local) -> String {
  Samples.written { BrowseZone(domain: domain).append(services, to: &$0) }
}

private func records(_ services: [DiscoveredService]) -> [[Substring]] {
  zone(services).split(separator: "\n").map { $0.split(separator: " ", maxSplits: 2) }
}

@Suite("browse as records for a zone file") struct BrowseZoneTests {
  @Test("a service is PTR, SRV, TXT and addresses, relative to its domain") func service() {
    let lines = records([Samples.resolved("My Deck", text: ["v=2", ""])])
    #expect(lines.contains(["_services._dns-sd._udp", "PTR", "_witap2._tcp"]))
    #expect(lines.contains(["_witap2._tcp", "PTR", #"My\032Deck._witap2._tcp"#]))
    #expect(lines.contains([#"My\032Deck._witap2._tcp"#, "SRV", "0 0 4242 tv"]))
    #expect(lines.contains([#"My\032Deck._witap2._tcp"#, "TXT", #""v=2" """#]))
    #expect(lines.contains(["tv", "A", "192.0.2.20"]))
  }

  @Test("link-local addresses and hosts of other zones are comments") func comments() {
    var service = Samples.resolved()
    #expect(zone([service]).contains("AAAA fe80::20 link-local, on v0\n"))
    service.host = try? DNSName("web.example.org")
    let text = zone([service])
    #expect(text.contains("SRV 0 0 4242 web.example.org.\n"))
    #expect(text.split(separator: "\n").filter { $0.contains("192.0.2.20") }.map(\.first) == [";"])
  }

  @Test("a subtype has its pointer, a service on two links one record each") func twice() {
    var service = Samples.resolved(on: 2, "v0")
    service.subtypes = ["_universal"]
    let lines = records([service, Samples.resolved(on: 3, "w0")])
    #expect(lines.contains(["_universal._sub._witap2._tcp", "PTR", "Deck._witap2._tcp"]))
    #expect(lines.count { $0.contains("SRV") } == 1)
  }

  @Test("what means something in a zone file is escaped") func escapes() {
    #expect(
      BrowseZone.escaped(Array("a.b\\c;d\"e(f)@$ é".utf8))
        == #"a\.b\\c\;d\"e\(f\)\@\$\032\195\169"#)
    #expect(BrowseZone.quoted(Array("a\"\\\n;".utf8) + [0xFF]) == #""a\"\\\010;\255""#)
  }

  @Test(
    "named-checkzone reads it in any zone",
    .enabled(if: Shell.has("named-checkzone"), "\(Shell.missing("named-checkzone"))"))
  func checked() throws {
    var odd = Samples.named(Array("a.b\\c;d\"e(f)@$ \né".utf8) + [0xFF])
    odd.host = try DNSName("tv.local")
    (odd.port, odd.text) = (80, [Array("x=\"\\;\n".utf8) + [0xFF], []])
    odd.addresses = [Samples.address("2001:db8::1")]
    odd.subtypes = ["_universal"]
    let text =
      "$TTL 120\n@ SOA ns.example.org. root.example.org. 1 2 3 4 5\n@ NS ns.example.org.\n"
      + zone([odd, Samples.resolved("Web", Samples.http), Samples.named([0x41])])
    let file = FileManager.default.temporaryDirectory.appending(
      path: "lantool-zone-\(ProcessInfo.processInfo.processIdentifier)")
    try Data(text.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let check = try Shell.run("named-checkzone", ["-i", "local", "sub.example.net", file.path])
    #expect(check.status == 0, "\(check.text)\(text)")
  }
}
