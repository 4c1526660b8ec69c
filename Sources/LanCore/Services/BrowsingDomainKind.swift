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
    guard prefix.length > 0, !prefix.address.isLinkLocal, !isLoopback(prefix.address) else {
      return nil
    }
    return DNSName(reverseOf: prefix.first)
  }

  private static func isLoopback(_ address: IPAddress) -> Bool {
    switch address {
    case .v4(let address): address.isLoopback
    case .v6(let address): address.isLoopback
    }
  }
}
