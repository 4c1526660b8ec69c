public import LanWire

/// Why the kernel could not be asked over netlink, or refused.
public enum NetlinkError: Error, Hashable, Sendable {
  /// A system call failed.
  case system(SystemError)
  /// The kernel refused a request, with its own words where it has some.
  case refused(NetlinkErrorMessage)
  /// The kernel's answer could not be read.
  case malformed(WireError)
  /// The kernel did not answer within a second.
  case noAnswer
  /// Answers were lost again and again.
  case lost
  /// The recording that is replayed has no answer to the request.
  case notRecorded(NetlinkType)
}

extension NetlinkError: CustomStringConvertible {
  /// What failed and why, in one line.
  public var description: String {
    switch self {
    case .system(let error): error.description
    case .refused(let error):
      error.text.isEmpty
        ? "netlink: \(error.reason)" : "netlink: \(error.reason) (\(error.text))"
    case .malformed(let error): "netlink: the kernel's answer \(error)"
    case .noAnswer: "netlink: the kernel does not answer"
    case .lost: "netlink: answers were lost again and again"
    case .notRecorded(let type): "the recording has no answer to a request of type \(type.rawValue)"
    }
  }
}

extension NetlinkErrorMessage {
  /// The system's words for the error number, starting in lower case.
  public var reason: String { SystemError(call: "netlink", errno: errno).reason }
}
