import LanWire

/// A record in the cache.
struct MDNSCacheRecord: Sendable {
  /// Its data without compression.
  var bytes: [UInt8]
  /// When it was last received.
  var received: Int64
  /// When it goes.
  var expires: Int64
  /// Since when unanswered questions of others count: heard, or listed as known by who asked.
  var excused: Int64
  /// Seconds to live as last received.
  var ttl: UInt32
  var hash: UInt32
  var set: Int32
  /// Neighbours in the set, which is ordered by `received`.
  var older: Int32 = -1
  var newer: Int32 = -1
  /// The next of its hash bucket.
  var chain: Int32 = -1
  var source: IPAddress
  var families: MDNSFamilies
  var isUnique: Bool
  /// Under suspicion (RFC 6762 section 10.4): being asked for, and gone at `expires`.
  var isDoubted = false
  /// Why it goes at `expires`.
  var cause = MDNSRemovalCause.expired
  /// The step of the refresh ladder that is next.
  var stage: UInt8 = 0
  /// Questions for it since it was received.
  var asked: UInt8 = 0

  static let blank = MDNSCacheRecord(
    bytes: [], received: 0, expires: 0, excused: 0, ttl: 0, hash: 0, set: -1,
    source: .v4(IPv4Address(bits: 0)), families: [], isUnique: false)

  /// It is not about to go before its time, and not in doubt.
  var isSound: Bool { cause == .expired && !isDoubted }
  /// Nanoseconds that it lives.
  var lifetime: Int64 { Int64(ttl) * 1_000_000_000 }
  /// It is sound and younger than 80 % of its time.
  func isFresh(at now: Int64) -> Bool { isSound && now < received + lifetime / 5 * 4 }
  /// It may be listed as a known answer: more than half of its time is left (RFC 6762 section 7.1).
  func isKnown(at now: Int64) -> Bool {
    isSound && !isUnique && (expires - now) > lifetime / 2
  }
}

/// The records of a type that a name has on a link.
struct MDNSRecordSet: Sendable {
  var name: Int32
  var type: DNSRecordType
  /// It is among those that are asked for next.
  var isAsked = false
  /// The last message that it was marked for.
  var mark: UInt32 = 0
  /// The next set of the same name.
  var sibling: Int32 = -1
  var oldest: Int32 = -1
  var newest: Int32 = -1
  var count: Int32 = 0
  /// The series of questions; -1 where there is no interest.
  var series: Int32 = -1

  static let blank = MDNSRecordSet(name: -1, type: .any)
}

/// A name on a link.
struct MDNSCacheName: Sendable {
  var name: DNSName
  var interfaceIndex: UInt32
  var hash: UInt32
  /// The next of its hash bucket.
  var chain: Int32 = -1
  var firstSet: Int32 = -1
  var setCount: Int32 = 0
  /// The set that stands for the question for any type; -1 where nobody is interested.
  var anySet: Int32 = -1

  static let blank = MDNSCacheName(name: .root, interfaceIndex: 0, hash: 0, setCount: -1)

  /// It is a name and not a free place.
  var isUsed: Bool { setCount >= 0 }
}
