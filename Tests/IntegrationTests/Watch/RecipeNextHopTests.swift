import Testing

extension WatchInNamespaces {
  /// Several next hops, and next hops that are objects.
  @Suite("next hops") struct RecipeNextHopTests {
    @Test("several next hops", arguments: several) func many(_ recipe: Recipe) async throws {
      try await recipe.run()
    }

    @Test("next hop objects", arguments: objects) func nextHopObject(_ recipe: Recipe) async throws
    {
      try await recipe.run()
    }

    /// v0 and w0, each with its own net.
    private static let two = """
      wired; pair w0 w1
      ip addr add 203.0.113.10/24 dev w0; ip addr add 2001:db8:1::10/64 dev w0 nodad
      """
    private static let spread = """
      \(two)
      ip route add default nexthop via 192.0.2.20 nexthop via 203.0.113.20
      ip -6 route add default nexthop via 2001:db8::20 nexthop via 2001:db8:1::20
      """
    private static let oneDead = "\nip -n $PEER link set w1 down; await 5 is w0 NO-CARRIER"
    private static let bothDead =
      oneDead + "\nip -n $PEER link set v1 down; await 5 is v0 NO-CARRIER"

    static let several: [Recipe] = [
      Recipe("both live", spread, "default", .up().with(["partial": absent]).because("leg")),
      Recipe(
        "one dead", spread + oneDead, "-4 default",
        .up().with(["partial": "true"]).because("leg", "partial")),
      Recipe(
        "one dead, IPv6", spread + oneDead, "-6 default",
        .up().with(["partial": "true"]).because("leg", "partial")),
      Recipe("both dead", spread + bothDead, "-4 default", .down("no-carrier", medium: "ethernet")),
      Recipe(
        "both dead, IPv6", spread + bothDead, "-6 default",
        .down("no-carrier", medium: "ethernet")),
      Recipe(
        "both dead, and the kernel ignores such",
        "sysctl_ ipv4.conf.all.ignore_routes_with_linkdown 1\n" + spread + bothDead, "-4 default",
        .down("no-route")),
      Recipe(
        "one dead, and the kernel ignores such",
        "sysctl_ ipv4.conf.all.ignore_routes_with_linkdown 1\n" + spread + oneDead, "-4 default",
        .up(by: "v0").with(["partial": "true", "gateway": "192.0.2.20"])),
    ]

    private static let object = """
      \(two)
      ip nexthop add id 1 via 192.0.2.20 dev v0; ip nexthop add id 2 via 203.0.113.20 dev w0
      ip nexthop add id 10 group 1/2
      """
    private static let terse = "sysctl_ ipv4.nexthop_compat_mode 0\n"

    static let objects: [Recipe] = [
      Recipe(
        "one", object + "\nip route add default nhid 1", "-4 default",
        .up(by: "v0").with(["gateway": "192.0.2.20"])),
      Recipe(
        "one, told by its number alone", terse + object + "\nip route add default nhid 1",
        "-4 default", .up(by: "v0").with(["gateway": "192.0.2.20"])),
      Recipe(
        "a group", object + "\nip route add default nhid 10", "-4 default",
        .up().with(["partial": absent]).because("leg")),
      Recipe(
        "a group, told by its number alone", terse + object + "\nip route add default nhid 10",
        "-4 default", .up().with(["partial": absent]).because("leg")),
      Recipe(
        "a group that lost a member without a word",
        object + "\nip route add default nhid 10" + oneDead, "-4 default",
        .up(by: "v0").with(["gateway": "192.0.2.20"])),
      Recipe(
        "a group that lost all members", object + "\nip route add default nhid 10" + bothDead,
        "-4 default", .down("no-route")),
      Recipe(
        "a blackhole",
        "wired; ip nexthop add id 3 blackhole; ip route add 198.51.100.0/24 nhid 3",
        "198.51.100.7", .down("route-blackhole")),
      Recipe(
        "IPv6",
        "wired; ip nexthop add id 4 via 2001:db8::20 dev v0\nip -6 route add default nhid 4",
        "-6 default", .up(by: "v0").with(["gateway": "2001:db8::20"])),
    ]
  }
}
