import LanWire

/// Records of one name and type that are given together, or one record of those that several hosts
/// may have: what is asked for, delayed, suppressed and announced as one.
struct MDNSOwnSet: Sendable {
  /// The name that has it.
  var owner: Int32
  var type: DNSRecordType
  /// Seconds to live.
  var ttl: UInt32
  /// Only this host has records of the name and type (RFC 6762 section 2).
  var isUnique: Bool
  /// Tells it from others that have its number later.
  var serial: UInt32 = 0
  var data: [DNSRecordData] = []
  /// The data without compression, as it is compared.
  var bytes: [[UInt8]] = []
  /// Claims that have it, and those of them whose names are verified: it is given if there are any.
  var holders: Int32 = 0
  var standing: Int32 = 0
  /// The next one under the same hash of a shared record.
  var next: Int32 = -1

  /// When it was multicast last.
  var multicast: Int64 = .min
  /// When another host gave it as we would have.
  var given: Int64 = .min
  /// It was told to somebody, so that a goodbye makes sense.
  var isTold = false
  /// Announcements that are to come.
  var announcements: Int32 = 0
  /// Until when another host's copy of it lives.
  var othersUntil: Int64 = .min

  /// It is to be multicast: not before `earliest`, at `due`; somebody asked at `asked`.
  var isPlanned = false
  var asked: Int64 = .min
  var earliest: Int64 = .min
  var due: Int64 = .min

  /// Which of its records the message of this number holds.
  var known: (serial: UInt32, bits: UInt64) = (0, 0)
  /// The message that asked for it last, and the packet that it stands in.
  var question: UInt32 = 0
  var packet: UInt32 = 0
  /// Where that message's choice of it stands.
  var choice = 0

  static let blank = MDNSOwnSet(owner: -1, type: .any, ttl: 0, isUnique: false)

  /// Bits for all of its records.
  var allBits: UInt64 { data.count >= 64 ? .max : 1 << UInt64(data.count) - 1 }

  /// True if the message of this number holds all of its records.
  func isKnown(to serial: UInt32) -> Bool {
    known.serial == serial && !data.isEmpty && data.count <= 64 && known.bits == allBits
  }

  /// True if the group has had it since a time, from us or from another host (RFC 6762 section
  /// 7.4).
  func isGiven(since time: Int64) -> Bool { max(multicast, given) >= time }

  /// Notes that the message of this number holds a record.
  mutating func mark(_ member: Int, _ serial: UInt32) {
    if known.serial != serial { known = (serial, 0) }
    if member < 64 { known.bits |= 1 << UInt64(member) }
  }
}

/// A name that the responder has records of on a link.
struct MDNSOwner: Sendable {
  var name: DNSName
  var hash: UInt32 = 0
  /// The next one under the same hash.
  var next: Int32 = -1
  /// The claim to a unique name; -1 for a name that is not claimed.
  var claim: Int32 = -1
  var sets: [Int32] = []
  /// The message that proposes records of this name.
  var proposed: UInt32 = 0
  /// The message whose proposal was compared with ours.
  var decided: UInt32 = 0

  static let blank = MDNSOwner(name: .root)
}

/// The claim of this host to a unique name on a link, and what hangs on it.
struct MDNSClaim: Sendable {
  /// Whose name it is.
  enum Subject: Hashable, Sendable {
    case service(UInt32)
    case host(Int32)
  }

  var subject: Subject
  var owner: Int32
  /// What is proposed in probes, and behind it the set that says which types there are.
  var sets: [Int32] = []
  var denial: Int32 = -1
  /// What is given when the claim stands: pointers to the name.
  var dependents: [Int32] = []
  /// Probes sent.
  var probes: Int32 = 0
  /// Nobody else has the name.
  var isVerified = false
  /// All is given: for a service, its host's name is verified too.
  var isStanding = false
  /// Services on this link that have this host.
  var users: Int32 = 0
  /// When it was defended last.
  var defended: Int64 = .min

  static let blank = MDNSClaim(subject: .host(-1), owner: -1)
}

/// A set as it is remembered for later.
struct MDNSSetReference: Hashable, Sendable {
  var id: Int32
  var serial: UInt32
}
