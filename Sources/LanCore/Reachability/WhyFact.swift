public import LanWire

/// One of the ordered facts behind a verdict.
///
/// `word` is stable and for machines; `subject` and `values` carry the evidence. Sentences are
/// made at the edge.
public struct WhyFact: Hashable, Sendable {
  /// What kind of fact it is.
  public enum Word: String, Hashable, Sendable, CaseIterable {
    /// The answer of the resolver.
    case name
    /// The local address of a pair.
    case localAddress = "local-address"
    /// The policy rule that leads to the table of the route.
    case rule
    /// The route that was chosen.
    case route
    /// No route, or one that refuses.
    case noRoute = "no-route"
    /// One next hop of the route.
    case leg
    /// Only some of the next hops, or one half of the address space, work.
    case partial
    /// A link of the way.
    case link
    /// The state of a link's members.
    case members
    /// The source address.
    case source
    /// The next hop's entry among the neighbours.
    case nextHop = "next-hop"
    /// The next hop did not answer.
    case nextHopFailed = "next-hop-failed"
    /// A radio's switches.
    case radio
    /// The wireless network.
    case wireless
    /// Whether the far end of a tunnel lives is not known to the kernel's link.
    case tunnelLiveness = "tunnel-liveness-unknown"
    /// The target is a broadcast or multicast address.
    case groupAddress = "group-address"
    /// An IPv4 link-local target that leaves through a gateway.
    case linkLocalByGateway = "link-local-via-gateway"
    /// The route ends by itself.
    case expires
    /// A router of the network announced a captive portal.
    case portal
    /// A router of the network announced a NAT64 prefix.
    case nat64
    /// Whether the way costs by volume.
    case metered
  }

  /// What the fact does to the verdict.
  public enum Bearing: String, Hashable, Sendable {
    /// It lets packets through.
    case supports
    /// It decided against.
    case decides
    /// It is worth knowing and decides nothing.
    case notes
  }

  /// What the fact is about.
  public enum Subject: Hashable, Sendable {
    /// Nothing in particular.
    case none
    /// An interface by name.
    case interface(String)
    /// An address.
    case address(IPAddress)
    /// A prefix.
    case prefix(IPPrefix)
    /// A host name.
    case name(String)
  }

  /// One piece of evidence.
  public struct Value: Hashable, Sendable {
    /// What a piece of evidence holds.
    public enum Content: Hashable, Sendable {
      /// A word or a name.
      case text(String)
      /// A number.
      case number(Int64)
      /// Yes or no.
      case flag(Bool)
      /// An address.
      case address(IPAddress)
      /// Several words or names.
      case list([String])
    }

    /// The key, in lowerCamelCase.
    public var key: String
    /// What it holds.
    public var content: Content

    /// Evidence under a key.
    public init(_ key: String, _ content: Content) {
      self.key = key
      self.content = content
    }
  }

  /// What kind of fact it is.
  public var word: Word
  /// What it does to the verdict.
  public var bearing: Bearing
  /// True for IPv6, false for IPv4, nil for neither in particular.
  public var isIPv6: Bool?
  /// What it is about.
  public var subject: Subject
  /// The evidence, in a fixed order for each word.
  public var values: [Value]

  /// A fact of its parts.
  public init(
    _ word: Word, _ bearing: Bearing, isIPv6: Bool? = nil, subject: Subject = .none,
    values: [Value] = []
  ) {
    self.word = word
    self.bearing = bearing
    self.isIPv6 = isIPv6
    self.subject = subject
    self.values = values
  }

  /// The evidence under `key`; nil where there is none.
  public func value(_ key: String) -> Value.Content? {
    values.first { $0.key == key }?.content
  }
}

extension WhyFact.Value.Content: CustomStringConvertible {
  /// The value as plain text.
  public var description: String {
    switch self {
    case .text(let text): text
    case .number(let number): String(number)
    case .flag(let flag): flag ? "yes" : "no"
    case .address(let address): address.description
    case .list(let list): list.joined(separator: ", ")
    }
  }
}

extension WhyFact: CustomStringConvertible {
  /// The fact in one line: the word, its subject, the evidence.
  public var description: String {
    var parts = [word.rawValue]
    switch subject {
    case .none: break
    case .interface(let name), .name(let name): parts.append(name)
    case .address(let address): parts.append(address.description)
    case .prefix(let prefix): parts.append(prefix.description)
    }
    parts += values.map { "\($0.key)=\($0.content)" }
    return parts.joined(separator: " ")
  }
}
