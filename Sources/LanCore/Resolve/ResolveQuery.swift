public import LanWire

/// Something that is to be resolved: a host, an address, a service instance or a record.
public struct ResolveQuery: Hashable, Sendable {
  /// What is looked for.
  public enum Subject: Hashable, Sendable {
    /// The addresses of a host; the text as typed, with its dot at the end if it has one.
    case host(String)
    /// The name of an address; `zone` is the interface's name, or number as text, of a scoped one.
    case address(IPAddress, zone: String?)
    /// Where a service instance can be reached (RFC 6763 section 5).
    case service(ServiceInstanceName)
    /// The records of one type, or of all with ANY.
    case record(DNSName, DNSRecordType)
  }

  /// The words that it was given in; records about it carry them.
  public var text: String
  /// What is looked for.
  public var subject: Subject
  /// The port that goes with each address, in host order; nil for none.
  public var port: UInt16?

  /// A query of these parts.
  public init(text: String, subject: Subject, port: UInt16? = nil) {
    self.text = text
    self.subject = subject
    self.port = port
  }

  /// The name that is asked for in DNS; nil for a host whose text is none.
  public var name: DNSName? {
    switch subject {
    case .host(let text): try? DNSName(text)
    case .address(let address, _): DNSName(reverseOf: address)
    case .service(let service): service.name
    case .record(let name, _): name
    }
  }
}

/// The name of a service instance, in its three parts (RFC 6763 section 4.1).
public struct ServiceInstanceName: Hashable, Sendable {
  /// The bytes of the instance label, nothing escaped.
  public var instance: [UInt8]
  /// The type, without subtype.
  public var type: ServiceType
  /// The domain, such as `local`.
  public var domain: DNSName
  /// The full name.
  public let name: DNSName

  /// The instance of these parts.
  ///
  /// - Throws: What `DNSName(labels:)` throws, such as for an instance of more than 63 octets.
  public init(instance: [UInt8], type: ServiceType, domain: DNSName) throws(WireError) {
    self.instance = instance
    self.type = type
    self.domain = domain
    name = try DNSName(
      labels: [instance, Array("_\(type.service)".utf8), Array("_\(type.transport)".utf8)]
        + domain.labels)
  }

  /// The parts of a full name: the labels before `_service._tcp` or `_service._udp` are the
  /// instance.
  ///
  /// A dot that somebody forgot to escape makes more than one label of it; they are joined again.
  ///
  /// - Returns: nil when the name has no type, or nothing before it.
  public init?(_ name: DNSName, defaultDomain: DNSName) {
    let labels = name.labels
    guard let place = Self.typePlace(labels), place > 0 else { return nil }
    let instance = Array(labels[..<place].joined(separator: [0x2E]))
    if labels[..<place].contains(where: { $0.count == 4 && Self.isText($0, "_sub") }) { return nil }
    let rest = labels[(place + 2)...]
    guard let domain = rest.isEmpty ? defaultDomain : try? DNSName(labels: rest) else { return nil }
    let type = ServiceType(
      service: String(decoding: labels[place].dropFirst(), as: UTF8.self),
      transport: String(decoding: labels[place + 1].dropFirst(), as: UTF8.self))
    guard let made = try? ServiceInstanceName(instance: instance, type: type, domain: domain)
    else { return nil }
    self = made
  }

  /// Where `_service` stands in front of `_tcp` or `_udp`; the last such place.
  static func typePlace(_ labels: [[UInt8]]) -> Int? {
    guard labels.count >= 2 else { return nil }
    return (0..<(labels.count - 1)).last { index in
      labels[index].count > 1 && labels[index][0] == UInt8(ascii: "_")
        && (isText(labels[index + 1], "_tcp") || isText(labels[index + 1], "_udp"))
    }
  }

  private static func isText(_ label: [UInt8], _ text: String) -> Bool {
    label.map(DNSNameView.folded) == Array(text.utf8)
  }
}

extension DNSName {
  /// `local`, whose names multicast DNS serves (RFC 6762 section 3).
  public static let local = DNSName.literal(["local"])

  /// The name under which the name of an address is found (RFC 1035 section 3.5, RFC 3596
  /// section 2.5).
  public init(reverseOf address: IPAddress) {
    var labels: [String] = []
    switch address {
    case .v4(let value):
      for index in 0..<4 { labels.append("\(value.bits >> UInt32(8 * index) & 0xFF)") }
      labels += ["in-addr", "arpa"]
    case .v6(let value):
      for half in [value.low, value.high] {
        for index in 0..<16 {
          labels.append(String(half >> UInt64(4 * index) & 0xF, radix: 16))
        }
      }
      labels += ["ip6", "arpa"]
    }
    self = Self.literal(labels)
  }

  /// Labels that are known to be good.
  private static func literal(_ labels: [String]) -> DNSName {
    (try? DNSName(labels: labels.map { Array($0.utf8) })) ?? .root
  }

  /// True for the names that only multicast DNS serves: `local`, and what is below the link-local
  /// reverse names (RFC 6762 sections 3 and 4).
  public var isLinkLocal: Bool { Self.linkLocalDomains.contains { hasSuffix($0) } }

  private static let linkLocalDomains: [DNSName] =
    [.local, .literal(["254", "169", "in-addr", "arpa"])]
    + ["8", "9", "a", "b"].map { .literal([$0, "e", "f", "ip6", "arpa"]) }
}
