import LanCore
import LanWire
import Testing

private let instance = ScriptRecord.ptr("_http._tcp.local", "web._http._tcp.local")

@Suite struct HistoryRecordTests {
  private let both = [ScriptRecord.aaaa("h.local", 1), .aaaa("h.local", 2)]

  @Test("a record again within a second is found, unless a probe came between (section 6)")
  func repeated() {
    let play = { (gap: Double, probed: Bool, ttl: UInt32) in
      count(LintRules.repeatWithinSecond) {
        $0.respond(0, from: 1, [.a("h.local", 1, ttl: ttl)])
        if probed {
          $0.query(
            0.1, from: 2, [ScriptQuestion(name: "h.local", type: .any, unicast: true)],
            proposed: [.a("h.local", 2)])
        }
        $0.respond(gap, from: 1, [.a("h.local", 1, ttl: ttl)])
      }
    }
    #expect(play(0.2, false, 120) == 1)
    #expect(play(1, false, 120) == 0)
    #expect(play(0.2, true, 120) == 0)
    #expect(play(0.2, false, 0) == 0)
    #expect(play(0.0008, false, 120) == 0, "a mirrored copy")
    #expect(
      count(LintRules.repeatWithinSecond) {
        $0.respond(0, from: 1, [.a("h.local", 1)])
        $0.respond(0.002, from: 1, [.a("h.local", 1)], v6: true)
      } == 0, "once over each family")
  }

  @Test("a set with the cache-flush bit that lacks a live member is found (section 10.2)")
  func partial() {
    var script = HistoryScript()
    script.respond(0, from: 1, both)
    script.respond(5, from: 1, [both[0]])
    script.respond(9, from: 1, both)
    #expect(script.found("partial-rrset").map(\.frames) == [[2, 3, 4]])
    #expect(
      count(LintRules.partialSet) {
        $0.respond(0, from: 1, both)
        $0.respond(5, from: 1, [both[0]])
        $0.respond(9, from: 1, [both[0]])
      } == 0, "an address that is gone")
    #expect(
      count(LintRules.partialSet) {
        $0.respond(0, from: 1, both)
        $0.respond(5, from: 1, [both[0]])
        $0.respond(5.05, from: 1, [both[1]])
      } == 0, "the rest follows at once")
    #expect(
      count(LintRules.partialSet) { script in
        for step in 0..<6 {
          script.respond(Double(step) * 5, from: 1, [.txt("t.local", "n=\(step % 2)")])
        }
      } == 0, "an update")
  }

  @Test("four unasked announcements at equal gaps are found (section 8.3)") func periodic() {
    let play = { (times: [Double], kind: MessageKind) in
      count(LintRules.periodicAnnouncement) { script in
        for time in times { script.respond(time, from: 1, [.a("h.local", 1)], kind: kind) }
      }
    }
    #expect(play([0, 20, 40, 60], .announcement) == 1)
    #expect(play([0, 20, 40, 60], .response) == 0)
    #expect(play([0, 1, 3, 7, 15, 31], .announcement) == 0)
    #expect(play([0, 20, 40], .announcement) == 0)
  }

  @Test("more than ten changes of a record within a minute are found (section 8.4)")
  func updates() {
    let play = { (changes: Int, gap: Double) in
      count(LintRules.updateRate) { script in
        for step in 0...changes {
          script.respond(Double(step) * gap, from: 1, [.txt("t.local", "n=\(step)")])
        }
      }
    }
    #expect(play(11, 1.5) == 1)
    #expect(play(10, 1.5) == 0)
    #expect(play(12, 20) == 0)
  }

  @Test("two hosts with different records of one name are in conflict (section 9)")
  func conflict() {
    #expect(
      count(LintRules.conflict) {
        $0.respond(0, from: 1, [.a("h.local", 1)])
        $0.respond(5, from: 2, [.a("h.local", 2)])
      } == 1)
    #expect(
      count(LintRules.conflict) {
        $0.respond(0, from: 1, [.a("h.local", 1)])
        $0.respond(5, from: 2, [.a("h.local", 1)])
      } == 0, "a proxy")
    #expect(
      count(LintRules.conflict) {
        $0.respond(0, from: 1, [.a("h.local", 1), .a("h.local", 2)])
        $0.respond(5, from: 2, [.a("h.local", 2)])
      } == 0, "a set that one of them united")
    #expect(
      count(LintRules.conflict, until: 300) {
        $0.respond(0, from: 1, [.a("h.local", 1)])
        $0.respond(121, from: 2, [.a("h.local", 2)])
      } == 0, "the first has expired")
    #expect(
      count(LintRules.conflict) {
        $0.respond(0, from: 1, [.a("h.local", 1)])
        $0.respond(1, from: 1, [.a("h.local", 1, ttl: 0)])
        $0.respond(5, from: 2, [.a("h.local", 2)])
      } == 0, "the first was withdrawn")
  }

  @Test("an NSEC record against what the host sent before is found (section 6.1)")
  func denial() {
    let play = { (types: [UInt16], v6: Bool) in
      var script = HistoryScript()
      script.respond(0, from: 1, [.a("h.local", 1), .aaaa("h.local", 1)])
      script.respond(
        5, from: 1, [.a("h.local", 1)], additional: [.nsec("h.local", only: types)],
        v6: v6)
      return script.findings.map(\.rule.id).filter { $0.hasPrefix("nsec") }
    }
    #expect(play([1], false) == ["nsec-contradiction"])
    #expect(play([1, 28], false).isEmpty)
    #expect(play([1], true) == ["nsec-per-family"])
  }

  @Test("a record that comes back for the third time is found (section 10.1)") func flap() {
    let play = { (rounds: Int) in
      count(LintRules.goodbyeFlap) { script in
        script.respond(0, from: 1, [instance])
        for round in 1...rounds {
          var goodbye = instance
          goodbye.ttl = 0
          script.respond(Double(round) * 4, from: 1, [goodbye], kind: .goodbye)
          script.respond(Double(round) * 4 + 2, from: 1, [instance])
        }
      }
    }
    #expect(play(3) == 1)
    #expect(play(2) == 0)
  }

  @Test("a goodbye for a record of another host is found (section 10.1)") func foreignGoodbye() {
    let play = { (host: UInt8, time: Double) in
      count(LintRules.goodbyeForeign, until: 9_000) {
        var goodbye = instance
        goodbye.ttl = 0
        $0.respond(0, from: 1, [instance])
        $0.respond(time, from: host, [goodbye], kind: .goodbye)
      }
    }
    #expect(play(2, 5) == 1)
    #expect(play(1, 5) == 0)
    #expect(play(2, 5_000) == 0)
  }

  @Test("references that lead nowhere are found (RFC 6763 section 12)") func dangling() {
    let service = ScriptRecord.srv("web._http._tcp.local", "h.local")
    let text = ScriptRecord.txt("web._http._tcp.local")
    #expect(
      count(LintRules.danglingReference) { $0.respond(0, from: 1, [instance, service, text]) }
        == 1, "no address")
    #expect(
      count(LintRules.danglingReference) {
        $0.respond(0, from: 1, [instance])
        $0.query(1, from: 2, [ScriptQuestion(name: "web._http._tcp.local", type: .srv)])
      } == 1, "no SRV though asked")
    #expect(
      count(LintRules.danglingReference) {
        $0.respond(0, from: 1, [instance, service, text])
        $0.respond(2, from: 1, [.a("h.local", 1)])
      } == 0)
  }

  @Test("a service that starts without a TXT record is found (RFC 6763 section 6)")
  func noText() {
    let play = { (records: [ScriptRecord]) in
      count(LintRules.txtMissing) {
        for time in [0.0, 0.25, 0.5] {
          $0.query(
            time, from: 1,
            [ScriptQuestion(name: "web._http._tcp.local", type: .any, unicast: true)],
            proposed: [.srv("web._http._tcp.local", "h.local")])
        }
        $0.respond(0.75, from: 1, records, kind: .announcement)
      }
    }
    let service = ScriptRecord.srv("web._http._tcp.local", "h.local")
    #expect(play([service]) == 1)
    #expect(play([service, .txt("web._http._tcp.local")]) == 0)
  }
}
