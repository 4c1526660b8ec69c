import LanWire
import TestKit
import Testing

private typealias Build = NetlinkBytes

@Suite("What this machine cannot produce is read from bytes built after the kernel's headers")
struct NetlinkBytesTests {
  private func first(_ bytes: [UInt8]) throws -> NetlinkMessage {
    var messages = NetlinkMessages(bytes.span)
    return try #require(try messages.next(bytes.span))
  }

  private func link(_ attributes: [UInt8]...) throws -> LinkMessage {
    let header = [0, 0] + Build.little(1, 2) + Build.little(5) + Build.little(0x11043)
    let bytes = Build.message(16, header + Build.little(.max) + attributes.joined())
    return try LinkMessage(try first(bytes), in: bytes.span)
  }

  @Test("a modem's link has its kind, bus and device")
  func modem() throws {
    let information = Build.attribute(1, Array("wwan".utf8) + [0])
    let modem = try link(
      Build.attribute(3, Array("wwan0".utf8) + [0]), Build.attribute(0x8012, information),
      Build.attribute(56, Array("wwan0".utf8) + [0]), Build.attribute(57, Array("wwan".utf8) + [0]))
    #expect(modem.kind == "wwan" && modem.parentBus == "wwan" && modem.parentDevice == "wwan0")
    #expect(modem.index == 5 && modem.flags.contains(.lowerUp) && modem.name == "wwan0")
  }

  @Test("the data of a bond and of a tun are read, also in front of the kind")
  func kinds() throws {
    let bond = try link(
      Build.attribute(
        18,
        Build.attribute(2, Build.attribute(2, Build.little(9)))
          + Build.attribute(1, Array("bond".utf8) + [0])))
    #expect(bond.activeMember == 9 && bond.tunType == nil)
    let tun = try link(
      Build.attribute(
        18,
        Build.attribute(1, Array("tun".utf8) + [0])
          + Build.attribute(2, Build.attribute(3, [1]))))
    #expect(tun.tunType == 1 && tun.activeMember == nil)
  }

  @Test("dormant links, links held down by a protocol and wireless events are told")
  func states() throws {
    let dormant = try link(
      Build.attribute(16, [5]), Build.attribute(17, [1]), Build.attribute(39, [1]),
      Build.attribute(11, [0, 0, 0, 0]), Build.attribute(37, Build.little(.max)))
    #expect(dormant.state == .dormant && dormant.mode == .dormant)
    #expect(dormant.isProtocolDown == true && dormant.carriesWirelessExtension)
    #expect(dormant.lowerNamespace == -1)
  }

  @Test("short attributes are as good as none, longer ones are read from their start")
  func sizes() throws {
    let odd = try link(
      Build.attribute(4, [1, 2]), Build.attribute(16, []),
      Build.attribute(10, Build.little(7) + [1]),
      Build.attribute(1, [1, 2, 3]), Build.attribute(18, []), Build.attribute(4000, [1]))
    #expect(odd.mtu == nil && odd.state == nil && odd.master == 7 && odd.mac == nil)
  }

  @Test("an address of another size than its family's is none")
  func addressSize() throws {
    let route =
      [2, 24, 0, 0, 254, 2, 0, 1, 0, 0, 0, 0] + Build.attribute(1, [192, 0, 2])
      + Build.attribute(5, [UInt8](repeating: 1, count: 16))
    let bytes = Build.message(24, route)
    let message = try RouteMessage(try first(bytes), in: bytes.span)
    #expect(message.destination == nil && message.gateway == nil && message.ways.isEmpty)
  }

  @Test("Wi-Fi: interface, network name, signal and authorisation")
  func wireless() throws {
    let station =
      Build.attribute(7, [0xC4]) + Build.attribute(17, Build.little(2) + Build.little(2))
    let bytes = Build.message(
      0x1C,
      [7, 1, 0, 0] + Build.attribute(3, Build.little(4)) + Build.attribute(5, Build.little(2))
        + Build.attribute(52, [0x61, 0x00, 0xFF]) + Build.attribute(38, Build.little(5180))
        + Build.attribute(0x8015, station))
    let message = try WirelessMessage(try first(bytes), in: bytes.span)
    #expect(
      message.command == .newInterface && message.index == 4 && message.type?.isClient == true)
    #expect(message.ssid == [0x61, 0x00, 0xFF] && message.frequency == 5180)
    #expect(message.signal == -60 && message.isAuthorized == true)
    let none = Build.message(
      0x1C,
      [19, 1, 0, 0] + Build.attribute(21, Build.attribute(17, Build.little(1) + [0, 0, 0, 0])))
    #expect(try WirelessMessage(try first(none), in: none.span).isAuthorized == nil)
  }

  @Test("rfkill events of 8 and 9 bytes are read, shorter ones are not")
  func rfkill() throws {
    let old = try RfkillEvent([3, 0, 0, 0, 1, 2, 1, 0].span)
    #expect(old.index == 3 && old.radio == .wifi && old.operation == .changed)
    #expect(old.isSoftBlocked && !old.isHardBlocked && old.hardReasons == nil)
    let new = try RfkillEvent([0, 0, 0, 0, 5, 0, 0, 1, 2].span)
    #expect(new.radio == .cellular && new.isHardBlocked && new.hardReasons == 2)
    for count in 0..<8 {
      #expect(throws: WireError(.truncated, at: count)) {
        try RfkillEvent([UInt8](repeating: 0, count: count).span)
      }
    }
  }

  @Test("router advertisements tell of a portal (RFC 8910) and of NAT64 (RFC 8781)")
  func routerOptions() throws {
    let portal = [37, 4] + Array("https://portal.example/".utf8) + [UInt8](repeating: 0, count: 7)
    let prefix: [UInt8] =
      [38, 2, 0x07, 0x08, 0, 0x64, 0xFF, 0x9B] + [UInt8](repeating: 0, count: 8)
    let options = portal + prefix
    let head = [10, 0] + Build.little(UInt32(options.count), 2) + Build.little(6)
    let router = Build.attribute(1, [0xFE, 0x80] + [UInt8](repeating: 0, count: 13) + [1])
    let bytes = Build.message(68, head + [134, 0, 0, 0, 0, 0, 0, 0] + options + router)
    let message = try RouterOptionMessage(try first(bytes), in: bytes.span)
    #expect(message.portal == "https://portal.example/" && message.index == 6)
    #expect(message.translation?.prefix == IPv6Address(high: 0x0064_FF9B_0000_0000, low: 0))
    #expect(message.translation?.length == 96 && message.translation?.lifetime == 1800)
    #expect(message.router == IPv6Address(high: 0xFE80_0000_0000_0000, low: 1))
  }

  @Test("an acknowledgement that repeats the whole request has its text behind that")
  func extendedAcknowledgement() throws {
    let request = Build.message(24, [1, 2, 3, 4, 5])
    let bytes = Build.message(
      2, flags: 0x200,
      Build.little(UInt32(bitPattern: -13)) + request + Build.attribute(1, Array("no".utf8) + [0])
        + Build.attribute(2, Build.little(28)) + Build.attribute(3, [9, 8]))
    let error = try NetlinkErrorMessage(try first(bytes), in: bytes.span)
    #expect(error.errno == 13 && error.text == "no" && error.offset == 28)
    #expect(error.cookie == [9, 8] && error.request == .newRoute)
  }

  @Test("empty messages are stepped over, and several stand behind each other with padding")
  func several() {
    let bytes =
      Build.message(1, []) + Build.message(20, [2, 24, 0, 0, 1, 0, 0, 0, 5, 0, 5, 0, 1])
      + Build.message(3, Build.little(0))
    let reading = NetlinkReading(bytes)
    #expect(reading.count == 2 && reading.addresses.count == 1 && reading.faults.isEmpty)
  }

  @Test(
    "a route event touches the addresses in its prefix, and no others",
    arguments: [
      ("192.0.2.0", 24, "192.0.2.9", true), ("192.0.2.0", 24, "192.0.3.9", false),
      ("192.0.2.1", 32, "192.0.2.1", true), ("192.0.2.1", 32, "192.0.2.0", false),
      ("128.0.0.0", 1, "200.0.0.1", true), ("2001:db8::", 32, "2001:db8:9::1", true),
      ("2001:db8::", 32, "2001:db9::1", false), ("2001:db8::1:0", 112, "2001:db8::1:9", true),
      ("2001:db8::1:0", 112, "2001:db8::2:9", false), ("2001:db8::1", 128, "2001:db8::1", true),
      ("2001:db8::", 64, "2001:db8::5", true), ("192.0.2.0", 24, "::1", false),
    ])
  func prefixes(_ prefix: String, _ length: Int, _ target: String, _ isTouched: Bool) throws {
    let address = ip(prefix)
    let value = address.isIPv6 ? try v6Bytes(address) : try v4Bytes(address)
    let head: [UInt8] = [address.isIPv6 ? 10 : 2, UInt8(length)] + [UInt8](repeating: 0, count: 10)
    let bytes = Build.message(
      24, head + Build.attribute(15, Build.little(254)) + Build.attribute(1, value))
    let read = try RoutePrefix(try first(bytes), in: bytes.span)
    #expect(read.covers(ip(target)) == isTouched)
  }

  private func v4Bytes(_ address: IPAddress) throws -> [UInt8] {
    guard case .v4(let value) = address else { return [] }
    return Build.little(value.bits.byteSwapped)
  }

  private func v6Bytes(_ address: IPAddress) throws -> [UInt8] {
    guard case .v6(let value) = address else { return [] }
    return [value.high, value.low].flatMap { half in
      (0..<8).map { UInt8(half >> (56 - 8 * $0) & 0xFF) }
    }
  }

  @Test("a default route's event touches every address of its family")
  func defaultRoute() throws {
    let bytes = Build.message(25, [2] + [UInt8](repeating: 0, count: 11))
    let prefix = try RoutePrefix(try first(bytes), in: bytes.span)
    #expect(prefix.covers(ip("198.51.100.1")) && !prefix.covers(ip("2001:db8::1")))
  }
}

@Suite("Requests are written as strict checking wants them")
struct NetlinkRequestTests {
  @Test("a look-up has the flags of its family and only the attributes that were asked for")
  func lookup() throws {
    var bytes: [UInt8] = []
    RouteLookup(ip("192.0.2.9"), matchesFIB: true).append(to: &bytes, sequence: 5)
    #expect(
      bytes
        == hex(
          "24000000 1a00 0100 05000000 00000000 02 20 00 00 00 00 00 00 00300000 0800 0100 c0000209"
        ))
    var lookup = RouteLookup(ip("2001:db8::9"))
    lookup.outputIndex = 3
    lookup.mark = 0x10
    lookup.user = 1000
    lookup.ipProtocol = 6
    lookup.destinationPort = 443
    lookup.source = ip("2001:db8::1")
    bytes = []
    lookup.append(to: &bytes, sequence: 6)
    #expect(
      bytes
        == hex(
          """
          6c000000 1a00 0100 06000000 00000000 0a 80 80 00 00 00 00 00 00000000
          1400 0100 20010db8000000000000000000000009 1400 0200 20010db8000000000000000000000001
          0800 0400 03000000 0800 1000 10000000 0800 1900 e8030000 0500 1b00 06000000
          0600 1d00 01bb0000
          """))
  }

  @Test("dumps say so, single questions do not")
  func dumps() throws {
    for request in [
      NetlinkRequest.links, .addresses(.ipv4), .rules(.ipv6), .neighbours(.ipv4), .nextHops,
    ] { #expect(request.isDump && request.flags.contains(.request)) }
    for request in [
      NetlinkRequest.link(3), .neighbour(ip("192.0.2.9"), index: 3), .nextHop(7),
      .genericFamily("nl80211"),
    ] { #expect(!request.isDump) }
    var bytes: [UInt8] = []
    NetlinkRequest.genericFamily("nl80211").append(to: &bytes, sequence: 2)
    #expect(
      bytes
        == hex("20000000 1000 0100 02000000 00000000 03010000 0c00 0200 6e6c383032313100"))
  }

  @Test("notes survive their comment, and foreign comments are none")
  func notes() {
    let note = NetlinkNote(.sysfs, "class/net/eth 0/uevent", "DEVTYPE=wlan\nIFINDEX=3\n")
    #expect(NetlinkNote(comment: note.comment) == note)
    #expect(NetlinkNote(comment: NetlinkNote(.verdict, "", "").comment) == .init(.verdict, "", ""))
    #expect(NetlinkNote(comment: "something else") == nil)
    #expect(NetlinkNote(comment: "lantool 1 unheard of\n") == nil)
    #expect(NetlinkNote(.sysfs, "a\nb", "c").comment == "lantool 1 sysfs a b\nc")
  }
}
