import LanWire

/// What SRV and TXT records say about one instance on one link (RFC 6763 sections 5 and 6).
///
/// Feed it the querier's answers about the instance's name; it asks nothing itself.
struct InstanceResolution: Sendable {
  /// An SRV record.
  struct Target: Hashable, Sendable {
    var priority: UInt16
    var weight: UInt16
    var port: UInt16
    var host: DNSName
    var received: Int64
    var isUnique: Bool

    func says(sameAs other: Target) -> Bool {
      priority == other.priority && weight == other.weight && port == other.port
        && host == other.host
    }

    /// Nothing runs there (RFC 6763 section 8).
    var isPlaceholder: Bool { port == 0 || host.isRoot }
  }

  /// A TXT record.
  private struct Text: Sendable {
    var strings: [[UInt8]]
    var received: Int64
  }

  /// A record with the cache-flush bit ends older ones of its set a second after it came (RFC 6762
  /// section 10.2); after so long what is still there is there to stay.
  static let flushTime: Int64 = 1_100_000_000
  /// Younger records are of the same set and stay.
  static let youth: Int64 = 1_000_000_000
  /// Records of each type that are followed; more than one is rare, so many are somebody's attack.
  private static let recordLimit = 16

  private(set) var targets: [Target] = []
  private var texts: [Text] = []
  /// The owner says that there is no SRV record.
  var isTargetDenied = false
  /// The owner says that there is no TXT record.
  var isTextDenied = false

  /// Takes an SRV or TXT record; false if it was known, or is one too many.
  mutating func add(_ answer: MDNSAnswer) -> Bool {
    switch answer.data {
    case .srv(let priority, let weight, let port, let host):
      let target = Target(
        priority: priority, weight: weight, port: port, host: host, received: answer.received,
        isUnique: answer.isUnique)
      guard targets.count < Self.recordLimit,
        !targets.contains(where: { $0.says(sameAs: target) })
      else { return false }
      targets.append(target)
      isTargetDenied = false
    case .txt(let strings):
      guard texts.count < Self.recordLimit, !texts.contains(where: { $0.strings == strings })
      else { return false }
      texts.append(Text(strings: strings, received: answer.received))
      isTextDenied = false
    default: return false
    }
    return true
  }

  /// Forgets an SRV or TXT record; false if it was not known.
  mutating func remove(_ data: DNSRecordData) -> Bool {
    switch data {
    case .srv(let priority, let weight, let port, let host):
      guard
        let index = targets.firstIndex(where: {
          $0.priority == priority && $0.weight == weight && $0.port == port && $0.host == host
        })
      else { return false }
      targets.remove(at: index)
    case .txt(let strings):
      guard let index = texts.firstIndex(where: { $0.strings == strings }) else { return false }
      texts.remove(at: index)
    default: return false
    }
    return true
  }

  /// The SRV record that holds: lowest priority, then greatest weight, then the newest (RFC 6763
  /// section 5), without those that a unique record of the last second is about to replace.
  func target(at now: Int64) -> Target? {
    guard targets.count > 1 else { return targets.first }
    let newest = targets.reduce(into: Int64.min) { newest, target in
      if target.isUnique, now < target.received + Self.flushTime {
        newest = max(newest, target.received)
      }
    }
    let lasting = targets.filter { newest == .min || $0.received > newest - Self.youth }
    return lasting.reduce(nil) { best, next in
      guard let best else { return next }
      if next.priority != best.priority { return next.priority < best.priority ? next : best }
      if next.weight != best.weight { return next.weight > best.weight ? next : best }
      return next.received > best.received ? next : best
    }
  }

  /// What the newest TXT record says; nil until it is known.
  ///
  /// A missing one, an empty one and one of empty strings are the same (RFC 6763 section 6.1).
  var text: [[UInt8]]? {
    guard var newest = texts.first else { return isTextDenied ? [] : nil }
    for text in texts.dropFirst() where text.received >= newest.received { newest = text }
    return newest.strings.allSatisfy(\.isEmpty) ? [] : newest.strings
  }
}
