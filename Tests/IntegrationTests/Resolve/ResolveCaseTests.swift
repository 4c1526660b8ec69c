import Foundation
import TestKit
import Testing

extension ResolveInNamespaces {
  /// Faults that were reported in public against tools of this kind.
  @Suite("reported faults") struct ResolveCaseTests {
    private func addresses(_ run: Run) throws -> [String] {
      try run.objects().events("address").compactMap { $0["address"]?.text }
    }

    @Test("RE-01: a link-local address carries its zone") func zone() async throws {
      let lab = try await RecipeLab("wired")
      let shown = try await runCommand(["ip", "-n", lab.peer, "-j", "-6", "addr", "show", "v1"])
      let local = try #require(
        try JSON(shown.stdout).list.flatMap { $0["addr_info"]?.list ?? [] }
          .compactMap { $0["local"]?.text }.first { $0.hasPrefix("fe80") })
      let farm = try await Peer.farm(lab, "--count 0 --no-announce --host-prefix tv")
      try farm.order(["op": "host", "name": "tv0", "v6": [local]])
      let run = try await lab.resolve(["--json", "tv0.local:22"], files: RecipeLab.plain)
      let record = try #require(try run.objects().events("address").first, "\(run.errors)")
      #expect(run.status == 0 && record["address"]?.text == "\(local)%v0")
      #expect(record["port"]?.integer == 22 && record["interface"]?.text == "v0")
      #expect(record["interfaceIndex"]?.integer != nil && record["provider"]?.text == "mdns")
      let text = try await lab.resolve(["tv0.local:22"], files: RecipeLab.plain)
      #expect(text.output.contains("[\(local)%v0]:22"), "\(text.output)")
      withExtendedLifetime((lab, farm)) {}
    }

    @Test("RE-03: both families come, whichever answers first", arguments: [true, false])
    func families(isIPv4First: Bool) async throws {
      let lab = try await RecipeLab("wired")
      let responder = try await Peer(
        in: lab.peer,
        [
          "python3", "slow_family.py", "tv.local", isIPv4First ? "0" : "0.05",
          isIPv4First ? "0.05" : "0",
        ])
      let run = try await lab.resolve(["--json", "tv.local"], files: RecipeLab.plain)
      #expect(try addresses(run).sorted() == ["192.0.2.20", "2001:db8::20"], "\(run.errors)")
      withExtendedLifetime((lab, responder)) {}
    }

    @Test("RE-05: the order of addresses is RFC 6724's") func order() async throws {
      let lab = try await RecipeLab("wired; ip addr del 2001:db8::10/64 dev v0")
      var files = RecipeLab.plain
      files["hosts"] = "2001:db8::20 dual.example\n192.0.2.20 dual.example\n"
      let four = try await lab.resolve(["--json", "dual.example"], files: files)
      #expect(try addresses(four) == ["192.0.2.20", "2001:db8::20"], "\(four.errors)")
      try await lab.sh("ip addr add 2001:db8::10/64 dev v0 nodad")
      let six = try await lab.resolve(["--json", "dual.example"], files: files)
      #expect(try addresses(six) == ["2001:db8::20", "192.0.2.20"])
      #expect(try six.objects().events("address").allSatisfy { $0["provider"]?.text == "hosts" })
    }

    @Test("RE-07: each address is told once") func once() async throws {
      let lab = try await RecipeLab("ip link set lo up")
      let run = try await lab.resolve(["--json", "localhost:80"], files: RecipeLab.plain)
      let records = try run.objects().events("address")
      #expect(records.compactMap { $0["address"]?.text }.sorted() == ["127.0.0.1", "::1"])
      #expect(records.allSatisfy { $0["port"]?.integer == 80 })
      let text = try await lab.resolve(["localhost:80"], files: RecipeLab.plain).output
      for word in ["127.0.0.1:80", "[::1]:80"] {
        #expect(text.components(separatedBy: word).count == 2, "\(text)")
      }
    }

    @Test("RE-09: the search list is applied as ndots says") func search() async throws {
      let lab = try await RecipeLab("ip link set lo up")
      let server = try await Peer(in: lab.own, ["python3", "dns_stub.py", "127.0.0.1"])
      var files = RecipeLab.plain
      files["nsswitch.conf"] = "hosts: files dns\n"
      files["resolv.conf"] = "nameserver 127.0.0.1\nsearch lan.example\noptions ndots:2\n"
      func asked(_ name: String) async throws -> [String] {
        let before = server.child.outputSoFar.utf8.count
        let run = try await lab.resolve([name], files: files)
        #expect(run.status == 1, "\(run.errors)")
        var names: [String] = []
        let text = String(server.child.outputSoFar.utf8.dropFirst(before)) ?? ""
        for name in text.split(separator: "\n").map(String.init) where names.last != name {
          names.append(name)
        }
        return names
      }
      let short = try await asked("a.b")
      #expect(short.first == "a.b.lan.example", "\(short)")
      let absolute = try await asked("a.b.")
      #expect(Set(absolute) == ["a.b"], "\(absolute)")
      let long = try await asked("a.b.c")
      #expect(long.first == "a.b.c", "\(long)")
    }

    @Test("RE-11: the hosts file decides, says so, and what contradicts it is shown")
    func hostsFile() async throws {
      let lab = try await RecipeLab("wired")
      let farm = try await Peer.farm(lab, "--count 0 --no-announce --host-prefix tv")
      try farm.order(["op": "host", "name": "tv0", "v4": ["192.0.2.20"]])
      var files = RecipeLab.plain
      files["hosts"] = "192.0.2.99 tv0.local\n"
      let plain = try await lab.resolve(["--json", "tv0.local"], files: files)
      let decided = try plain.objects().events("address")
      #expect(decided.map { $0["address"]?.text } == ["192.0.2.99"], "\(plain.output)")
      #expect(decided.first?["provider"]?.text == "hosts")
      let all = try await lab.resolve(["--json", "--all", "tv0.local"], files: files)
      let pairs = try all.objects().events("address").map {
        "\($0["provider"]?.text ?? "") \($0["address"]?.text ?? "")"
      }
      #expect(pairs.contains("hosts 192.0.2.99") && pairs.contains("mdns 192.0.2.20"), "\(pairs)")
      #expect(!all.errors.isEmpty, "the contradiction is pointed out")
      withExtendedLifetime((lab, farm)) {}
    }

    @Test("RE-15: an instance is resolved in one step, its name as people write it")
    func instance() async throws {
      let lab = try await RecipeLab("wired")
      let folder = try TemporaryFolder()
      let spec = """
        [{"name": "Border Router #0F07", "type": "_meshcop._udp", "port": 49154, \
        "txt_hex": "0661743d000001"}]
        """
      let path = try folder.write(Array(spec.utf8), to: "spec.json")
      let farm = try await Peer.farm(lab, "--count 0 --hosts 1 --no-announce --spec \(path)")
      let run = try await lab.resolve(
        ["--json", "--service", "_meshcop._udp", "Border Router #0F07"], files: RecipeLab.plain)
      let records = try run.objects()
      #expect(run.status == 0, "\(run.errors)")
      #expect(
        records.events("address").compactMap { $0["address"]?.text }.sorted()
          == ["10.77.100.1", "fd77::f:0"])
      #expect(records.events("address").allSatisfy { $0["port"]?.integer == 49154 })
      let service = try #require(records.events("service").first)
      #expect(service["instance"]?.text == "Border Router #0F07")
      #expect(service["txt"] == .object(["at": .object(["base64": .text("AAAB")])]))
      let text = try await lab.resolve(
        ["--service", "_meshcop._udp", "Border Router #0F07"], files: RecipeLab.plain)
      #expect(text.output.contains("10.77.100.1:49154"), "\(text.output)")
      #expect(text.output.contains("[fd77::f:0]:49154"))
      #expect(!text.output.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
      withExtendedLifetime((lab, farm)) {}
    }
  }

  /// What the seed article got wrong, and what a look-up costs.
  @Suite("look-ups") struct ResolveTests {
    @Test("a port keeps its byte order, an IPv6 address its family, a host its name")
    func seed() async throws {
      let lab = try await RecipeLab("wired")
      let farm = try await Peer.farm(
        lab, "--count 1 --hosts 1 --no-announce --no-additionals")
      let run = try await lab.resolve(
        ["--json", "Farm Service 0._http._tcp.local"], files: RecipeLab.plain)
      let records = try run.objects().events("address")
      #expect(Set(records.compactMap { $0["port"]?.integer }) == [1024], "\(run.errors)")
      for record in records {
        let isIPv6 = record["address"]?.text?.contains(":") == true
        #expect(record["family"]?.text == (isIPv6 ? "ipv6" : "ipv4"))
        #expect(record["name"]?.text == "farm-host-0.local")
      }
      #expect(records.count == 2)
      withExtendedLifetime((lab, farm)) {}
    }

    @Test("a host without an IPv6 address is resolved at once where it says so by NSEC")
    func onlyIPv4() async throws {
      let lab = try await RecipeLab("wired")
      let farm = try await Peer.farm(lab, "--count 1 --hosts 1 --no-announce --v4-only")
      let run = try await lab.resolve(["--json", "farm-host-0.local"], files: RecipeLab.plain)
      let records = try run.objects().events("address")
      #expect(records.map { $0["address"]?.text } == ["10.77.100.1"], "\(run.errors)")
      let elapsed = try #require(records.first?["elapsedMicroseconds"]?.integer)
      print("IPv4-only host with NSEC: \(elapsed) us")
      #expect(elapsed < 500_000)
      withExtendedLifetime((lab, farm)) {}
    }

    @Test("a name that nobody has is denied within the schedule, with 1") func nobody() async throws
    {
      let lab = try await RecipeLab("wired")
      let run = try await lab.resolve(["--json", "nobody.local"], files: RecipeLab.plain)
      let failures = try run.objects().events("failure")
      #expect(run.status == 1 && failures.count == 1, "\(run.errors)")
      let limited = try await lab.resolve(
        ["--timeout", "300ms", "nobody.local"], files: RecipeLab.plain)
      #expect(limited.status == 3)
    }

    @Test("what avahi says of its host is what resolve says, forward and back")
    func avahi() async throws {
      let lab = try await RecipeLab("wired")
      let avahi = try await AvahiHost(in: lab.peer, name: "alpha")
      let forward = try await lab.resolve(["--json", "alpha.local"], files: RecipeLab.plain)
      let told = try forward.objects().events("address").compactMap { $0["address"]?.text }
      #expect(told.contains("192.0.2.20") && told.contains("2001:db8::20"), "\(forward.errors)")
      let back = try await lab.resolve(["--json", "192.0.2.20"], files: RecipeLab.plain)
      #expect(back.status == 0 && back.output.contains("alpha.local"), "\(back.errors)")
      withExtendedLifetime((lab, avahi)) {}
    }
  }
}
