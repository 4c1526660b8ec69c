import LanCore
import LanWire
import Testing

private let browse = [ScriptQuestion(name: "_http._tcp.local")]
private let instance = ScriptRecord.ptr("_http._tcp.local", "web._http._tcp.local")

@Suite struct HistoryQueryTests {
  @Test("a unicast response to a host that asked for none is found (RFC 6762 section 6)")
  func unaskedUnicast() {
    let asker = HistoryScript.address(2)
    #expect(count(LintRules.unaskedUnicast) { $0.respond(0, from: 1, [instance], to: asker) } == 1)
    #expect(
      count(LintRules.unaskedUnicast) {
        $0.query(0, from: 2, [ScriptQuestion(name: "_http._tcp.local", unicast: true)])
        $0.respond(1, from: 1, [instance], to: asker)
      } == 0)
    #expect(
      count(LintRules.unaskedUnicast) {
        $0.query(0, from: 2, browse, port: 40_000)
        $0.respond(1, from: 1, [instance], to: asker)
      } == 0)
  }

  @Test("a query without a question needs a truncated one before it (section 7.2)")
  func emptyQuery() {
    #expect(count(LintRules.emptyQuery) { $0.query(0, from: 1, []) } == 1)
    #expect(
      count(LintRules.emptyQuery) {
        $0.query(0, from: 1, browse, truncated: true)
        $0.query(0.4, from: 1, [], known: [instance])
      } == 0)
  }

  @Test("a truncated query without more behind it is found (section 7.2)")
  func truncatedAlone() {
    #expect(
      count(LintRules.truncatedAlone) { $0.query(0, from: 1, browse, truncated: true) } == 1)
    #expect(
      count(LintRules.truncatedAlone) {
        $0.query(0, from: 1, browse, truncated: true)
        $0.query(0.4, from: 1, [], known: [instance])
      } == 0)
  }

  @Test("a question again within a second is found, one a second later is not (section 5.2)")
  func queryInterval() {
    let play = { (gap: Double) in
      count(LintRules.queryInterval) {
        $0.query(0, from: 1, browse)
        $0.query(gap, from: 1, browse)
      }
    }
    #expect(play(0.5) == 1)
    #expect(play(1) == 0)
    #expect(play(0.0005) == 0, "a mirrored copy")
  }

  @Test("a question at steady intervals is found, one at doubling intervals is not")
  func querySeries() {
    #expect(
      count(LintRules.queryInterval) { script in
        for step in 0..<4 { script.query(Double(step) * 5, from: 1, browse) }
      } == 1)
    #expect(
      count(LintRules.queryInterval) { script in
        for time in [0.0, 1, 3, 7, 15, 31] {
          script.query(time, from: 1, browse)
          script.query(time + 0.1, from: 2, browse)
          script.query(time + 0.001, from: 1, browse, v6: true)
        }
      } == 0)
  }

  @Test("questions that keep an expiring answer alive are no series (section 5.2)")
  func refresh() {
    let question = [ScriptQuestion(name: "h.local", type: .a)]
    #expect(
      count(LintRules.queryInterval, until: 200) { script in
        script.query(0, from: 1, question)
        script.respond(0.05, from: 2, [.a("h.local", 2)])
        for time in [96.0, 102, 108, 114] { script.query(time, from: 1, question) }
      } == 0)
  }

  @Test("a second question for a unicast response is found (section 5.4)") func unicastAgain() {
    let unicast = [ScriptQuestion(name: "_http._tcp.local", unicast: true)]
    #expect(
      count(LintRules.unicastRepeated) {
        $0.query(0, from: 1, unicast)
        $0.query(5, from: 1, unicast)
      } == 1)
    #expect(
      count(LintRules.unicastRepeated) {
        $0.query(0, from: 1, unicast)
        $0.query(1, from: 1, browse)
        $0.query(1, from: 2, unicast)
      } == 0)
  }

  @Test("an answer that the query listed is found, unless somebody else asked (section 7.1)")
  func knownAnswer() {
    var known = instance
    known.ttl = 4000
    var old = instance
    old.ttl = 2000
    let play = { (listed: ScriptRecord, others: Bool) in
      count(LintRules.knownAnswerIgnored) {
        if others { $0.query(0.001, from: 3, browse) }
        $0.query(0.005, from: 2, browse, known: [listed])
        $0.respond(0.05, from: 1, [instance])
      }
    }
    #expect(play(known, false) == 1)
    #expect(play(known, true) == 0)
    #expect(play(old, false) == 0)
  }

  @Test("a known answer past half its life is found (section 7.1)") func staleKnown() {
    let play = { (ttl: UInt32) in
      count(LintRules.staleKnownAnswer) {
        var known = instance
        known.ttl = ttl
        $0.respond(0, from: 1, [instance])
        $0.query(5, from: 2, browse, known: [known])
      }
    }
    #expect(play(900) == 1)
    #expect(play(2250) == 0)
  }

  @Test("three questions that nobody answers are found, with those who asked (section 5.2)")
  func unanswered() {
    var script = HistoryScript()
    for (time, host) in [(0.0, 1), (1, 2), (3, 1)] as [(Double, UInt8)] {
      script.query(time, from: host, browse)
    }
    script.finish(10)
    let found = script.found("unanswered")
    #expect(found.count == 1)
    #expect(found.first?.frames == [2, 3, 4])
    #expect(found.first?.text.contains("10.0.0.2") == true)
    #expect(found.first?.text.contains("_http._tcp.local") == true)
    #expect(
      count(LintRules.unanswered) {
        for time in [0.0, 1, 3] { $0.query(time, from: 1, browse) }
        $0.respond(3.1, from: 2, [instance])
      } == 0)
  }

  @Test("an answer more than a second after its question is found (section 6)") func late() {
    let play = { (delay: Double) in
      count(LintRules.answerLate) {
        $0.respond(0, from: 1, [instance])
        $0.query(50, from: 2, browse)
        $0.respond(50 + delay, from: 1, [instance])
      }
    }
    #expect(play(1.6) == 1)
    #expect(play(0.4) == 0)
  }

  @Test("questions over one family answered over the other only are found (section 20)")
  func familySplit() {
    let play = { (v6: Bool) in
      count(LintRules.familySplit) { script in
        for time in [0.0, 20, 60] {
          script.query(time, from: 2, browse)
          script.respond(time + 0.1, from: 1, [instance], v6: v6)
        }
      }
    }
    #expect(play(true) == 1)
    #expect(play(false) == 0)
  }
}
