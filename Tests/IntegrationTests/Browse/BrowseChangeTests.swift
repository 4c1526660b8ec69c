import Foundation
import TestKit
import Testing

extension BrowseInNamespaces {
  /// What changes while a run follows is told rightly and in time.
  @Suite("changes") struct BrowseChangeTests {
    /// A lab with a farm of three services, and a run that has listed them.
    private func following(
      _ setup: String = "wired", _ farmOptions: String = "",
      _ options: String...
    ) async throws -> (lab: RecipeLab, farm: Peer, follower: Follower) {
      let lab = try await RecipeLab(setup)
      let farm = try await Peer.farm(lab, "--count 3 --hosts 3 --no-announce", farmOptions)
      let follower = Follower(
        try Child([lantoolPath, "browse", "--netns", lab.own, "--json", "_http._tcp"] + options),
        in: lab)
      try await complete(follower, 3)
      return (lab, farm, follower)
    }

    private func complete(_ follower: Follower, _ count: Int, timeout: Double = 10) async throws {
      let isComplete = try await follower.child.wait(timeout: timeout) { _ in
        BrowsedList(follower.records).facts.filter { $0.port > 0 && !$0.addresses.isEmpty }.count
          == count
      }
      try #require(
        isComplete, "\(BrowsedList(follower.records).facts) \(follower.child.errorsSoFar)")
    }

    private func ends(_ follower: Follower) async throws {
      let run = try await follower.end()
      #expect(run.status == 0, "\(run.errors)")
      #expect(BrowsedList(try run.objects()).faults == [])
      #expect(try run.objects().last?.event == "summary")
    }

    @Test("a goodbye, new attributes, a new address, a new name") func orders() async throws {
      let (lab, farm, follower) = try await following()
      // What was heard within the last second is not flushed, the farm's last answers neither.
      try await follower.await("the whole list") { $0.event == "settled" }
      try farm.order(["op": "txt", "name": "Farm Service 1", "txt": ["id=1", "new=yes"]])
      let text = try await follower.await("the attributes") { $0.event == "updated" }
      #expect(text["instance"]?.text == "Farm Service 1")
      #expect(text["txt"] == .object(["id": .text("1"), "new": .text("yes")]))
      var told = follower.records.count
      try farm.order([
        "op": "host", "name": "farm-host-1", "v4": ["10.77.200.7"], "v6": ["fd77::f:1"],
      ])
      try await follower.await("the address", after: told, timeout: 4) {
        $0.event == "updated"
          && $0["addresses"]?.list.compactMap(\.text).sorted() == ["10.77.200.7", "fd77::f:1"]
      }
      #expect(!follower.records.dropFirst(told).contains { $0.event == "removed" })
      told = follower.records.count
      // A host that is renamed takes its old name back and announces the new one.
      try farm.order(["op": "del", "name": "Farm Service 1"])
      try farm.order([
        "op": "add", "name": "Renamed", "type": "_http._tcp", "port": 9, "txt": ["id=1"],
      ])
      let old = try await follower.await("the old name's end", after: told, timeout: 4) {
        $0.event == "removed"
      }
      #expect(old["instance"]?.text == "Farm Service 1" && old["cause"]?.text == "goodbye")
      let new = try await follower.await("the new name", after: told) { $0.event == "added" }
      #expect(new["instance"]?.text == "Renamed" && new["port"]?.integer == 9)
      #expect(
        BrowsedList(follower.records).instances == ["Farm Service 0", "Farm Service 2", "Renamed"])
      try await expectBrowseSchema(Data(follower.child.outputSoFar.utf8))
      try await ends(follower)
      withExtendedLifetime(lab) {}
    }

    @Test("a host that loses its power is gone when its records' time has passed")
    func powerLoss() async throws {
      let (lab, farm, follower) = try await following("wired", "--ttl 4 --ttl-host 4")
      let start = ContinuousClock.now
      farm.child.signal(SIGKILL)
      let removed = try await follower.await("an end", timeout: 9) { $0.event == "removed" }
      let took = ContinuousClock.now - start
      print("power loss: told \(took) after it, with a time to live of 4 s")
      #expect(["expired", "no-response"].contains(removed["cause"]?.text ?? ""))
      #expect(took < .seconds(6))
      let areGone = try await follower.child.wait(timeout: 3) { _ in
        BrowsedList(follower.records).services.isEmpty
      }
      #expect(areGone)
      try await ends(follower)
      withExtendedLifetime(lab) {}
    }

    @Test("a cable that is cut behind a switch: the services stay until their time, then expire")
    func cut() async throws {
      let (lab, farm, follower) = try await following("wired", "--ttl 5 --ttl-host 5")
      // Past a refresh or two, which keep them.
      try await Task.sleep(for: .seconds(6))
      #expect(!follower.records.contains { $0.event == "removed" })
      try await lab.cut()
      let removed = try await follower.await("an end", timeout: 10) { $0.event == "removed" }
      #expect(["expired", "no-response"].contains(removed["cause"]?.text ?? ""))
      let areGone = try await follower.child.wait(timeout: 5) { _ in
        BrowsedList(follower.records).services.isEmpty
      }
      #expect(areGone)
      try await ends(follower)
      withExtendedLifetime((lab, farm)) {}
    }

    @Test("an interface that goes down takes its services along; they come back with it")
    func downUp() async throws {
      let (lab, farm, follower) = try await following()
      try await lab.sh("ip link set v0 down")
      let removed = try await follower.await("an end", timeout: 3) { $0.event == "removed" }
      #expect(removed["cause"]?.text == "interface-down")
      let areGone = try await follower.child.wait(timeout: 3) { _ in
        BrowsedList(follower.records).services.isEmpty
      }
      #expect(areGone)
      try await lab.sh("ip link set v0 up")
      try await complete(follower, 3)
      try await ends(follower)
      withExtendedLifetime((lab, farm)) {}
    }

    @Test("an interface that comes later, and an address on one that had none")
    func later() async throws {
      let (lab, farm, follower) = try await following()
      try await lab.sh(
        "pair w0 w1; there ip addr add 198.51.100.20/24 dev w1; ip addr add 198.51.100.10/24 dev w0"
      )
      let other = try await Peer(
        in: lab.peer,
        [
          "python3", "zeroconf_farm.py", "--iface", "w1", "--count", "2", "--hosts", "1",
          "--no-announce", "--family", "4", "--duration", "60",
        ])
      let added = try await follower.await("a service there", timeout: 12) {
        $0.event == "added" && $0["interface"]?.text == "w0"
      }
      #expect(added["port"]?.integer != nil)
      try await complete(follower, 5)
      #expect(!follower.records.contains { $0.event == "removed" })
      try await ends(follower)
      withExtendedLifetime((lab, farm, other)) {}
    }

    @Test("two interfaces on one link: each service stands there for both, once in the table")
    func sameLink() async throws {
      let lab = try await RecipeLab(
        """
        ip link set lo up; pair v0 v1; pair w0 w1
        ip addr add 192.0.2.10/24 dev v0; ip addr add 192.0.2.11/24 dev w0
        there ip link add br0 type bridge mcast_snooping 0
        there ip link set v1 master br0; there ip link set w1 master br0
        there ip addr add 192.0.2.20/24 dev br0; there ip link set br0 up
        """)
      let farm = try await Peer.farm(
        lab, "--iface br0 --family 4 --count 20 --hosts 4 --no-announce")
      let follower = try lab.browsing("_http._tcp")
      try await complete(follower, 40)
      let list = BrowsedList(follower.records)
      for interface in ["v0", "w0"] {
        let there = list.services.values.filter { $0["interface"]?.text == interface }
        #expect(
          there.map(ServiceFacts.init).sorted()
            == (0..<20).map { ServiceFacts.farm($0, hosts: 4) }.sorted())
      }
      #expect(!follower.records.contains { $0.event == "removed" })
      try await ends(follower)
      // On a terminal the same instance is one row.
      let table = try await runCommand(
        [
          "script", "-qec",
          "stty rows 60 cols 200; '\(lantoolPath)' browse --netns \(lab.own) --once _http._tcp",
          "/dev/null",
        ], environment: ["TERM": "xterm"])
      let last = Self.screen(table.output)
      let rows = last.filter { $0.contains("Farm Service") }
      #expect(rows.count == 20, "\(last.joined(separator: "\n"))")
      withExtendedLifetime((lab, farm)) {}
    }

    /// The lines that a terminal shows at the end: what was drawn last, without escapes.
    private static func screen(_ output: String) -> [String] {
      let drawn = output.components(separatedBy: "\u{1B}[J").last ?? output
      return drawn.replacing(/\u{1B}\[[0-9;?]*[A-Za-z]/, with: "")
        .components(separatedBy: .newlines)
    }

    @Test("with 30 % of the datagrams lost and 30 % doubled the list gets whole, and nothing flaps")
    func loss() async throws {
      let lab = try await RecipeLab("wired")
      let farm = try await Peer.farm(lab, "--count 50 --hosts 10 --no-announce")
      try await lab.disturb(loss: 30, copies: 30)
      let follower = try lab.browsing("_http._tcp")
      let start = ContinuousClock.now
      try await complete(follower, 50, timeout: 40)
      print("30 % loss: complete after \(ContinuousClock.now - start)")
      // Its questions of the next seconds, lost ones among them, take nothing away.
      try await Task.sleep(for: .seconds(3))
      let list = BrowsedList(follower.records)
      #expect(list.instances == (0..<50).map { "Farm Service \($0)" }.sorted())
      #expect(
        Set(follower.records.filter { $0.event == "removed" }.compactMap { $0["instance"]?.text })
          == [])
      #expect(follower.records.events("added").count == 50)
      try await ends(follower)
      withExtendedLifetime((lab, farm)) {}
    }
  }
}
