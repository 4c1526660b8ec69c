/// What the probes of a peer came to, so far or in all; times are nanoseconds.
public struct PeerProbeSummary: Hashable, Sendable {
  /// A distribution of times; its memory does not grow with their number.
  public struct Times: Hashable, Sendable {
    /// How many there are.
    public var count = 0
    /// The least.
    public var minimum: Int64 = 0
    /// The mean.
    public var mean: Double = 0
    /// Half are not above it.
    public var p50: Int64 = 0
    /// 90 % are not above it.
    public var p90: Int64 = 0
    /// 99 % are not above it.
    public var p99: Int64 = 0
    /// 99.9 % are not above it.
    public var p999: Int64 = 0
    /// The greatest.
    public var maximum: Int64 = 0
    /// The standard deviation.
    public var deviation: Double = 0

    /// No times.
    public init() {}
  }

  /// One bar of a histogram: how many times were from `lowest` on and below `end`.
  public struct Bar: Hashable, Sendable {
    /// The least time that belongs to it.
    public var lowest: Int64
    /// The least time that is above it.
    public var end: Int64
    /// How many.
    public var count: Int

    /// A bar of these facts.
    public init(lowest: Int64, end: Int64, count: Int) {
      self.lowest = lowest
      self.end = end
      self.count = count
    }
  }

  /// What the kernel knows of the connection (TCP_INFO).
  public struct Kernel: Hashable, Sendable {
    /// Its smoothed round trip.
    public var rtt: Int64
    /// The deviation of that.
    public var rttDeviation: Int64
    /// The least round trip; nil where it does not tell.
    public var minimumRTT: Int64?
    /// Segments that were sent again.
    public var retransmits: Int
    /// The path's segment size, octets.
    public var segmentSize: Int
    /// Segments that may be under way.
    public var congestionWindow: Int

    /// Facts of a connection.
    public init(
      rtt: Int64, rttDeviation: Int64, minimumRTT: Int64?, retransmits: Int, segmentSize: Int,
      congestionWindow: Int
    ) {
      self.rtt = rtt
      self.rttDeviation = rttDeviation
      self.minimumRTT = minimumRTT
      self.retransmits = retransmits
      self.segmentSize = segmentSize
      self.congestionWindow = congestionWindow
    }
  }

  /// Probes sent.
  public var sent = 0
  /// Probes answered, every byte as it was sent.
  public var received = 0
  /// Probes that timed out or failed.
  public var lost = 0
  /// Probes answered with other bytes than were sent; they count as lost too.
  public var corrupted = 0
  /// Probes neither answered nor timed out when the run ended; sent = received + lost + inFlight.
  public var inFlight = 0
  /// Round trips of the probes; in tap mode times to the acknowledgement, in connect mode of handshakes.
  public var times = Times()
  /// How much times that follow each other differ, smoothed (RFC 3550 section 6.4.1).
  public var jitter: Double = 0
  /// The bars of the distribution, lowest first, none empty at the ends.
  public var histogram: [Bar] = []
  /// The last round trips, oldest first, at most 64; for a picture.
  public var recent: [Int64] = []
  /// Handshakes that were made.
  public var connections = 0
  /// How long the last handshake took; the failed tries before it left out.
  public var connectTime: Int64?
  /// From the start of the first try to the connection.
  public var totalConnectTime: Int64?
  /// Share of a round trip in the local stack, in wire and the peer's kernel, and in the peer's
  /// application: medians, from the kernel's time stamps; nil where there are none.
  public var split: Split?
  /// What the kernel knows of the connection; nil where there is none.
  public var kernel: Kernel?
  /// Bytes sent and received.
  public var bytesOut = 0
  /// Bytes received.
  public var bytesIn = 0
  /// Bytes received that belong to no probe.
  public var unaskedBytes = 0
  /// How long the run took.
  public var elapsed: Int64 = 0
  /// Times to the acknowledgement point to the peer's delayed-ACK timer.
  public var delayedAckSuspected = false

  /// Where a round trip was spent.
  public struct Split: Hashable, Sendable {
    /// From the call to the network card.
    public var localStack: Int64
    /// From the network card to the acknowledgement of the peer's kernel.
    public var wire: Int64
    /// From that to the answer.
    public var application: Int64

    /// A split of these parts.
    public init(localStack: Int64, wire: Int64, application: Int64) {
      self.localStack = localStack
      self.wire = wire
      self.application = application
    }
  }

  /// Nothing sent.
  public init() {}

  /// `lost` of `sent`, 0 to 100.
  public var lossPercent: Double { sent == 0 ? 0 : Double(lost) * 100 / Double(sent) }
}
