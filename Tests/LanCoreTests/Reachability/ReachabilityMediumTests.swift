import LanCore
import LanWire
import Testing

@Suite("Verdicts by the kind of link")
struct ReachabilityMediumTests {
  /// What makes a link's medium, and whether it is transient or cellular.
  struct Kind: Sendable, CustomStringConvertible {
    var description: String
    var medium: Medium
    var flags: ReachabilityFlags = []
    var device: String?
    var isWireless = false
    var change: @Sendable (inout LinkState) -> Void
  }

  static let kinds: [Kind] = [
    Kind(description: "plain", medium: .ethernet) { _ in },
    Kind(description: "veth", medium: .ethernet) { $0.kind = "veth" },
    Kind(description: "unknown kind", medium: .other) { $0.kind = "future" },
    Kind(description: "unknown device type", medium: .other, device: "future") { _ in },
    Kind(description: "wlan", medium: .wifi, device: "wlan") { _ in },
    Kind(description: "nl80211", medium: .wifi, isWireless: true) { _ in },
    Kind(description: "802.11", medium: .wifi) { $0.hardware = .wireless },
    Kind(description: "tap", medium: .other) { ($0.kind, $0.isTap) = ("tun", true) },
    Kind(description: "vxlan", medium: .tunnel) { $0.kind = "vxlan" },
    Kind(description: "bridge", medium: .bridge) { $0.kind = "bridge" },
    Kind(description: "bond", medium: .bond) { $0.kind = "bond" },
    Kind(description: "team", medium: .bond) { $0.kind = "team" },
    Kind(description: "tun", medium: .tunnel, flags: [.transientConnection]) { $0.kind = "tun" },
    Kind(description: "wireguard", medium: .tunnel, flags: [.transientConnection]) {
      ($0.kind, $0.hardware, $0.operational) = ("wireguard", .none, .unknown)
    },
    Kind(description: "gre", medium: .tunnel, flags: [.transientConnection]) {
      ($0.kind, $0.hardware) = ("gre", .ipGRE)
    },
    Kind(description: "bare tunnel", medium: .tunnel, flags: [.transientConnection]) {
      $0.hardware = .sit
    },
    Kind(description: "ppp", medium: .ppp, flags: [.transientConnection]) { $0.hardware = .ppp },
    Kind(description: "wwan by type", medium: .cellular, flags: [.transientConnection, .isWWAN]) {
      $0.hardware = .rawIP
    },
    Kind(
      description: "wwan by device", medium: .cellular, flags: [.transientConnection, .isWWAN],
      device: "wwan"
    ) { _ in },
    Kind(description: "wwan by kind", medium: .cellular, flags: [.transientConnection, .isWWAN]) {
      $0.kind = "rmnet"
    },
    Kind(description: "wwan by bus", medium: .cellular, flags: [.transientConnection, .isWWAN]) {
      $0.parentBus = "wwan"
    },
    Kind(description: "wwan by name", medium: .cellular, flags: [.transientConnection, .isWWAN]) {
      $0.name = "wwan0"
    },
  ]

  @Test("kinds of links have their medium and flags", arguments: kinds)
  func kind(_ kind: Kind) throws {
    var kernel = FakeKernel.home()
    var link = FakeKernel.link(2, "v0")
    kind.change(&link)
    kernel.links[2] = link
    let verdict = kernel.verdict(question("default")) {
      if let type = kind.device { $0.devices[2] = DeviceFacts(type: type) }
      if kind.isWireless { $0.wireless[2] = WirelessFacts() }
    }
    #expect(verdict.best.medium == kind.medium)
    #expect(verdict.flags == kind.flags.union(.reachable))
  }

  @Test("the user's word makes a link cellular")
  func cellularByName() {
    let verdict = FakeKernel.home().verdict(question("default")) { $0.cellularNames = ["v0"] }
    #expect(verdict.status == .reachableViaWWAN)
  }

  @Test("a VLAN is what is below it, and its modem makes it transient")
  func stacked() {
    var kernel = FakeKernel.home()
    kernel.links[2]?.kind = "vlan"
    kernel.links[2]?.lower = 3
    kernel.links[3] = FakeKernel.link(3, "wwan0")
    let verdict = kernel.verdict(question("default"))
    #expect(verdict.best.medium == .cellular)
    #expect(verdict.flags == [.reachable, .transientConnection, .isWWAN])
    #expect(verdict.why.filter { $0.word == .link }.count == 2)
  }

  @Test("links that lead in a circle end the search")
  func circle() {
    var kernel = FakeKernel.home()
    kernel.links[2]?.kind = "vlan"
    kernel.links[2]?.lower = 3
    var other = FakeKernel.link(3, "v1")
    (other.kind, other.lower) = ("vlan", 2)
    kernel.links[3] = other
    #expect(kernel.verdict(question("default")).flags == [.reachable])
  }

  @Test("a point-to-point link without gateway is not direct")
  func pointToPoint() {
    var kernel = FakeKernel.home()
    kernel.links[2]?.flags.insert(.pointToPoint)
    let verdict = kernel.verdict(question("192.0.2.77"))
    #expect(verdict.flags == [.reachable, .transientConnection])
    #expect(verdict.best.nextHop == .unknown)
  }

  // Bridges and bonds

  @Test("a bridge is reachable while one port carries; without carrier or ports it says which")
  func bridge() {
    var kernel = FakeKernel.home()
    kernel.links[2]?.kind = "bridge"
    var good = FakeKernel.link(3, "p0")
    var bad = FakeKernel.link(4, "p1")
    (good.master, bad.master) = (2, 2)
    bad.flags = [.up]
    bad.operational = .down
    (kernel.links[3], kernel.links[4]) = (good, bad)
    let one = kernel.verdict(question("default"))
    #expect(one.flags == [.reachable])
    #expect(one.best.members == ["p0"])
    #expect(fact(one, .members)?.value("members") == .list(["p0", "p1"]))
    kernel.links[2]?.flags = [.up]
    kernel.links[2]?.operational = .down
    kernel.links[3]?.flags = [.up]
    #expect(kernel.verdict(question("default")).reason == .noCarrier)
    (kernel.links[3], kernel.links[4]) = (nil, nil)
    #expect(kernel.verdict(question("default")).reason == .noMembers)
  }

  @Test("a bond is judged by its active member")
  func bond() {
    var kernel = FakeKernel.home()
    kernel.links[2]?.kind = "bond"
    kernel.links[2]?.activeMember = 4
    var wired = FakeKernel.link(3, "eth0")
    var modem = FakeKernel.link(4, "wwan0")
    (wired.master, modem.master) = (2, 2)
    (kernel.links[3], kernel.links[4]) = (wired, modem)
    let verdict = kernel.verdict(question("default"))
    #expect(verdict.best.medium == .bond)
    #expect(verdict.best.members == ["wwan0"])
    #expect(verdict.flags.contains(.isWWAN))
    kernel.links[2]?.activeMember = 3
    #expect(kernel.verdict(question("default")).flags == [.reachable])
  }

  // Several next hops
}
