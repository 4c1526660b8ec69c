import LanCore
import LanWire
import Testing

/// Messages built byte by byte after the kernel's headers.
private struct Bytes {
  var bytes: [UInt8] = []

  static func attribute(_ type: UInt16, _ value: [UInt8]) -> [UInt8] {
    let length = UInt16(value.count + 4)
    let padding = [UInt8](repeating: 0, count: (4 - value.count % 4) % 4)
    return little(length, 2) + little(type, 2) + value + padding
  }

  static func little(_ value: some FixedWidthInteger, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }

  static func text(_ text: String) -> [UInt8] { Array(text.utf8) + [0] }

  static func message(_ type: UInt16, _ payload: [UInt8], flags: UInt16 = 0) -> [UInt8] {
    little(UInt32(payload.count + 16), 4) + little(type, 2) + little(flags, 2)
      + [UInt8](repeating: 0, count: 8) + payload
  }

  /// `struct ifinfomsg` with attributes.
  static func link(
    _ type: UInt16 = 16, family: UInt8 = 0, hardware: UInt16 = 1, index: UInt32, flags: UInt32,
    _ attributes: [UInt8]
  ) -> [UInt8] {
    message(
      type,
      [family, 0] + little(hardware, 2) + little(index, 4) + little(flags, 4) + little(0, 4)
        + attributes)
  }

  static func named(_ name: String, state: UInt8 = 6) -> [UInt8] {
    attribute(3, text(name)) + attribute(16, [state])
  }

  static func kind(_ kind: String, _ data: [UInt8] = []) -> [UInt8] {
    let inner = attribute(1, text(kind)) + (data.isEmpty ? [] : attribute(2, data))
    return attribute(18, inner)
  }

  static func read(_ bytes: [UInt8]) throws -> KernelMessage {
    let span = bytes.span
    var messages = NetlinkMessages(span)
    let message = try #require(try messages.next(span))
    return KernelMessage(
      try RouteNetlinkEvent(message, in: span), flags: message.header.flags)
  }

  static func linkState(_ bytes: [UInt8]) throws -> LinkState {
    guard case .link(let link) = try read(bytes) else {
      throw NotALink()
    }
    return link
  }

  struct NotALink: Error {}
}

/// What a plain network namespace cannot make, from bytes.
@Suite("What kernel messages mean")
struct KernelMessageTests {
  private let up: UInt32 = 0x1 | 0x40 | 0x1000 | 0x10000

  /// The verdict of the default path over the links, the first of which has the route.
  private func verdict(
    _ messages: [[UInt8]], _ change: (inout ReachabilityFacts) -> Void = { _ in }
  ) throws -> Verdict {
    var kernel = FakeKernel()
    for bytes in messages {
      let link = try Bytes.linkState(bytes)
      kernel.links[link.index] = link
    }
    _ = kernel.set(own("192.0.2.10/24", on: 2))
    _ = kernel.add(defaultRoute("192.0.2.1", on: 2))
    return kernel.verdict(question("default"), change)
  }

  @Test("a VLAN over a wireless link is wireless")
  func vlan() throws {
    let vlan = Bytes.link(
      index: 2, flags: up,
      Bytes.named("wlan0.7") + Bytes.attribute(5, Bytes.little(3, 4))
        + Bytes.kind("vlan", Bytes.attribute(1, Bytes.little(7, 2))))
    let wlan = Bytes.link(index: 3, flags: up, Bytes.named("wlan0"))
    let verdict = try verdict([vlan, wlan]) { $0.wireless[3] = WirelessFacts(network: "lan") }
    #expect(verdict.best.medium == .wifi)
    #expect(verdict.flags == [.reachable])
  }

  @Test("a VLAN whose lower link is in another namespace is followed no further")
  func foreignLower() throws {
    let link = try Bytes.linkState(
      Bytes.link(
        index: 2, flags: up,
        Bytes.named("eth0") + Bytes.attribute(5, Bytes.little(3, 4))
          + Bytes.attribute(37, Bytes.little(0, 4)) + Bytes.kind("macvlan")))
    #expect(link.lower == nil)
    #expect(link.isLowerForeign)
  }

  @Test("a bond tells its active member and is judged by it")
  func bond() throws {
    let bond = Bytes.link(
      index: 2, flags: up,
      Bytes.named("bond0") + Bytes.kind("bond", Bytes.attribute(2, Bytes.little(4, 4))))
    func member(_ index: UInt32, _ name: String, hardware: UInt16) -> [UInt8] {
      Bytes.link(
        hardware: hardware, index: index, flags: up,
        Bytes.named(name) + Bytes.attribute(10, Bytes.little(2, 4)))
    }
    let verdict = try verdict([
      bond, member(3, "eth0", hardware: 1), member(4, "mhi0", hardware: 519),
    ])
    #expect(verdict.best.medium == .bond)
    #expect(verdict.best.members == ["mhi0"])
    #expect(verdict.flags == [.reachable, .transientConnection, .isWWAN])
  }

  @Test("a VRF is a master like others and changes nothing about its member")
  func vrf() throws {
    let member = Bytes.link(
      index: 2, flags: up, Bytes.named("eth0") + Bytes.attribute(10, Bytes.little(9, 4)))
    let vrf = Bytes.link(index: 9, flags: up, Bytes.named("red") + Bytes.kind("vrf"))
    let verdict = try verdict([member, vrf])
    #expect(verdict.best.medium == .ethernet)
    #expect(verdict.flags == [.reachable])
  }

  @Test("a modem on the wwan bus is cellular; a real PPP link is PPP")
  func modems() throws {
    let modem = Bytes.link(
      hardware: 0xFFFE, index: 2, flags: up,
      Bytes.named("mbim0", state: 0) + Bytes.attribute(57, Bytes.text("wwan")))
    #expect(try verdict([modem]).best.medium == .cellular)
    #expect(try verdict([modem]).status == .reachableViaWWAN)
    let ppp = Bytes.link(
      hardware: 512, index: 2, flags: 0x1 | 0x10 | 0x80 | 0x10000, Bytes.named("ppp0", state: 0))
    #expect(try verdict([ppp]).best.medium == .ppp)
    #expect(try verdict([ppp]).flags == [.reachable, .transientConnection])
  }

  @Test("a dormant modem with its radio blocked by rfkill needs a person")
  func rfkill() throws {
    let modem = Bytes.link(hardware: 519, index: 2, flags: up, Bytes.named("wwan0", state: 5))
    let event = Bytes.little(UInt32(3), 4) + [5, 0, 1, 0]
    guard case .radio(let radio) = KernelMessage(try RfkillEvent(event.span)) else {
      Issue.record("no radio")
      return
    }
    #expect(radio.kind == .wwan)
    let verdict = try verdict([modem]) { $0.radios = [radio] }
    #expect(verdict.connection == .intervention)
    #expect(try self.verdict([modem]).connection == .onTraffic)
  }

  @Test("a station that the access point has not authorised is gated; nl80211 tells its network")
  func wireless() throws {
    let command: [UInt8] = [7, 1, 0, 0]
    let payload =
      command + Bytes.attribute(3, Bytes.little(2, 4)) + Bytes.attribute(5, Bytes.little(2, 4))
      + Bytes.attribute(52, Array("lan".utf8))
    let bytes = Bytes.message(28, payload)
    let span = bytes.span
    var messages = NetlinkMessages(span)
    let message = try #require(try messages.next(span))
    var facts = WirelessFacts(try WirelessMessage(message, in: span))
    #expect(facts == WirelessFacts(role: .station, network: "lan"))
    let wlan = Bytes.link(
      index: 2, flags: up, Bytes.named("wlan0", state: 5) + Bytes.attribute(17, [1]))
    let gated = try verdict([wlan]) { $0.wireless[2] = facts }
    #expect(gated.connection == .required)
    #expect(gated.status == .notReachable)
    #expect(gated.best.medium == .wifi)
    facts.isAuthorized = true
    let open = Bytes.link(
      index: 2, flags: up, Bytes.named("wlan0") + Bytes.attribute(17, [1]))
    #expect(try verdict([open]) { $0.wireless[2] = facts }.flags == [.reachable])
  }

  @Test("a bridge's port messages and those of wireless extensions are no state of the link")
  func noise() throws {
    let port = Bytes.named("v0") + Bytes.attribute(10, Bytes.little(3, 4))
    #expect(try Bytes.read(Bytes.link(family: 7, index: 2, flags: up, port)) == .bridgePort(2))
    #expect(try Bytes.read(Bytes.link(17, family: 7, index: 2, flags: up, port)) == .bridgePort(2))
    #expect(try Bytes.read(Bytes.link(17, index: 2, flags: 0, port)) == .linkRemoved(2))
    let extensions = Bytes.attribute(3, Bytes.text("wlan0")) + Bytes.attribute(11, [0, 0, 0, 0])
    #expect(try Bytes.read(Bytes.link(index: 2, flags: up, extensions)) == .noise)
  }

  @Test("an IPv6 address comes as IFA_ADDRESS alone, and its flags in 32 bits")
  func addresses() throws {
    let own: [UInt8] = [0x20, 1, 0x0D, 0xB8] + [UInt8](repeating: 0, count: 11) + [7]
    func message(_ flags: UInt32, preferred: UInt32 = .max) -> [UInt8] {
      let lifetimes =
        Bytes.little(preferred, 4) + Bytes.little(UInt32.max, 4) + Bytes.little(0, 8)
      return Bytes.message(
        20,
        [10, 64, UInt8(flags & 0xFF), 0] + Bytes.little(2, 4) + Bytes.attribute(1, own)
          + Bytes.attribute(6, lifetimes) + Bytes.attribute(8, Bytes.little(flags, 4)))
    }
    func standing(_ bytes: [UInt8]) throws -> InterfaceAddress.Standing? {
      guard case .address(let address) = try Bytes.read(bytes) else { return nil }
      #expect(address.address == LanCoreTests.address("2001:db8::7"))
      #expect(address.peer == nil)
      return address.standing
    }
    #expect(try standing(message(0x80)) == .preferred)
    #expect(try standing(message(0xC0)) == .tentative)
    #expect(try standing(message(0x44)) == .optimistic)
    #expect(try standing(message(0x48)) == .failed)
    #expect(try standing(message(0xA0)) == .deprecated)
    #expect(try standing(message(0x00, preferred: 0)) == .deprecated)
  }

  @Test("a default route is told by a prefix length of 0, with or without a destination")
  func defaultRoutes() throws {
    func route(_ length: UInt8, type: UInt8 = 1, _ attributes: [UInt8]) throws -> RouteChange? {
      let header: [UInt8] = [2, length, 0, 0, 254, 3, 0, type, 0, 0, 0, 0]
      guard case .route(let route) = try Bytes.read(Bytes.message(24, header + attributes)) else {
        return nil
      }
      return route
    }
    let gateway = Bytes.attribute(5, [192, 0, 2, 1]) + Bytes.attribute(4, Bytes.little(2, 4))
    let zero = Bytes.attribute(1, [0, 0, 0, 0])
    #expect(try route(0, gateway)?.isDefault == true)
    #expect(try route(0, gateway)?.legs.first?.gateway == LanCoreTests.address("192.0.2.1"))
    #expect(try route(0, zero + gateway)?.isDefault == true)
    #expect(try route(32, zero + gateway)?.isDefault == false)
    #expect(try route(0, type: 7, [])?.isDefault == false)
  }

  @Test("an error without a text is a blackhole, with one it is our mistake")
  func errors() {
    let lookup = KernelLookup.route(RouteLookup(LanCoreTests.address("192.0.2.1")))
    let plain = NetlinkErrorMessage(errno: 22)
    #expect(KernelReply(plain, to: lookup) == .failure(.blackhole))
    let told = NetlinkErrorMessage(errno: 22, text: "Invalid")
    #expect(KernelReply(told, to: lookup) == .failure(.other(number: 22, text: "Invalid")))
    let key = NeighbourKey(interfaceIndex: 2, address: LanCoreTests.address("192.0.2.1"))
    let missing = NetlinkErrorMessage(errno: 2, text: "Neighbour entry not found")
    #expect(KernelReply(missing, to: .neighbour(key)) == .neighbour(.unknown))
  }
}
