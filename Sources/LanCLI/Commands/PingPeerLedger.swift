import LanCore
import LanSystem

/// What is to be said of each target, and what exit status follows.
enum PingPeerLedger {
  /// What is known of one target.
  enum Finding: Hashable {
    /// An intact answer came, and no more was lost than may be.
    case holds
    /// No answer, a corrupted one, or too many lost.
    case fails
    /// Nobody has said anything yet.
    case silent
    /// It cannot be determined.
    case unknown
    /// A right is missing.
    case notPermitted
  }

  /// The finding by what probes came to.
  ///
  /// With `maximumLoss` more may not be lost than so many percent; `isDefinite` says that the peer,
  /// or somebody on the way, said something, such as a reset.
  static func finding(
    _ report: PingPeerReport, maximumLoss: Double?, isDefinite: Bool
  ) -> Finding {
    let summary = report.summary
    if summary.corrupted > 0 || report.isForeign || report.isVanished { return .fails }
    if summary.received == 0 { return isDefinite ? .fails : .silent }
    if let maximumLoss, summary.lossPercent > maximumLoss { return .fails }
    return .holds
  }

  /// The status of a run: all must hold, or one with `isAny`.
  static func status(_ findings: [Finding], isAny: Bool, isTimedOut: Bool) -> ExitStatus {
    let isSilent = !findings.contains(.holds) && !findings.contains(.fails)
    let cannot: ExitStatus? =
      findings.contains(.notPermitted)
      ? .notPermitted : findings.contains(.unknown) ? .undetermined : nil
    if isAny, findings.contains(.holds) { return .success }
    if isTimedOut, isSilent, findings.contains(.silent) || findings.isEmpty { return .timedOut }
    if isAny { return cannot ?? .negative }
    if findings.contains(.fails) || findings.contains(.silent) { return .negative }
    if let cannot { return cannot }
    return findings.isEmpty ? .negative : .success
  }
}
