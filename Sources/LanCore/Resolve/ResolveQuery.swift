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
