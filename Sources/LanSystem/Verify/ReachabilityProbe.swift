public import LanWire

/// What makes sure that a target answers, beyond that a route leads to it.
///
/// Probes are bounded, and only sent when asked for. They leave by the target's interface, source
/// address and mark.
public enum ReachabilityProbe: Hashable, Sendable {
  /// The first hop answers on the link: an empty datagram to it, then the kernel's neighbour state.
  case neighbour
  /// The target (for the default path: the gateway) answers an echo request.
  case icmp
  /// The target accepts a connection on a port.
  case tcp(port: UInt16)
  /// A web server gives the answer that is expected.
  case http(HTTPProbe)
}

/// What a probe found.
public struct ProbeReport: Hashable, Sendable {
  /// How far packets get, in NetworkManager's words.
  public enum Connectivity: String, Hashable, Sendable, CaseIterable {
    /// No answer at all.
    case none
    /// Somebody else answers instead, as a captive portal does.
    case portal
    /// Something answers, but not what was asked for: a refusal, or a broken answer.
    case limited
    /// The expected answer came.
    case full
  }

  /// Why a probe could not be made.
  public enum Failure: Hashable, Sendable {
    /// The process may not send it; the remedy says how it could.
    case permissionDenied(remedy: String)
    /// There is no address to send it to.
    case noDestination
    /// The name in its URL cannot be resolved; why.
    case unresolved(String)
    /// A system call failed.
    case system(SystemError)
  }

  /// The outcome.
  public enum Outcome: Hashable, Sendable {
    /// How far packets get.
    case connectivity(Connectivity)
    /// It could not be made.
    case failure(Failure)
  }

  /// The number of the target.
  public var target: Int
  /// What was done.
  public var probe: ReachabilityProbe
  /// Where it was sent; nil where there was no address.
  public var address: IPAddress?
  /// What came of it.
  public var outcome: Outcome
  /// What was seen, such as `refused` or `status 302 to http://…`; empty where nothing is to add.
  public var detail: String
  /// How long it took, in nanoseconds.
  public var elapsed: Int64

  /// True where the expected answer came.
  public var isVerified: Bool { outcome == .connectivity(.full) }
}
