import Foundation
import TestKit
import Testing

/// Faults of tools of this kind that were reported in public: none of them is ours.
@Suite("cases of watch", .enabled(if: Lab.isPossible, Lab.missing))
struct WatchCaseTests {
  @Test("WA-01: a burst that overflows the kernel's queue is told of, and the state read anew")
  func overrun() async throws {
    let lab = try await Lab()
    try await lab.settle()
    let watching = try await Watching(lab, "--events")
    watching.child.signal(SIGSTOP)
    let folder = try TemporaryFolder()
    var names: [String] = []
    for third in 0...3 { for fourth in 0..<250 { names.append("10.\(third).\(fourth).1/32") } }
    let kept = ["10.0.0.1/32", "10.3.9.1/32"]
    let adding = names.map { "addr add \($0) dev v0" }
    let removing = names.filter { !kept.contains($0) }.map { "addr del \($0) dev v0" }
    // Enough for any queue: each link message is some kilobytes.
    let flood = (0..<4_000).flatMap { _ in ["link set v0 alias a", "link set v0 alias b"] }
    let batch = try folder.write(
      Array((adding + removing + flood).joined(separator: "\n").utf8), to: "batch")
    let made = try await runCommand(
      ["ip", "-n", lab.own, "-batch", batch], timeout: 60)
    try #require(made.status == 0, "\(made.errors)")
    watching.child.signal(SIGCONT)
    let resync = try await watching.event("resync", timeout: 10) { _ in true }
    let (events, _) = try await watching.end()
    #expect(events.events("resync").count == 1)
    let shown = try #require(
      resync["interfaces"]?.list.first { $0["interface"]?.text == "v0" })
    let listed = try await runCommand([
      "ip", "-n", lab.own, "-4", "-o", "addr", "show", "dev", "v0",
    ])
    let wanted = listed.output.split(separator: "\n").map {
      String($0.split(separator: " ")[3])
    }
    let addresses = (shown["addresses"]?.list ?? []).compactMap(\.text)
    #expect(Set(addresses.filter { !$0.contains(":") }) == Set(wanted))
    #expect(wanted.count == 3)
    // The lines say the same: what was added and not removed.
    var lines: Set<String> = ["192.0.2.10/24"]
    for event in events.events("address") {
      guard let address = event["address"]?.text, !address.contains(":") else { continue }
      if event["action"]?.text == "removed" {
        lines.remove(address)
      } else {
        lines.insert(address)
      }
    }
    #expect(lines == Set(wanted))
  }

  @Test("WA-03: a port that leaves its bridge is not removed") func bridgePort() async throws {
    let lab = try await Lab()
    try await lab.ip("link add br0 type bridge", "link set br0 up")
    try await lab.settle()
    let watching = try await Watching(lab, "--events")
    try await lab.ip("link set v0 master br0")
    try await watching.event("link") { $0["master"]?.text == "br0" }
    try await Task.sleep(for: .seconds(1))
    let before = watching.events.count
    try await lab.ip("link set v0 nomaster")
    try await watching.event("link") { $0["previousMaster"]?.text == "br0" }
    try await Task.sleep(for: .milliseconds(300))
    let (events, _) = try await watching.end()
    let own = events.dropFirst(before).filter {
      $0.event == "link" && $0["interface"]?.text == "v0"
    }
    #expect(own.count == 1, "\(own)")
    let links = events.events("link").filter { $0["interface"]?.text == "v0" }
    #expect(links.allSatisfy { $0["action"]?.text == "changed" })
    #expect(Set(links.compactMap { $0["interfaceIndex"]?.integer }).count == 1)
    #expect(links.allSatisfy { $0["operState"]?.text == "up" })
  }

  @Test(
    "WA-05: a default route is one to everywhere, by whatever message",
    arguments: [
      (["route add default via 192.0.2.1 dev v0"], ["0.0.0.0/0"], true),
      (["-6 route add default via fe80::1 dev v0"], ["::/0"], nil),
      (["route add 0.0.0.0/32 via 192.0.2.1"], [], false),
      (
        ["route add 0.0.0.0/1 dev v0", "route add 128.0.0.0/1 dev v0"],
        ["0.0.0.0/1", "128.0.0.0/1"], true
      ),
      (
        [
          "tuntap add dev tun0 mode tun", "link set tun0 up", "addr add 198.51.100.1/32 dev tun0",
          "route add default dev tun0",
        ], ["0.0.0.0/0"], nil
      ),
      (["route add unreachable default metric 4278198272"], [], false),
    ] as [([String], [String], Bool?)])
  func defaultRoutes(_ lines: [String], _ routes: [String], _ isReachable: Bool?) async throws {
    let lab = try await Lab()
    try await lab.settle()
    let watching = try await Watching(lab, "--events")
    for line in lines { try await lab.ip(line) }
    for route in routes {
      let added = try await watching.event("route") {
        $0["action"]?.text == "added" && $0["destination"]?.text == route
      }
      #expect(added["family"]?.text == (route.contains(":") ? "ipv6" : "ipv4"))
    }
    if isReachable == true { try await watching.settled("reachableViaWiFi") }
    try await Task.sleep(for: .milliseconds(200))
    if isReachable == false {
      #expect(watching.verdicts.last?["status"]?.text == "notReachable")
    }
    let adding = lines.filter { $0.contains("route add") }
    for line in adding {
      try await lab.ip(line.replacingOccurrences(of: "route add", with: "route del"))
    }
    for route in routes {
      let removed = try await watching.event("route") {
        $0["action"]?.text == "removed" && $0["destination"]?.text == route
      }
      if lines.first?.hasPrefix("route add default via") == true {
        #expect(removed["gateway"]?.text == "192.0.2.1")
      }
    }
    try await Task.sleep(for: .milliseconds(200))
    let (events, _) = try await watching.end()
    #expect(events.events("route").count == routes.count * 2)
  }

  @Test("WA-07: an address that comes back is told again, IPv6 by IFA_ADDRESS alone")
  func addressAgain() async throws {
    let lab = try await Lab()
    try await lab.settle()
    let watching = try await Watching(lab, "--events")
    let address = "2001:db8:7::1/64"
    for verb in ["add", "del", "add"] {
      let option = verb == "add" ? " nodad" : ""
      try await lab.ip("-6 addr \(verb) \(address) dev v0\(option)")
      try await Task.sleep(for: .milliseconds(300))
    }
    let (events, _) = try await watching.end()
    let told = events.events("address").filter { $0["address"]?.text == address }
    #expect(told.compactMap { $0["action"]?.text } == ["added", "removed", "added"])
    let now = try await lab.once()
    let listed = (now.verdict["interfaces"]?.list ?? []).flatMap { $0["addresses"]?.list ?? [] }
    #expect(listed.contains(.text(address)))
  }

  @Test("WA-09: a bridge of containers does not keep the host reachable") func container()
    async throws
  {
    let lab = try await Lab()
    try await lab.ip(
      "route add default via 192.0.2.20", "link add br9 type bridge",
      "addr add 172.17.0.1/16 dev br9", "link set br9 up", "link add w0 type veth peer name w1",
      "link set w0 master br9", "link set w0 up", "link set w1 up")
    try await lab.settle()
    try await lab.settle("br9")
    let watching = try await Watching(lab)
    try await watching.settled("reachableViaWiFi")
    try await lab.ip("link set v0 down")
    try await watching.settled("notReachable")
    let (events, status) = try await watching.end()
    #expect(status == 1)
    #expect(events.events("change").last?["reason"]?.text == "no-route")
  }

  @Test("WA-11: a bridge is reachable while one port has a carrier, and no longer")
  func bridge() async throws {
    let lab = try await Lab()
    try await lab.ip(
      "addr del 192.0.2.10/24 dev v0", "link add br0 type bridge", "link set br0 up",
      "link add w0 type veth peer name w1", "link set w0 up", "link set v0 master br0",
      "link set w0 master br0", "addr add 192.0.2.10/24 dev br0",
      "route add default via 192.0.2.20")
    try await lab.settle("br0")
    let watching = try await Watching(lab)
    try await watching.settled("reachableViaWiFi")
    let verdict = try #require(watching.verdicts.last)
    #expect(verdict["medium"]?.text == "bridge")
    #expect(verdict["members"] == .list([.text("v0")]))
    try await lab.peerIP("link set v1 down")
    try await watching.settled("notReachable")
    #expect(watching.verdicts.last?["reason"]?.text == "no-carrier")
    _ = try await watching.end()
  }

  @Test("WA-13: an IPv6 address is of use only after duplicate detection")
  func tentative() async throws {
    let lab = try await Lab()
    try await lab.ip("addr flush dev v0")
    try await lab.settle()
    let watching = try await Watching(lab, "--events", "-6")
    try await lab.ip(
      "-6 addr add 2001:db8:1::6/64 dev v0", "-6 route add default via 2001:db8:1::1 dev v0")
    try await watching.settled("reachableViaWiFi")
    let (events, status) = try await watching.end()
    #expect(status == 0)
    func place(_ isWanted: (JSON) -> Bool) -> Int? { events.firstIndex(where: isWanted) }
    let plain = try #require(
      place { $0["address"]?.text == "2001:db8:1::6/64" && $0["standing"]?.text == "preferred" })
    let good = try #require(place { $0["status"]?.text == "reachableViaWiFi" })
    #expect(good > plain)
    #expect(
      events.contains { $0["reason"]?.text == "source-tentative" && $0.event == "change" })
  }

  @Test("WA-13: a duplicate address never makes the host reachable") func duplicate()
    async throws
  {
    let lab = try await Lab()
    try await lab.ip("addr flush dev v0")
    try await lab.peerIP("-6 addr add 2001:db8:1::6/64 dev v1 nodad")
    try await lab.settle()
    let watching = try await Watching(lab, "--events", "-6")
    try await lab.ip(
      "-6 addr add 2001:db8:1::6/64 dev v0", "-6 route add default via 2001:db8:1::1 dev v0")
    let failed = try await watching.event("address") { $0["action"]?.text == "failed" }
    #expect(failed["address"]?.text == "2001:db8:1::6/64")
    #expect(failed["standing"]?.text == "failed")
    try await Task.sleep(for: .milliseconds(300))
    let (events, status) = try await watching.end()
    #expect(status == 1)
    #expect(events.allSatisfy { $0["status"]?.text != "reachableViaWiFi" })
  }
}
