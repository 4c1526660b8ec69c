import Foundation
import TestKit
import Testing

extension PingPeerInNamespaces {
  /// Faults that were reported in public against tools of this kind.
  @Suite("reported faults", .serialized) struct PingPeerCaseTests {
    @Test("PP-01: a host that is down has no time") func down() async throws {
      let lab = try await RecipeLab("wired")
      async let absent = lab.ping("--json", "-c", "1", "-W", "5s", "192.0.2.99", "7")
      async let closed = lab.ping("--json", "-c", "2", "--interval", "50ms", "127.0.0.1:9")
      for (run, reason) in [(try await absent, "hostUnreachable"), (try await closed, "refused")] {
        #expect(run.status == 1, "\(run.errors)")
        #expect(try run.reasons() == [reason], "\(run.output)")
        #expect(try run.objects().events("reply").isEmpty)
        #expect(try run.summary()["rtt"] == nil)
        #expect(try run.summary()["received"]?.integer == 0)
        try await expectPingPeerSchema(run)
      }
    }

    @Test("PP-03: lost is counted of what was sent") func loss() async throws {
      let lab = try await RecipeLab("wired")
      let peer = try await Peer.faulty(lab, 7, "after=\(231 * 64)", "then=exit")
      let run = try await lab.ping(
        "--json", "-c", "1000", "--interval", "2ms", "-W", "2s", "192.0.2.20:7")
      let summary = try run.summary()
      #expect(summary.counts == [1_000, 231, 769, 0])
      #expect(summary["lossPercent"]?.double == 76.9)
      #expect(run.status == 0)
      #expect(try run.objects().events("reply").count == 231)
      #expect(try run.objects().events("lost").count == 769)
      withExtendedLifetime((lab, peer)) {}
    }

    @Test("PP-05: what is under way at the end is not lost") func inFlight() async throws {
      let lab = try await RecipeLab("wired")
      let peer = try await Peer.faulty(lab, 7, "delay=0.05")
      let follower = try lab.pinging("--interval", "5ms", "-W", "20s", "192.0.2.20:7")
      try await follower.await("answers") {
        ($0["probe"]?.integer ?? 0) > 60 && $0.event == "reply"
      }
      let run = try await follower.end()
      let summary = try run.summary()
      let counts = summary.counts.compactMap { $0 }
      #expect(summary["lossPercent"]?.double == 0 && run.status == 0, "\(summary)")
      try #require(counts.count == 4)
      #expect(counts[3] > 0 && counts[0] == counts[1] + counts[2] + counts[3])
      withExtendedLifetime((lab, peer)) {}
    }

    @Test("PP-07: a clock that is set moves the stamps on lines and nothing else")
    func clock() async throws {
      let lab = try await RecipeLab("wired")
      let folder = try TemporaryFolder()
      let source = Repository.top.appending(path: "Tests/Lab/step_clock.c").path
      let library = folder.path("step_clock.so")
      let built = try await runCommand(
        ["cc", "-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"])
      try #require(built.status == 0, "\(built.errors)")
      let peer = try await Peer.faulty(lab)
      let run = try await runLantool(
        [
          "ping-peer", "--netns", lab.own, "--json", "-c", "10", "--interval", "200ms", "-W", "5s",
          "192.0.2.20:7",
        ], environment: ["LD_PRELOAD": library])
      let replies = try run.objects().events("reply")
      #expect(try run.summary().counts == [10, 10, 0, 0] && run.status == 0, "\(run.errors)")
      #expect(replies.allSatisfy { (0...5_000_000).contains($0["rttMicroseconds"]?.double ?? -1) })
      let elapsed = try #require(try run.summary()["elapsedMicroseconds"]?.double)
      #expect((1_800_000...15_000_000).contains(elapsed), "\(elapsed)")
      let hours = Set(replies.compactMap { $0["time"]?.text?.prefix(13) })
      #expect(hours.count == 3, "the stamps are to jump: \(hours)")
      withExtendedLifetime((lab, peer)) {}
    }

    @Test("PP-09: wrong usage and local errors are not 'no answer'") func statuses() async throws {
      let lab = try await RecipeLab("wired")
      let peer = try await Peer.faulty(lab)
      async let nobody = lab.ping()
      async let unknown = lab.ping("-c", "1", "nowhere.invalid:7")
      async let port = lab.ping("-c", "1", "192.0.2.20:70000")
      async let closed = lab.ping("-c", "1", "192.0.2.20:9")
      async let working = lab.ping("-c", "1", "192.0.2.20:7")
      async let foreign = lab.ping("-c", "1", "--source", "192.0.2.77", "192.0.2.20:7")
      let found = try await nobody
      // Nobody to be found is an answer too; its message says what to do.
      #expect(found.status == 1 && found.errors.contains("lantool serve"), "\(found.errors)")
      #expect(try await unknown.status == 2)
      #expect(try await port.status == 64)
      #expect(try await closed.status == 1)
      #expect(try await working.status == 0)
      let source = try await foreign
      #expect(source.status == 2 && source.errors.contains("192.0.2.77"), "\(source.errors)")
      withExtendedLifetime((lab, peer)) {}
    }

    @Test("PP-09: without an interface to browse on nothing can be said") func noInterface()
      async throws
    {
      let lab = try await RecipeLab("ip link set lo up")
      let run = try await lab.ping()
      #expect(run.status == 2 && run.output.isEmpty && run.errorLines.count == 1, "\(run.errors)")
    }

    @Test("PP-11: a peer that vanishes is called half-open, and the run ends at its count")
    func vanished() async throws {
      let lab = try await RecipeLab("wired")
      let peer = try await Peer.faulty(lab, 7, "answer=no")
      let follower = try lab.pinging(
        "--mode", "tap", "-c", "14", "--interval", "300ms", "-W", "600ms", "192.0.2.20:7")
      try await follower.await("taps") {
        ($0["ackMicroseconds"] != nil) && $0["probe"]?.integer == 3
      }
      try await lab.sh(
        "there nft 'table inet f { chain c { type filter hook input priority 0; drop; }; }'")
      let run = try await follower.child.finish(timeout: 60)
      let summary = try run.summary()
      #expect(summary["sent"]?.integer == 14 && (summary["received"]?.integer ?? 0) >= 3)
      #expect(run.status == 1, "\(summary)")
      let reasons = try run.reasons()
      #expect(reasons.contains("timeout") && reasons.contains("halfOpen"), "\(reasons)")
      #expect(summary["halfOpen"]?.bool == true)
      try await expectPingPeerSchema(run)
      withExtendedLifetime((lab, peer)) {}
    }

    @Test("PP-13: times do not depend on the interval") func quantised() async throws {
      let lab = try await RecipeLab("ip link set lo up")
      let peer = try await Peer.atHome(lab)
      async let fast = lab.ping("--json", "-c", "30", "--interval", "0.1", "127.0.0.1:7")
      async let middle = lab.ping("--json", "-c", "15", "--interval", "0.2", "127.0.0.1:7")
      async let slow = lab.ping("--json", "-c", "4", "--interval", "1.0", "127.0.0.1:7")
      let medians = try [try await fast, try await middle, try await slow].map {
        try #require(try $0.summary()["rtt"]?["p50Microseconds"]?.double, "\($0.errors)")
      }
      // A time that is a multiple of the interval would be 100 ms at least; a busy machine is slow.
      #expect(medians.allSatisfy { $0 < 50_000 }, "\(medians)")
      withExtendedLifetime((lab, peer)) {}
    }

    @Test("PP-15: where IPv6 is refused, IPv4 follows at once") func refusedFamily() async throws {
      let lab = try await RecipeLab("wired")
      let peer = try await Peer.faulty(lab, 7, "on=0.0.0.0")
      let names = try await Peer.announcer(lab, Peer.service(port: 7, v6: true))
      let run = try await lab.ping("--json", "-c", "2", "--interval", "50ms", "tv.local:7")
      let connected = try #require(try run.objects().events("connected").first, "\(run.errors)")
      #expect(run.status == 0 && connected["address"]?.text == "192.0.2.20")
      let attempts = connected["attempts"]?.list ?? []
      #expect(attempts.compactMap { $0["outcome"]?.text } == ["refused", "connected"])
      #expect(attempts.first?["address"]?.text == "2001:db8::20")
      let begin = try #require(attempts.last?["beginMicroseconds"]?.double)
      #expect(begin < 240_000, "not at once: \(begin)")
      let text = try await lab.ping("-c", "1", "tv.local:7")
      #expect(text.output.contains("[2001:db8::20]:7 connection refused"), "\(text.output)")
      withExtendedLifetime((lab, peer, names)) {}
    }

    @Test("PP-15: where IPv6 is silent, IPv4 follows after 250 ms, and its time is its own")
    func silentFamily() async throws {
      let lab = try await RecipeLab("wired")
      let peer = try await Peer.faulty(lab)
      try await lab.sh(
        "there nft 'table ip6 f { chain c { type filter hook input priority 0; "
          + "tcp dport 7 drop; }; }'")
      let names = try await Peer.announcer(lab, Peer.service(port: 7, v6: true))
      let run = try await lab.ping("--json", "-c", "2", "--interval", "50ms", "tv.local:7")
      let connected = try #require(try run.objects().events("connected").first, "\(run.errors)")
      #expect(run.status == 0 && connected["address"]?.text == "192.0.2.20")
      let attempts = connected["attempts"]?.list ?? []
      #expect(attempts.compactMap { $0["outcome"]?.text } == ["abandoned", "connected"])
      let begin = try #require(attempts.last?["beginMicroseconds"]?.double)
      #expect((240_000...900_000).contains(begin), "\(begin)")
      let time = try #require(connected["connectMicroseconds"]?.double)
      #expect(time < 200_000, "the connect time holds the failed try: \(time)")
      withExtendedLifetime((lab, peer, names)) {}
    }
  }
}
