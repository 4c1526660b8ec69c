public import LanCore

extension PeerProbe {
  /// What the probes came to so far.
  public var summary: PeerProbeSummary {
    var summary = PeerProbeSummary()
    run.statistics.fill(&summary)
    summary.sent = run.ledger.sent
    summary.received = run.ledger.received
    summary.lost = run.ledger.lost
    summary.inFlight = run.inFlight
    summary.connections = connections
    summary.connectTime = connectTime
    summary.totalConnectTime = totalConnectTime
    summary.kernel =
      link?.facts.map { PeerProbeSummary.Kernel($0, retransmits: retransmits) } ?? kernel
    summary.bytesOut = bytesOut
    summary.bytesIn = bytesIn
    summary.unaskedBytes = unaskedBytes
    summary.elapsed = began.map { max((ended ?? MonotonicClock.now) - $0, 0) } ?? 0
    summary.delayedAckSuspected = delayedAcks.isSuspected
    return summary
  }
}
