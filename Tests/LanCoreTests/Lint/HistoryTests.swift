import LanCore
import LanWire
import Testing

/// Findings of `rule` on a link where `play` happens.
private func count(
  _ rule: LintRule, until end: Double = 100, _ play: (inout HistoryScript) -> Void
) -> Int {
  var script = HistoryScript()
  play(&script)
  script.finish(end)
  return script.found(rule.id).count
}

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
        $0.query(0.1, from: 2, [ScriptQuestion(name: "h.local", type: .any, unicast: true)],
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
      .currentState, source: HistoryScript.address(1), sourceMAC: MACAddress(bits: 0x0200_0000_0001),
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
      script.respond(5, from: 1, [.a("h.local", 1)], additional: [.nsec("h.local", only: types)],
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

@Suite struct HistoryNetworkTests {
  @Test("a source outside the prefixes is a hint to the group and an error to one host (section 11)")
  func offLink() {
    let play = { (destination: IPAddress?, length: Int) in
      var script = HistoryScript()
      script.history.learnPrefix(HistoryScript.address(1), length: length, interface: 0)
      script.query(0, from: 3, [ScriptQuestion(name: "h.local", type: .a, unicast: true)])
      script.respond(0.1, from: 200, [.a("h.local", 200)], to: destination)
      return script.found("off-link-source").map(\.severity)
    }
    #expect(play(nil, 26) == [.info])
    #expect(play(HistoryScript.address(3), 26) == [.error])
    #expect(play(nil, 24).isEmpty)
  }

  @Test("addresses that lead nowhere are found (section 6.2)") func addresses() {
    let play = { (bytes: [UInt8]) in
      count(LintRules.addressNotOnLink) {
        $0.history.learnPrefix(HistoryScript.address(1), length: 24, interface: 0)
        $0.respond(0, from: 1, [.address("h.local", bytes)])
      }
    }
    #expect(play([127, 0, 0, 1]) == 1)
    #expect(play([172, 17, 0, 1]) == 1)
    #expect(play([0, 0, 0, 0]) == 1)
    #expect(play([224, 0, 0, 1]) == 1)
    #expect(play([10, 0, 0, 9]) == 0)
    #expect(play([169, 254, 0, 9]) == 0)
  }

  @Test("the same bytes from two hosts are found, an error from the third copy on")
  func reflection() {
    var script = HistoryScript()
    for (step, host) in ([1, 2, 1, 2] as [UInt8]).enumerated() {
      script.respond(Double(step) * 0.02, from: host, [instance])
    }
    #expect(
      script.found("reflector-loop").map(\.severity) == [.warning, .warning, .error])
    #expect(
      count(LintRules.reflectorLoop) {
        $0.respond(0, from: 1, [instance])
        $0.respond(3, from: 2, [instance])
        $0.query(5, from: 1, browse)
        $0.query(5.1, from: 2, browse)
      } == 0)
    #expect(
      count(LintRules.reflectorLoop) {
        $0.usesMAC = false
        $0.respond(0, from: 1, [instance])
        $0.respond(0.1, from: 1, [instance], v6: true)
      } == 0, "two sides of one host")
  }

  @Test("more than fifty messages of one host within five seconds are found") func storm() {
    let play = { (messages: Int, gap: Double) in
      count(LintRules.storm) { script in
        for step in 0..<messages {
          script.query(Double(step) * gap, from: 1, [ScriptQuestion(name: "_x\(step)._tcp.local")])
        }
      }
    }
    #expect(play(51, 0.01) == 1)
    #expect(play(50, 0.01) == 0)
    #expect(play(100, 0.15) == 0)
  }

  @Test("a member that does not report while a querier asks is found (RFC 4541)")
  func membership() {
    let play = { (reports: Bool, queries: Int) in
      var script = HistoryScript()
      script.query(0, from: 1, browse)
      for round in 0..<queries {
        let time = Double(round) * 125 + 1
        for (kind, host, offset) in [
          (MembershipKind.query, 9, 0.0), (.currentState, 2, 1), (.currentState, 1, 2),
        ] as [(MembershipKind, UInt8, Double)] where host != 1 || reports {
          script.history.handleMembership(
            kind, source: HistoryScript.address(host),
            sourceMAC: MACAddress(bits: 0x0200_0000_0000 | UInt64(host)),
            group: .v4(.mdnsGroup), nanoseconds: HistoryScript.nanoseconds(time + offset),
            frame: 10 + round, into: &script.findings)
        }
        script.query(time + 60, from: 1, [ScriptQuestion(name: "_x\(round)._tcp.local")])
      }
      script.finish(Double(queries) * 125)
      return script.found("membership").count
    }
    #expect(play(false, 5) == 1)
    #expect(play(true, 5) == 0)
    #expect(play(false, 2) == 0)
  }

  @Test("a host that answers for three names of others is found, for wpad at once (RFC 4795)")
  func impostor() {
    let play = { (names: [String], ownName: Bool) in
      count(LintRules.answersEverybody) { script in
        for (step, name) in names.enumerated() {
          let time = Double(step)
          if ownName { script.respond(time - 0.5, from: 7, [.a(name, 7)], kind: .announcement) }
          script.query(time, from: 1, [ScriptQuestion(name: name, type: .a)])
          script.respond(time + 0.1, from: 7, [.a(name, 7)])
        }
      }
    }
    #expect(play(["one.local", "two.local", "three.local"], false) == 1)
    #expect(play(["one.local", "two.local"], false) == 0)
    #expect(play(["one.local", "two.local", "three.local"], true) == 0)
    #expect(play(["wpad.local"], false) == 1)
  }

  @Test("hosts that ask by LLMNR are named once each") func llmnr() {
    #expect(
      count(LintRules.llmnrInUse) { script in
        for time in [0.0, 1, 2] {
          script.query(
            time, from: 1, [ScriptQuestion(name: "nas", type: .a)], port: 50_000,
            protocol: .llmnr)
        }
      } == 1)
  }

  @Test("limits hold: an endless stream of new names is dropped from memory and says so")
  func bounds() {
    var script = HistoryScript()
    #expect(!script.history.isIncomplete)
    for step in 0..<20_000 {
      script.query(Double(step) * 0.5, from: 1, [ScriptQuestion(name: "n\(step).local", type: .a)])
    }
    #expect(script.history.isIncomplete)
    #expect(script.findings.isEmpty)
  }
}
