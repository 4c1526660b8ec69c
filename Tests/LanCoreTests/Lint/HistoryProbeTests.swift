import LanCore
import LanWire
import Testing

@Suite struct HistoryProbeTests {
  private func probe(
    _ script: inout HistoryScript, _ times: [Double], type: DNSRecordType = .any,
    proposes: Bool = true
  ) {
    for time in times {
      script.query(
        time, from: 1, [ScriptQuestion(name: "h.local", type: type, unicast: true)],
        proposed: proposes ? [.a("h.local", 1)] : [])
    }
  }

  private let sound = [0.0, 0.25, 0.5]
  private let records = [ScriptRecord.a("h.local", 1)]

  @Test("three probes and two announcements break nothing (section 8)") func soundStart() {
    var script = HistoryScript()
    probe(&script, sound)
    script.respond(0.75, from: 1, records, kind: .announcement)
    script.respond(1.75, from: 1, records, kind: .announcement)
    script.finish(100)
    #expect(script.findings.isEmpty)
  }

  @Test("probes at other intervals, and too few of them, are found (section 8.1)")
  func timing() {
    #expect(count(LintRules.probeTiming) { probe(&$0, [0, 0.25, 1.2]) } == 1)
    #expect(
      count(LintRules.probeTiming) {
        probe(&$0, [0, 0.25])
        $0.respond(0.5, from: 1, records, kind: .announcement)
      } == 1)
    #expect(
      count(LintRules.probeTiming) {
        probe(&$0, [0])
        $0.query(
          0.1, from: 2, [ScriptQuestion(name: "h.local", type: .any, unicast: true)],
          proposed: [.a("h.local", 2)])
        probe(&$0, [1.1, 1.35, 1.6])
      } == 0, "the loser of a tie waits a second")
  }

  @Test("a probe for one type is found (section 8.1)") func type() {
    #expect(count(LintRules.probeType) { probe(&$0, [0], type: .a) } == 1)
    #expect(count(LintRules.probeType) { probe(&$0, sound) } == 0)
  }

  @Test("a probe that proposes nothing is found (section 8.2)") func authority() {
    #expect(count(LintRules.probeAuthority) { probe(&$0, [0], proposes: false) } == 1)
    #expect(count(LintRules.probeAuthority) { probe(&$0, sound) } == 0)
  }

  @Test("a host that appears and announces unprobed names is found (section 8.1)")
  func noProbe() {
    #expect(
      count(LintRules.noProbe) { $0.respond(0, from: 1, records, kind: .announcement) } == 1)
    #expect(count(LintRules.noProbe) { $0.respond(0, from: 1, records) } == 0, "it was asked")
    #expect(
      count(LintRules.noProbe) {
        probe(&$0, sound)
        $0.respond(0.75, from: 1, records, kind: .announcement)
      } == 0)
  }

  @Test("a host that joined the group and did not probe is an error (section 8.1)")
  func joined() {
    var script = HistoryScript()
    script.history.handleMembership(
      .currentState, source: HistoryScript.address(1),
      sourceMAC: MACAddress(bits: 0x0200_0000_0001),
      group: .v4(.mdnsGroup), nanoseconds: HistoryScript.nanoseconds(0), frame: 2,
      into: &script.findings)
    script.respond(1, from: 1, records, kind: .announcement)
    #expect(script.found("no-probe").map(\.severity) == [.error])
  }

  @Test("a new record that is announced once is found (section 8.3)") func announcedOnce() {
    let play = { (again: Double) in
      count(LintRules.announcedOnce) {
        probe(&$0, sound)
        $0.respond(0.75, from: 1, records, kind: .announcement)
        $0.respond(again, from: 1, records, kind: .announcement)
      }
    }
    #expect(play(20) == 1)
    #expect(play(1.75) == 0)
  }

  @Test("a host that tries four names with rising numbers is found (section 9)")
  func renameLoop() {
    let play = { (names: [String]) in
      count(LintRules.renameLoop) { script in
        for (step, name) in names.enumerated() {
          script.query(
            Double(step), from: 1, [ScriptQuestion(name: name, type: .any, unicast: true)],
            proposed: [.a(name, 1)])
        }
      }
    }
    #expect(play((2...5).map { "mac-\($0).local" }) == 1)
    #expect(play((2...5).map { "mac (\($0)).local" }) == 1)
    #expect(play(["mac.local", "mac-2.local", "mac-3.local"]) == 0)
    #expect(play(["a-1.local", "b-2.local", "c-3.local", "d-4.local", "e-5.local"]) == 0)
  }
}
