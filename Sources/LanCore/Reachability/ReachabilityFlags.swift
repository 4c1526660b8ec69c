/// How a target can be reached, with the bit values of SCNetworkReachabilityFlags.
///
/// "Reachable" means that a packet can leave this host towards the target, not that it arrives.
public struct ReachabilityFlags: OptionSet, Hashable, Sendable {
  /// The bits.
  public var rawValue: UInt32

  /// Flags of these bits; unknown ones are kept.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// The way goes over a link that comes and goes: point-to-point, tunnel or cellular.
  public static let transientConnection = ReachabilityFlags(rawValue: 0x1)
  /// A packet can leave this host towards the target.
  public static let reachable = ReachabilityFlags(rawValue: 0x2)
  /// A connection has to be established first: no link of the way is up, one is dormant.
  public static let connectionRequired = ReachabilityFlags(rawValue: 0x4)
  /// The first packet establishes the connection.
  public static let connectionOnTraffic = ReachabilityFlags(rawValue: 0x8)
  /// A person must act before there is a connection.
  public static let interventionRequired = ReachabilityFlags(rawValue: 0x10)
  /// The kernel or its driver establishes the connection when asked.
  public static let connectionOnDemand = ReachabilityFlags(rawValue: 0x20)
  /// The target is an address of this host.
  public static let isLocalAddress = ReachabilityFlags(rawValue: 0x10000)
  /// No gateway stands between this host and the target.
  public static let isDirect = ReachabilityFlags(rawValue: 0x20000)
  /// The way goes over a cellular link.
  public static let isWWAN = ReachabilityFlags(rawValue: 0x40000)

  /// Every known flag with its name and scutil's words, in the order in which scutil prints them.
  public static let all: [(flag: ReachabilityFlags, name: String, scutilText: String)] = [
    (.reachable, "reachable", "Reachable"),
    (.transientConnection, "transientConnection", "Transient Connection"),
    (.connectionRequired, "connectionRequired", "Connection Required"),
    (.connectionOnTraffic, "connectionOnTraffic", "Automatic Connection On Traffic"),
    (.connectionOnDemand, "connectionOnDemand", "Automatic Connection On Demand"),
    (.interventionRequired, "interventionRequired", "Intervention Required"),
    (.isLocalAddress, "isLocalAddress", "Local Address"),
    (.isDirect, "isDirect", "Directly Reachable Address"),
    (.isWWAN, "isWWAN", "WWAN"),
  ]

  /// The names of the flags that are set, in scutil's order.
  public var names: [String] { Self.all.compactMap { contains($0.flag) ? $0.name : nil } }

  /// The letters `WR ctiCDld`, a hyphen for each flag that is not set.
  public var compactLetters: String {
    let letters: [(ReachabilityFlags, String)] = [
      (.isWWAN, "W"), (.reachable, "R"), ([], " "), (.connectionRequired, "c"),
      (.transientConnection, "t"), (.interventionRequired, "i"), (.connectionOnTraffic, "C"),
      (.connectionOnDemand, "D"), (.isLocalAddress, "l"), (.isDirect, "d"),
    ]
    return letters.map { contains($0.0) ? $0.1 : "-" }.joined()
  }
}

extension ReachabilityFlags: CustomStringConvertible {
  /// Scutil's words: the texts with commas, unknown bits as hexadecimal number.
  public var description: String {
    guard rawValue != 0 else { return "Not Reachable" }
    var rest = self
    var parts: [String] = []
    for (flag, _, text) in Self.all where contains(flag) {
      parts.append(text)
      rest.remove(flag)
    }
    if rest.rawValue != 0 {
      let digits = String(rest.rawValue, radix: 16)
      parts.append("0x" + String(repeating: "0", count: 8 - digits.utf8.count) + digits)
    }
    return parts.joined(separator: ",")
  }
}
