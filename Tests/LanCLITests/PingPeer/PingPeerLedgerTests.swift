import LanCore
import LanSystem
import Testing

@testable import LanCLI

private func report(
  sent: Int = 10, received: Int = 10, corrupted: Int = 0, isForeign: Bool = false
) -> PingPeerReport {
  var summary = PeerProbeSummary()
  (summary.sent, summary.received, summary.corrupted) = (sent, received, corrupted)
  summary.lost = sent - received
  return PingPeerReport(
    subject: PingPeerSubject(target: "a:7", mode: .echo, wait: .seconds(1)), summary: summary,
    isForeign: isForeign)
}

@Suite("How a run of ping-peer ends") struct PingPeerLedgerTests {
  @Test("one intact answer holds; corrupted bytes, no WiTap or too much loss do not")
  func findings() {
    func finding(_ report: PingPeerReport, _ limit: Double? = nil) -> PingPeerLedger.Finding {
      PingPeerLedger.finding(report, maximumLoss: limit, isDefinite: false)
    }
    #expect(finding(report()) == .holds)
    #expect(finding(report(received: 1)) == .holds)
    #expect(finding(report(received: 1), 90) == .holds)
    #expect(finding(report(received: 1), 89.9) == .fails)
    #expect(finding(report(received: 9), 0) == .fails)
    #expect(finding(report(received: 9, corrupted: 1)) == .fails)
    #expect(finding(report(isForeign: true)) == .fails)
    #expect(finding(report(received: 0)) == .silent)
    #expect(
      PingPeerLedger.finding(report(received: 0), maximumLoss: nil, isDefinite: true) == .fails)
  }

  @Test("all targets must hold, or one with --any; a time limit counts only without a result")
  func statuses() {
    func status(
      _ findings: [PingPeerLedger.Finding], isAny: Bool = false, isTimedOut: Bool = false
    ) -> LanCLI.ExitStatus {
      PingPeerLedger.status(findings, isAny: isAny, isTimedOut: isTimedOut)
    }
    #expect(status([.holds, .holds]) == .success)
    #expect(status([.holds, .fails]) == .negative)
    #expect(status([.holds, .fails], isAny: true) == .success)
    #expect(status([.holds, .unknown]) == .undetermined)
    #expect(status([.holds, .unknown], isAny: true) == .success)
    #expect(status([.fails, .unknown]) == .negative)
    #expect(status([.notPermitted]) == .notPermitted)
    #expect(status([.silent]) == .negative)
    #expect(status([.silent], isTimedOut: true) == .timedOut)
    #expect(status([.holds], isTimedOut: true) == .success)
    #expect(status([.fails], isTimedOut: true) == .negative)
    #expect(status([.holds, .silent], isTimedOut: true) == .negative)
    #expect(status([.unknown], isTimedOut: true) == .undetermined)
    #expect(status([], isTimedOut: true) == .timedOut)
  }
}
