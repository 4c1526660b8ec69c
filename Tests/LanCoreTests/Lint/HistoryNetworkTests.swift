import LanCore
import LanWire
import Testing

private let browse = [ScriptQuestion(name: "_http._tcp.local")]
private let instance = ScriptRecord.ptr("_http._tcp.local", "web._http._tcp.local")

@Suite struct HistoryNetworkTests {
  @Test(
    "a source outside the prefixes is a hint to the group and an error to one host (section 11)")
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
