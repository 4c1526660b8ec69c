import Foundation
import TestKit
import Testing

extension ServeAndPeersInNamespaces {
  /// Browsers of others find, resolve and lose what is published.
  @Suite("peers") struct ServePeerTests {
    /// Name, attributes and port as each peer is to see them.
    private static let options = [
      "--publish-only", "--port", "4242", "--type", "_witap2._tcp", "--name", "Büro 3. Stock; 🖨",
      "--host", "lan", "--subtype", "_blue", "--txt", "a=1 2", "--txt", "flag", "--txt", "leer=",
    ]

    private func published(in lab: RecipeLab) async throws -> Follower {
      let follower = try lab.serve(Self.options)
      try await follower.await("publication") { $0.event == "published" }
      return follower
    }

    @Test("avahi finds, resolves and loses it, over IPv4 and IPv6") func avahi() async throws {
      let lab = try await RecipeLab("wired")
      let avahi = try await AvahiHost(in: lab.peer, name: "far")
      try await avahi.run(
        "stdbuf -oL avahi-browse -rp _witap2._tcp >$folder/list 2>&1 & browser=$!")
      let follower = try await published(in: lab)
      let name = #"B\195\188ro\0323\.\032Stock\059\032\240\159\150\168"#
      let addresses = [";192.0.2.10;", ";2001:db8::10;", ";fe80:"]
      for family in ["IPv4", "IPv6"] {
        // Which of the addresses avahi tells is its own choice.
        let line = "=;v1;\(family);\(name);_witap2._tcp;local;lan.local;"
        let found = try await avahi.run(
          "for i in {1..150}; do grep -F '\(line)' $folder/list && break; sleep 0.02; done")
        #expect(found.contains(";4242;") && addresses.contains { found.contains($0) }, "\(found)")
        #expect(found.contains(#""a=1 2""#) && found.contains(#""flag""#), "\(found)")
      }
      let sub = try await avahi.run("avahi-browse -pt _blue._sub._witap2._tcp | grep -c '^+'")
      #expect(sub.hasPrefix("2\n"))
      let host = try await avahi.run("avahi-resolve -4n lan.local; avahi-resolve -a 192.0.2.10")
      #expect(host.contains("lan.local\t192.0.2.10") && host.contains("192.0.2.10\tlan.local"))
      _ = try await follower.terminate()
      // A record that was taken back lives for a second (RFC 6762 section 10.1).
      let lost = try await avahi.run(
        "for i in {1..125}; do [ $(grep -c '^-;v1' $folder/list) = 2 ] && break; sleep 0.02; done; "
          + "cat $folder/list; kill -KILL $browser")
      for family in ["IPv4", "IPv6"] {
        #expect(lost.contains("-;v1;\(family);\(name);_witap2._tcp;local"), "\(lost)")
      }
    }

    @Test("python-zeroconf finds, resolves and loses it, with addresses of both families")
    func zeroconf() async throws {
      let lab = try await RecipeLab("wired")
      let python = try await Peer.pythonWithZeroconf()
      let browser = try await Peer(
        in: lab.peer, [python, "zeroconf_browse.py", "_witap2._tcp"])
      let follower = try await published(in: lab)
      let resolved = try await browser.child.wait(timeout: 5) {
        $0.outputSoFar.contains("resolved Büro 3. Stock; 🖨 lan.local. 4242")
      }
      #expect(resolved, "\(browser.child.outputSoFar)")
      let line = browser.child.outputSoFar.split(separator: "\n").first { $0.hasPrefix("resolved") }
      #expect(line?.contains(" 192.0.2.10") == true && line?.contains(" 2001:db8::10") == true)
      _ = try await follower.terminate()
      let removed = try await browser.child.wait(timeout: 4) {
        $0.outputSoFar.contains("removed Büro 3. Stock; 🖨")
      }
      #expect(removed, "\(browser.child.outputSoFar)")
    }

    @Test("lantool browse finds, resolves and loses it over IPv4 and IPv6")
    func browse() async throws {
      let lab = try await RecipeLab("wired")
      let browsers = [try lab.browsingBeyond("-4"), try lab.browsingBeyond("-6")]
      let follower = try await published(in: lab)
      for (browser, family) in zip(browsers, ["ipv4", "ipv6"]) {
        let added = try await browser.await("the service", timeout: 4) { $0.event == "added" }
        #expect(added["instance"]?.text == "Büro 3. Stock; 🖨" && added["port"]?.integer == 4_242)
        #expect(added["host"]?.text == "lan.local" && added["complete"] == nil)
        #expect(added["heardOver"] == .list([.text(family)]))
        #expect(
          added["txt"]?.members.filter { $0.key != "mode" }
            == ["a": .text("1 2"), "flag": .bool(true), "leer": .text("")])
        let addresses = added["addresses"]?.list.compactMap(\.text) ?? []
        #expect(addresses.contains(family == "ipv4" ? "192.0.2.10" : "2001:db8::10"))
      }
      _ = try await follower.terminate()
      for browser in browsers {
        let removed = try await browser.await("its end", timeout: 4) { $0.event == "removed" }
        #expect(removed["cause"]?.text == "goodbye")
        #expect(BrowsedList(browser.records).faults == [])
      }
    }

    @Test("a name that was chosen is tried first by the next run, unless one is given")
    func remembered() async throws {
      let lab = try await RecipeLab("wired")
      let state = try TemporaryFolder()
      func publishedName(_ arguments: String...) async throws -> String {
        let follower = try lab.serve(
          ["--publish-only", "--port", "4242", "--type", "_witap2._tcp"] + arguments,
          state: state.path("state"))
        let record = try await follower.await("publication") { $0.event == "published" }
        _ = try await follower.terminate()
        return record["instance"]?.text ?? ""
      }
      let own = try await publishedName()
      let rival = try await lab.begin("defend", own, "15")
      #expect(try await publishedName() == "\(own) (2)")
      let seen = try await lab.result(of: rival)
      #expect(seen["names"]?.list == [.text("\(own) (2)")])
      #expect(try await publishedName() == "\(own) (2)")
      #expect(try await publishedName("--name", own) == own)
    }

    @Test("what cannot be published is said with its status, and nothing is sent")
    func badInput() async throws {
      let lab = try await RecipeLab("wired")
      let tap = try await Tap(in: lab.peer, "v1")
      let holder = try Child([
        "ip", "netns", "exec", lab.own, "python3", "-c",
        """
        import socket, time
        s = socket.create_server(("", 4243))
        print("ready", flush=True)
        time.sleep(60)
        """,
      ])
      defer { holder.signal(SIGKILL) }
      #expect(try await holder.wait(timeout: 10) { $0.outputSoFar.contains("ready") })
      let long = String(repeating: "a", count: 64)
      let wrong: [([String], Int32, String)] = [
        (["--type", "http"], 64, "http"), (["--type", "_a-service-name-16._tcp"], 64, "15"),
        (["--type", "_bad_name._tcp"], 64, "_"), (["--name", long], 64, "63"),
        (["--name", "a\u{1}b"], 64, ""), (["--name", ""], 64, ""),
        (
          ["--txt", String(repeating: "k", count: 10) + "=" + String(repeating: "v", count: 250)],
          64, "255"
        ),
        ((0..<40).flatMap { ["--txt", "k\($0)=" + String(repeating: "v", count: 245)] }, 64, ""),
        (["--port", "70000"], 64, "70000"), (["--port", "4243"], 2, "in use"),
        (["-i", "v7"], 2, "v7"),
      ]
      for (arguments, status, word) in wrong {
        let run = try await runLantool(["serve", "--netns", lab.own] + arguments, timeout: 10)
        #expect(run.status == status, "\(arguments): \(run.status) \(run.errors)")
        #expect(word.isEmpty || run.errors.contains(word), "\(run.errors)")
        #expect((1...2).contains(run.errorLines.count), "\(run.errors)")
        #expect(run.output == "")
      }
      try await Task.sleep(for: .milliseconds(300))
      let heard = tap.lines(from: ["192.0.2.10"]).filter { !$0.contains("IGMP") }
      #expect(heard == [], "\(heard)")
    }
  }
}
