public import LanWire

/// The answering side of multicast DNS on all links: claims names, announces, defends and answers
/// (RFC 6762 sections 6 to 10).
///
/// It reads no clock, asks no kernel and has no chance of its own. Drive it as `MDNSQuerier`: tell it
/// the links and the services, hand in each datagram, call `deadlineReached` when `nextDeadline` has
/// come, and perform `output` after any call. Times are nanoseconds of a monotonic clock.
public struct MDNSResponder: Sendable {
  /// What can be set.
  public struct Configuration: Hashable, Sendable {
    /// The first label of this machine's name, as it is wished for.
    public var hostLabel: [UInt8]
    /// Whether another label is chosen when that one is taken.
    public var mayRenameHost = true
    /// Port 5353 belongs to this program alone: QU questions get unicast answers from it.
    public var mayAnswerUnicast = true

    /// A machine of this name.
    public init(hostLabel: [UInt8]) { self.hostLabel = hostLabel }
  }

  /// What is set.
  public let configuration: Configuration
  /// What is to be done; the caller performs and empties it after each call.
  public var output = MDNSResponderOutput()
  /// Own addresses that another stack on this machine answers for: they get no PTR of ours.
  public var foreignAddresses: Set<IPAddress> = []

  /// A responder without links and services.
  ///
  /// - Parameters:
  ///   - configuration: What is set.
  ///   - seed: Where chance begins; equal seeds and inputs give equal outputs.
  public init(_ configuration: Configuration, seed: UInt64) {
    self.configuration = configuration
  }

  /// The host's name as it is claimed now, `deck.local`.
  public var hostName: DNSName { .root }
  /// True when nothing is published and all goodbyes are in `output`.
  public var isIdle: Bool { true }

  // MARK: Links

  /// A link is used, or its addresses are different.
  public mutating func setLink(_ link: MDNSLink, at now: Int64) {}
  /// A link is used no more.
  public mutating func removeLink(_ index: UInt32, at now: Int64) {}

  // MARK: Services

  /// Begins to publish a service on the links of these numbers, or on all for nil.
  public mutating func publish(
    _ service: MDNSService, on interfaces: Set<UInt32>? = nil, at now: Int64
  ) -> MDNSService.ID { MDNSService.ID(0) }

  /// Has a service published on these links.
  public mutating func setInterfaces(
    _ interfaces: Set<UInt32>?, of id: MDNSService.ID, at now: Int64
  ) {}

  /// Changes a service's TXT record: announced anew, without probing (RFC 6762 section 8.4).
  public mutating func update(_ id: MDNSService.ID, text: [[UInt8]], at now: Int64) {}

  /// Changes whose name and addresses a service has.
  public mutating func update(_ id: MDNSService.ID, host: MDNSService.Host, at now: Int64) {}

  /// Gives a service another name: goodbye to the old one, probing for the new one.
  public mutating func rename(_ id: MDNSService.ID, to instance: [UInt8], at now: Int64) {}

  /// Takes a service back, with a goodbye (RFC 6762 section 10.1).
  public mutating func withdraw(_ id: MDNSService.ID, at now: Int64) {}

  /// Takes everything back.
  public mutating func withdrawAll(at now: Int64) {}

  // MARK: Messages and time

  /// Takes one datagram: a query, a probe, or a response of another host.
  public mutating func handle(_ message: Span<UInt8>, _ arrival: MDNSArrival, at now: Int64) {}

  /// Does what is due.
  public mutating func deadlineReached(at now: Int64) {}

  /// When `deadlineReached` is to be called next; nil for not before something else happens.
  public var nextDeadline: Int64? { nil }
}
