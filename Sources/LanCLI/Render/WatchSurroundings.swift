import LanCore
import LanSystem
import LanWire

/// What stands beside the default path: the interfaces in their rank, and the name servers.
struct WatchSurroundings: Hashable {
  /// An interface with its addresses.
  struct Interface: Hashable {
    var link: LinkState
    /// Its ways to anywhere; nil for none.
    var way: RankedInterface?
    var network: String?
    var addresses: [InterfaceAddress]
  }

  var interfaces: [Interface]
  var servers: [String]

  /// The interfaces of `facts`: first those that lead to anywhere, by their metrics, then others
  /// that packets can leave by, those that cannot, last the loopback.
  init(_ facts: ReachabilityFacts, ranked: [RankedInterface], servers: [String]) {
    self.servers = servers
    let places = Dictionary(
      ranked.enumerated().map { ($1.interface.index, $0) }, uniquingKeysWith: { first, _ in first })
    func rank(_ link: LinkState) -> Int {
      if let place = places[link.index] { return place }
      let base = ranked.count
      if link.flags.contains(.loopback) { return base + 5 }
      guard link.isUsable else { return base + (link.isDormant ? 2 : link.isUp ? 3 : 4) }
      let hasAddress = facts.addresses.of(link.index).contains { !$0.address.isLinkLocal }
      return base + (hasAddress ? 0 : 1)
    }
    interfaces = facts.links.all.map { (rank($0), $0) }.sorted {
      ($0.0, $0.1.index) < ($1.0, $1.1.index)
    }.map { _, link in
      Interface(
        link: link, way: places[link.index].map { ranked[$0] },
        network: facts.wireless[link.index]?.network, addresses: facts.addresses.of(link.index))
    }
  }

  /// Writes `,"interfaces":[…],"dnsServers":[…]`.
  func appendJSON(to out: inout OutputBuffer) {
    out.append(",\"interfaces\":[")
    for (index, interface) in interfaces.enumerated() {
      let link = interface.link
      out.append(index > 0 ? ",{\"interface\":" : "{\"interface\":")
      out.appendJSON(string: link.name)
      out.appendJSON("interfaceIndex", link.index)
      out.appendJSON("up", link.isUp)
      out.appendJSON("carrier", link.hasCarrier)
      out.appendJSON("operState", link.operational.word)
      if let metric = interface.way?.ipv4Metric { out.append(text: ",\"ipv4Metric\":\(metric)") }
      if let metric = interface.way?.ipv6Metric { out.append(text: ",\"ipv6Metric\":\(metric)") }
      if let network = interface.network { out.appendJSON("network", network) }
      out.appendJSON("addresses", interface.addresses.map { $0.text(zone: link.name) })
      out.append("}")
    }
    out.append("]")
    if !servers.isEmpty { out.appendJSON("dnsServers", servers) }
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
