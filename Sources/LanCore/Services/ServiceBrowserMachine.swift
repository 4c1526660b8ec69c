public import LanWire

/// Decides what a browser asks and tells: service types, instances and what they resolve to
/// (RFC 6763 sections 4 to 9).
///
/// It talks to an `MDNSQuerier` through its caller: `demands` are given to the querier, the
/// querier's changes come back by `handle`. After a batch of them call `batchEnded`. Times are
/// nanoseconds of a monotonic clock.
public struct ServiceBrowserMachine: Sendable {
  /// What is browsed for and how.
  public struct Configuration: Hashable, Sendable {
    /// The types; empty for every type that is heard of (RFC 6763 section 9).
    public var types: [ServiceType] = []
    /// The domain; multicast DNS serves `local`.
    public var domain: DNSName
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
    /// Nanoseconds that `added` waits for SRV, TXT and an address.
    public var completion: Int64 = 1_000_000_000
    /// Nanoseconds without news before `settled`.
    public var settle: Int64 = 500_000_000
    /// Nothing is asked.
    public var isPassive = false
    /// Instances that are followed at most.
    public var instanceLimit = 50_000

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

  /// A browser that has not begun.
  public init(_ configuration: Configuration) { self.configuration = configuration }

  /// Begins.
  public mutating func start(at now: Int64) {}
  /// Takes news about a link: its name for what is told, its addresses for `isOwn`.
  public mutating func setLink(_ link: MDNSLink, at now: Int64) {}
  /// A link went; what was known there is removed by the querier's changes.
  public mutating func removeLink(_ index: UInt32, at now: Int64) {}
  /// Takes a change that the querier told.
  public mutating func handle(_ change: MDNSChange, at now: Int64) {}
  /// Ends a batch: everything that was at hand has been handed in.
  public mutating func batchEnded(at now: Int64) {}
  /// Does what is due.
  public mutating func deadlineReached(at now: Int64) {}
  /// When `deadlineReached` is to be called next.
  public var nextDeadline: Int64? { nil }
  /// The instances that were told, in no order.
  public var services: [DiscoveredService] { [] }
}
