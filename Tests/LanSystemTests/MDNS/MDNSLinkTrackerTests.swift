import LanCore
import LanWire
import Testing

@testable import LanSystem

@Suite("Which interfaces multicast DNS is spoken on") struct MDNSLinkTrackerTests {
  private static let wired: LinkFlags = [.up, .lowerUp, .multicast]

  private static func link(
    _ index: UInt32, _ name: String, _ flags: LinkFlags = wired, memberKind: String = ""
  ) -> LinkMessage {
    var link = LinkMessage(index: index, flags: flags, name: name)
    link.state = .unknown
    link.memberKind = memberKind
    link.mtu = 1_400
    return link
  }

  private static func address(_ text: String, on index: UInt32) -> InterfaceAddress {
    InterfaceAddress(
      IPAddress(parsing: text) ?? .v4(IPv4Address(bits: 0)), prefixLength: 64,
      interfaceIndex: index)
  }

  /// Links that all have addresses of both families.
  private static func tracker(
    _ links: [LinkMessage], names: Set<String> = [], families: MDNSFamilies = .both
  ) -> MDNSLinkTracker {
    var tracker = MDNSLinkTracker(names: names, families: families)
    tracker.replace(
      links: links,
      addresses: links.flatMap {
        [address("192.0.2.\($0.index)", on: $0.index), address("fe80::1", on: $0.index)]
      })
    return tracker
  }

  private static func used(_ tracker: MDNSLinkTracker) -> [String] {
    tracker.links.values.map(\.name).sorted()
  }

  @Test("up, with a carrier, multicast, neither loopback nor point to point nor part of a bridge")
  func eligibility() {
    let tracker = Self.tracker([
      Self.link(1, "lo", [.up, .lowerUp, .loopback]),
      Self.link(2, "eth0"), Self.link(3, "down0", [.multicast]),
      Self.link(4, "cable0", [.up, .multicast]), Self.link(5, "wg0", [.up, .lowerUp]),
      Self.link(6, "tun0", [.up, .lowerUp, .multicast, .pointToPoint]),
      Self.link(7, "port0", memberKind: "bridge"), Self.link(8, "red", memberKind: "vrf"),
    ])
    #expect(Self.used(tracker) == ["eth0", "red"])
    #expect(tracker.links[2]?.mtu == 1_400)
    #expect(tracker.links[2]?.families == .both)
    #expect(
      tracker.obstacles.map(\.reason) == [
        .isLoopback, .isDown, .hasNoCarrier, .hasNoMulticast, .isPointToPoint, .isMember,
      ])
  }

  @Test("a name takes a point-to-point link, a bridge's port or the loopback in") func named() {
    let links = [
      Self.link(1, "lo", [.up, .lowerUp, .loopback]), Self.link(2, "eth0"),
      Self.link(6, "tun0", [.up, .lowerUp, .multicast, .pointToPoint]),
      Self.link(7, "port0", memberKind: "bridge"),
    ]
    let tracker = Self.tracker(links, names: ["lo", "tun0", "port0"])
    #expect(Self.used(tracker) == ["lo", "port0", "tun0"])
    #expect(tracker.links[1]?.families == .ipv4)
    #expect(Self.tracker(links, names: ["eth0", "eth7"]).unknownName == "eth7")
  }

  @Test("the loopback is used where it has multicast and there is nothing else")
  func loopbackAlone() {
    let usual = Self.tracker([Self.link(1, "lo", [.up, .lowerUp, .loopback])])
    #expect(usual.obstacles.map(\.reason) == [.hasNoMulticast] && !usual.isAnyUsable)
    let lo = Self.link(1, "lo", [.up, .lowerUp, .loopback, .multicast])
    #expect(Self.used(Self.tracker([lo])) == ["lo"])
    var tracker = Self.tracker([lo, Self.link(2, "eth0", [.multicast])])
    #expect(Self.used(tracker) == [])
    // What was plugged out may be plugged in again; nobody means the loopback meanwhile.
    tracker.handle(.linkRemoved(Self.link(2, "eth0")))
    #expect(Self.used(tracker) == [])
  }

  @Test("a family takes an address that can be used, IPv6 a link-local one") func families() {
    var tracker = MDNSLinkTracker(names: [], families: .both)
    var tentative = Self.address("fe80::2", on: 2)
    tentative.standing = .tentative
    tracker.replace(
      links: [Self.link(2, "eth0"), Self.link(3, "eth1")],
      addresses: [tentative, Self.address("2001:db8::1", on: 2), Self.address("fe80::3", on: 3)])
    #expect(tracker.links[2] == nil)
    #expect(tracker.links[3]?.families == .ipv6)
    #expect(tracker.isAnyUsable)
    #expect(Self.tracker([Self.link(2, "eth0")], families: .ipv4).links[2]?.families == .ipv4)
  }

  @Test("down and up between two looks is an interruption, and so is a loss with the same number")
  func interruptions() {
    var tracker = Self.tracker([Self.link(2, "eth0"), Self.link(3, "eth1")])
    _ = tracker.takeInterrupted()
    tracker.handle(.link(Self.link(2, "eth0", [.multicast])))
    tracker.handle(.link(Self.link(2, "eth0")))
    #expect(Self.used(tracker) == ["eth0", "eth1"])
    #expect(tracker.takeInterrupted() == [2])
    tracker.handle(.linkRemoved(Self.link(3, "eth1")))
    tracker.handle(.link(Self.link(3, "eth1")))
    #expect(tracker.takeInterrupted() == [3])
    #expect(Self.used(tracker) == ["eth0"], "a new link has no addresses yet")
    #expect(tracker.takeInterrupted().isEmpty)
  }
}
