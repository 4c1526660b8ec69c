import Foundation
import TestKit
import Testing

extension PingPeerInNamespaces {
  /// Names under a test that change.
  @Suite("names that change", .serialized) struct PingPeerNameTests {
    @Test("a service that fails is doubted; announced still, then moved, the test goes with it")
    func moved() async throws {
      let lab = try await RecipeLab("wired")
      let echo = ["mode=echo"]
      let first = try await Peer.faulty(lab, 4242)
      var names: Peer? = try await Peer.announcer(lab, Peer.service(port: 4242, text: echo))
      let follower = try lab.pinging(
        "--interval", "100ms", "-W", "500ms", "Deck._witap2._tcp.local")
      try await follower.await("answers") { $0["probe"]?.integer == 3 && $0.event == "reply" }
      try await first.say("close", until: "did")
      try await first.say("drop", until: "did")
      let told = try await follower.await("what the records say", timeout: 15) {
        $0.event == "reconfirm"
      }
      #expect(told["outcome"]?.text == "announced")
      let second = try await Peer.faulty(lab, 4243)
      names?.child.signal(SIGKILL)
      names = nil
      let moved = try await Peer.announcer(lab, Peer.service(port: 4243, text: echo))
      let record = try await follower.await("the new place", timeout: 20) {
        $0["outcome"]?.text == "moved"
      }
      #expect(record["endpoints"]?.list.compactMap { $0["port"]?.integer } == [4243])
      let count = follower.records.count
      try await follower.await("answers there", after: count, timeout: 15) { $0.event == "reply" }
      let run = try await follower.end()
      #expect(
        run.status == 0 && run.errors.contains("has moved to 192.0.2.20:4243"), "\(run.errors)")
      try await expectPingPeerSchema(run)
      withExtendedLifetime((lab, first, second, moved)) {}
    }

    @Test("a service whose host has gone is said to be gone") func gone() async throws {
      let lab = try await RecipeLab("wired")
      let peer = try await Peer.faulty(lab, 4242)
      let names = try await Peer.announcer(
        lab, Peer.service(port: 4242, text: ["mode=echo"]), every: 100)
      let follower = try lab.pinging(
        "--interval", "100ms", "-W", "500ms", "Deck._witap2._tcp.local")
      try await follower.await("answers") { $0["probe"]?.integer == 3 && $0.event == "reply" }
      names.child.signal(SIGKILL)
      peer.child.signal(SIGKILL)
      try await follower.await("that it is gone", timeout: 30) { $0["outcome"]?.text == "gone" }
      let run = try await follower.end()
      #expect(run.errors.contains("is gone"), "\(run.errors)")
      try await expectPingPeerSchema(run)
      withExtendedLifetime((lab, names, peer)) {}
    }
  }

  /// Peers that are found first.
  @Suite("search", .serialized) struct PingPeerSearchTests {
    private static func two() -> [[Any]] {
      Peer.service("Deck", port: 4242, text: ["mode=echo"])
        + Peer.service("Attic", type: "_witap._tcp", port: 4243)
    }

    @Test("bare: one peer is tested, its attribute says how") func one() async throws {
      let lab = try await RecipeLab("wired")
      let peer = try await Peer.faulty(lab, 4242)
      let names = try await Peer.announcer(
        lab, Peer.service(port: 4242, text: ["mode=echo"]), every: 100)
      let run = try await lab.ping("--json", "-c", "2", "--interval", "50ms")
      let connected = try #require(try run.objects().events("connected").first, "\(run.errors)")
      #expect(connected["target"]?.text == "Deck._witap2._tcp.local")
      #expect(connected["mode"]?.text == "echo" && connected["port"]?.integer == 4242)
      #expect(run.status == 0)
      withExtendedLifetime((lab, peer, names)) {}
    }

    @Test("several: without a terminal all are tested; --name picks; a bare host is its service")
    func several() async throws {
      let lab = try await RecipeLab("wired")
      let peer = try await Peer.faulty(lab, 4242)
      let other = try await Peer.faulty(lab, 4243, "answer=no")
      let names = try await Peer.announcer(lab, Self.two(), every: 100)
      async let all = lab.ping("--json", "-c", "2", "--interval", "50ms", "-W", "2s")
      async let named = lab.ping("--json", "-c", "1", "--name", "attic")
      async let missing = lab.ping("-c", "1", "--name", "Cellar")
      async let host = lab.ping("--json", "-c", "1", "192.0.2.20")
      let summary = try await all.summary()
      #expect(
        Set((summary["targets"]?.list ?? []).compactMap { $0["target"]?.text })
          == ["Deck._witap2._tcp.local", "Attic._witap._tcp.local"])
      #expect(summary["received"]?.integer == 4, "\(summary)")
      #expect(try await all.status == 0)
      try await expectPingPeerSchema(try await all)
      #expect(try await named.summary()["target"]?.text == "Attic._witap._tcp.local")
      #expect(try await named.summary()["mode"]?.text == "tap")
      #expect(try await missing.status == 1)
      #expect(try await missing.errors.contains("'Deck'"))
      let ports = try await host.objects().events("connected").compactMap { $0["port"]?.integer }
      #expect(ports.count == 1 && [4242, 4243].contains(ports.first ?? 0), "\(ports)")
      withExtendedLifetime((lab, peer, other, names)) {}
    }

    @Test("beside 'serve': the own service is left aside, a game is tapped and taken up again")
    func serve() async throws {
      let lab = try await RecipeLab("wired")
      let own = try Child([lantoolPath, "serve", "--netns", lab.own, "--name", "Own", "--json"])
      let game = try Child([
        lantoolPath, "serve", "--netns", lab.peer, "--name", "Game", "--mode", "tap", "--json",
      ])
      for child in [own, game] {
        let isThere = try await child.wait(timeout: 20) { $0.outputSoFar.contains("published") }
        try #require(isThere, "\(child.errorsSoFar)")
      }
      let run = try await lab.ping("--json", "-c", "4", "--interval", "50ms", "-W", "5s")
      let taps = try run.objects().events("tap")
      #expect(run.status == 0, "\(run.output)\(run.errors)")
      #expect(try run.summary()["target"]?.text == "Game._witap2._tcp.local")
      #expect(taps.compactMap { $0["state"]?.text } == ["down", "up", "down", "up"])
      #expect(taps.compactMap { $0["tile"]?.integer } == [0, 0, 1, 1])
      #expect(taps.allSatisfy { $0["ackMicroseconds"] != nil && $0["direction"]?.text == "sent" })
      let isBack = try await game.wait(timeout: 20) {
        $0.outputSoFar.components(separatedBy: #""event":"published""#).count > 2
      }
      #expect(isBack, "\(game.outputSoFar)")
      for child in [own, game] { child.signal(SIGTERM) }
      for child in [own, game] { _ = try await child.finish(timeout: 20) }
      withExtendedLifetime(lab) {}
    }

    @Test("browse --json | ping-peer -: every service by what its line says") func pipeline()
      async throws
    {
      let lab = try await RecipeLab("wired")
      let peer = try await Peer.faulty(lab, 4242)
      let other = try await Peer.faulty(lab, 4243, "answer=no")
      let names = try await Peer.announcer(lab, Self.two(), every: 100)
      let run = try await runCommand([
        "sh", "-c",
        """
        "$1" browse --netns "$2" --once --json _witap2._tcp _witap._tcp |
          "$1" ping-peer --netns "$2" --json -c 2 --interval 50ms -W 2s -
        """, "sh", lantoolPath, lab.own,
      ])
      let connected = try run.objects().events("connected")
      #expect(
        Set(connected.map { "\($0["target"]?.text ?? "") \($0["mode"]?.text ?? "")" })
          == ["Deck._witap2._tcp.local echo", "Attic._witap._tcp.local tap"], "\(run.errors)")
      #expect(run.status == 0)
      withExtendedLifetime((lab, peer, other, names)) {}
    }

    @Test("several on a terminal: arrow keys and Enter choose one") func picker() async throws {
      let lab = try await RecipeLab("wired")
      let peer = try await Peer.faulty(lab, 4242)
      let names = try await Peer.announcer(lab, Self.two(), every: 100)
      let tool = Repository.top.appending(path: "Tests/Lab/on_terminal.py").path
      let run = try await runCommand(
        [
          "python3", tool, "Which peer?", "1b5b42", "0d", "--", lantoolPath, "ping-peer", "--netns",
          lab.own, "-c", "2", "--interval", "50ms",
        ], timeout: 40)
      // The list is sorted: Attic, then Deck.
      #expect(run.status == 0, "\(run.output)\(run.errors)")
      #expect(run.output.contains("64 bytes from 192.0.2.20:4242"), "\(run.output)")
      #expect(run.output.contains("> Attic") && run.output.contains("> Deck"), "\(run.output)")
      #expect(!run.output.contains("Attic._witap._tcp.local:"))
      withExtendedLifetime((lab, peer, names)) {}
    }
  }
}
