public import LanWire

/// The asking side of multicast DNS on all links: messages and time in, packets and changes out
/// (RFC 6762 sections 5, 7 and 10).
///
/// It reads no clock, asks no kernel and has no chance of its own. Drive it like this: tell it the
/// links, begin questions, hand in each datagram; after each batch, and whenever `nextDeadline` has
/// come, call `deadlineReached`; after any call take `output` and perform it. Times are nanoseconds
/// of a monotonic clock.
public struct MDNSQuerier: Sendable {
  /// What can be set.
  public struct Configuration: Hashable, Sendable {
    /// Sends nothing at all.
    public var isPassive = false
    /// May ask for unicast answers (QU): only with port 5353 to ourselves (RFC 6762 section 15.1).
    public var mayAskUnicast = true
    /// Records that the cache holds at most; by default 200,000.
    public var recordLimit = 200_000
    /// Octets that the cache holds at most; by default 64 MiB.
    public var byteLimit = 64 << 20
    /// Records that nobody asked for which the cache holds at most; by default 16,384.
    public var unaskedLimit = 16_384
    /// The defaults.
    public init() {}
  }

  /// What is set.
  public let configuration: Configuration
  /// What is to be done; the caller performs and empties it after each call.
  public var output = MDNSOutput()

  var cache = MDNSCache()
  var links: [MDNSLinkState] = []
  var interests = MDNSInterests()
  var series = MDNSPool<MDNSSeries>()
  /// When each series asks next.
  var seriesQueue = DeadlineQueue()
  /// When something about a record of interest, or in doubt, is to be done.
  var recordQueue = DeadlineQueue()
  /// When each other record goes; nobody is woken for these.
  var unasked = DeadlineQueue()
  /// Questions of others that went unanswered, by set.
  var misses: [Int32: MDNSMisses] = [:]
  var chance: MDNSChance
  var writer = DNSMessageWriter(compression: .multicast)
  var index = DNSMessageIndex()
  /// The latest time that was told.
  var clock: Int64 = .min
  /// The number of the message that is being read.
  var serial: UInt32 = 0
  /// Sets and names that the rest of a message concerns, kept for their memory.
  var flushes: [Int32] = []
  var denials: [Int32] = []
  var isFull = false
  var complaints = MDNSComplaints()
  /// Records looked at, for tests of cost.
  var work = 0

  /// A querier without links and questions.
  ///
  /// - Parameters:
  ///   - configuration: What is set.
  ///   - seed: Where chance begins; equal seeds and inputs give equal outputs.
  public init(_ configuration: Configuration = Configuration(), seed: UInt64) {
    self.configuration = configuration
    chance = MDNSChance(seed: seed)
  }

  // MARK: Output

  /// Does what is due.
  public mutating func deadlineReached(at now: Int64) {
    clock = max(clock, now)
    expireUnasked(now)
    while let id = recordQueue.firstDue(at: now) { recordDue(id, now) }
    while let id = seriesQueue.firstDue(at: now) { seriesDue(id, now) }
    for position in links.indices where !links[position].asks.isEmpty { ask(position, now) }
  }

  /// When `deadlineReached` is to be called next; nil for not before something else happens.
  public var nextDeadline: Int64? {
    guard let record = recordQueue.earliest else { return seriesQueue.earliest }
    return min(record, seriesQueue.earliest ?? record)
  }

  // MARK: What is known

  /// What the cache knows about a name and type now.
  public func answers(
    _ name: DNSName, _ type: DNSRecordType, interfaceIndex: UInt32? = nil
  ) -> [MDNSAnswer] {
    var result: [MDNSAnswer] = []
    for state in links where interfaceIndex.map({ $0 == state.link.index }) ?? true {
      let owner = cache.name(name, interface: state.link.index)
      guard owner >= 0 else { continue }
      forEachRecord(owner, type) { id in
        if cache.records[id].expires > clock { result.append(answer(id)) }
      }
    }
    return result
  }

  /// Walks the records of a name and type, or of all types for ANY, oldest first.
  func forEachRecord(_ name: Int32, _ type: DNSRecordType, _ body: (Int32) -> Void) {
    var set = type == .any ? cache.names[name].firstSet : cache.set(name, type)
    while set >= 0 {
      var id = cache.sets[set].oldest
      while id >= 0 {
        body(id)
        id = cache.records[id].newer
      }
      set = type == .any ? cache.sets[set].sibling : -1
    }
  }

  /// The records of a name and type, or of all types for ANY, oldest first.
  func records(_ name: Int32, _ type: DNSRecordType) -> [Int32] {
    var result: [Int32] = []
    forEachRecord(name, type) { result.append($0) }
    return result
  }

  /// A record as it is told.
  func answer(_ id: Int32) -> MDNSAnswer {
    let record = cache.records[id]
    let set = cache.sets[record.set]
    return MDNSAnswer(
      name: cache.names[set.name].name,
      data: DNSRecordData(set.type, uncompressed: record.bytes),
      interfaceIndex: cache.names[set.name].interfaceIndex, families: record.families,
      source: record.source, ttl: record.ttl, received: record.received,
      isUnique: record.isUnique)
  }

  /// Where a link is in `links`.
  func position(of interface: UInt32) -> Int? {
    links.firstIndex { $0.link.index == interface }
  }
}
