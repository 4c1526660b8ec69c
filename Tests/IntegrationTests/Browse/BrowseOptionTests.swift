import Foundation
import TestKit
import Testing

extension BrowseInNamespaces {
  /// How a run ends, and what else its options promise.
  @Suite("options") struct BrowseOptionTests {
    @Test("--once on a silent network lists nothing and ends with 1") func nothing() async throws {
      let lab = try await RecipeLab("wired")
      let start = ContinuousClock.now
      let run = try await lab.browse(["--json", "--once", "_http._tcp"])
      let took = (ContinuousClock.now - start) / .seconds(1)
      #expect(run.status == 1 && took >= 1.0 && took < 4, "\(run.status) after \(took) s")
      let words = try run.objects().compactMap(\.event)
      #expect(words == ["settled", "summary"])
      let quiet = try await lab.browse(["-q", "--once", "_http._tcp"])
      #expect(quiet.status == 1 && quiet.output == "" && quiet.errors == "")
      let limited = try await lab.browse(["--json", "--timeout", "300ms", "_http._tcp"])
      #expect(limited.status == 3)
    }

    @Test("--expect ends as soon as the name is there, with 1 where it is not")
    func expect() async throws {
      let lab = try await RecipeLab("wired")
      let farm = try await Peer.farm(lab, "--count 5 --hosts 5 --no-announce")
      let start = ContinuousClock.now
      let found = try await lab.browse(
        ["--expect", "FARM service 3", "--settle", "8s", "_http._tcp"])
      #expect(found.status == 0 && ContinuousClock.now - start < .seconds(4), "\(found.errors)")
      let whole = try await lab.browse(
        ["-q", "--expect", "Farm Service 3._http._tcp.local", "_http._tcp"])
      #expect(whole.status == 0 && whole.output == "")
      let missing = try await lab.browse(["--expect", "Nobody", "_http._tcp"])
      #expect(missing.status == 1 && missing.errors.contains("'Nobody' not found"))
      let any = try await lab.browse(
        ["-q", "--any", "--expect", "Nobody", "--expect", "Farm Service 1", "_http._tcp"])
      #expect(any.status == 0)
      withExtendedLifetime((lab, farm)) {}
    }

    @Test("--passive sends no message of DNS and lists what others are told")
    func passive() async throws {
      let lab = try await RecipeLab("wired")
      let tap = try await Tap(in: lab.peer, "v1")
      let follower = try lab.browsing("--passive", "_http._tcp")
      // It cannot be seen from outside when it listens, so the farm announces until it is heard.
      let farm = try await Peer.farm(lab, "--count 3 --hosts 3 --ttl 2 --ttl-host 2")
      var isHeard = false
      for _ in 0..<20 where !isHeard {
        for number in 0..<3 {
          try farm.order(["op": "reannounce", "name": "Farm Service \(number)"])
        }
        isHeard = try await follower.child.wait(timeout: 0.5) { _ in
          BrowsedList(follower.records).instances.count == 3
        }
      }
      #expect(isHeard, "\(follower.records)")
      farm.child.signal(SIGKILL)
      // Not at 80 % of a time to live either.
      try await follower.await("the expiry") {
        $0.event == "removed" && $0["cause"]?.text == "expired"
      }
      _ = try await follower.end()
      let own = try await runCommand(["ip", "-n", lab.own, "-j", "addr", "show", "v0"])
      let addresses = try JSON(own.stdout).list.flatMap { $0["addr_info"]?.list ?? [] }
        .compactMap { $0["local"]?.text }
      #expect(addresses.count >= 3 && !tap.child.outputSoFar.isEmpty)
      #expect(tap.lines(from: addresses) == [])
    }

    @Test("--zone prints records that can stand in a zone file") func zone() async throws {
      let lab = try await RecipeLab("wired")
      let farm = try await Peer.farm(lab, "--count 2 --hosts 2 --no-announce")
      let run = try await lab.browse(["--zone", "_http._tcp"])
      #expect(run.status == 0)
      let lines = run.output.split(separator: "\n").filter { !$0.hasPrefix(";") }
        .map { $0.split(separator: /[ \t]+/).joined(separator: " ") }
      for number in 0..<2 {
        let name = "Farm\\032Service\\032\(number)._http._tcp"
        func has(_ parts: String...) -> Bool {
          lines.contains { line in parts.allSatisfy { line.contains($0) } }
        }
        #expect(has("_http._tcp ", " PTR \(name)"), "\(run.output)")
        #expect(has("\(name) ", " SRV 0 0 \(1024 + number) farm-host-\(number)"))
        #expect(has("\(name) ", " TXT ", "id=\(number)"))
        #expect(has("farm-host-\(number) ", " A 10.77.100.\(number + 1)"))
        #expect(has("farm-host-\(number) ", " AAAA fd77::f:\(number)"))
      }
      withExtendedLifetime((lab, farm)) {}
    }

    @Test("its lines are documents for jq") func pipeline() async throws {
      let lab = try await RecipeLab("wired")
      let farm = try await Peer.farm(lab, "--count 3 --hosts 3 --no-announce")
      let run = try await runCommand([
        "sh", "-c",
        """
        "$0" browse --netns "$1" --json --once _http._tcp |
          jq -r 'select(.event == "added") | "\\(.instance) \\(.port) \\(.addresses | join(","))"' |
          sort
        """, lantoolPath, lab.own,
      ])
      #expect(
        run.output == """
          Farm Service 0 1024 10.77.100.1,fd77::f:0
          Farm Service 1 1025 10.77.100.2,fd77::f:1
          Farm Service 2 1026 10.77.100.3,fd77::f:2

          """)
      let cut = try await runCommand([
        "bash", "-c", "\"$0\" browse --netns \"$1\" --once _http._tcp | head -n 1", lantoolPath,
        lab.own,
      ])
      #expect(cut.output.contains("Farm Service") && cut.errors == "", "\(cut.errors)")
      withExtendedLifetime((lab, farm)) {}
    }

    @Test("-4 and -6 speak and show one family; -i one interface") func narrowed() async throws {
      let lab = try await RecipeLab("wired; pair w0 w1; ip addr add 198.51.100.10/24 dev w0")
      let farm = try await Peer.farm(lab, "--count 2 --hosts 1 --no-announce")
      let tap = try await Tap(in: lab.peer, "v1")
      let four = try await lab.browse(["-4", "--json", "--once", "_http._tcp"])
      #expect(
        BrowsedList(try four.objects()).facts.map(\.addresses)
          == [["10.77.100.1"], ["10.77.100.1"]])
      #expect(!tap.child.outputSoFar.contains("IP6 "))
      let six = try await lab.browse(["-6", "--json", "--once", "_http._tcp"])
      #expect(
        BrowsedList(try six.objects()).facts.map(\.addresses) == [["fd77::f:0"], ["fd77::f:0"]])
      let other = try await lab.browse(["-i", "w0", "--json", "--once", "_http._tcp"])
      #expect(other.status == 1)
      let only = try await lab.browse(["-i", "v0", "--json", "--once", "_http._tcp"])
      #expect(BrowsedList(try only.objects()).services.count == 2)
      withExtendedLifetime((lab, farm)) {}
    }

    @Test("a signal ends a run that follows with its summary; one with an end dies by it")
    func signals() async throws {
      let lab = try await RecipeLab("wired")
      let follower = try await lab.listening("_http._tcp")
      let run = try await follower.end()
      let last = try run.objects().last
      #expect(run.status == 1 && last?.event == "summary")
      let bounded = try await lab.listening("--duration", "30s", "_http._tcp")
      bounded.child.signal(SIGTERM)
      #expect(try await bounded.child.finish(timeout: 5).status == 128 + SIGTERM)
    }

    @Test("on a terminal it says after a second that it searches") func searching() async throws {
      let lab = try await RecipeLab("wired")
      let run = try await runCommand(
        [
          "script", "-qec",
          "'\(lantoolPath)' browse --netns \(lab.own) --duration 1500ms _http._tcp", "/dev/null",
        ], environment: ["TERM": "xterm"])
      #expect(run.output.lowercased().contains("searching"), "\(run.output)")
    }
  }

  /// What cannot be done has a clear message and the right status.
  @Suite("bad input") struct BrowseInputTests {
    @Test(
      "a word that is no type is wrong usage, and the message says why",
      arguments: [
        "_http._xyz", "_this-name-is-too-long._tcp", "_double--hyphen._tcp", "_-edge._tcp",
        "_123._tcp", "", "_sub._tcp._udp.local",
      ])
    func types(_ word: String) async throws {
      let run = try await runLantool(["browse", "--once", word])
      #expect(run.status == 64 && run.output == "", "\(run.output)")
      #expect(run.errors.hasPrefix("lantool browse: "), "\(run.errors)")
      #expect(run.errors.contains("is no service type") || run.errors.contains("'\(word)'"))
    }

    @Test("a domain with a label that is too long is wrong usage") func domain() async throws {
      let label = String(repeating: "x", count: 64)
      let run = try await runLantool([
        "browse", "--once", "--domain", "\(label).example", "_http._tcp",
      ])
      #expect(run.status == 64 && run.errors.contains("lantool browse: "), "\(run.errors)")
    }

    @Test("an unknown interface, and one without multicast") func interfaces() async throws {
      let lab = try await RecipeLab("wired")
      let unknown = try await lab.browse(["--once", "-i", "nope0", "_http._tcp"])
      #expect(unknown.status == 2 && unknown.errors.contains("nope0"), "\(unknown.errors)")
      let alone = try await RecipeLab("ip link set lo up")
      let none = try await alone.browse(["--once", "_http._tcp"])
      #expect(none.status == 2 && none.output == "", "\(none.output)")
      #expect(none.errors.contains("multicast"), "\(none.errors)")
    }

    @Test("a port 5353 that another program keeps to itself is named") func held() async throws {
      let lab = try await RecipeLab("wired")
      let holder = try await Peer(
        in: lab.own,
        [
          "python3", "-c",
          """
          import socket, sys
          s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.bind(("", 5353))
          t = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
          t.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1); t.bind(("::", 5353))
          print("ready", flush=True); sys.stdin.read()
          """,
        ])
      let run = try await lab.browse(["--once", "_http._tcp"])
      #expect(run.status == 2 && run.output == "", "\(run.output)")
      #expect(run.errors.contains("5353"), "\(run.errors)")
      withExtendedLifetime((lab, holder)) {}
    }

    @Test("a namespace that is not there; options that exclude each other")
    func options() async throws {
      let gone = try await runLantool(["browse", "--netns", "lw0nothere", "--once", "_http._tcp"])
      #expect(gone.status == 2 && gone.errors.contains("lw0nothere"), "\(gone.errors)")
      for words in [
        ["--zone", "--json"], ["--passive", "--domain", "example.org"], ["--expect", ""],
        ["--timeout", "0"], ["--duration", "soon"], ["--read", "x", "--passive"],
      ] {
        let run = try await runLantool(["browse", "_http._tcp"] + words)
        #expect(run.status == 64 && run.output == "", "\(words): \(run.errors)")
      }
    }
  }
}

/// What needs no network.
@Suite("browse without a network") struct BrowseTypesTests {
  @Test("--types lists types with their meaning, all or those that fit a word")
  func known() async throws {
    let all = try await runLantool(["browse", "--types"])
    #expect(all.status == 0 && all.output.split(separator: "\n").count > 100)
    #expect(all.output.contains("_ipp._tcp"))
    let some = try await runLantool(["browse", "--types", "--json", "printer"])
    let types = try some.objects().compactMap { $0["type"]?.text }
    #expect(some.status == 0 && types.contains("_ipp._tcp") && types.count < 40)
    try await expectBrowseSchema(some.stdout)
  }
}
