import Testing

extension WatchInNamespaces {
  /// Source addresses in all states.
  @Suite("source addresses") struct RecipeAddressTests {
    @Test("the source address decides", arguments: sources)
    func source(_ recipe: Recipe) async throws { try await recipe.run() }

    /// v0 and v1 with duplicate detection, which lasts as many seconds as there are probes.
    private static func checked(probes: Int) -> String {
      """
      ip link set lo up; sysctl_ ipv6.conf.default.dad_transmits \(probes)
      there ip link set lo up; pair v0 v1
      """
    }

    static let sources: [Recipe] = [
      Recipe(
        "none, IPv4", "ip link set lo up; pair v0 v1; ip route add default dev v0", "-4 default",
        .down("no-source", medium: "ethernet").with(["interface": "v0"]).because("source")),
      Recipe(
        "none, IPv6",
        """
        ip link set lo up; ip link add v0 type veth peer name v1 netns $PEER
        ip link set v0 addrgenmode none; ip -n $PEER link set v1 up; ip link set v0 up
        await 5 is v0 'state UP'; ip -6 route add default dev v0
        """, "-6 default", .down("no-source", medium: "ethernet")),
      Recipe(
        "link-local alone for a global target",
        """
        ip link set lo up; sysctl_ ipv6.conf.default.accept_dad 0; pair v0 v1
        ip -6 route add default via fe80::1 dev v0
        """, "-6 default", .down("source-linklocal", medium: "ethernet")),
      Recipe(
        "still being checked",
        checked(probes: 60)
          + "\nip addr add 2001:db8::10/64 dev v0; ip -6 route add default via fe80::1 dev v0",
        "-6 default", .down("source-tentative", medium: "ethernet")),
      Recipe(
        "still being checked, on the link",
        checked(probes: 60) + "\nip addr add 2001:db8::10/64 dev v0", "2001:db8::20",
        .down("source-tentative", medium: "ethernet")),
      Recipe(
        "a duplicate",
        """
        \(checked(probes: 1))
        ip -n $PEER addr add 2001:db8::10/64 dev v1 nodad; ip addr add 2001:db8::10/64 dev v0
        ip -6 route add default via fe80::1 dev v0
        await 10 sh -c 'ip -6 addr show dev v0 | grep -q dadfailed'
        """, "-6 default", .down("source-dadfailed", medium: "ethernet")),
      Recipe(
        "optimistic",
        """
        ip link set lo up; sysctl_ ipv6.conf.default.optimistic_dad 1
        sysctl_ ipv6.conf.default.use_optimistic 1; sysctl_ ipv6.conf.all.use_optimistic 1
        sysctl_ ipv6.conf.default.dad_transmits 60; pair v0 v1
        ip addr add 2001:db8::10/64 dev v0 optimistic
        ip -6 route add default via 2001:db8::20 dev v0 onlink
        """, "-6 default", .up(by: "v0").with(["source": "2001:db8::10"])),
      Recipe(
        "deprecated: still good for sending",
        """
        ip link set lo up; sysctl_ ipv6.conf.default.accept_dad 0; pair v0 v1
        ip addr add 2001:db8::10/64 dev v0 valid_lft 600 preferred_lft 0 nodad
        ip -6 route add default via 2001:db8::20
        """, "-6 default",
        .up(by: "v0").with(["source": "2001:db8::10"]).because("source")),
      Recipe(
        "of another link", "routed; pair w0 w1; ip route add 198.51.100.0/24 dev w0",
        "198.51.100.7", .up(.isDirect, by: "w0").with(["source": "192.0.2.10"])),
    ]
  }
}
