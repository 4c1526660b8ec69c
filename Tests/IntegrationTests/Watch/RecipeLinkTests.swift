import Testing

extension WatchInNamespaces {
  /// Links in all states, and what lies below them.
  @Suite("links") struct RecipeLinkTests {
    @Test("the link decides", arguments: states) func state(_ recipe: Recipe) async throws {
      try await recipe.run()
    }

    @Test("a dormant link waits for something", arguments: dormant)
    func dormancy(_ recipe: Recipe) async throws { try await recipe.run() }

    @Test("tunnels and modems", arguments: tunnels) func tunnel(_ recipe: Recipe) async throws {
      try await recipe.run()
    }

    @Test("bridges", arguments: bridges) func bridge(_ recipe: Recipe) async throws {
      try await recipe.run()
    }

    /// The macvlan m0 on v0 with its own net.
    private static let stacked = """
      wired; ip link add link v0 name m0 type macvlan mode bridge; ip link set m0 up
      ip addr add 203.0.113.10/24 dev m0; await 5 is m0 'state UP'
      """

    static let states: [Recipe] = [
      Recipe(
        "no carrier", "routed; ip -n $PEER link set v1 down; await 5 is v0 NO-CARRIER",
        "default", .down("no-carrier", medium: "ethernet").with(["interface": "v0"])),
      Recipe(
        "no carrier, on the link",
        "routed; ip -n $PEER link set v1 down; await 5 is v0 NO-CARRIER", "192.0.2.20",
        .down("no-carrier", medium: "ethernet")),
      Recipe(
        "no carrier, IPv6", "routed; ip -n $PEER link set v1 down; await 5 is v0 NO-CARRIER",
        "2001:db8::20", .down("no-carrier", medium: "ethernet")),
      Recipe(
        "lower layer down, with the other end in the same namespace",
        """
        ip link add a0 type veth peer name a1; ip link set a0 up; ip link set a1 up
        ip addr add 203.0.113.10/24 dev a0; ip route add default via 203.0.113.1
        ip link set a1 down; await 5 is a0 LOWERLAYERDOWN
        """, "-4 default", .down("no-carrier", medium: "ethernet")),
      Recipe(
        "switched off: the routes are gone", "routed; ip link set v0 down", "default",
        .down("no-route")),
      Recipe(
        "testing", "routed; link v0 operstate=4; await 5 is v0 TESTING", "default",
        .down("link-not-operational", medium: "ethernet")),
      Recipe("stacked", stacked, "203.0.113.20", .up(.isDirect, by: "m0").because("link")),
      Recipe(
        "held down by a protocol",
        stacked + "\nip link set m0 protodown on; await 5 is m0 protodown", "203.0.113.20",
        .down("proto-down", medium: "ethernet")),
      Recipe(
        "stacked on a link without a carrier",
        stacked + "\nip -n $PEER link set v1 down; await 5 is m0 'NO-CARRIER|LOWERLAYERDOWN'",
        "203.0.113.20", .down("no-carrier", medium: "ethernet")),
    ]

    private static let demand = "link v0 operstate=5; await 5 is v0 'state DORMANT'"
    private static let gated = "link v0 linkmode=1 operstate=5; await 5 is v0 'state DORMANT'"

    static let dormant: [Recipe] = [
      Recipe(
        "by the kernel: on demand", "routed; \(demand)", "-4 default",
        .waiting("onDemand", .connectionOnDemand, medium: "ethernet", status: "reachableViaWiFi")),
      Recipe(
        "by the kernel: on demand, IPv6", "routed; \(demand)", "-6 default",
        .waiting("onDemand", .connectionOnDemand, medium: "ethernet", status: "reachableViaWiFi")),
      Recipe(
        "by the kernel: on demand, on the link", "routed; \(demand)", "2001:db8::20",
        .waiting(
          "onDemand", .connectionOnDemand, .isDirect, medium: "ethernet",
          status: "reachableViaWiFi")),
      Recipe(
        "by a supplicant: gated", "routed; \(gated)", "default",
        .waiting("required", medium: "ethernet", status: "notReachable", reason: "link-dormant")),
      Recipe(
        "by a supplicant: gated, IPv6", "routed; \(gated)", "-6 default",
        .waiting("required", medium: "ethernet", status: "notReachable", reason: "link-dormant")),
      Recipe(
        "gated stays gated after the carrier came back",
        """
        routed; \(gated); ip -n $PEER link set v1 down; await 5 is v0 NO-CARRIER,
        ip -n $PEER link set v1 up; await 5 is v0 'LOWER_UP.*state DORMANT'
        """, "-4 default",
        .waiting("required", medium: "ethernet", status: "notReachable", reason: "link-dormant")),
      Recipe(
        "mode dormant alone is only a policy", "routed; link v0 linkmode=1", "default",
        .up(by: "v0")),
      Recipe(
        "stacked on a link that comes on demand",
        stacked + "\n\(demand); await 5 is m0 'state DORMANT'", "203.0.113.20",
        .waiting(
          "onDemand", .connectionOnDemand, .isDirect, medium: "ethernet",
          status: "reachableViaWiFi")),
      Recipe(
        "stacked on a gated link", stacked + "\n\(gated); await 5 is m0 'state DORMANT'",
        "203.0.113.20",
        .waiting(
          "required", .isDirect, medium: "ethernet", status: "notReachable",
          reason: "link-dormant")),
      Recipe(
        "a dialled link: on traffic",
        point("ppp0", "type=512") + "\nlink ppp0 linkmode=1 operstate=5; await 5 is ppp0 DORMANT",
        "default",
        .waiting(
          "onTraffic", .transientConnection, .connectionOnTraffic, medium: "ppp",
          status: "reachableViaWiFi")),
      Recipe(
        "a modem: on traffic",
        point("tun0", "type=519") + "\nlink tun0 linkmode=1 operstate=5; await 5 is tun0 DORMANT",
        "default",
        .waiting(
          "onTraffic", .transientConnection, .connectionOnTraffic, .isWWAN, medium: "cellular",
          status: "reachableViaWWAN")),
    ]

    /// A tun link with an owner, an address and the default route.
    private static func point(_ name: String, _ options: String = "") -> String {
      """
      ip link set lo up; tun \(name) \(options)
      ip addr add 10.8.0.2 peer 10.8.0.1 dev \(name); ip route add default dev \(name)
      """
    }

    static let tunnels: [Recipe] = [
      Recipe(
        "a tunnel in state unknown", point("tun0"), "default",
        .up(.transientConnection, medium: "tunnel", by: "tun0")
          .with(["source": "10.8.0.2", "gateway": absent])),
      Recipe(
        "the far end of a tunnel", point("tun0"), "10.8.0.1",
        .up(.transientConnection, medium: "tunnel", by: "tun0")),
      Recipe(
        "a dialled link", point("ppp0", "type=512"), "default",
        .up(.transientConnection, medium: "ppp", by: "ppp0")),
      Recipe(
        "a modem by its type", point("tun0", "type=519"), "default",
        .up(.transientConnection, .isWWAN, medium: "cellular", by: "tun0")),
      Recipe(
        "a modem by its name", point("wwan0"), "default",
        .up(.transientConnection, .isWWAN, medium: "cellular", by: "wwan0")),
      Recipe(
        "a tap link is no tunnel",
        "tun tap0 mode=tap; ip addr add 203.0.113.10/24 dev tap0", "203.0.113.20",
        .up(.isDirect, medium: "other", by: "tap0")),
      Recipe(
        "a dead VPN: its owner is gone",
        """
        ip link set lo up; python3 $LAB/link_state.py dead tun0; ip link set tun0 up
        ip addr add 10.8.0.2 peer 10.8.0.1 dev tun0; ip route add default dev tun0
        await 5 is tun0 NO-CARRIER
        """, "default",
        .down("no-carrier", medium: "tunnel").with(["interface": "tun0"])),
      Recipe(
        "the carrier of a tunnel is off",
        point("tun0") + "\nlink tun0 carrier=0; await 5 is tun0 NO-CARRIER", "default",
        .down("no-carrier", medium: "tunnel")),
      Recipe(
        "the carrier of a tunnel came back",
        point("tun0") + """

          link tun0 carrier=0; await 5 is tun0 NO-CARRIER
          link tun0 carrier=1; await 5 is tun0 'LOWER_UP.*state UP'
          """, "default", .up(.transientConnection, medium: "tunnel", by: "tun0")),
    ]

    /// The bridge br0 over v0 with its own net and the default route.
    private static let bridged = """
      wired; ip link add br0 type bridge; ip link set br0 up; ip link set v0 master br0
      ip addr flush dev v0; ip addr add 192.0.2.10/24 dev br0
      ip route add default via 192.0.2.20; await 5 is br0 'state UP'
      """

    static let bridges: [Recipe] = [
      Recipe(
        "a bridge with a port", bridged, "192.0.2.20",
        .up(.isDirect, medium: "bridge", by: "br0").with(["members": "v0"]).because("members")),
      Recipe(
        "a bridge with one port of two",
        bridged + "\npair w0 w1; ip link set w0 master br0\n"
          + "ip -n $PEER link set w1 down; await 5 is w0 NO-CARRIER; await 5 is br0 'state UP'",
        "-4 default", .up(medium: "bridge", by: "br0").with(["members": "v0"])),
      Recipe(
        "a bridge whose port is dormant",
        bridged + "\nlink v0 linkmode=1 operstate=5; await 5 is br0 NO-CARRIER", "-4 default",
        .down("no-carrier", medium: "bridge")),
      Recipe(
        "a bridge whose port has no carrier",
        bridged + "\nip -n $PEER link set v1 down; await 5 is br0 NO-CARRIER", "-4 default",
        .down("no-carrier", medium: "bridge")),
      Recipe(
        "a bridge that lost its last port",
        bridged + "\nip link set v0 nomaster; await 5 is br0 NO-CARRIER", "-4 default",
        .down("no-members", medium: "bridge").because("members")),
      Recipe(
        "a fresh bridge that never had a port has a carrier",
        "ip link add br0 type bridge; ip link set br0 up; ip addr add 192.0.2.10/24 dev br0",
        "192.0.2.20", .up(.isDirect, medium: "bridge", by: "br0").because("members")),
    ]
  }
}
