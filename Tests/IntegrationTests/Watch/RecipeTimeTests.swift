import Foundation
import Testing

extension WatchInNamespaces {
  /// What changes while a run follows, also where the kernel sends no message about it.
  @Suite("changes") struct RecipeTimeTests {
    @Test("an IPv6 route that ends by itself is gone in time, long before the kernel tells")
    func expiry() async throws {
      let lab = try await RecipeLab("wired")
      try await lab.sh("ip -6 route add default via 2001:db8::20 expires 2")
      let follower = try await lab.follow(["-6", "--no-poll", "default"])
      #expect(follower.last?.evidence("expires", "milliseconds") != nil)
      let start = ContinuousClock.now
      let change = try await follower.await("end of the route", timeout: 6) {
        $0.event == "change" && $0["reason"]?.text == "no-route"
      }
      #expect(change["cause"]?.text == "timer")
      print("expiry: told \(ContinuousClock.now - start) after the first record")
      _ = try await follower.end()
    }

    @Test("a router's advertisement makes the default path, its end and its return are seen")
    func advertisement() async throws {
      let lab = try await RecipeLab(
        "wired; sysctl_ ipv6.conf.v0.accept_ra 2; sysctl_ ipv6.conf.v0.autoconf 0")
      let follower = try await lab.follow(["-6", "default"])
      #expect(follower.last?["reason"]?.text == "no-route")
      try await lab.advertise("lifetime=2")
      let first = try await follower.await("the router") { $0["flagsValue"]?.integer == 2 }
      #expect(first["gateway"]?.text?.hasSuffix("%v0") == true)
      let past = follower.records.count
      try await follower.await("the end of its lifetime", after: past, timeout: 8) {
        $0["reason"]?.text == "no-route"
      }
      // The expired route is still there for the kernel, so its return has no message.
      let gone = follower.records.count
      try await lab.advertise("lifetime=600")
      let back = try await follower.await("the return", after: gone, timeout: 6) {
        $0["flagsValue"]?.integer == 2
      }
      print("advertisement: the return was told by cause \(back["cause"]?.text ?? "none")")
      let again = follower.records.count
      try await lab.advertise("lifetime=0")
      try await follower.await("the withdrawal", after: again) {
        $0["reason"]?.text == "no-route"
      }
      _ = try await follower.end()
    }

    @Test("a router that announces a portal and a NAT64 prefix is told of")
    func routerOptions() async throws {
      let lab = try await RecipeLab(
        "routed; sysctl_ ipv6.conf.v0.accept_ra 2; sysctl_ ipv6.conf.v0.autoconf 0")
      let follower = try await lab.follow(["default"])
      try await lab.advertise("portal=https://portal.example/start nat64=64:ff9b::/96")
      try await Task.sleep(for: .milliseconds(300))
      // A change of another kind, so that the facts are told.
      try await lab.sh("ip addr add 192.0.2.11/24 dev v0; ip route change default via 192.0.2.21")
      let change = try await follower.await("the new gateway") {
        $0["gateway"]?.text == "192.0.2.21"
      }
      #expect(change.evidence("portal", "uri") == "https://portal.example/start")
      #expect(change.evidence("nat64", "prefix") == "64:ff9b::/96")
      _ = try await follower.end()
    }

    @Test("a gateway that does not answer is told of and leaves the path reachable")
    func silentGateway() async throws {
      let lab = try await RecipeLab("wired; ip route add default via 192.0.2.77")
      let follower = try await lab.follow(["-4", "default"])
      #expect(follower.last?["nextHop"]?.text == "unknown")
      try await lab.sh("python3 $LAB/link_state.py udp 198.51.100.7")
      let change = try await follower.await("the failed gateway", timeout: 15) {
        $0["nextHop"]?.text == "failed"
      }
      #expect(change["status"]?.text == "reachableViaWiFi")
      #expect(change["flagsValue"]?.integer == 2)
      #expect(change.evidence("next-hop-failed", "address") == "192.0.2.77")
      _ = try await follower.end()
    }

    @Test("a link that is moved away or renamed is followed") func moved() async throws {
      let lab = try await RecipeLab("routed")
      let follower = try await lab.follow(["-4", "default"])
      try await lab.sh("ip link set v0 down; ip link set v0 name out0; ip link set out0 up")
      try await lab.sh("ip route add default via 192.0.2.20")
      try await follower.await("the new name") {
        $0["interface"]?.text == "out0" && $0["flagsValue"]?.integer == 2
      }
      let before = follower.records.count
      try await lab.sh("ip link set out0 netns $PEER")
      try await follower.await("the loss", after: before) { $0["reason"]?.text == "no-route" }
      try await expectSettled(lab, follower, ["-4", "default"])
    }

    @Test("a change without a message about the route is seen by its cause", arguments: silent)
    func silence(_ recipe: SilentRecipe) async throws {
      let lab = try await RecipeLab(recipe.setup)
      let follower = try await lab.follow(["--no-poll"] + recipe.arguments)
      for step in recipe.steps {
        let before = follower.records.count
        try await lab.sh(step.script)
        try await follower.await("\(step.reason ?? "return") after \(step.script)", after: before) {
          $0["reason"]?.text == step.reason && ($0["event"] == .text("change"))
        }
      }
      try await expectSettled(lab, follower, recipe.arguments)
    }

    /// The last record of a run has to be what a new run says.
    private func expectSettled(
      _ lab: RecipeLab, _ follower: Follower, _ arguments: [String]
    ) async throws {
      try await Task.sleep(for: .milliseconds(300))
      let run = try await follower.end()
      let last = try #require(follower.last)
      let fresh = try #require(try await lab.once(arguments).first)
      #expect(last.verdict == fresh.verdict)
      #expect(run.status == (fresh["status"]?.text?.hasPrefix("reachable") == true ? 0 : 1))
    }

    /// A change that the kernel makes to routes without telling.
    struct SilentRecipe: Sendable, CustomTestStringConvertible {
      struct Step: Sendable {
        var script: String
        /// The reason afterwards; nil for reachable.
        var reason: String?
      }
      var name: String
      var setup: String
      var arguments: [String]
      var steps: [Step]
      var testDescription: String { name }
    }

    static let silent: [SilentRecipe] = [
      SilentRecipe(
        name: "IPv4, the link is switched off and on", setup: "routed",
        arguments: ["-4", "default"],
        steps: [
          .init(script: "ip link set v0 down", reason: "no-route"),
          .init(script: "ip link set v0 up; ip route add default via 192.0.2.20", reason: nil),
        ]),
      SilentRecipe(
        name: "the last IPv4 address goes", setup: "routed", arguments: ["-4", "default"],
        steps: [.init(script: "ip addr del 192.0.2.10/24 dev v0", reason: "no-route")]),
      SilentRecipe(
        name: "carrier loss and return", setup: "routed", arguments: ["default"],
        steps: [
          .init(script: "ip -n $PEER link set v1 down", reason: "no-carrier"),
          .init(script: "ip -n $PEER link set v1 up", reason: nil),
        ]),
      SilentRecipe(
        name: "carrier loss and return, IPv6", setup: "routed", arguments: ["2001:db8:7::7"],
        steps: [
          .init(script: "ip -n $PEER link set v1 down", reason: "no-carrier"),
          .init(script: "ip -n $PEER link set v1 up", reason: nil),
        ]),
      SilentRecipe(
        name: "the only member of a next hop group goes",
        setup: """
          wired; ip nexthop add id 1 via 192.0.2.20 dev v0; ip nexthop add id 10 group 1
          ip route add default nhid 10
          """,
        arguments: ["-4", "default"],
        steps: [.init(script: "ip -n $PEER link set v1 down", reason: "no-route")]),
      SilentRecipe(
        name: "a link waits for a supplicant and is let open", setup: "routed",
        arguments: ["default"],
        steps: [
          .init(script: "link v0 linkmode=1 operstate=5", reason: "link-dormant"),
          .init(script: "link v0 operstate=6", reason: nil),
        ]),
      SilentRecipe(
        name: "a rule comes and goes", setup: "routed", arguments: ["198.51.100.7"],
        steps: [
          .init(script: "ip rule add to 198.51.100.0/24 prohibit", reason: "route-prohibited"),
          .init(script: "ip rule del to 198.51.100.0/24 prohibit", reason: nil),
        ]),
      SilentRecipe(
        name: "duplicate detection ends",
        setup: "ip link set lo up; pair v0 v1; sysctl_ ipv6.conf.v0.dad_transmits 2\n"
          + "ip addr add 2001:db8::10/64 dev v0",
        arguments: ["2001:db8::20"],
        steps: [.init(script: "true", reason: nil)]),
    ]
  }
}

extension RecipeLab {
  /// Sends one router advertisement from the peer.
  func advertise(_ options: String) async throws {
    try await sh("there python3 $LAB/link_state.py ra v1 \(options)")
  }
}

extension JSON {
  /// What a verdict says, without times, sequence, cause and facts.
  ///
  /// A neighbour that goes stale is no change, so only a failed one counts.
  var verdict: [String: JSON] {
    let keys = [
      "target", "status", "statusCode", "connection", "medium", "flags", "flagsValue", "interface",
      "source", "gateway", "families", "reason", "partial", "members",
    ]
    var result = members.filter { keys.contains($0.key) }
    if self["nextHop"]?.text == "failed" { result["nextHop"] = self["nextHop"] }
    return result
  }
}
