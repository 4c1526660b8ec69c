public import LanWire

/// The order in which the addresses of a host are to be tried (RFC 6724 section 6).
///
/// The policy table is the one that glibc has built in, so that the order is the one of the
/// system's resolver where no gai.conf changes it. Rules 4 (home addresses) and 7 (native
/// transport) have nothing to say here.
public enum DestinationOrder {
  /// The address that packets to a destination would be sent from.
  public struct Source: Hashable, Sendable {
    /// The address.
    public var address: IPAddress
    /// How many leading bits name its network.
    public var prefixLength: Int
    /// It is kept for what is under way only.
    public var isDeprecated: Bool

    /// A source of these facts.
    public init(_ address: IPAddress, prefixLength: Int = 0, isDeprecated: Bool = false) {
      self.address = address
      self.prefixLength = prefixLength
      self.isDeprecated = isDeprecated
    }
  }

  /// A destination with its source; nil where there is no route to it.
  public struct Candidate: Hashable, Sendable {
    /// The destination.
    public var address: IPAddress
    /// Where packets to it would come from.
    public var source: Source?

    /// A candidate of these facts.
    public init(_ address: IPAddress, source: Source?) {
      self.address = address
      self.source = source
    }
  }

  /// Why one address stands before another.
  public enum Rule: Int, Hashable, Sendable, CaseIterable {
    /// Rule 1.
    case avoidUnusable = 1
    /// Rule 2.
    case matchingScope = 2
    /// Rule 3.
    case avoidDeprecated = 3
    /// Rule 5.
    case matchingLabel = 5
    /// Rule 6.
    case higherPrecedence = 6
    /// Rule 8.
    case smallerScope = 8
    /// Rule 9.
    case longestPrefix = 9
    /// Rule 10.
    case unchanged = 10

    /// The rule in the RFC's words.
    public var text: String {
      switch self {
      case .avoidUnusable: "avoid unusable destinations"
      case .matchingScope: "prefer matching scope"
      case .avoidDeprecated: "avoid deprecated addresses"
      case .matchingLabel: "prefer matching label"
      case .higherPrecedence: "prefer higher precedence"
      case .smallerScope: "prefer smaller scope"
      case .longestPrefix: "use longest matching prefix"
      case .unchanged: "leave the order unchanged"
      }
    }
  }

  /// The items in the order to be tried in; equal ones keep theirs.
  public static func sorted<Item>(_ items: [Item], by candidate: (Item) -> Candidate) -> [Item] {
    let keyed = items.enumerated().map { (place: $0.offset, key: candidate($0.element)) }
    let order = keyed.sorted { left, right in
      let (difference, _) = compare(left.key, right.key)
      return difference == 0 ? left.place < right.place : difference < 0
    }
    return order.map { items[$0.place] }
  }

  /// The rule that puts `first` before `second`; nil if the rules would have it the other way.
  public static func rule(_ first: Candidate, before second: Candidate) -> Rule? {
    let (difference, rule) = compare(first, second)
    return difference > 0 ? nil : rule
  }

  /// Below zero for `left` first, above for `right`, with the rule that decides.
  private static func compare(_ left: Candidate, _ right: Candidate) -> (Int, Rule) {
    guard let leftSource = left.source, let rightSource = right.source else {
      let difference = (left.source == nil ? 1 : 0) - (right.source == nil ? 1 : 0)
      return (difference, difference == 0 ? .unchanged : .avoidUnusable)
    }
    func prefer(_ isPreferred: (Candidate, Source) -> Bool) -> Int {
      (isPreferred(right, rightSource) ? 1 : 0) - (isPreferred(left, leftSource) ? 1 : 0)
    }
    let rules: [(Rule, () -> Int)] = [
      (.matchingScope, { prefer { scope($0.address) == scope($1.address) } }),
      (.avoidDeprecated, { prefer { !$1.isDeprecated } }),
      (.matchingLabel, { prefer { label($0.address) == label($1.address) } }),
      (.higherPrecedence, { precedence(right.address) - precedence(left.address) }),
      (.smallerScope, { scope(left.address) - scope(right.address) }),
      (
        .longestPrefix,
        { matchingBits(right, rightSource, left) - matchingBits(left, leftSource, right) }
      ),
    ]
    for (rule, difference) in rules {
      let value = difference()
      if value != 0 { return (value, rule) }
    }
    return (0, .unchanged)
  }

  /// The leading bits that a destination shares with its source, where that can be compared with
  /// another destination; of IPv4 only on the source's own network, as prefixes beyond it say
  /// nothing about the way.
  private static func matchingBits(
    _ candidate: Candidate, _ source: Source, _ other: Candidate
  ) -> Int {
    guard candidate.address.isIPv6 == other.address.isIPv6 else { return 0 }
    let bits = candidate.address.commonPrefixLength(with: source.address)
    if candidate.address.isIPv6 { return bits }
    return bits >= source.prefixLength ? bits : 0
  }

  /// The scope of an address as that of multicast groups (RFC 6724 section 3.1 and 3.2).
  static func scope(_ address: IPAddress) -> Int {
    switch address {
    case .v4(let value): return value.isLinkLocal || value.isLoopback ? 2 : 14
    case .v6(let value):
      if value.isMulticast { return Int(value.high >> 48 & 0xF) }
      if value.isLinkLocal || value.isLoopback { return 2 }
      return value.high >> 54 == 0x3FB ? 5 : 14
    }
  }

  /// The row of the policy table: label and precedence.
  private static func policy(_ address: IPAddress) -> (label: Int, precedence: Int) {
    guard case .v6(let value) = address else { return (4, 10) }
    if value.isLoopback { return (0, 50) }
    if value.high == 0, value.low >> 32 == 0 { return (3, 20) }
    if value.high == 0, value.low >> 32 == 0xFFFF { return (4, 10) }
    if value.high >> 48 == 0x2002 { return (2, 30) }
    if value.high >> 32 == 0x2001_0000 { return (7, 40) }
    if value.high >> 54 == 0x3FB { return (5, 40) }
    if value.high >> 57 == 0x7E { return (6, 40) }
    return (1, 40)
  }

  private static func label(_ address: IPAddress) -> Int { policy(address).label }
  private static func precedence(_ address: IPAddress) -> Int { policy(address).precedence }
}
