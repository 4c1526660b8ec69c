public import LanCore
public import LanWire

/// One try to connect, of several that Happy Eyeballs makes (RFC 8305).
public struct PeerConnectAttempt: Hashable, Sendable {
  /// How it ended.
  public enum Outcome: Hashable, Sendable {
    /// It won.
    case connected
    /// The system refused it, with this number of errno.
    case failed(Int32)
    /// Another won before it ended.
    case abandoned
    /// Nothing came back within the time limit.
    case timedOut
    /// The kernel connected the socket to itself.
    case selfConnected
  }

  /// Where to.
  public var endpoint: SocketEndpoint
  /// When it began, nanoseconds after the first one.
  public var begun: Int64
  /// How long it took, nanoseconds.
  public var elapsed: Int64
  /// How it ended.
  public var outcome: Outcome

  /// A try of these facts.
  public init(endpoint: SocketEndpoint, begun: Int64, elapsed: Int64, outcome: Outcome) {
    self.endpoint = endpoint
    self.begun = begun
    self.elapsed = elapsed
    self.outcome = outcome
  }
}

/// Why a probe has no answer, or a connection ended.
public enum PeerFailure: Error, Hashable, Sendable {
  /// Nothing came within the time limit.
  case timeout
  /// Nothing at all comes any more although the connection was not closed.
  case halfOpen
  /// The peer closed the connection.
  case closed
  /// The peer closed the connection after so many of the expected bytes.
  case shortReply(received: Int, expected: Int)
  /// A byte came back other than it was sent; where in the probe, and both bytes.
  case corrupted(offset: Int, expected: UInt8, received: UInt8)
  /// The system's error: refused, reset, unreachable.
  case system(SystemError)
  /// All tries to connect failed.
  case notConnected([PeerConnectAttempt])
  /// The socket was connected to itself.
  case selfConnected
}

/// What a probe tells; times are nanoseconds.
public enum PeerProbeEvent: Hashable, Sendable {
  /// A connection stands: the winner is the last of the tries.
  case connected(
    SocketEndpoint, local: SocketEndpoint, connectTime: Int64, attempts: [PeerConnectAttempt])
  /// A probe was answered whole; in connect mode a handshake.
  case reply(probe: Int, bytes: Int, rtt: Int64, split: PeerProbeSummary.Split?)
  /// A probe was lost.
  case lost(probe: Int, PeerFailure)
  /// An answer to a probe came after it was given up.
  case late(probe: Int, rtt: Int64)
  /// A tap was sent.
  case tapSent(probe: Int, TapByte)
  /// The peer's kernel acknowledged a tap.
  case tapAcknowledged(probe: Int, TapByte, elapsed: Int64)
  /// The peer sent a tap.
  case tapReceived(TapByte)
  /// The first bytes of the peer are no WiTap.
  case notPlainWiTap([UInt8])
  /// The connection ended, or could not be made; the probe tries again while it is to go on.
  case disconnected(PeerFailure)
  /// The run is over; `summary` says how it went.
  case finished
}
