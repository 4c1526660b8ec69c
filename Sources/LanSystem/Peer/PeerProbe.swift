public import LanCore
public import LanWire

/// Tests one peer over TCP: connects by Happy Eyeballs, sends probes, and measures what comes back.
///
/// Everything happens on the reactor's thread; many probes can run on one.
public final class PeerProbe {
  /// How a peer is tested.
  public struct Configuration: Hashable, Sendable {
    /// What is done with the connection; `discard` is for servers.
    public var mode = PeerMode.echo
    /// How many probes are sent; nil for as many as time allows.
    public var count: Int?
    /// From one probe to the next; zero sends each as soon as the one before is answered.
    public var interval = Duration.seconds(1)
    /// Probes a second, sent when they are due whatever became of those before, and timed from then;
    /// nil for `interval`.
    public var rate: Double?
    /// Sends without waiting for answers, with at most so many under way; nil for not.
    public var flood: Int?
    /// How long one probe, or one handshake, may take.
    public var wait = Duration.seconds(1)
    /// When the run ends; nil for not before the count.
    public var duration: Duration?
    /// Octets of a probe in echo mode, 1 to 1,048,576.
    public var size = 64
    /// The bytes that a probe repeats; empty for bytes that differ from probe to probe.
    public var pattern: [UInt8] = []
    /// Ends at the first probe that is lost.
    public var endsWhenLost = false
    /// Goes on connecting until a probe is answered, and ends then.
    public var endsWhenAnswered = false
    /// The address that connections come from.
    public var source: IPAddress?
    /// The only interface; nil for what the routing table says.
    public var interface: String?
    /// The type of service or traffic class; nil for the system's.
    public var trafficClass: UInt8?
    /// TCP_NODELAY: small writes leave at once.
    public var isUndelayed = true
    /// Takes the kernel's time stamps, where it has them.
    public var usesStamps = true

    /// Echo of 64 octets a second.
    public init() {}
  }

  /// Called with everything that the probe tells.
  public var onEvent: ((PeerProbeEvent) -> Void)?
  /// Where the peer is to be tried, best first.
  public private(set) var endpoints: [SocketEndpoint]
  /// How it is tested.
  public let configuration: Configuration
  /// True between `start` and `finished`.
  public private(set) var isRunning = false

  /// A probe that does nothing yet.
  public init(
    _ endpoints: [SocketEndpoint], _ configuration: Configuration = Configuration(),
    on reactor: Reactor
  ) {
    self.endpoints = endpoints
    self.configuration = configuration
  }

  /// Begins.
  public func start() {}

  /// Ends: what is under way stays in flight, and `finished` is told.
  public func stop() {}

  /// Goes on elsewhere: the peer has moved.
  ///
  /// A connection to a place that is not in the list is left at once.
  ///
  /// - Parameter endpoints: Where the peer is to be tried from now on, best first.
  public func move(to endpoints: [SocketEndpoint]) { self.endpoints = endpoints }

  /// What the probes came to so far.
  public var summary: PeerProbeSummary { PeerProbeSummary() }

  /// What is told from now on; it ends with `finished`.
  public var events: AsyncStream<PeerProbeEvent> { AsyncStream { $0.finish() } }
}
