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
    /// From one probe to the next, by default 1 s; zero sends each as soon as the one before is
    /// answered.
    public var interval = Duration.seconds(1)
    /// Probes a second, sent when they are due whatever became of those before, and timed from then;
    /// nil for `interval`.
    public var rate: Double?
    /// Sends without waiting for answers, with at most so many under way; nil for not.
    public var flood: Int?
    /// How long one probe, or one handshake, may take; by default 1 s.
    public var wait = Duration.seconds(1)
    /// How long after `start` the first connection is begun; lets the probes of many peers take turns.
    public var startDelay = Duration.zero
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
  public internal(set) var endpoints: [SocketEndpoint]
  /// How it is tested.
  public let configuration: Configuration
  /// True between `start` and `finished`.
  public internal(set) var isRunning = false

  let reactor: Reactor
  let content: ProbeContent
  let isEcho: Bool
  let run: ProbeRun
  var streams = EventStreams<PeerProbeEvent>()

  // Time.
  var began: Int64?
  var ended: Int64?
  var timer: TimerToken?
  var wakeTime = Int64.max

  // The connection, or the way to it.
  var link: PeerLink?
  var dial: PeerDial?
  /// In connect mode, the handshakes under way by the probe that they are.
  var handshakes: [Int: PeerDial] = [:]
  var preferred: SocketEndpoint?
  var hasDialed = false
  var restsUntil = Int64.min
  var pause = PeerProbe.leastPause
  var lastFailure: PeerFailure?
  var silence = ProbeSilence()

  // The stream.
  let input: ReceiveRoom
  /// The probe that is sent in parts, and how much of it was.
  var partial: (number: Int, count: Int)?
  /// How much of the oldest probe has come back.
  var arrived = 0
  /// The first byte of it that was wrong.
  var mismatch: PeerFailure?
  var isStalled = false
  var linkBytesOut = 0
  var hasStamps = false
  var sample: EchoSample?
  var sampleTime = Int64.min
  var taps = TapSequence()
  var hasHeardTaps = false
  var delayedAcks = DelayedAckDetector()

  // What is told in the end.
  var connections = 0
  var connectTime: Int64?
  var totalConnectTime: Int64?
  var kernel: PeerProbeSummary.Kernel?
  var retransmits = 0
  var bytesOut = 0
  var bytesIn = 0
  var unaskedBytes = 0

  /// A probe that does nothing yet.
  public init(
    _ endpoints: [SocketEndpoint], _ configuration: Configuration = Configuration(),
    on reactor: Reactor
  ) {
    self.configuration = configuration
    self.reactor = reactor
    self.endpoints = endpoints
    isEcho = configuration.mode == .echo
    content = ProbeContent(
      size: configuration.mode == .echo ? configuration.size : 1, pattern: configuration.pattern)
    run = ProbeRun(configuration)
    input = ReceiveRoom(min(max(content.size * 2, 4_096), 65_536))
  }

  /// Begins, in the reactor's next round; a probe runs once, and lives until it has finished.
  public func start() {
    guard began == nil else { return }
    isRunning = true
    let delay = min(max(configuration.startDelay, .zero), .seconds(86_400))
    let first = MonotonicClock.now + delay.wholeNanoseconds
    began = first
    run.start(at: first)
    wake(by: first)
  }

  /// Ends: what is under way stays in flight, and `finished` is told.
  public func stop() {
    if isRunning { finish(at: MonotonicClock.now) }
  }

  /// What is told from now on; it ends with `finished`.
  ///
  /// A consumer that falls behind loses the oldest of 4,096.
  public var events: AsyncStream<PeerProbeEvent> {
    let stream = streams.add()
    if began != nil, !isRunning { streams.finish() }
    return stream
  }
}

extension ProbeRun {
  convenience init(_ configuration: PeerProbe.Configuration) {
    let pace: ProbeSchedule.Pace =
      if let window = configuration.flood {
        .flood(min(max(window, 1), ProbeLedger.capacity))
      } else if let rate = configuration.rate, rate > 0 {
        .rate(rate)
      } else {
        .interval(max(configuration.interval.wholeNanoseconds, 0))
      }
    self.init(
      ProbeSchedule(
        pace, count: configuration.count, duration: configuration.duration?.wholeNanoseconds),
      wait: max(configuration.wait.wholeNanoseconds, 1),
      endsWhenLost: configuration.endsWhenLost,
      endsWhenAnswered: configuration.endsWhenAnswered)
  }
}
