import Foundation
import TestKit
import Testing

extension PingPeerInNamespaces {
  /// What ends a run, and what it shows.
  @Suite("runs", .serialized) struct PingPeerRunTests {
    @Test("an echo run: lines, figures and their JSON") func echo() async throws {
      let lab = try await RecipeLab("wired")
      let peer = try await Peer.faulty(lab)
      async let text = lab.ping(
        "-c", "3", "--interval", "20ms", "-W", "5s", "--histogram", "192.0.2.20", "7")
      async let json = lab.ping(
        "--json", "-c", "3", "--interval", "20ms", "-W", "5s", "--histogram", "-s", "100",
        "[2001:db8::20]:7")
      let lines = try await text.output.split(separator: "\n").map(String.init)
      #expect(lines.first == "PING-PEER 192.0.2.20:7: echo, 64 bytes, every 20ms")
      #expect(lines.count { $0.hasPrefix("64 bytes from 192.0.2.20:7: probe=") } == 3)
      #expect(lines.contains { $0.hasPrefix("3 sent, 3 received, 0 lost, 0.0 % loss, time ") })
      #expect(lines.contains { $0.hasPrefix("rtt min/mean/p50/p90/p99/p99.9/max/stddev = ") })
      #expect(lines.last?.hasSuffix("#") == true, "\(lines)")
      #expect(try await text.errors.isEmpty)
      let run = try await json
      #expect(
        try run.objects().events("reply").compactMap { $0["bytes"]?.integer } == [100, 100, 100])
      let summary = try run.summary()
      #expect(summary["rtt"]?.members.count == 8 && summary["kernel"] != nil)
      #expect(summary["bytesOut"]?.integer == 300 && summary["bytesIn"]?.integer == 300)
      #expect(summary["histogram"]?.list.isEmpty == false)
      try await expectPingPeerSchema(run)
      withExtendedLifetime((lab, peer)) {}
    }

    @Test("SIGQUIT shows the figures so far, and the run goes on") func report() async throws {
      let lab = try await RecipeLab("wired")
      let peer = try await Peer.faulty(lab)
      let follower = try lab.pinging("--interval", "50ms", "-W", "5s", "192.0.2.20:7")
      let text = try Child(
        [
          lantoolPath, "ping-peer", "--netns", lab.own, "--interval", "50ms", "-W", "5s",
          "192.0.2.20:7",
        ])
      try await follower.await("an answer") { $0.event == "reply" }
      follower.child.signal(SIGQUIT)
      let interim = try await follower.await("the figures") { $0.event == "interim" }
      #expect((interim["received"]?.integer ?? 0) > 0)
      let count = follower.records.count
      try await follower.await("more answers", after: count) { $0.event == "reply" }
      let run = try await follower.end()
      #expect(run.status == 0)
      try await expectPingPeerSchema(run)
      _ = try await text.wait(timeout: 10) { $0.outputSoFar.contains("probe=2") }
      text.signal(SIGQUIT)
      #expect(try await text.wait(timeout: 10) { $0.errorsSoFar.contains(" received, ") })
      text.signal(SIGTERM)
      let ended = try await text.finish(timeout: 10)
      #expect(ended.status == 0 && ended.output.contains("ping-peer statistics"))
      withExtendedLifetime((lab, peer)) {}
    }

    @Test("a bounded run that is cut short shows its figures and dies by the signal")
    func bounded() async throws {
      let lab = try await RecipeLab("wired")
      let peer = try await Peer.faulty(lab)
      let follower = try lab.pinging("-c", "1000", "--interval", "50ms", "192.0.2.20:7")
      try await follower.await("an answer") { $0.event == "reply" }
      let run = try await follower.end()
      #expect(run.status == 128 + SIGINT)
      #expect(try (run.summary()["received"]?.integer ?? 0) > 0)
      withExtendedLifetime((lab, peer)) {}
    }

    @Test("several targets: all must hold, or one with --any; each line names its own")
    func several() async throws {
      let lab = try await RecipeLab("wired")
      let peer = try await Peer.faulty(lab)
      let words = ["-c", "2", "--interval", "50ms", "-W", "5s", "192.0.2.20:7", "192.0.2.20:9"]
      async let all = runLantool(["ping-peer", "--netns", lab.own, "--json"] + words)
      async let any = runLantool(["ping-peer", "--netns", lab.own, "--any"] + words)
      #expect(try await all.status == 1)
      #expect(try await any.status == 0)
      let summary = try await all.summary()
      #expect(summary.counts == [4, 2, 2, 0] && summary["targets"]?.list.count == 2)
      #expect(try await any.output.contains("192.0.2.20:7: 64 bytes from 192.0.2.20:7: probe=1"))
      try await expectPingPeerSchema(try await all)
      withExtendedLifetime((lab, peer)) {}
    }

    @Test("a thousand peers side by side from one thread") func thousand() async throws {
      let lab = try await RecipeLab("ip link set lo up")
      let server = try Child([
        lantoolPath, "serve", "--netns", lab.own, "--no-publish", "--port", "7", "--json",
      ])
      let isThere = try await server.wait(timeout: 20) { $0.outputSoFar.contains("listening") }
      try #require(isThere, "\(server.errorsSoFar)")
      let targets = (0..<1_000).map { "127.0.\($0 / 250).\($0 % 250 + 1):7\n" }.joined()
      let run = try await lab.ping(
        "--json", "-c", "2", "--interval", "500ms", "-W", "30s", "-", stdin: Data(targets.utf8))
      let summary = try run.summary()
      #expect(run.status == 0 && summary.counts == [2_000, 2_000, 0, 0], "\(run.errors)")
      #expect(summary["targets"]?.list.count == 1_000)
      server.signal(SIGTERM)
      _ = try await server.finish(timeout: 20)
      withExtendedLifetime(lab) {}
    }

    @Test("--until-reply waits for a peer that comes up; --until-lost ends at the first loss")
    func until() async throws {
      let lab = try await RecipeLab("wired")
      let waiting = try lab.pinging(
        "--until-reply", "--interval", "100ms", "--timeout", "30s", "192.0.2.20:7")
      try await waiting.await("a loss") { $0.event == "lost" }
      let peer = try await Peer.faulty(lab)
      let fragile = try await Peer.faulty(lab, 8, "after=192", "then=exit")
      let run = try await waiting.child.finish(timeout: 30)
      #expect(run.status == 0, "\(run.output)")
      #expect(try (run.summary()["received"]?.integer ?? 0) >= 1)
      let losing = try await lab.ping(
        "--json", "--until-lost", "--interval", "50ms", "192.0.2.20:8")
      #expect(try losing.summary()["lost"]?.integer == 1, "\(losing.output)")
      #expect(try losing.objects().events("reply").count == 3)
      withExtendedLifetime((lab, peer, fragile)) {}
    }

    @Test("--max-loss decides; --rate and --flood keep their pace and count") func pace()
      async throws
    {
      let lab = try await RecipeLab("wired")
      let peer = try await Peer.faulty(lab)
      async let flood = lab.ping("--json", "-f", "-c", "2000", "-W", "20s", "192.0.2.20:7")
      async let rate = lab.ping(
        "--json", "--rate", "200", "-c", "200", "-W", "20s", "192.0.2.20:7")
      #expect(try await flood.summary().counts == [2_000, 2_000, 0, 0])
      #expect(try await rate.summary().counts == [200, 200, 0, 0])
      let elapsed = try await rate.summary()["elapsedMicroseconds"]?.double ?? 0
      #expect((900_000...15_000_000).contains(elapsed), "\(elapsed)")
      let fragile = try await Peer.faulty(lab, 8, "after=128", "then=exit")
      let run = try await lab.ping(
        "--json", "-c", "4", "--interval", "50ms", "--max-loss", "40", "192.0.2.20:8")
      #expect(try run.summary().counts == [4, 2, 2, 0] && run.status == 1, "\(run.output)")
      withExtendedLifetime((lab, peer, fragile)) {}
    }

    @Test("on a terminal a curve is drawn in place; a closed pipe ends the run quietly")
    func terminal() async throws {
      let lab = try await RecipeLab("wired")
      let peer = try await Peer.faulty(lab)
      let tool = Repository.top.appending(path: "Tests/Lab/on_terminal.py").path
      let run = try await runCommand(
        [
          "python3", tool, "--", lantoolPath, "ping-peer", "--netns", lab.own, "-c", "4",
          "--interval", "100ms", "192.0.2.20:7",
        ], timeout: 40)
      #expect(run.status == 0 && run.output.contains("answered, 0.0 % lost"), "\(run.output)")
      #expect(run.output.contains { "▁▂▃▄▅▆▇█".contains($0) }, "\(run.output)")
      let piped = try await runCommand(
        [
          "sh", "-c", "\"$1\" ping-peer --netns \"$2\" --interval 20ms 192.0.2.20:7 | head -n 2",
          "sh", lantoolPath, lab.own,
        ], timeout: 20)
      #expect(piped.status == 0 && piped.errors.isEmpty, "\(piped.errors)")
      withExtendedLifetime((lab, peer)) {}
    }
  }
}
