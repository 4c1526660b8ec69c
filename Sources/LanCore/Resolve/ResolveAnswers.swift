public import LanWire

/// Who gave an answer.
public enum ResolveProvider: String, Hashable, Sendable, CaseIterable {
  /// The hosts file.
  case hosts
  /// Multicast DNS on a link.
  case mdns
  /// Conventional DNS.
  case dns
  /// The system's resolver, which may have asked any of them.
  case system
}

/// Where an answer comes from.
public struct ResolveOrigin: Hashable, Sendable {
  /// Who gave it.
  public var provider: ResolveProvider
  /// The DNS server that gave it, where that is known.
  public var server: String?
  /// The link that it came in on, or that a link-local address belongs to.
  public var interfaceIndex: UInt32?
  /// The link's name.
  public var interface: String?
  /// Seconds to live as received.
  public var ttl: UInt32?
  /// Nanoseconds from the start of the query to the answer.
  public var elapsed: Int64

  /// An origin of which only the provider is known.
  public init(_ provider: ResolveProvider, elapsed: Int64 = 0) {
    self.provider = provider
    self.elapsed = elapsed
  }
}

/// A host's address, or an address's name.
public struct ResolvedAddress: Hashable, Sendable {
  /// The host's name.
  public var name: String
  /// The address.
  public var address: IPAddress
  /// The port that goes with it, in host order.
  public var port: UInt16?
  /// Where it comes from.
  public var origin: ResolveOrigin

  /// An address of these facts.
  public init(name: String, address: IPAddress, port: UInt16? = nil, origin: ResolveOrigin) {
    self.name = name
    self.address = address
    self.port = port
    self.origin = origin
  }

  /// The interface that belongs into the address's text: that of a link-local one.
  public var zone: String? {
    guard address.needsZone, let index = origin.interfaceIndex, index != 0 else { return nil }
    return origin.interface ?? "\(index)"
  }

  /// The address with its zone: `fe80::1%eth0`.
  public var addressText: String { zone.map { "\(address)%\($0)" } ?? "\(address)" }

  /// What a connection can be made to: `[fe80::1%eth0]:22`, or the address where there is no port.
  public var endpointText: String {
    guard let port else { return addressText }
    return address.isIPv6 ? "[\(addressText)]:\(port)" : "\(addressText):\(port)"
  }
}

/// Where a service instance runs, by one SRV record.
public struct ResolvedService: Hashable, Sendable {
  /// The instance.
  public var name: ServiceInstanceName
  /// The host.
  public var host: DNSName
  /// The port in host order; 0 is a placeholder (RFC 6763 section 8).
  public var port: UInt16
  /// Lowest first.
  public var priority: UInt16
  /// The share among equal priorities.
  public var weight: UInt16
  /// The strings of the TXT record; nil where there is none, which means the same as an empty one.
  public var text: [[UInt8]]?
  /// Where it comes from.
  public var origin: ResolveOrigin

  /// A service of these facts.
  public init(
    name: ServiceInstanceName, host: DNSName, port: UInt16, priority: UInt16 = 0,
    weight: UInt16 = 0, text: [[UInt8]]? = nil, origin: ResolveOrigin
  ) {
    self.name = name
    self.host = host
    self.port = port
    self.priority = priority
    self.weight = weight
    self.text = text
    self.origin = origin
  }

  /// The name is reserved, and nothing runs there (RFC 6763 section 8).
  public var isPlaceholder: Bool { port == 0 || host.isRoot }
}

/// A record that was asked for.
public struct ResolvedRecord: Hashable, Sendable {
  /// The owner.
  public var name: DNSName
  /// The data, which knows the type.
  public var data: DNSRecordData
  /// Where it comes from.
  public var origin: ResolveOrigin

  /// A record of these facts.
  public init(name: DNSName, data: DNSRecordData, origin: ResolveOrigin) {
    self.name = name
    self.data = data
    self.origin = origin
  }
}

/// One answer to a query.
public enum ResolveAnswer: Hashable, Sendable {
  /// An address with a name.
  case address(ResolvedAddress)
  /// A service.
  case service(ResolvedService)
  /// A record.
  case record(ResolvedRecord)

  /// Where it comes from.
  public var origin: ResolveOrigin {
    get {
      switch self {
      case .address(let value): value.origin
      case .service(let value): value.origin
      case .record(let value): value.origin
      }
    }
    set {
      switch self {
      case .address(var value):
        value.origin = newValue
        self = .address(value)
      case .service(var value):
        value.origin = newValue
        self = .service(value)
      case .record(var value):
        value.origin = newValue
        self = .record(value)
      }
    }
  }
}

/// What happened to an answer.
public enum ResolveAction: String, Hashable, Sendable {
  /// It is new.
  case added
  /// Something about it is different.
  case updated
  /// It is gone.
  case removed
}

/// Two providers that do not agree about a query.
public struct ResolveContradiction: Hashable, Sendable {
  /// Whose answer counts.
  public var deciding: [ResolvedAddress]
  /// Whose does not.
  public var other: [ResolvedAddress]

  /// A contradiction between these answers.
  public init(deciding: [ResolvedAddress], other: [ResolvedAddress]) {
    self.deciding = deciding
    self.other = other
  }
}

/// What a resolver tells about one query, in order.
public enum ResolveEvent: Hashable, Sendable {
  /// The query begins.
  case willResolve
  /// An answer came, changed or went.
  case answer(ResolveAnswer, ResolveAction)
  /// The hosts file and the network do not agree.
  case contradiction(ResolveContradiction)
  /// Something went wrong and does not end anything.
  case diagnostic(String)
  /// All is known that will be; the answers are in the order to be tried in.
  case didResolve([ResolveAnswer])
  /// There is no answer.
  case didNotResolve(ResolveFailure)
  /// The query has ended; nothing comes after this.
  case didStop
}
