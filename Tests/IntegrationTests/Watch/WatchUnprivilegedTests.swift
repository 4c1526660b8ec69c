import Foundation
import TestKit
import Testing

extension WatchInNamespaces {
  /// What an ordinary user sees.
  @Suite("without privileges") struct WatchUnprivilegedTests {
    @Test(
      "an ordinary user is told the same as root",
      arguments: [
        ["default"], ["192.0.2.20"], ["2001:db8:7::7"], ["fe80::1%v0"], ["192.0.2.10"],
        ["--mark", "7", "203.0.113.7"], ["--uid", "1500", "203.0.113.8"],
        ["--port", "443", "203.0.113.9"], ["203.0.113.7"], ["-i", "v0", "198.51.100.7"],
        ["--local", "192.0.2.10", "198.51.100.7"],
      ])
    func same(_ arguments: [String]) async throws {
      let lab = try await RecipeLab(Self.setup)
      let folder = try TemporaryFolder()
      let program = try await folder.copyOfProgram()
      let run = try await runCommand(
        user(lab) + [program, "watch", "--once", "--json"] + arguments)
      // Without --uid each is asked for as who asks, so root asks for that user.
      let asks = arguments.contains("--uid") ? [] : ["--uid", "65534"]
      let root = try await lab.once(asks + arguments)
      let records = try run.objects().events("snapshot")
      try #require(records.count == 1, "status \(run.status): \(run.errors)")
      #expect(records.first?.verdict == root.first?.verdict)
      #expect(records.first?["why"] == root.first?["why"])
    }

    @Test("an ordinary user follows changes and lost messages") func follows() async throws {
      let lab = try await RecipeLab(Self.setup)
      let folder = try TemporaryFolder()
      let program = try await folder.copyOfProgram()
      let follower = Follower(
        try Child(user(lab) + [program, "watch", "--json", "--no-poll", "default"]))
      try await follower.await("a first record") { $0.event == "snapshot" }
      try await lab.sh("ip -n $PEER link set v1 down")
      try await follower.await("the loss") { $0["reason"]?.text == "no-carrier" }
      follower.child.signal(SIGSTOP)
      try await lab.sh(
        """
        pair w0 w1
        for i in $(seq 10000); do echo "link set w0 mtu $((1400 + i % 2))"; done | ip -batch -
        ip -n $PEER link set v1 up; await 5 is v0 'state UP'
        """)
      follower.child.signal(SIGCONT)
      try await follower.await("resync", timeout: 20) { $0.event == "resync" }
      try await follower.await("the return") {
        $0.event == "change" && $0["status"]?.text == "reachableViaWiFi"
      }
      _ = try await follower.end()
    }

    private static let setup = """
      routed; ip route add prohibit default table 100; ip route add prohibit default table 101
      ip route add blackhole default table 102
      ip rule add priority 1000 fwmark 7 to 203.0.113.0/24 table 100
      ip rule add priority 1001 uidrange 1000-1999 to 203.0.113.0/24 table 101
      ip rule add priority 1002 ipproto tcp dport 443 to 203.0.113.0/24 table 102
      """

    /// Nobody, inside the namespace.
    private func user(_ lab: RecipeLab) -> [String] {
      [
        "ip", "netns", "exec", lab.own, "setpriv", "--reuid=65534", "--regid=65534",
        "--clear-groups",
      ]
    }
  }
}
