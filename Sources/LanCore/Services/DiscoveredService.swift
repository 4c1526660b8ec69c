public import LanWire

/// Where a fact about a service comes from.
public enum ServiceOrigin: Hashable, Sendable {
  /// Multicast DNS on a link.
  case mdns
  /// Conventional DNS.
  case dns
}

/// A service instance as it is known: its name, and where it can be reached once that is resolved.
///
/// Its identity is name, type and interface: the same name on two links is two services (RFC 6762
/// section 14).
public struct DiscoveredService: Hashable, Sendable {
  /// The full name: instance, type, domain (RFC 6763 section 4.1).
  public var name: DNSName
  /// The type, without subtype.
  public var type: ServiceType
  /// The domain, such as `local`.
  public var domain: DNSName
  /// The link; nil for conventional DNS.
  public var interfaceIndex: UInt32?
  /// The link's name.
  public var interface: String?
  /// The versions of IP that its PTR record was heard over.
  public var heardOver: MDNSFamilies
  /// Where it was learnt.
  public var origin: ServiceOrigin
  /// SRV: the host; nil until it is resolved.
  public var host: DNSName?
  /// SRV: the port; 0 is a placeholder (RFC 6763 section 8).
  public var port: UInt16?
  /// SRV: the priority, lowest first.
  public var priority: UInt16?
  /// SRV: the weight among equal priorities.
  public var weight: UInt16?
  /// The host's addresses on this link, IPv4 first; link-local ones belong to `interface`.
  public var addresses: [IPAddress]
  /// The strings of the TXT record, empty for one that says nothing in any of the three ways that
  /// RFC 6763 section 6.1 names; nil until it is known.
  public var text: [[UInt8]]?
  /// Seconds to live of the PTR record, as received last.
  public var ttl: UInt32?
  /// The host is this machine: its SRV target has an address of ours.
  public var isOwn: Bool
  /// The subtypes browsed for that it was seen under.
  public var subtypes: [String]

  /// An instance of which only the name is known.
  public init(
    name: DNSName, type: ServiceType, domain: DNSName, interfaceIndex: UInt32? = nil,
    interface: String? = nil, heardOver: MDNSFamilies = [], origin: ServiceOrigin = .mdns
  ) {
    self.name = name
    self.type = type
    self.domain = domain
    self.interfaceIndex = interfaceIndex
    self.interface = interface
    self.heardOver = heardOver
    self.origin = origin
    addresses = []
    isOwn = false
    subtypes = []
  }

  /// The instance label's bytes.
  public var instance: [UInt8] { name.instancePart }
  /// SRV, TXT and at least one address are known.
  public var isComplete: Bool { host != nil && text != nil && !addresses.isEmpty }
  /// The name is reserved, and nothing runs there (RFC 6763 section 8).
  public var isPlaceholder: Bool { port == 0 || host?.isRoot == true }
}

extension DNSName {
  /// The instance part of a service's name; the leftmost label of any other name.
  var instancePart: [UInt8] {
    // As a rule the type follows the first label, and nothing has to be taken apart.
    let first = Int(wire[0]) + 1
    guard first + 1 < wire.count, wire[first + 1] != 0x5F,
      let parts = ServiceInstanceName(self, defaultDomain: .root)
    else { return firstLabel ?? [] }
    return parts.instance
  }
}
