import LanWire

/// What kind of link the way goes over.
public enum Medium: String, Hashable, Sendable, CaseIterable {
  /// The loopback.
  case loopback
  /// Wired Ethernet, real or virtual.
  case ethernet
  /// Wireless LAN.
  case wifi
  /// A modem.
  case cellular
  /// A tunnel.
  case tunnel
  /// A bridge.
  case bridge
  /// A bond or team.
  case bond
  /// A point-to-point protocol link.
  case ppp
  /// Something else.
  case other
  /// Not known.
  case unknown
}

/// What can be told of one link from all sources of facts.
struct LinkClassifier {
  let facts: ReachabilityFacts

  private static let tunnelKinds: Set<String> = [
    "wireguard", "ipip", "sit", "gre", "ip6gre", "ip6tnl", "vti", "vti6", "xfrm", "l2tp", "ovpn",
  ]
  private static let frameTunnelKinds: Set<String> = [
    "vxlan", "geneve", "gretap", "ip6gretap", "erspan", "ip6erspan",
  ]
  private static let stackedKinds: Set<String> = [
    "vlan", "macvlan", "macvtap", "ipvlan", "ipvtap", "macsec",
  ]
  private static let tunnelHardware: Set<HardwareType> = [
    .tunnel, .tunnel6, .sit, .ipGRE, .ip6GRE,
  ]

  private func deviceType(_ link: LinkState) -> String? { facts.devices[link.index]?.type }

  /// A modem: by the user's word, device type, kind, hardware type, bus, and last by its name.
  func isCellular(_ link: LinkState) -> Bool {
    facts.cellularNames.contains(link.name) || deviceType(link) == "wwan"
      || link.kind == "wwan" || link.kind == "rmnet"
      || link.hardware == .rawIP || link.hardware == .phonetPipe || link.parentBus == "wwan"
      || ["wwan", "rmnet", "ccmni"].contains { link.name.hasPrefix($0) }
  }

  /// A link that comes and goes: point-to-point, tunnel or cellular.
  func isTransient(_ link: LinkState) -> Bool {
    if link.flags.contains(.pointToPoint) || isCellular(link) { return true }
    if Self.tunnelHardware.contains(link.hardware) || link.hardware == .ppp { return true }
    if link.hardware == HardwareType.none { return true }
    if let kind = link.kind {
      if Self.tunnelKinds.contains(kind) || kind == "ppp" { return true }
      if kind == "tun" { return !link.isTap }
    }
    return deviceType(link) == "ppp" || deviceType(link) == "wireguard"
  }

  /// A link that the first packet wakes.
  func isDialed(_ link: LinkState) -> Bool {
    isPPP(link) || isCellular(link) || (256...259).contains(link.hardware.rawValue)
      || link.kind == "tun" && !link.isTap && link.flags.contains(.pointToPoint)
  }

  private func isPPP(_ link: LinkState) -> Bool {
    link.hardware == .ppp || link.kind == "ppp" || deviceType(link) == "ppp"
  }

  /// Wireless LAN: nl80211 first, then sysfs, then the hardware type; never wireless extensions.
  func isWireless(_ link: LinkState) -> Bool {
    if facts.wireless[link.index] != nil { return true }
    if let device = facts.devices[link.index], device.hasWirelessPhy || device.type == "wlan" {
      return true
    }
    return (801...803).contains(link.hardware.rawValue)
  }

  /// The medium of a link; that of the link below for stacked ones.
  func medium(_ link: LinkState, depth: Int = 0) -> Medium {
    if link.flags.contains(.loopback) || link.hardware == .loopback { return .loopback }
    if isCellular(link) { return .cellular }
    if isPPP(link) { return .ppp }
    if let kind = link.kind, let medium = medium(ofKind: kind, link, depth) { return medium }
    if isWireless(link) { return .wifi }
    if Self.tunnelHardware.contains(link.hardware) || link.hardware == HardwareType.none {
      return .tunnel
    }
    guard link.kind == nil, link.hardware == .ethernet else { return .other }
    return switch deviceType(link) {
    case nil, "gadget", "dsa": .ethernet
    case "bridge": .bridge
    case "bond": .bond
    case "wireguard": .tunnel
    default: .other
    }
  }

  private func medium(ofKind kind: String, _ link: LinkState, _ depth: Int) -> Medium? {
    switch kind {
    case "bridge", "openvswitch": return .bridge
    case "bond", "team": return .bond
    case "veth", "dsa": return .ethernet
    case "tun": return link.isTap ? .other : .tunnel
    case _ where Self.tunnelKinds.contains(kind) || Self.frameTunnelKinds.contains(kind):
      return .tunnel
    case _ where Self.stackedKinds.contains(kind):
      guard depth < LinkChain.depthLimit, let lower = link.lower.flatMap({ facts.links[$0] })
      else { return .ethernet }
      return medium(lower, depth: depth + 1)
    default: return nil
    }
  }
}
