import Foundation
import TestKit
import Testing

extension WatchInNamespaces {
  /// After any storm the last record of a run is what a new run says.
  @Suite("storms") struct WatchStormTests {
    /// `$STORM_ROUTES` for longer runs.
    private static let routes =
      ProcessInfo.processInfo.environment["STORM_ROUTES"].flatMap { Int($0) } ?? 20_000

    /// 198.18.0.0/15 is in the storm's reach, the rest is not.
    private static let one = ["default"]
    private static let thousand =
      (0..<600).map { "198.18.\($0 / 256).\($0 % 256)" }
      + (0..<200).map { "192.0.2.\($0 % 250 + 1)" }.reduce(into: []) { list, address in
        if !list.contains(address) { list.append(address) }
      } + (0..<199).map { "2001:db8:7::\(String($0 + 1, radix: 16))" } + ["default"]

    @Test("routes that come and go", arguments: [1, 1000]) func routes(count: Int) async throws {
      try await storm(
        count,
        """
        awk 'BEGIN { for (i = 0; i < \(Self.routes); i++)
          printf "route add 198.%d.%d.%d/32 dev w0\\n", 18 + int(i / 65536), int(i / 256) % 256, i % 256
        }' >"$DIR/add"
        sed 's/add/del/' "$DIR/add" | awk 'NR % 5' >"$DIR/del"
        ip -batch "$DIR/add"; ip -batch "$DIR/del"
        """)
    }

    @Test("200 links that come, a part of which goes", arguments: [1, 1000])
    func links(count: Int) async throws {
      try await storm(
        count,
        """
        for i in $(seq 200); do
          echo "link add s$i type veth peer name t$i"; echo "link set s$i up"
          echo "link set t$i up"; echo "addr add 10.9.$i.1/24 dev s$i"
        done >"$DIR/add"
        for i in $(seq 150); do echo "link del s$i"; done >"$DIR/del"
        ip -batch "$DIR/add"; ip route replace default via 10.9.200.2; ip -batch "$DIR/del"
        """)
    }

    @Test("the link of the way flaps", arguments: [1, 1000]) func flaps(count: Int) async throws {
      try await storm(
        count,
        """
        for i in $(seq 100); do echo "link set v1 down"; echo "link set v1 up"; done >"$DIR/flap"
        ip -n $PEER -batch "$DIR/flap"; ip -n $PEER link set v1 down; await 5 is v0 NO-CARRIER
        """)
    }

    @Test("messages are lost while the run is stopped", arguments: [1, 1000])
    func overrun(count: Int) async throws {
      let targets = Self.targets(count)
      let lab = try await RecipeLab("routed; pair w0 w1; ip addr add 203.0.113.10/24 dev w0")
      let follower = try await lab.follow(["--no-poll", "-"], stdin: targets)
      try await all(count, follower)
      follower.child.signal(SIGSTOP)
      // More than any receive buffer holds. Routes alone would not do: those that matter to no
      // target never reach the buffer.
      try await lab.sh(
        """
        for i in $(seq 15000); do echo "link set w0 mtu $((1400 + i % 2))"; done | ip -batch -
        ip route replace default via 203.0.113.20; ip addr del 2001:db8::10/64 dev v0
        """)
      follower.child.signal(SIGCONT)
      try await follower.await("resync", timeout: 20) { $0.event == "resync" }
      try await expectFresh(lab, follower, targets)
      #expect((follower.records.last?["overruns"]?.integer ?? 0) > 0)
    }

    private static func targets(_ count: Int) -> Data {
      let list = count == 1 ? one : thousand
      return Data((list.joined(separator: "\n") + "\n").utf8)
    }

    private func storm(_ count: Int, _ script: String) async throws {
      let targets = Self.targets(count)
      let lab = try await RecipeLab("routed; pair w0 w1; ip addr add 203.0.113.10/24 dev w0")
      let folder = try TemporaryFolder()
      let follower = try await lab.follow(["--no-poll", "-"], stdin: targets)
      try await all(count, follower)
      let start = ContinuousClock.now
      try await lab.sh("DIR='\(folder.url.path)'\n" + script, timeout: 120)
      let took = ContinuousClock.now - start
      try await expectFresh(lab, follower, targets)
      let changes = follower.records.events("change").count
      let resyncs = follower.records.events("resync").count
      print("storm of \(took) with \(count) targets: \(changes) changes, \(resyncs) resyncs")
    }

    /// Waits for the first record of each target.
    private func all(_ count: Int, _ follower: Follower) async throws {
      let expected = count == 1 ? 1 : Set(Self.thousand).count
      let came = try await follower.child.wait(timeout: 15) { child in
        child.outputSoFar.split(separator: "\n").count >= expected
      }
      try #require(came, "not all targets have a first record")
    }

    /// Waits until nothing more comes, then compares each target with what a new run says.
    private func expectFresh(
      _ lab: RecipeLab, _ follower: Follower, _ targets: Data
    ) async throws {
      var size = -1
      // The run is quiet once its output has not grown for a second, four times the coalescing cap.
      for _ in 0..<60 where size != follower.child.outputSoFar.utf8.count {
        size = follower.child.outputSoFar.utf8.count
        try await Task.sleep(for: .seconds(1))
      }
      _ = try await follower.end()
      let fresh = try await lab.once(["-"], stdin: targets)
      let latest = follower.latest
      #expect(fresh.count == latest.count)
      var wrong: [String] = []
      for record in fresh {
        let target = record["target"]?.text ?? ""
        guard let last = latest[target], last.verdict != record.verdict else { continue }
        wrong.append("\(target): now \(brief(record)); last told \(brief(last))")
      }
      #expect(wrong.count == 0, "\(wrong.prefix(3))")
    }
  }
}
