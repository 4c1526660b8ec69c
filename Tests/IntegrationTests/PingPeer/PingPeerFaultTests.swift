import Foundation
import TestKit
import Testing

extension PingPeerInNamespaces {
  /// Peers and networks that fail, each in its own way.
  @Suite("faults", .serialized) struct PingPeerFaultTests {
    @Test("filtered: dropped SYNs are silence, and a time limit ends with its own status")
    func filtered() async throws {
      let lab = try await RecipeLab("wired")
      try await lab.sh(
        "there nft 'table inet f { chain c { type filter hook input priority 0; "
          + "tcp dport 7 drop; }; }'")
      async let counted = lab.ping(
        "--json", "-c", "2", "--interval", "0.3", "-W", "300ms", "192.0.2.20:7")
      async let limited = lab.ping("--json", "-W", "300ms", "--timeout", "1s", "192.0.2.20:7")
      #expect(try await counted.status == 1)
      #expect(try await counted.reasons() == ["timeout"])
      #expect(try await counted.summary().counts == [2, 0, 2, 0])
      #expect(try await limited.status == 3)
    }

    @Test("reset in the middle: said, and the test goes on with a new connection")
    func reset() async throws {
      let lab = try await RecipeLab("wired")
      let peer = try await Peer.faulty(lab, 7, "after=192", "then=reset")
      let run = try await lab.ping(
        "--json", "-c", "8", "--interval", "150ms", "-W", "2s", "192.0.2.20:7")
      let events = try run.objects()
      let broken = try #require(events.events("disconnected").first, "\(run.errors)")
      #expect(broken["reason"]?.text == "reset")
      #expect(try run.reasons().contains("reset"))
      let summary = try run.summary()
      #expect(run.status == 0 && (summary["connections"]?.integer ?? 0) >= 2)
      #expect((summary["received"]?.integer ?? 0) >= 4, "\(summary)")
      try await expectPingPeerSchema(run)
      withExtendedLifetime((lab, peer)) {}
    }

    @Test("closed early: the probe under way is lost for that reason") func closed() async throws {
      let lab = try await RecipeLab("wired")
      let peer = try await Peer.faulty(lab, 7, "after=128", "then=exit")
      let run = try await lab.ping(
        "--json", "-c", "4", "--interval", "100ms", "-W", "2s", "192.0.2.20:7")
      let lost = try run.objects().events("lost")
      // The peer closes with the probe unread: its kernel sends a reset behind the end.
      #expect(["closed", "reset"].contains(lost.first?["reason"]?.text ?? ""), "\(run.output)")
      #expect(lost.last?["reason"]?.text == "refused")
      #expect(try run.summary().counts == [4, 2, 2, 0] && run.status == 0)
      withExtendedLifetime((lab, peer)) {}
    }

    @Test("wrong bytes: where, which, and the status is 1 whatever else came back")
    func wrong() async throws {
      let lab = try await RecipeLab("wired")
      let peer = try await Peer.faulty(lab, 7, "wrong=70")
      let run = try await lab.ping(
        "--json", "-c", "4", "--interval", "50ms", "-W", "5s", "-p", "41", "192.0.2.20:7")
      let lost = try #require(try run.objects().events("lost").first, "\(run.errors)")
      #expect(lost["probe"]?.integer == 2 && lost["reason"]?.text == "corrupted")
      #expect(lost["offset"]?.integer == 6 && lost["expectedByte"]?.integer == 0x41)
      #expect(lost["receivedByte"]?.integer == 0xBE)
      #expect(run.status == 1)
      #expect(try run.summary()["corrupted"]?.integer == 1)
      #expect(try run.summary()["received"]?.integer == 3)
      try await expectPingPeerSchema(run)
      withExtendedLifetime((lab, peer)) {}
    }

    @Test("short bytes: how many of how many came before the end") func short() async throws {
      let lab = try await RecipeLab("wired")
      let peer = try await Peer.faulty(lab, 7, "after=64", "then=short")
      let run = try await lab.ping(
        "--json", "-c", "2", "--interval", "50ms", "-W", "5s", "192.0.2.20:7")
      let lost = try #require(try run.objects().events("lost").first, "\(run.output)")
      #expect(lost["reason"]?.text == "shortReply", "\(lost)")
      #expect(lost["receivedBytes"]?.integer == 32 && lost["expectedBytes"]?.integer == 64)
      try await expectPingPeerSchema(run)
      withExtendedLifetime((lab, peer)) {}
    }

    @Test("slow peer: probes time out by themselves, and late answers are told as such")
    func slow() async throws {
      let lab = try await RecipeLab("wired")
      let peer = try await Peer.faulty(lab, 7, "delay=0.4")
      let run = try await lab.ping(
        "--json", "-c", "6", "--interval", "200ms", "-W", "200ms", "192.0.2.20:7")
      #expect(try run.reasons() == ["timeout"] && run.status == 1, "\(run.output)")
      let late = try run.objects().events("late")
      #expect(!late.isEmpty, "\(run.output)")
      #expect(late.allSatisfy { ($0["rttMicroseconds"]?.double ?? 0) > 390_000 })
      #expect(try run.summary().counts == [6, 0, 6, 0])
      try await expectPingPeerSchema(run)
      withExtendedLifetime((lab, peer)) {}
    }

    @Test("stalled reader: large probes time out, nothing hangs or grows") func stalled()
      async throws
    {
      let lab = try await RecipeLab("wired")
      let peer = try await Peer.faulty(lab, 7, "read=no", "window=4096")
      let run = try await lab.ping(
        "--json", "-c", "4", "--interval", "200ms", "-W", "400ms", "-s", "1M", "192.0.2.20:7")
      #expect(run.status == 1, "\(run.errors)")
      #expect(try run.summary().counts == [4, 0, 4, 0])
      #expect(try run.reasons().isSubset(of: ["timeout", "halfOpen"]), "\(run.output)")
      withExtendedLifetime((lab, peer)) {}
    }

    @Test("link down in the middle: probes are lost while it lasts, answers come after it")
    func linkDown() async throws {
      let lab = try await RecipeLab("wired")
      let peer = try await Peer.faulty(lab)
      let follower = try lab.pinging("--interval", "100ms", "-W", "300ms", "192.0.2.20:7")
      try await follower.await("answers") { $0["probe"]?.integer == 3 && $0.event == "reply" }
      try await lab.sh("there ip link set v1 down")
      try await follower.await("losses") { $0.event == "lost" }
      let before = follower.records.count
      try await lab.sh("there ip link set v1 up")
      try await follower.await("answers again", after: before, timeout: 20) { $0.event == "reply" }
      let run = try await follower.end()
      #expect(run.status == 0)
      #expect(try (run.summary()["received"]?.integer ?? 0) > 3)
      try await expectPingPeerSchema(run)
      withExtendedLifetime((lab, peer)) {}
    }

    @Test("a socket that the kernel connects to itself is no peer") func selfConnection()
      async throws
    {
      let lab = try await RecipeLab(
        "ip link set lo up; sysctl_ ipv4.ip_local_port_range '40001 40001'")
      let run = try await lab.ping(
        "--json", "-c", "3", "--interval", "100ms", "-W", "1s", "127.0.0.1:40001")
      #expect(run.status == 1, "\(run.output)\(run.errors)")
      #expect(try run.reasons().contains("selfConnected"), "\(run.output)")
      #expect(try run.objects().events("reply").isEmpty)
      try await expectPingPeerSchema(run)
    }

    @Test("a peer of a WiTap type that speaks something else is told apart") func foreign()
      async throws
    {
      let lab = try await RecipeLab("wired")
      let peer = try await Peer.faulty(lab, 7, "greet=16030102000100")
      async let text = lab.ping("--mode", "tap", "-c", "2", "--interval", "100ms", "192.0.2.20:7")
      async let json = lab.ping(
        "--json", "--mode", "tap", "-c", "2", "--interval", "100ms", "192.0.2.20:7")
      #expect(try await text.output.contains("connected, but not plain WiTap"))
      #expect(try await text.status == 1)
      let event = try #require(try await json.objects().events("notPlainWiTap").first)
      #expect(event["bytes"]?.text?.hasPrefix("160301") == true)
      try await expectPingPeerSchema(try await json)
      withExtendedLifetime((lab, peer)) {}
    }
  }
}
