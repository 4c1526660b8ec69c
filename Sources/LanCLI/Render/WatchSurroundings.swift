import LanCore
import LanSystem
import LanWire

/// What stands beside the default path: the interfaces in their rank, and the name servers.
struct WatchSurroundings: Hashable {
  /// An interface with its addresses.
  struct Interface: Hashable {
    var link: LinkState
    var network: String?
    var addresses: [InterfaceAddress]
  }

  var interfaces: [Interface]
  var servers: [String]

  /// The interfaces of `facts`: first those that the default path goes over, then others that
  /// packets can leave by, those without a carrier, last the loopback.
  init(_ facts: ReachabilityFacts, path: Verdict?, servers: [String]) {
    self.servers = servers
    let ways = [path?.best, path?.ipv4, path?.ipv6].compactMap { $0?.interface?.index }
    func rank(_ link: LinkState) -> Int {
      if let place = ways.firstIndex(of: link.index) { return place }
      if link.flags.contains(.loopback) { return 9 }
      guard link.isUsable else { return link.isDormant ? 6 : link.isUp ? 7 : 8 }
      let hasAddress = facts.addresses.of(link.index).contains { !$0.address.isLinkLocal }
      return hasAddress ? 4 : 5
    }
    interfaces = facts.links.all.map { (rank($0), $0) }.sorted {
      ($0.0, $0.1.index) < ($1.0, $1.1.index)
    }.map {
      Interface(
        link: $0.1, network: facts.wireless[$0.1.index]?.network,
        addresses: facts.addresses.of($0.1.index))
    }
  }

  /// Writes `,"interfaces":[…],"dnsServers":[…]`.
  func appendJSON(to out: inout OutputBuffer) {
    out.append(",\"interfaces\":[")
    for (index, interface) in interfaces.enumerated() {
      let link = interface.link
      out.append(index > 0 ? ",{\"interface\":" : "{\"interface\":")
      out.appendJSON(string: link.name)
      out.append(",\"interfaceIndex\":")
      out.append(link.index)
      out.append(",\"up\":")
      out.append(bool: link.isUp)
      out.append(",\"carrier\":")
      out.append(bool: link.hasCarrier)
      out.appendJSON("operState", link.operational.word)
      if let network = interface.network { out.appendJSON("network", network) }
      out.append(",\"addresses\":")
      out.appendJSON(list: interface.addresses.map { $0.text(zone: link.name) })
      out.append("}")
    }
    out.append("]")
    if !servers.isEmpty {
      out.append(",\"dnsServers\":")
      out.appendJSON(list: servers)
    }
  }

  /// One line for each interface, for people.
  var lines: [String] {
    interfaces.map { interface in
      let link = interface.link
      let state =
        link.isUsable ? "up" : !link.isUp ? "off" : link.hasCarrier ? "waiting" : "no carrier"
      let network = interface.network.map { " \"\($0)\"" } ?? ""
      let addresses = interface.addresses.map { " \($0.text(zone: nil))" }.joined()
      return "\(link.index): \(link.name) \(state)\(network)\(addresses)"
    }
  }
}
