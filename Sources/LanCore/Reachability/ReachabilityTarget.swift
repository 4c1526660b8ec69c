public import LanWire

/// What the reachability of is asked.
public enum ReachabilityTarget: Hashable, Sendable {
  /// The way to anywhere, in both families.
  case defaultPath
  /// A host name; its addresses come from a resolver.
  case host(String)
  /// An address; `zone` is the interface's name (or number as text) of a scoped one.
  case address(IPAddress, zone: String?)

  /// Why a text is no target.
  public enum ParseError: Error, Hashable, Sendable {
    /// Nothing at all.
    case empty
    /// An IPv6 link-local address without an interface: it would lead to an arbitrary one.
    case ambiguousScope(IPAddress)
    /// A zone behind an address that has none, or an empty one.
    case badZone(String)
    /// Too long or with characters that no host name has.
    case badName(String)
  }

  /// The target that `text` names.
  ///
  /// The zero addresses and `default` are the default path; an IPv4-mapped IPv6 address is the
  /// IPv4 address; what parses as an address is an address; all else is a host name.
  ///
  /// - Throws: `ParseError` for an empty text, a zone that cannot be one, or what no host is called.
  public static func parse(
    _ text: String, isScoped: Bool = false
  ) throws(ParseError) -> ReachabilityTarget {
    if text.isEmpty { throw .empty }
    if text == "default" { return .defaultPath }
    let parts = text.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
    let zone = parts.count == 2 ? String(parts[1]) : nil
    guard let address = IPAddress(parsing: String(parts[0]))?.unmapped else {
      guard zone == nil, isHostName(text) else { throw .badName(text) }
      return .host(text)
    }
    if let zone {
      guard !zone.isEmpty, zone.utf8.count < 16, address.isIPv6 else { throw .badZone(text) }
    } else if address.needsZone, !isScoped {
      throw .ambiguousScope(address)
    }
    return address.isUnspecified ? .defaultPath : .address(address, zone: zone)
  }

  private static func isHostName(_ text: String) -> Bool {
    let name = text.hasSuffix(".") ? text.dropLast() : text[...]
    guard (1...253).contains(name.utf8.count) else { return false }
    return name.split(separator: ".", omittingEmptySubsequences: false).allSatisfy {
      (1...63).contains($0.utf8.count) && $0.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }
    }
  }
}

/// What goes with the question, as policy routing sees it.
public struct ReachabilityOptions: Hashable, Sendable {
  /// Only this interface, by name or number as text.
  public var interface: String?
  /// Whether IPv4 is asked for.
  public var usesIPv4 = true
  /// Whether IPv6 is asked for.
  public var usesIPv6 = true
  /// The local address of a pair.
  public var local: IPAddress?
  /// The firewall mark of the packets.
  public var mark: UInt32?
  /// The user that sends; the caller's own where nil.
  public var uid: UInt32?
  /// The destination port.
  public var port: UInt16?
  /// The transport protocol that goes with the port: 6 for TCP, 17 for UDP.
  public var transport: UInt8 = 6

  /// No restriction.
  public init() {}
}

/// A target with what goes with the question.
public struct ReachabilityQuestion: Hashable, Sendable {
  /// What the reachability of is asked.
  public var target: ReachabilityTarget
  /// What goes with it.
  public var options: ReachabilityOptions

  /// The question for a target.
  public init(_ target: ReachabilityTarget, options: ReachabilityOptions = ReachabilityOptions()) {
    self.target = target
    self.options = options
  }

  /// The name of the interface that the question is bound to, if any.
  public var interface: String? {
    if case .address(_, let zone?) = target { zone } else { options.interface }
  }
}

/// What a resolver said about a name.
public enum NameResolution: Hashable, Sendable {
  /// It has not answered yet.
  case pending
  /// The addresses, in the resolver's order.
  case addresses([IPAddress])
  /// There is no such name, or it has no address.
  case notFound
  /// It could not be told.
  case failed(String)
}

extension IPAddress {
  /// The IPv4 address inside an IPv4-mapped IPv6 one (RFC 4291 section 2.5.5.2), else itself.
  public var unmapped: IPAddress {
    guard case .v6(let address) = self, address.high == 0, address.low >> 32 == 0xFFFF else {
      return self
    }
    return .v4(IPv4Address(bits: UInt32(truncatingIfNeeded: address.low)))
  }

  /// True for 0.0.0.0 and ::.
  public var isUnspecified: Bool {
    switch self {
    case .v4(let address): address.isUnspecified
    case .v6(let address): address.isUnspecified
    }
  }

  /// True for 127.0.0.0/8 and ::1.
  public var isLoopback: Bool {
    switch self {
    case .v4(let address): address.isLoopback
    case .v6(let address): address.isLoopback
    }
  }

  /// True for IPv6 addresses that mean nothing without an interface: fe80::/10, ff01::/16, ff02::/16.
  public var needsZone: Bool {
    guard case .v6(let address) = self else { return false }
    return address.isLinkLocal || address.high >> 48 == 0xFF01 || address.high >> 48 == 0xFF02
  }
}
