public import LanWire

/// What a domain is recommended for (RFC 6763 section 11).
public enum BrowsingDomainKind: String, Hashable, Sendable, CaseIterable {
  /// `b`: browsing.
  case browse = "b"
  /// `db`: browsing by default.
  case defaultBrowse = "db"
  /// `lb`: browsing by programs that do not ask.
  case legacyBrowse = "lb"
  /// `r`: registering.
  case register = "r"
  /// `dr`: registering by default.
  case defaultRegister = "dr"
}

extension BrowsingDomainKind {
  /// The name whose PTR records recommend domains, such as `b._dns-sd._udp.local`; nil for a domain
  /// that is too long.
  public func name(in domain: DNSName) -> DNSName? {
    let labels = [rawValue, "_dns-sd", "_udp"].map { Array($0.utf8) }
    return try? DNSName(labels: labels + domain.labels)
  }

  /// The reverse name of a network's first address, in which its domains are recommended; nil for
  /// link-local and loopback networks and for no network at all.
  public static func reverseDomain(of prefix: IPPrefix) -> DNSName? {
    guard prefix.length > 0, !prefix.address.isLinkLocal else { return nil }
    var labels: [[UInt8]] = []
    switch prefix.first {
    case .v4(let address):
      guard !address.isLoopback else { return nil }
      for shift in stride(from: UInt32(0), through: 24, by: 8) {
        labels.append(Array(String(address.bits >> shift & 0xFF).utf8))
      }
      labels.append(Array("in-addr".utf8))
    case .v6(let address):
      guard !address.isLoopback, prefix.address != .v6(IPv6Address(high: 0, low: 1)) else {
        return nil
      }
      for half in [address.low, address.high] {
        for shift in stride(from: UInt64(0), through: 60, by: 4) {
          labels.append(Array(String(half >> shift & 0xF, radix: 16).utf8))
        }
      }
      labels.append(Array("ip6".utf8))
    }
    labels.append(Array("arpa".utf8))
    return try? DNSName(labels: labels)
  }
}
