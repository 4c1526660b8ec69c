import LanCore
import LanSystem

/// Why a run of `serve` cannot be, in words and as a status.
enum ServeFailure {
  /// Why the port cannot be had, and what to do.
  static func words(_ error: SystemError, port: UInt16) -> String {
    if error.isInUse {
      let holder = PortHolder.ofTCP(port).map { " by \($0)" } ?? ""
      return "cannot listen on port \(port): it is in use\(holder); choose another with --port"
    }
    if error.isForbidden {
      return "cannot listen on port \(port): \(error.reason), CAP_NET_BIND_SERVICE is missing; "
        + Privilege.remedy(for: .netBindService)
    }
    return port == 0
      ? "cannot listen: \(error.reason)" : "cannot listen on port \(port): \(error.reason)"
  }

  /// Why the service cannot be published, and what to do.
  static func words(_ error: ServicePublisherError) -> String {
    switch error {
    case .mdns(.noMulticastInterface): "cannot publish: \(error); --no-publish serves all the same"
    default: "cannot publish: \(error)"
    }
  }

  /// The status of a run whose service cannot be published.
  static func status(_ error: ServicePublisherError) -> ExitStatus {
    switch error {
    case .badArgument: .usage
    case .collision: .negative
    case .mdns(.system(let reason)) where reason.isForbidden: .notPermitted
    case .alreadyActive, .mdns: .undetermined
    }
  }
}
