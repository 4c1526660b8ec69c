import Testing

extension WatchInNamespaces {
  /// Routes of all kinds, targets of all kinds.
  @Suite("routes") struct RecipeRouteTests {
    @Test("a route decides", arguments: kinds) func kind(_ recipe: Recipe) async throws {
      try await recipe.run()
    }

    @Test("what a target is", arguments: targets) func target(_ recipe: Recipe) async throws {
      try await recipe.run()
    }

    @Test("rules lead to other tables", arguments: rules) func rule(_ recipe: Recipe) async throws {
      try await recipe.run()
    }

    static let kinds: [Recipe] =
      [
        Recipe("nothing at all", "", "default", .down("no-route").because("no-route")),
        Recipe(
          "on the link", "wired", "192.0.2.20",
          .up(.isDirect, by: "v0").with(["source": "192.0.2.10", "gateway": absent])),
        Recipe(
          "on the link, IPv6", "wired", "2001:db8::20",
          .up(.isDirect, by: "v0").with(["source": "2001:db8::10", "gateway": absent])),
        Recipe(
          "by a gateway", "routed", "198.51.100.7",
          .up(by: "v0").with(["source": "192.0.2.10", "gateway": "192.0.2.20"])
            .because("route", "link", "source")),
        Recipe(
          "by a gateway, IPv6", "routed", "2001:db8:7::7",
          .up(by: "v0").with(["source": "2001:db8::10", "gateway": "2001:db8::20"])),
        Recipe(
          "IPv4 by an IPv6 gateway", "wired; ip -4 route add default via inet6 2001:db8::20 dev v0",
          "198.51.100.7",
          .up(by: "v0").with(["source": "192.0.2.10", "gateway": "2001:db8::20"])),
        Recipe(
          "the default path", "routed", "default",
          .up(by: "v0").with([
            "gateway": "192.0.2.20", "families.ipv4.reachable": "true",
            "families.ipv6.reachable": "true",
          ])),
        Recipe(
          "the default path without a gateway", "wired; ip route add default dev v0", "default",
          .up(.isDirect, by: "v0").with(["families.ipv6.reason": "no-route"])),
        Recipe(
          "the default path, IPv6 alone", "routed; ip route del default", "default",
          .up(by: "v0").with([
            "families.ipv4.reason": "no-route", "gateway": "2001:db8::20",
          ])),
        Recipe("no default route", "wired", "default", .down("no-route")),
        Recipe("no default route, far target", "wired", "198.51.100.7", .down("no-route")),
        Recipe(
          "an interface asked for, but no route by it", "wired", "-i v0 198.51.100.7",
          .down("no-route")),
        Recipe(
          "IPv6 switched off", "wired; sysctl_ ipv6.conf.all.disable_ipv6 1", "2001:db8::20",
          .down("no-route")),
      ]
      + [
        ("blackhole", "route-blackhole"), ("unreachable", "route-unreachable"),
        ("prohibit", "route-prohibited"), ("throw", "no-route"),
      ].flatMap { kind, reason in
        [
          Recipe(
            "\(kind) route", "wired; ip route add \(kind) 198.51.100.0/24", "198.51.100.7",
            .down(reason).because("no-route")),
          Recipe(
            "\(kind) route, IPv6", "wired; ip -6 route add \(kind) 2001:db8:7::/48",
            "2001:db8:7::7", .down(reason).because("no-route")),
          Recipe(
            "\(kind) default", "wired; ip route add \(kind) default metric 4278198272", "default",
            .down(reason)),
        ]
      } + [
        Recipe(
          "an unreachable route beside the default one",
          "routed; ip route add unreachable 198.51.100.0/24", "198.51.100.7",
          .down("route-unreachable")),
        Recipe(
          "a throw route in a table before the one with a route",
          """
          routed; ip route add throw 198.51.100.0/24 table 100
          ip rule add table 100 priority 1000
          """, "198.51.100.7", .up(by: "v0").with(["gateway": "192.0.2.20"])),
        Recipe(
          "split default, as OpenVPN has it",
          "routed; tun tun0; ip addr add 10.8.0.2 peer 10.8.0.1 dev tun0\n"
            + "ip route add 0.0.0.0/1 dev tun0; ip route add 128.0.0.0/1 dev tun0",
          "-4 default", .up(.transientConnection, medium: "tunnel", by: "tun0")),
        Recipe(
          "half a split default", "wired; ip route add 0.0.0.0/1 via 192.0.2.20", "-4 default",
          .down("no-route").with(["partial": "true"])),
      ]

    static let targets: [Recipe] = [
      Recipe(
        "an own address", "wired", "192.0.2.10",
        .up(.isLocalAddress, medium: "loopback", by: "lo")),
      Recipe(
        "an own address, IPv6", "wired", "2001:db8::10",
        .up(.isLocalAddress, medium: "loopback", by: "lo")),
      Recipe(
        "the loopback", "ip link set lo up", "127.0.0.1",
        .up(.isLocalAddress, medium: "loopback", by: "lo")),
      Recipe(
        "the loopback, IPv6", "ip link set lo up", "::1",
        .up(.isLocalAddress, medium: "loopback", by: "lo")),
      Recipe(
        "an own address while lo is down", "wired; ip link set lo down", "192.0.2.10",
        .down("loopback-down", medium: "loopback")),
      Recipe(
        "broadcast", "wired", "192.0.2.255", .up(by: "v0").because("group-address")),
      Recipe(
        "multicast", "routed", "224.0.0.251", .up(by: "v0").because("group-address")),
      Recipe(
        "multicast on a link, IPv6", "wired", "ff02::fb%v0", .up(by: "v0").because("group-address")),
      Recipe("link-local with its link", "wired", "fe80::1%v0", .up(.isDirect, by: "v0")),
      Recipe(
        "link-local, the link as an option", "wired", "-i v0 fe80::1", .up(.isDirect, by: "v0")),
      Recipe(
        "IPv4-mapped", "wired", "::ffff:192.0.2.20",
        .up(.isDirect, by: "v0").with(["families.ipv4.reachable": "true", "source": "192.0.2.10"])),
      Recipe("the zero address is the default path", "wired", "0.0.0.0", .down("no-route")),
      Recipe(
        "the zero address is the default path, IPv6", "routed", "::",
        .up(by: "v0").with(["families.ipv4.reachable": "true"])),
      Recipe(
        "IPv4 link-local goes to the gateway", "routed", "169.254.7.7",
        .up(by: "v0").with(["gateway": "192.0.2.20"]).because("link-local-via-gateway")),
      Recipe(
        "a pair", "routed; ip addr add 192.0.2.11/24 dev v0", "--local 192.0.2.11 198.51.100.7",
        .up(by: "v0").with(["source": "192.0.2.11"])),
      Recipe(
        "a pair from an address of another host", "routed", "--local 192.0.2.99 198.51.100.7",
        .down("source-not-local").because("local-address")),
      Recipe(
        "a pair across the families", "routed", "--local 2001:db8::10 198.51.100.7",
        .down("source-family")),
    ]

    private static let other =
      "wired; ip route add default via 192.0.2.20 table 100\nip rule add priority 1000 table 100 "

    static let rules: [Recipe] = [
      Recipe("a mark", other + "fwmark 7", "--mark 7 198.51.100.7", .up(by: "v0").because("rule")),
      Recipe("another mark", other + "fwmark 7", "--mark 8 198.51.100.7", .down("no-route")),
      Recipe("no mark", other + "fwmark 7", "198.51.100.7", .down("no-route")),
      Recipe(
        "a user", other + "uidrange 1000-1999", "--uid 1500 198.51.100.7",
        .up(by: "v0").because("rule")),
      Recipe(
        "another user", other + "uidrange 1000-1999", "--uid 2000 198.51.100.7", .down("no-route")),
      Recipe(
        "a port", other + "ipproto tcp dport 443", "--port 443 198.51.100.7", .up(by: "v0")),
      Recipe(
        "another port", other + "ipproto tcp dport 443", "--port 80 198.51.100.7",
        .down("no-route")),
      Recipe(
        "a source", other + "from 192.0.2.10", "--local 192.0.2.10 198.51.100.7", .up(by: "v0")),
      Recipe(
        "a blackhole rule", "routed; ip rule add to 198.51.100.0/24 blackhole", "198.51.100.7",
        .down("route-blackhole")),
      Recipe(
        "a prohibit rule", "routed; ip rule add to 198.51.100.0/24 prohibit", "198.51.100.7",
        .down("route-prohibited")),
      Recipe(
        "an unreachable rule", "routed; ip rule add to 198.51.100.0/24 unreachable",
        "198.51.100.7", .down("no-route")),
      Recipe(
        "a prohibit rule, IPv6", "routed; ip -6 rule add to 2001:db8:7::/48 prohibit",
        "2001:db8:7::7", .down("route-prohibited")),
      Recipe(
        "an own address after the first rule", other + "fwmark 7", "192.0.2.10",
        .up(.isLocalAddress, medium: "loopback", by: "lo")),
      Recipe(
        "wg-quick's pair of rules", quick, "-4 default",
        .up(.transientConnection, medium: "tunnel", by: "tun0").because("rule")),
      Recipe(
        "the tunnel's own packets under wg-quick", quick, "-4 --mark 51820 default",
        .up(by: "v0").with(["gateway": "192.0.2.20"])),
      Recipe(
        "the link's own net under wg-quick", quick, "192.0.2.20", .up(.isDirect, by: "v0")),
    ]

    private static let quick = """
      routed; tun tun0; ip addr add 10.8.0.2 peer 10.8.0.1 dev tun0
      ip route add default dev tun0 table 51820
      ip rule add not fwmark 51820 table 51820; ip rule add table main suppress_prefixlength 0
      """
  }
}
