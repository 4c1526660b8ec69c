import Foundation
import TestKit
import Testing

extension ResolveInNamespaces {
  /// Where answers come from, and what happens to them over time.
  @Suite("sources") struct ResolveSourceTests {
    private func peer(_ lab: RecipeLab, _ spec: String) async throws -> Peer {
      try await Peer(in: lab.peer, ["python3", "resolve_peer.py", "v1", spec])
    }

    private func server(_ lab: RecipeLab, _ records: String) async throws -> Peer {
      try await Peer(
        in: lab.own,
        ["python3", "resolve_dns.py", "127.0.0.1", "53", "{\"records\":[\(records)]}"])
    }

    private func pairs(_ run: Run) throws -> [String] {
      try run.objects().events("address").map {
        "\($0["provider"]?.text ?? "") \($0["address"]?.text ?? "")"
      }
    }

    @Test("RE-13: where port 5353 is held, a one-shot question has its answer")
    func oneShot() async throws {
      let lab = try await RecipeLab("wired")
      let hold = """
        import socket, time
        held = []
        for family in (socket.AF_INET, socket.AF_INET6):
            one = socket.socket(family, socket.SOCK_DGRAM)
            if family == socket.AF_INET6:
                one.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            one.bind(("", 5353))
            held.append(one)
        print("ready", flush=True)
        time.sleep(60)
        """
      let holder = try await Peer(in: lab.own, ["python3", "-c", hold])
      let responder = try await peer(
        lab,
        """
        {"records":[["tv.local","A","192.0.2.20"]],"deny":["tv.local"],\
        "faults":["id","question"],"wrong":[["tv.local","A","192.0.2.66"]]}
        """)
      let run = try await lab.resolve(["--json", "tv.local"], files: RecipeLab.plain)
      #expect(try pairs(run) == ["mdns 192.0.2.20"], "\(run.errors)")
      #expect(run.status == 0)
      #expect(run.errors.contains("port 5353 is held"))
      #expect(!responder.child.outputSoFar.contains("\"port\": 5353"))
      withExtendedLifetime(holder) {}
    }

    @Test("the order of what the network says is the one of the system's resolver")
    func order() async throws {
      let lab = try await RecipeLab(
        """
        wired; ip addr add fd00:1::10/64 dev v0 nodad; ip addr add 198.51.100.10/24 dev v0
        ip route add default via 192.0.2.20
        """)
      let addresses = [
        "203.0.113.7", "198.51.100.7", "192.0.2.20", "2001:db8::20", "2001:db8:ffff::1",
        "fd00:1::20", "2002:c000:214::1", "::1", "127.0.0.1",
      ]
      var files = RecipeLab.plain
      files["hosts"] = addresses.map { "\($0) many.example\n" }.joined()
      let records = addresses.map { address in
        "[\"many.example\",\"\(address.contains(":") ? "AAAA" : "A")\",\"\(address)\"]"
      }
      let dns = try await server(lab, records.joined(separator: ","))
      let system = try await lab.resolve(["--json", "many.example"], files: files)
      let ours = try await lab.resolve(
        ["--json", "--why", "--server", "127.0.0.1", "many.example"], files: files)
      func plain(_ run: Run) throws -> [String] {
        try run.objects().events("address").compactMap { $0["address"]?.text }
      }
      #expect(try plain(ours) == plain(system), "\(system.errors)\(ours.errors)")
      #expect(try plain(ours).count == addresses.count)
      #expect(try ours.objects().events("address").dropLast().allSatisfy { $0["rule"] != nil })
      withExtendedLifetime(dns) {}
    }

    @Test("where DNS serves local both are asked, and each answer says who gave it")
    func local() async throws {
      let lab = try await RecipeLab("wired")
      let responder = try await peer(
        lab, "{\"records\":[[\"tv.local\",\"A\",\"192.0.2.20\"]],\"deny\":[\"tv.local\"]}")
      let dns = try await server(
        lab,
        """
        ["local","SOA",["ns.local","x.local",1,2,3,4,5]],["tv.local","A","192.0.2.66"],\
        ["dns.house.local","A","192.0.2.67"]
        """)
      var files = RecipeLab.plain
      files["resolv.conf"] = "nameserver 127.0.0.1\n"
      let both = try await lab.resolve(["--json", "-4", "tv.local"], files: files)
      #expect(try pairs(both).sorted() == ["dns 192.0.2.66", "mdns 192.0.2.20"])
      let long = try await lab.resolve(["--json", "-4", "dns.house.local"], files: files)
      #expect(try pairs(long) == ["dns 192.0.2.67"], "\(long.errors)")
      let service = try await lab.resolve(["--type", "A", "tv.local"], files: files)
      #expect(service.output.contains("192.0.2.66") && service.output.contains("192.0.2.20"))
      withExtendedLifetime((responder, dns)) {}
    }

    @Test("a watch tells of a host that comes, and ends with a summary at SIGINT")
    func watch() async throws {
      let lab = try await RecipeLab("wired")
      let child = try Child([
        lantoolPath, "resolve", "--netns", lab.own, "--json", "--watch", "tv-watch.local",
      ])
      let responder = try await peer(
        lab,
        """
        {"records":[["tv-watch.local","A","192.0.2.20"]],"deny":["tv-watch.local"],"announce":0.3}
        """)
      let came = try await child.wait(timeout: 20) {
        $0.outputSoFar.contains("\"action\":\"added\"")
      }
      #expect(came, "\(child.outputSoFar) \(child.errorsSoFar)")
      child.signal(SIGINT)
      let run = try await child.finish(timeout: 10)
      #expect(try run.objects().last?.event == "summary")
      #expect(run.status == 0)
      withExtendedLifetime(responder) {}
    }

    @Test("standard input takes browse's lines, and several names are resolved at once")
    func input() async throws {
      let lab = try await RecipeLab("wired")
      let responder = try await peer(
        lab,
        """
        {"records":[["tv.local","A","192.0.2.20"],\
        ["A b._witap._tcp.local","SRV",[0,0,4242,"tv.local"]],\
        ["A b._witap._tcp.local","TXT",["613d31"]]],"deny":["tv.local","A b._witap._tcp.local"]}
        """)
      let lines = """
        {"event":"added","serviceName":"A b._witap._tcp.local"}
        tv.local:80

        """
      let run = try await runCommand(
        [lantoolPath, "resolve", "--netns", lab.own, "--json", "-4", "-"],
        stdin: Data(lines.utf8), timeout: 20)
      let ports = try run.objects().events("address").compactMap { $0["port"]?.integer }
      #expect(ports.sorted() == [80, 4_242] && run.status == 0, "\(run.output)\(run.errors)")
      let any = try await lab.resolve(
        ["--any", "-4", "tv.local", "nobody.local"], files: RecipeLab.plain)
      #expect(any.status == 0 && any.output.hasPrefix("192.0.2.20"))
      withExtendedLifetime(responder) {}
    }
  }
}
