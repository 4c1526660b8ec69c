import LanWire
import TestKit
import Testing

@Suite("The kernel's answers are read as they are meant")
struct NetlinkFixtureTests {
  @Test("a dump of links has names, kinds, masters, peers and other names")
  func links() throws {
    let reading = NetlinkReading(NetlinkFixtures.links)
    #expect(reading.faults.isEmpty)
    #expect(reading.errors == [NetlinkErrorMessage(errno: 0)])
    let links = Dictionary(uniqueKeysWithValues: reading.links.map { ($0.name, $0) })
    #expect(Set(links.keys) == ["lo", "v0", "v1", "br0", "v2", "v3"])
    let loopback = try #require(links["lo"])
    #expect(loopback.hardware == .loopback && loopback.state == .unknown)
    #expect(loopback.flags.isSuperset(of: [.up, .loopback, .lowerUp]) && loopback.mtu == 65536)
    let cable = try #require(links["v0"])
    #expect(cable.kind == "veth" && cable.alternativeNames == ["uplink-one"])
    #expect(cable.mac == MACAddress(bits: 0x0200_0000_0001))
    #expect(cable.lower == links["v1"]?.index && cable.lowerNamespace == nil)
    #expect(cable.hasCarrier == true && cable.state == .up && cable.mode == .normal)
    #expect((cable.carrierUpCount ?? 0) + (cable.carrierDownCount ?? 0) == cable.carrierChanges)
    let port = try #require(links["v2"])
    #expect(port.master == links["br0"]?.index && port.memberKind == "bridge")
    #expect(links["br0"]?.kind == "bridge" && links["br0"]?.hardware == .ethernet)
  }

  @Test("a dump of addresses has both ends, flags and lifetimes")
  func addresses() throws {
    let reading = NetlinkReading(NetlinkFixtures.addresses)
    #expect(reading.faults.isEmpty)
    let own = try #require(reading.addresses.first { $0.local == ip("192.0.2.1") })
    #expect(own.prefixLength == 24 && own.label == "v0" && own.flags == .permanent)
    #expect(own.validLifetime == nil && own.scope == 0)
    let pair = try #require(reading.addresses.first { $0.local == ip("192.0.2.65") })
    #expect(pair.peer == ip("192.0.2.66") && pair.prefixLength == 32)
    #expect(pair.validLifetime == 600 && pair.preferredLifetime == 300)
    #expect(!pair.flags.contains(.permanent))
    let six = try #require(reading.addresses.first { $0.local == ip("2001:db8::1") })
    #expect(six.family == .ipv6 && six.prefixLength == 64 && six.flags.contains(.permanent))
    let linkLocal = reading.addresses.filter { $0.local?.isLinkLocal == true }
    #expect(linkLocal.count == 5 && linkLocal.allSatisfy { $0.scope == 253 && $0.origin == 3 })
  }

  @Test("a dump of rules has marks, users, ports, inversion and suppression")
  func rules() throws {
    let reading = NetlinkReading(NetlinkFixtures.rules)
    #expect(reading.faults.isEmpty)
    let rules = Dictionary(uniqueKeysWithValues: reading.rules.map { ($0.priority, $0) })
    #expect(rules.keys.sorted() == [0, 100, 101, 102, 103, 32766, 32767])
    #expect(rules[0]?.table == 255 && rules[0]?.action == .table)
    #expect(rules[100]?.mark == 7 && rules[100]?.markMask == 0xFF && rules[100]?.table == 1000)
    let refusal = try #require(rules[101])
    #expect(refusal.action == .prohibit && refusal.users == 1000...2000)
    #expect(refusal.ipProtocol == 6 && refusal.destinationPorts == 80...90)
    #expect(refusal.destination == ip("203.0.113.0") && refusal.destinationLength == 24)
    #expect(rules[102]?.isInverted == true && rules[102]?.suppressedPrefixLength == 0)
    #expect(rules[103]?.inputName == "v3" && rules[103]?.suppressedPrefixLength == nil)
  }

  @Test("dumps of neighbours and next hops have states, addresses and groups")
  func neighbours() throws {
    let neighbours = NetlinkReading(NetlinkFixtures.neighbours)
    #expect(neighbours.faults.isEmpty)
    let gateway = try #require(
      neighbours.neighbours.first { $0.destination == ip("192.0.2.254") })
    #expect(gateway.state == .permanent && gateway.mac == MACAddress(bits: 0x0200_0000_00FE))
    let router = try #require(
      neighbours.neighbours.first { $0.destination == ip("2001:db8::ff") })
    #expect(router.isRouter && !gateway.isRouter && router.family == .ipv6)
    let hops = NetlinkReading(NetlinkFixtures.nextHops)
    #expect(hops.faults.isEmpty && hops.nextHops.map(\.id) == [7, 8, 9, 10])
    #expect(hops.nextHops[0].gateway == ip("192.0.2.250") && hops.nextHops[0].index != nil)
    #expect(hops.nextHops[2].group == [.init(id: 7, weight: 3), .init(id: 8)])
    #expect(hops.nextHops[3].isBlackhole && !hops.nextHops[0].isBlackhole)
  }

  @Test("a plain look-up tells the chosen hop and source, a FIB match the entry and its legs")
  func lookups() throws {
    let plain = try #require(NetlinkReading(NetlinkFixtures.gateway).routes.first)
    #expect(plain.gateway == ip("192.0.2.254") && plain.type == .unicast)
    #expect(plain.preferredSource == ip("192.0.2.1") && plain.outputIndex != nil)
    #expect(plain.destination == ip("198.18.0.1") && plain.destinationLength == 32)
    let match = try #require(NetlinkReading(NetlinkFixtures.gatewayMatch).routes.first)
    #expect(match.destinationLength == 0 && match.destination == nil && match.table == 254)
    #expect(match.ways.map(\.gateway) == [ip("192.0.2.254")])
    let legs = try #require(NetlinkReading(NetlinkFixtures.multipathMatch).routes.first)
    #expect(legs.nextHops.map(\.weight) == [2, 1] && legs.destinationLength == 24)
    #expect(legs.ways.map(\.gateway) == [ip("192.0.2.253"), ip("198.51.100.254")])
    let six = try #require(NetlinkReading(NetlinkFixtures.default6Match).routes.first)
    #expect(six.gateway == ip("2001:db8::ff") && six.destinationLength == 0)
    let expires = try #require(six.expires)
    #expect((1...60_000).contains(expires))
    let group = try #require(NetlinkReading(NetlinkFixtures.viaGroup).routes.first)
    #expect(group.nextHopID == 9 && group.ways.count == 2)
  }

  @Test("an IPv4 route may have an IPv6 gateway (RFC 8950), in a table above 255")
  func viaOtherFamily() throws {
    let route = try #require(NetlinkReading(NetlinkFixtures.markedVia6).routes.first)
    #expect(route.gateway == ip("2001:db8::ff") && route.family == .ipv4)
    #expect(route.table == 1000 && route.mark == 7)
  }

  @Test("errors have their number, and the kernel's text only where the request was wrong")
  func errors() throws {
    let refusal = try #require(NetlinkReading(NetlinkFixtures.unreachable).errors.first)
    #expect(refusal.errno == 113 && refusal.text.isEmpty && refusal.request == .getRoute)
    let fault = try #require(NetlinkReading(NetlinkFixtures.malformed).errors.first)
    #expect(fault.errno == 22 && fault.text == "ipv6: Invalid flags for get route request")
  }

  @Test("a family of generic netlink has its number and groups")
  func family() throws {
    let family = try #require(
      NetlinkReading(NetlinkFixtures.family, generic: true).families.first)
    #expect(family.name == "nlctrl" && family.id == .genericController)
    #expect(family.group("notify") == 16 && family.group("mlme") == nil)
  }
}
