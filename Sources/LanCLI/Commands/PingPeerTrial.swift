import LanCore
import LanSystem
import LanWire

/// One target of a run: it is resolved, tested, and followed where it moves.
final class PingPeerTrial {
  /// How far it is.
  enum State: Hashable {
    /// Not resolved yet.
    case pending
    /// Probes are sent.
    case testing
    /// All probes are done.
    case finished
    /// The name does not resolve.
    case unresolved
    /// This host cannot send probes.
    case impossible(SystemError)
  }

  var target: PingPeerTarget
  /// How long its first probe waits, so that many peers take turns.
  var startDelay = Duration.zero
  var subject: PingPeerSubject
  var state = State.pending
  var probe: PeerProbe?
  var resolver: ServiceResolver?
  var records: ServiceReconfirmation?
  /// What the name resolved to.
  var answers: [ResolveAnswer]?
  /// When the records were doubted last.
  var doubted: Int64?
  /// Nobody has said yet what came of it.
  var isInDoubt = false
  /// What was said last of the records, since the last answer of the peer.
  var outcome: PingPeerReconfirmation?
  var isForeign = false
  /// Somebody has said something that is no answer: refused, reset, closed.
  var isDefinite = false
  /// The peer vanished without a word, and no answer came since (a half-open connection).
  var isVanished = false
  /// Taps that were sent and not acknowledged, by probe.
  private var taps: [Int: TapByte] = [:]

  init(_ target: PingPeerTarget, _ configuration: PingPeerConfiguration) {
    self.target = target
    subject = PingPeerSubject(
      target: target.text, mode: .echo, wait: configuration.probe.wait)
  }

  /// True when nothing more comes of it.
  var isOver: Bool {
    switch state {
    case .pending, .testing: false
    case .finished, .unresolved, .impossible: true
    }
  }

  /// What the probes came to so far.
  var report: PingPeerReport {
    PingPeerReport(
      subject: subject, summary: probe?.summary ?? PeerProbeSummary(), isForeign: isForeign,
      isVanished: isVanished)
  }

  /// What is to be said of the target.
  func finding(maximumLoss: Double?) -> PingPeerLedger.Finding {
    switch state {
    case .unresolved: .unknown
    case .impossible(let error): error.isForbidden ? .notPermitted : .unknown
    case .pending: .silent
    case .testing, .finished:
      PingPeerLedger.finding(report, maximumLoss: maximumLoss, isDefinite: isDefinite)
    }
  }

  /// Notes what an event says, and gives what is to be shown of it: a tap waits until it is
  /// acknowledged or lost, so that it has one record.
  func take(_ event: PeerProbeEvent) -> [PeerProbeEvent] {
    switch event {
    case .connected(let endpoint, _, let time, _):
      (subject.endpoint, subject.connectTime) = (endpoint, time)
    case .lost(let probe, let failure):
      note(failure)
      if let tap = taps.removeValue(forKey: probe) { return [.tapSent(probe: probe, tap), event] }
    case .disconnected(let failure): note(failure)
    case .notPlainWiTap: isForeign = true
    case .reply, .late: noteAnswer()
    case .tapSent(let probe, let tap):
      taps[probe] = tap
      return []
    case .tapAcknowledged(let probe, _, _):
      taps[probe] = nil
      noteAnswer()
    case .finished:
      let open = taps.sorted { $0.key < $1.key }
      taps = [:]
      return open.map { .tapSent(probe: $0.key, $0.value) }
    case .tapReceived: break
    }
    return [event]
  }

  private func noteAnswer() {
    isVanished = false
    outcome = nil
  }

  private func note(_ failure: PeerFailure) {
    if failure.isDefinite { isDefinite = true }
    if failure == .halfOpen { isVanished = true }
    if let error = failure.localError, probe?.summary.received == 0 {
      state = .impossible(error)
    }
  }

  /// Ends everything that is under way.
  func stop() {
    resolver?.stop()
    records?.stop()
    probe?.stop()
  }
}
