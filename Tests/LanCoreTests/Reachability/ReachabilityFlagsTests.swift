import LanCore
import Testing

@Suite("Reachability flags and status")
struct ReachabilityFlagsTests {
  /// Section 1.4 of the field notes: flags, scutil's words, AFNetworking's status.
  static let vectors: [(UInt32, String, ReachabilityStatus)] = [
    (0x00000, "Not Reachable", .notReachable),
    (0x00002, "Reachable", .reachableViaWiFi),
    (0x20002, "Reachable,Directly Reachable Address", .reachableViaWiFi),
    (0x10002, "Reachable,Local Address", .reachableViaWiFi),
    (0x30002, "Reachable,Local Address,Directly Reachable Address", .reachableViaWiFi),
    (0x00003, "Reachable,Transient Connection", .reachableViaWiFi),
    (0x40003, "Reachable,Transient Connection,WWAN", .reachableViaWWAN),
    (0x00007, "Reachable,Transient Connection,Connection Required", .notReachable),
    (
      0x0000F,
      "Reachable,Transient Connection,Connection Required,Automatic Connection On Traffic",
      .reachableViaWiFi
    ),
    (
      0x0001F,
      "Reachable,Transient Connection,Connection Required,Automatic Connection On Traffic,"
        + "Intervention Required", .notReachable
    ),
    (
      0x00027, "Reachable,Transient Connection,Connection Required,Automatic Connection On Demand",
      .reachableViaWiFi
    ),
    (
      0x00037,
      "Reachable,Transient Connection,Connection Required,Automatic Connection On Demand,"
        + "Intervention Required", .notReachable
    ),
    (
      0x4000F,
      "Reachable,Transient Connection,Connection Required,Automatic Connection On Traffic,WWAN",
      .reachableViaWWAN
    ),
    (0x40007, "Reachable,Transient Connection,Connection Required,WWAN", .notReachable),
    (0x40000, "WWAN", .notReachable),
    (
      0x0001C, "Connection Required,Automatic Connection On Traffic,Intervention Required",
      .notReachable
    ),
    (0x00012, "Reachable,Intervention Required", .reachableViaWiFi),
    (
      0x00026, "Reachable,Connection Required,Automatic Connection On Demand", .reachableViaWiFi
    ),
  ]

  @Test("flags have scutil's words and AFNetworking's status", arguments: vectors)
  func vector(_ bits: UInt32, _ text: String, _ status: ReachabilityStatus) {
    let flags = ReachabilityFlags(rawValue: bits)
    #expect(flags.description == text)
    #expect(ReachabilityStatus(flags) == status)
  }

  @Test("unknown bits are shown as a hexadecimal number")
  func unknownBits() {
    #expect(ReachabilityFlags(rawValue: 0x100002).description == "Reachable,0x00100000")
  }

  @Test("the letters have a hyphen for every flag that is not set")
  func letters() {
    #expect(ReachabilityFlags([]).compactLetters == "-- -------")
    #expect(ReachabilityFlags(rawValue: 0x20002).compactLetters == "-R ------d")
    #expect(ReachabilityFlags(rawValue: 0x7003F).compactLetters == "WR ctiCDld")
  }

  @Test("names are those of SCNetworkReachability, in scutil's order")
  func names() {
    #expect(
      ReachabilityFlags(rawValue: 0x7003F).names == [
        "reachable", "transientConnection", "connectionRequired", "connectionOnTraffic",
        "connectionOnDemand", "interventionRequired", "isLocalAddress", "isDirect", "isWWAN",
      ])
  }

  @Test(
    "the connection says what stands between flags and traffic",
    arguments: [
      (0x00002, ReachabilityConnection.notNeeded), (0x00006, .required), (0x0000E, .onTraffic),
      (0x00026, .onDemand), (0x00036, .intervention), (0x00012, .notNeeded), (0, .notNeeded),
    ] as [(UInt32, ReachabilityConnection)])
  func connection(_ bits: UInt32, _ connection: ReachabilityConnection) {
    #expect(ReachabilityConnection(ReachabilityFlags(rawValue: bits)) == connection)
  }
}

@Suite("Reachability targets")
struct ReachabilityTargetTests {
  @Test("zero addresses and the word default are the default path")
  func defaultPath() throws {
    for text in ["default", "0.0.0.0", "::", "::ffff:0.0.0.0"] {
      #expect(try ReachabilityTarget.parse(text) == .defaultPath)
    }
  }

  @Test("an IPv4-mapped IPv6 address is the IPv4 address")
  func mapped() throws {
    let target = try ReachabilityTarget.parse("::ffff:192.0.2.7")
    #expect(target == .address(address("192.0.2.7"), zone: nil))
  }

  @Test("a scoped address keeps its interface")
  func scoped() throws {
    let target = try ReachabilityTarget.parse("fe80::1%eth0")
    #expect(target == .address(address("fe80::1"), zone: "eth0"))
  }

  @Test("an IPv6 link-local address without an interface is refused, unless one is given besides")
  func unscoped() throws {
    #expect(throws: ReachabilityTarget.ParseError.ambiguousScope(address("fe80::1"))) {
      try ReachabilityTarget.parse("fe80::1")
    }
    #expect(
      try ReachabilityTarget.parse("fe80::1", isScoped: true)
        == .address(address("fe80::1"), zone: nil))
  }

  @Test("what parses as no address is a host name", arguments: ["example.net", "printer.", "a_b"])
  func name(_ text: String) throws {
    #expect(try ReachabilityTarget.parse(text) == .host(text))
  }

  @Test(
    "nonsense is refused",
    arguments: ["", "fe80::1%", "192.0.2.1%eth0", "a b", "..", "fe80::1%averyveryverylongname"])
  func nonsense(_ text: String) {
    #expect(throws: ReachabilityTarget.ParseError.self) { try ReachabilityTarget.parse(text) }
  }
}
