import Foundation
import TestKit
import Testing

extension BrowseInNamespaces {
  /// Domains that a DNS server has.
  @Suite("conventional DNS", .enabled(if: ZoneServer.isInstalled, "Knot DNS is not installed"))
  struct BrowseUnicastTests {
    private static let records = """
      _http._tcp PTR Office\\032\\195\\159\\.2._http._tcp
      Office\\032\\195\\159\\.2._http._tcp SRV 3 4 8080 web
      Office\\032\\195\\159\\.2._http._tcp TXT "path=/" "raw=\\255" "flag"
      web A 192.0.2.77
      web AAAA 2001:db8::77
      _universal._sub._ipp._tcp PTR Printer._ipp._tcp
      _ipp._tcp PTR Printer._ipp._tcp
      Printer._ipp._tcp SRV 0 0 631 web
      Printer._ipp._tcp TXT ""
      _services._dns-sd._udp PTR _http._tcp
      _services._dns-sd._udp PTR _ipp._tcp
      b._dns-sd._udp PTR @
      lb._dns-sd._udp PTR lab
      """

    @Test("a domain is browsed by the server that is named, and by those of the system")
    func whole() async throws {
      let lab = try await RecipeLab("wired")
      let server = try await ZoneServer(lab, Self.records)
      let named = try await lab.browse([
        "--json", "--once", "--domain", "example.org", "--server", "[::1]:53",
      ])
      #expect(named.status == 0 && named.errors == "", "\(named.errors)")
      try await expectBrowseSchema(named.stdout)
      let records = try named.objects()
      #expect(records.compactMap(\.event).sorted() == ["added", "added", "settled", "summary"])
      let office = try #require(records.first { $0["type"]?.text == "_http._tcp" })
      #expect(office["instance"]?.text == "office ß.2")
      #expect(office["serviceName"]?.text == "office ß\\.2._http._tcp.example.org")
      #expect(office["domain"]?.text == "example.org" && office["origin"]?.text == "dns")
      #expect(office["host"]?.text == "web.example.org" && office["port"]?.integer == 8_080)
      #expect(office["priority"]?.integer == 3 && office["weight"]?.integer == 4)
      #expect(
        office["addresses"]?.list.compactMap(\.text) == ["192.0.2.77", "2001:db8::77"])
      #expect(
        office["txt"]
          == .object([
            "path": .text("/"), "raw": .object(["base64": .text("/w==")]), "flag": .bool(true),
          ]))
      #expect(office["interface"] == nil && office["interfaceIndex"] == nil)
      #expect(office["complete"] == nil && office["ttlSeconds"]?.integer == 120)
      let system = try await server.browse(["--json", "--once", "-d", "example.org"])
      #expect(system.status == 0, "\(system.errors)")
      #expect(try system.objects().count == 4)
    }

    @Test("types, subtypes, domains and nothing: each as it is for multicast DNS")
    func parts() async throws {
      let lab = try await RecipeLab("wired")
      let server = try await ZoneServer(lab, Self.records)
      func run(_ options: String...) async throws -> Run {
        try await lab.browse(
          ["--json", "--once", "-d", "example.org", "--server", "127.0.0.1"] + options)
      }
      let subtype = try await run("_universal._sub._ipp._tcp").objects().events("added")
      #expect(subtype.compactMap { $0["instance"]?.text } == ["printer"])
      #expect(subtype.first?["subtypes"]?.list.compactMap(\.text) == ["_universal"])
      let types = try await run("--only-types").objects()
      #expect(
        Set(types.compactMap { $0["type"]?.text }) == ["_http._tcp", "_ipp._tcp"])
      let domains = try await run("--domains").objects()
      #expect(
        Set(domains.compactMap { $0["domain"]?.text }) == ["example.org", "lab.example.org"])
      let nothing = try await run("_ssh._tcp")
      #expect(nothing.status == 1 && nothing.errors == "", "\(nothing.errors)")
      let four = try await run("-4", "_http._tcp").objects().events("added")
      #expect(four.first?["addresses"]?.list.compactMap(\.text) == ["192.0.2.77"])
      withExtendedLifetime(server) {}
    }

    @Test("what --zone prints can be served and browsed again")
    func zoneFile() async throws {
      let lab = try await RecipeLab("wired")
      let server = try await ZoneServer(lab, Self.records)
      let options = ["-d", "example.org", "--server", "127.0.0.1", "--once"]
      let first = try await lab.browse(options + ["--json"])
      let zone = try await lab.browse(["--zone"] + options.dropLast())
      #expect(zone.status == 0)
      try await server.change(zone.output)
      let second = try await lab.browse(options + ["--json"])
      let facts = try [first, second].map { BrowsedList(try $0.objects()).facts }
      #expect(facts[0] == facts[1] && facts[0].count == 2)
    }

    @Test("300 services in one set come complete") func many() async throws {
      let lab = try await RecipeLab("wired")
      let lines = (0..<300).flatMap { number in
        let name = "Instance\\032number\\032\(number)._many._tcp"
        return [
          "_many._tcp PTR \(name)", "\(name) SRV 0 0 \(number + 1) h\(number)",
          "\(name) TXT \"n=\(number)\"", "h\(number) A 10.0.1.\(number % 250)",
        ]
      }
      let server = try await ZoneServer(lab, lines.joined(separator: "\n"))
      let run = try await lab.browse([
        "--json", "--once", "-d", "example.org", "--server", "127.0.0.1", "_many._tcp",
      ])
      let records = try run.objects()
      #expect(records.events("added").count == 300 && records.events("updated").isEmpty)
      #expect(records.allSatisfy { $0["complete"] == nil })
      withExtendedLifetime(server) {}
    }

    @Test("a change of the zone is told when its TTL has passed") func follows() async throws {
      let lab = try await RecipeLab("wired")
      func zone(_ text: String, _ address: String) -> String {
        """
        $TTL 1
        _http._tcp PTR One._http._tcp
        One._http._tcp SRV 0 0 80 web
        One._http._tcp TXT "\(text)"
        web A \(address)
        """
      }
      let server = try await ZoneServer(
        lab, zone("", "192.0.2.7") + "\n_http._tcp PTR Two._http._tcp")
      let follower = try lab.browsing(
        "-d", "example.org", "--server", "127.0.0.1", "_http._tcp")
      try await follower.await("the list") { $0.event == "settled" }
      try await server.change(zone("new=1", "192.0.2.9"))
      try await follower.await("both changes", timeout: 30) {
        $0.event == "updated" && $0["txt"] == .object(["new": .text("1")])
          && $0["addresses"]?.list.compactMap(\.text) == ["192.0.2.9"]
      }
      try await follower.await("the end of the other one", timeout: 30) {
        $0.event == "removed" && $0["instance"]?.text == "two" && $0["cause"]?.text == "expired"
      }
      _ = try await follower.end()
    }

    @Test("a server that cannot tell is told of, and ends a run with 2")
    func failures() async throws {
      let lab = try await RecipeLab("wired")
      let server = try await ZoneServer(lab, Self.records)
      func run(_ domain: String, _ server: String) async throws -> Run {
        try await lab.browse(["--once", "-d", domain, "--server", server, "_http._tcp"])
      }
      let refused = try await run("example.net", "127.0.0.1")
      #expect(refused.status == 2 && refused.errors.contains("REFUSED"), "\(refused.errors)")
      let closed = try await run("example.org", "127.0.0.1:9")
      #expect(closed.status == 2 && closed.errors.contains("connection refused"))
      let limited = try await lab.browse([
        "--timeout", "500ms", "-d", "example.org", "--server", "192.0.2.99", "_http._tcp",
      ])
      #expect(limited.status == 3, "\(limited.status) \(limited.errors)")
      withExtendedLifetime(server) {}
    }
  }
}

/// A real DNS server for `example.org` on the loopback of a lab's own side.
private final class ZoneServer: Sendable {
  static let isInstalled = FileManager.default.isExecutableFile(atPath: "/usr/sbin/knotd")

  private let lab: RecipeLab
  private let folder: TemporaryFolder
  private let peer: Peer

  /// Starts it with the records of a zone file, without its SOA and NS records.
  init(_ lab: RecipeLab, _ records: String) async throws {
    self.lab = lab
    folder = try TemporaryFolder()
    try Self.write(records, to: folder)
    let script = Repository.top.appending(path: "Tests/Lab/dns_server.sh").path
    peer = try await Peer([script, lab.own, folder.url.path])
  }

  // The script ends the server when its input ends.
  deinit { peer.child.endInput() }

  /// Replaces the records.
  func change(_ records: String) async throws {
    try Self.write(records, to: folder)
    try await peer.say("reload", until: "done reload")
  }

  /// Browses with the server as the system's only one.
  func browse(_ arguments: [String]) async throws -> Run {
    let path = try folder.write(Array("nameserver 127.0.0.1\n".utf8), to: "resolv.conf")
    return try await runCommand(
      [
        "ip", "netns", "exec", lab.own, "unshare", "-m", "sh", "-c",
        "mount --bind \(path) /etc/resolv.conf && exec \"$@\"", "sh", lantoolPath, "browse",
      ] + arguments)
  }

  private static func write(_ records: String, to folder: TemporaryFolder) throws {
    let serial = Int(Date().timeIntervalSince1970 * 10) % 1_000_000_000
    let head = """
      $ORIGIN example.org.
      $TTL 120
      @ SOA ns root \(serial) 3600 600 86400 30
      @ NS ns
      ns A 127.0.0.1

      """
    _ = try folder.write(Array((head + records + "\n").utf8), to: "zone")
  }
}
