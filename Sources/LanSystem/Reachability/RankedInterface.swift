public import LanCore
import LanWire

/// An interface with the metrics of its ways to anywhere.
public struct RankedInterface: Hashable, Sendable {
  /// The interface.
  public var interface: InterfaceName
  /// The metric of its IPv4 route to anywhere; lower is better, nil for no route.
  public var ipv4Metric: UInt32?
  /// The metric of its IPv6 route to anywhere; lower is better, nil for no route.
  public var ipv6Metric: UInt32?
}

extension ReachabilityMonitor {
  /// The interfaces over which a route leads to anywhere, the preferred one first.
  ///
  /// Asks the kernel: one look-up for each family of each interface that is up.
  ///
  /// - Throws: `NetlinkError`; of a recording, where it does not have the answers.
  public func rankedInterfaces() throws(NetlinkError) -> [RankedInterface] {
    guard let driver = session?.driver else { return [] }
    return try driver.rankedInterfaces(configuration.pathProbes)
  }
}

extension ReachabilityDriver {
  /// The interfaces over which a route leads to anywhere, the preferred one first.
  func rankedInterfaces(_ probes: PathProbes) throws(NetlinkError) -> [RankedInterface] {
    let links = machine.facts.links.all.filter { $0.isUp && !$0.flags.contains(.loopback) }
    let destinations = [probes.ipv4.first, probes.ipv6.first].compactMap { $0 }
    var lookups: [RouteLookup] = []
    for link in links {
      for destination in destinations {
        var lookup = RouteLookup(destination, matchesFIB: true)
        lookup.outputIndex = link.index
        lookups.append(lookup)
      }
    }
    var metrics: [UInt32: (ipv4: UInt32?, ipv6: UInt32?)] = [:]
    try transport.lookUp(lookups) { index, answer in
      // With an interface the kernel may give a route of another one; that does not count.
      let link = lookups[index].outputIndex
      guard case .route(let route) = answer, route.ways.contains(where: { $0.index == link }) else {
        return
      }
      let metric = route.priority ?? 0
      if lookups[index].destination.isIPv6 {
        metrics[link, default: (nil, nil)].ipv6 = metric
      } else {
        metrics[link, default: (nil, nil)].ipv4 = metric
      }
    }
    let ranked = links.compactMap { link in
      metrics[link.index].map {
        RankedInterface(
          interface: InterfaceName(index: link.index, name: link.name), ipv4Metric: $0.ipv4,
          ipv6Metric: $0.ipv6)
      }
    }
    return ranked.sorted { $0.rank < $1.rank }
  }
}

extension RankedInterface {
  /// IPv4 decides, as its metrics are comparable among all links; the number breaks ties.
  fileprivate var rank: (UInt64, UInt64, UInt32) {
    (ipv4Metric.map(UInt64.init) ?? .max, ipv6Metric.map(UInt64.init) ?? .max, interface.index)
  }
}
