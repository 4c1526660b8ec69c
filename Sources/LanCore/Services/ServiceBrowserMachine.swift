public import LanWire

/// Decides what a browser asks and tells: service types, instances and what they resolve to
/// (RFC 6763 sections 4 to 9).
///
/// It talks to an `MDNSQuerier` through its caller: `demands` are given to the querier, the
/// querier's changes come back by `handle`; changes that it did not ask for are passed over. After
/// a batch of them call `batchEnded`, and `deadlineReached` whenever `nextDeadline` has come; both
/// tell what the batch came to, several changes of an instance as one event. Times are nanoseconds
/// of a monotonic clock.
///
/// What it takes for news: a change of host, port, priority, weight, addresses, TXT, subtypes or
/// `isOwn`. A refreshed TTL and another version of IP that an instance was heard over are noted
/// silently and show in the next event. An address that comes with the cache-flush bit while an
/// older one of the host's family is known is told with the old one's end, or after 1.1 s.
public struct ServiceBrowserMachine: Sendable {
  /// What is browsed for and how.
  public struct Configuration: Hashable, Sendable {
    /// The types; empty for every type that is heard of (RFC 6763 section 9).
    public var types: [ServiceType] = []
    /// The domain; multicast DNS serves `local`.
    public var domain: DNSName
    /// Where the answers come from; conventional DNS has no links, and its changes have the
    /// interface number 0.
    public var origin = ServiceOrigin.mdns
    /// The only links; empty for all.
    public var interfaces: Set<UInt32> = []
    /// Finds out host, port, addresses and TXT, and keeps at it.
    public var resolves = true
    /// The addresses asked for.
    public var families: MDNSFamilies = .both
    /// Lists service types only, and no instances.
    public var listsTypes = false
    /// Lists the domains recommended for browsing and registering instead of services.
    public var listsDomains = false
    /// Nanoseconds that `added` waits for SRV, TXT and an address; by default 1 s.
    public var completion: Int64 = 1_000_000_000
    /// Nanoseconds without news before `settled`; by default 500 ms.
    public var settle: Int64 = 500_000_000
    /// Nothing is asked.
    public var isPassive = false
    /// Instances that are followed at most; by default 50,000.
    public var instanceLimit = 50_000
    /// Types that are browsed for at most where all are, or watched where types are listed.
    public var typeLimit = 1_000

    /// Everything in `domain`.
    public init(domain: DNSName) { self.domain = domain }
  }

  /// What the querier is to do.
  public enum Demand: Hashable, Sendable {
    /// `MDNSQuerier.start`.
    case start(MDNSQuestion, MDNSEffort)
    /// `MDNSQuerier.stop`.
    case stop(MDNSQuestion)
    /// `MDNSQuerier.reconfirm`.
    case reconfirm(DNSName, DNSRecordType, DNSRecordData?, interfaceIndex: UInt32)
  }

  /// What is browsed for.
  public let configuration: Configuration
  /// What the querier is to do; the caller performs and empties it.
  public var demands: [Demand] = []
  /// What is to be told; the caller tells and empties it.
  public var events: [ServiceEvent] = []

  /// The time of the last call.
  var clock: Int64 = 0
  var isStarted = false
  var links: [UInt32: LinkFacts] = [:]
  var pointers = SlotTable<Pointer>()
  var pointerIDs: [DNSName: Int32] = [:]
  var instances = SlotTable<Instance>()
  var instanceIDs: [LinkName: Int32] = [:]
  var hosts = SlotTable<Host>()
  var hostIDs: [LinkName: Int32] = [:]
  var typeListing = TypeListing()
  var domainListing = DomainListing()
  /// Instances that have to be looked at when the batch ends.
  var dirty: [Int32] = []
  /// Told instances as they were before this batch took facts away, in case it takes them whole.
  var before: [Int32: DiscoveredService] = [:]
  var completions = ArrivalQueue<SlotReference>()
  var rechecks = ArrivalQueue<Recheck>()
  /// Instances that have not been told yet.
  var untoldCount = 0
  var settling = Settling()
  var hasNewsInBatch = false
  var hasToldLimit = false

  /// A browser that has not begun.
  public init(_ configuration: Configuration) { self.configuration = configuration }

  /// Begins.
  public mutating func start(at now: Int64) {
    guard !isStarted else { return }
    clock = now
    isStarted = true
    settling.begin(at: now)
    if configuration.listsDomains {
      startDomains()
    } else if configuration.listsTypes || configuration.types.isEmpty {
      startTypes()
    } else {
      for type in configuration.types { addPointer(type, isConfigured: true) }
    }
  }

  /// Ends: all questions are stopped and everything is forgotten; nothing is told.
  public mutating func stop(at now: Int64) {
    guard isStarted else { return }
    stopDomains()
    stopTypes()
    for (_, pointer) in pointers.live { ask(pointer.name, .ptr, .stop) }
    for (_, instance) in instances.live where configuration.resolves { stopAsking(instance) }
    for (_, host) in hosts.live { stopAsking(host) }
    let demands = demands
    self = ServiceBrowserMachine(configuration)
    self.demands = demands
  }

  /// Takes news about a link: its name for what is told, its addresses for `isOwn`.
  public mutating func setLink(_ link: MDNSLink, at now: Int64) {
    guard isWanted(link.index) else { return }
    clock = now
    let old = links[link.index]
    let facts = LinkFacts(link)
    links = links.filter { !$0.value.isGone }
    links[link.index] = facts
    if old == nil || old?.isGone == true { settling.round(at: now) }
    if old?.prefixes != facts.prefixes {
      refreshOwnership(on: link.index)
      refreshReverseDomains(on: link.index, old: old?.prefixes ?? [], new: facts.prefixes)
    }
  }

  /// A link went; what was known there is removed by the querier's changes.
  public mutating func removeLink(_ index: UInt32, at now: Int64) {
    clock = now
    // The name stays for the removals that follow, until another link is set.
    guard let old = links[index] else { return }
    links[index]?.isGone = true
    links[index]?.prefixes = []
    refreshReverseDomains(on: index, old: old.prefixes, new: [])
  }

  /// Takes a change that the querier told.
  public mutating func handle(_ change: MDNSChange, at now: Int64) {
    guard isStarted else { return }
    clock = now
    switch change {
    case .added(let answer):
      if isWanted(answer.interfaceIndex) { take(answer) }
    case .heardOver(let answer):
      if case .ptr(let target) = answer.data { widen(answer, target) }
    case .removed(let answer, let cause):
      if isWanted(answer.interfaceIndex) { lose(answer, cause) }
    case .denied(let question, let link):
      if isWanted(link) { deny(question, on: link) }
    case .exhausted(let question, let link):
      if isWanted(link) { giveUp(question, on: link) }
    }
  }

  /// Ends a batch: everything that was at hand has been handed in.
  public mutating func batchEnded(at now: Int64) {
    guard isStarted else { return }
    clock = now
    tellBatch()
  }

  /// Does what is due.
  public mutating func deadlineReached(at now: Int64) {
    guard isStarted else { return }
    clock = now
    expireCompletions()
    recheck()
    tellBatch()
    guard let due = settling.due(isWaiting: untoldCount > 0, configuration.settle), due <= now
    else { return }
    settling.isTold = true
    events.append(.settled)
  }

  /// When `deadlineReached` is to be called next; nil for not before something else happens.
  public var nextDeadline: Int64? {
    guard isStarted else { return nil }
    return [
      completions.first, rechecks.first,
      settling.due(isWaiting: untoldCount > 0, configuration.settle),
    ].lazy.compactMap(\.self).min()
  }

  /// The instances that were told, in no order.
  public var services: [DiscoveredService] {
    instances.live.compactMap { id, instance in instance.isTold ? snapshot(id) : nil }
  }

  func isWanted(_ link: UInt32) -> Bool {
    configuration.interfaces.isEmpty || configuration.interfaces.contains(link)
  }
}
