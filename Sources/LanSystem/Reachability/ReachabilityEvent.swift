public import LanCore

/// Something that a `ReachabilityMonitor` tells.
public struct ReachabilityEvent: Sendable {
  /// What is told.
  public enum Content: Sendable {
    /// The verdict about a target: the first one of each comes at once, then each change.
    case report(ReachabilityReport)
    /// The kernel told of a change; only with `tellsKernelEvents`.
    case kernel(KernelEvent)
    /// Messages of the kernel were lost this many times, and its state was read anew.
    case resync(overruns: Int)
    /// A probe ended; only with a `probe`.
    case verification(ProbeReport)
    /// Something is amiss that does not end the run.
    case diagnostic(ReachabilityDiagnostic)
    /// The recording that is replayed is at its end.
    case ended
  }

  /// Nanoseconds of the monotonic clock; in a replay, those of the recording since 1970.
  public var time: Int64
  /// Nanoseconds since 1970; in a replay, those of the recording.
  public var wallTime: Int64
  /// What is told.
  public var content: Content
}

/// What a `ReachabilityMonitor` cannot do, or has to do without, while it goes on.
public enum ReachabilityDiagnostic: Hashable, Sendable {
  /// The kernel could not be asked; it will be asked again.
  case kernelNotAsked(NetlinkError)
  /// The kernel lacks multicast groups, so that some changes are only found by the safety poll.
  case groupsMissing([NetlinkGroup])
  /// Messages that did not come from the kernel were ignored; how many so far.
  case forgedMessages(Int)
  /// A message of the kernel could not be read.
  case malformedMessage
  /// The recording ended early.
  case recordingFailed(FileError)
  /// There are no threads for the resolver.
  case noResolverThread(SystemError)
}

extension ReachabilityDiagnostic: CustomStringConvertible {
  /// What is amiss, in one line.
  public var description: String {
    switch self {
    case .kernelNotAsked(let error): "the kernel could not be asked: \(error)"
    case .groupsMissing(let groups):
      "this kernel does not tell of group "
        + groups.map { String($0.rawValue) }.joined(separator: ", ")
    case .forgedMessages(let count): "\(count) messages did not come from the kernel"
    case .malformedMessage: "a message of the kernel could not be read"
    case .recordingFailed(let error): "the recording ended: \(error)"
    case .noResolverThread(let error): "no thread for the resolver: \(error)"
    }
  }
}

/// Why a `ReachabilityMonitor` cannot start.
public enum ReachabilityError: Error, Hashable, Sendable {
  /// The kernel cannot be asked.
  case netlink(NetlinkError)
  /// The recording cannot be replayed.
  case replay(NetlinkReplayError)
  /// The recording cannot be written.
  case recording(FileError)
}

extension ReachabilityError: CustomStringConvertible {
  /// What cannot be done and why, in one line.
  public var description: String {
    switch self {
    case .netlink(let error): error.description
    case .replay(let error): error.description
    case .recording(let error): error.description
    }
  }
}

/// Gets what a `ReachabilityMonitor` tells, on the reactor's thread.
public protocol ReachabilityMonitorDelegate: AnyObject {
  /// The first verdict about a target, or another one than before.
  func reachabilityMonitor(_ monitor: ReachabilityMonitor, didReport report: ReachabilityReport)
  /// Anything else.
  func reachabilityMonitor(_ monitor: ReachabilityMonitor, didTell event: ReachabilityEvent)
}

extension ReachabilityMonitorDelegate {
  /// Ignores it.
  public func reachabilityMonitor(
    _ monitor: ReachabilityMonitor, didTell event: ReachabilityEvent
  ) {}
}
