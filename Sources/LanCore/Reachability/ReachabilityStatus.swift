/// AFNetworking's four statuses, with its numbers.
///
/// "WiFi" there means reachable and not over a cellular link: Ethernet, tunnels and the loopback
/// are WiFi too. `Medium` tells what the link really is.
public enum ReachabilityStatus: Int, Hashable, Sendable, CaseIterable {
  /// Not yet known, or it could not be determined.
  case unknown = -1
  /// No packet can leave towards the target without something happening first.
  case notReachable = 0
  /// Reachable over a cellular link.
  case reachableViaWWAN = 1
  /// Reachable over any other link.
  case reachableViaWiFi = 2

  /// The status that follows from flags by AFNetworking's rule.
  ///
  /// A required connection counts as reachable where it comes up by itself and without a person.
  public init(_ flags: ReachabilityFlags) {
    let isAutomatic =
      flags.contains(.connectionOnDemand) || flags.contains(.connectionOnTraffic)
    let needsNobody = isAutomatic && !flags.contains(.interventionRequired)
    let isUsable =
      flags.contains(.reachable) && (!flags.contains(.connectionRequired) || needsNobody)
    self =
      !isUsable ? .notReachable : flags.contains(.isWWAN) ? .reachableViaWWAN : .reachableViaWiFi
  }

  /// True for the two reachable ones.
  public var isReachable: Bool { rawValue > 0 }

  /// The word for machines.
  public var word: String {
    switch self {
    case .unknown: "unknown"
    case .notReachable: "notReachable"
    case .reachableViaWWAN: "reachableViaWWAN"
    case .reachableViaWiFi: "reachableViaWiFi"
    }
  }
}

/// What stands between the flags and traffic.
public enum ReachabilityConnection: String, Hashable, Sendable, CaseIterable {
  /// Nothing: packets go, or nothing can make them go.
  case notNeeded
  /// The link comes up when it is asked to.
  case onDemand
  /// The link comes up with the first packet.
  case onTraffic
  /// Something else must bring the link up, such as a supplicant that has yet to authenticate.
  case required
  /// A person must act, such as switching a radio on.
  case intervention

  /// What the flags say about the connection.
  public init(_ flags: ReachabilityFlags) {
    self =
      if !flags.contains(.connectionRequired) {
        .notNeeded
      } else if flags.contains(.interventionRequired) {
        .intervention
      } else if flags.contains(.connectionOnTraffic) {
        .onTraffic
      } else if flags.contains(.connectionOnDemand) {
        .onDemand
      } else {
        .required
      }
  }
}
