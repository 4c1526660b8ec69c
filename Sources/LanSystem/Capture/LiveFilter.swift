/// The filter that the kernel applies to a live capture: everything that may hold a message, and
/// little else.
///
/// It is wider than "udp port 5353" on purpose. That misses IPv6 packets with extension headers,
/// all fragments but the first, tunnels, and frames with a tag in their bytes; whether a packet really
/// holds a message is for the decoder to say.
public struct LiveFilter: Hashable, Sendable {
  /// UDP ports, on either side.
  public var ports: [UInt16]
  /// Also IGMP and ICMPv6, for who has joined which group.
  public var includesMembership: Bool
  /// Also tunnels that may hold such packets.
  public var includesTunnels: Bool

  /// A filter for `ports`.
  public init(
    ports: [UInt16] = [5353], includesMembership: Bool = true, includesTunnels: Bool = true
  ) {
    self.ports = ports
    self.includesMembership = includesMembership
    self.includesTunnels = includesTunnels
  }

  /// The expression for a link type (LINKTYPE_ number).
  public func expression(linkType: Int) -> String {
    var terms = ports.map { "udp port \($0)" }
    // Hop-by-hop, routing, fragment, authentication, destination options (RFC 8200 section 4).
    terms += [0, 43, 44, 51, 60].map { "(ip6 and ip6[6] == \($0))" }
    terms.append("(ip[6:2] & 0x1fff != 0)")
    if includesMembership { terms += ["igmp", "icmp6"] }
    if includesTunnels {
      // IPv4 in IP, IPv6 in IP, GRE (also ERSPAN); VXLAN, Geneve, GTP-U.
      terms += [4, 41, 47].flatMap { ["ip proto \($0)", "ip6 proto \($0)"] }
      terms += [4789, 6081, 2152].map { "udp port \($0)" }
    }
    // Tags in the bytes of a cooked frame, which has no room for the word below.
    if linkType == 113 || linkType == 276 {
      terms += ["ether proto 0x8100", "ether proto 0x88a8"]
    }
    // Last, because it moves every offset behind it by the tag's four bytes. The compiler refuses
    // the word for link types that cannot have tags.
    if Self.taggedLinkTypes.contains(linkType) { terms.append("vlan") }
    return terms.joined(separator: " or ")
  }

  /// Ethernet, and 802.11 with its three kinds of radio header.
  private static let taggedLinkTypes: Set<Int> = [1, 105, 119, 127, 163]
}
