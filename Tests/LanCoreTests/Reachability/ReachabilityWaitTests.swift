import LanCore
import Testing

@Suite("Waiting for reachability")
struct ReachabilityWaitTests {
  private func verdict(_ flags: ReachabilityFlags, ipv6: Bool = false) -> Verdict {
    var way = WayVerdict()
    way.flags = flags
    way.status = ReachabilityStatus(flags)
    way.medium = .wifi
    way.interface = InterfaceName(index: 3, name: "wlan0")
    way.nextHop = .stale
    return Verdict(best: way, ipv4: ipv6 ? nil : way, ipv6: ipv6 ? way : nil)
  }

  private var unknown: Verdict {
    var way = WayVerdict()
    way.status = .unknown
    return Verdict(best: way)
  }

  @Test(
    "conditions hold as they read",
    arguments: [
      ("reachable", true), ("REACHABLE", true), ("not reachable", false), ("ipv4", true),
      ("ipv6", false), ("reachable and ipv6", false), ("ipv6 or ipv4", true),
      ("reachable and ipv4 and not transient", false), ("transient", true),
      ("not (ipv6 or direct)", true), ("!ipv6 && transient || direct", true),
      ("wifi", true), ("medium=wifi", true), ("cellular", false), ("interface=wlan0", true),
      ("interface=eth0", false), ("nextHop=stale", true), ("notNeeded", true),
      ("connection=ondemand", false), ("reachableViaWiFi", true), ("status=notreachable", false),
      ("transientConnection", true), ("isWWAN", false), ("partial", false),
      ("direct or not direct and ipv6", false), ("not not reachable", true),
    ])
  func holds(_ text: String, _ expected: Bool) throws {
    let expression = try ReachabilityExpression(parsing: text)
    #expect(expression.holds(verdict([.reachable, .transientConnection])) == expected)
  }

  @Test("what is not known fulfils neither a condition nor its opposite")
  func unknownVerdict() throws {
    for text in ["reachable", "not reachable", "reachable or ipv6", "not (ipv4 and ipv6)"] {
      #expect(try ReachabilityExpression(parsing: text).holds(unknown) == nil)
    }
    #expect(try ReachabilityExpression(parsing: "unknown").holds(unknown) == true)
    #expect(try ReachabilityExpression(parsing: "unknown or ipv6").holds(unknown) == true)
    #expect(try ReachabilityExpression(parsing: "reachableViaWiFi").holds(unknown) == false)
  }

  @Test(
    "a bad condition says what is wrong and where",
    arguments: [
      ("", ReachabilityExpression.ParseError.Reason.empty, 0), ("   ", .empty, 0),
      ("reachable and", .endsEarly, 13), ("reachable ipv6", .unexpected("ipv6"), 10),
      ("and ipv6", .unexpected("and"), 0), ("(ipv4", .unclosed, 0),
      ("ipv4)", .unexpected(")"), 4), ("ipv4 and reachible", .unknownWord("reachible"), 9),
      ("medium=glass", .unknownWord("medium=glass"), 0), ("x=1", .unknownWord("x=1"), 0),
      ("interface=", .unknownWord("interface="), 0), ("not", .endsEarly, 3),
      ("a & b", .unknownWord("a"), 0),
    ])
  func bad(_ text: String, _ reason: ReachabilityExpression.ParseError.Reason, _ offset: Int) {
    #expect(throws: ReachabilityExpression.ParseError(reason: reason, offset: offset)) {
      try ReachabilityExpression(parsing: text)
    }
  }

  @Test("a condition of any depth or length ends with an answer")
  func deep() {
    for text in [
      String(repeating: "(", count: 3_000), String(repeating: "not ", count: 900) + "ipv4",
      String(repeating: "!", count: 100_000),
    ] {
      #expect(throws: ReachabilityExpression.ParseError.self) {
        try ReachabilityExpression(parsing: text)
      }
    }
  }

  @Test("every word of the list can be typed")
  func words() throws {
    for (word, term) in ReachabilityExpression.words {
      #expect(try ReachabilityExpression(parsing: word) == term)
    }
  }

  @Test("a condition must hold for its duration without a break")
  func duration() {
    var wait = WaitCondition(.reachable, for: 100, targets: [0, 1])
    let good = verdict([.reachable])
    let bad = verdict([])
    wait.update(0, good, at: 10)
    #expect(wait.deadline == nil)
    wait.update(1, good, at: 50)
    #expect(wait.deadline == 150)
    wait.update(0, good, at: 60)
    #expect(wait.deadline == 150)
    wait.update(0, bad, at: 100)
    #expect(wait.deadline == nil)
    #expect(!wait.isFulfilled(at: 1_000))
    wait.update(0, good, at: 120)
    #expect(!wait.isFulfilled(at: 219))
    #expect(wait.isFulfilled(at: 220))
    var any = WaitCondition(.reachable, targets: [0, 1], any: true)
    any.update(1, good, at: 7)
    #expect(any.isFulfilled(at: 7))
    any.update(1, unknown, at: 8)
    #expect(!any.isFulfilled(at: 8))
  }

  @Test("outages are counted, timed and summed up")
  func availability() {
    func report(_ verdict: Verdict, _ time: Int64) -> ReachabilityReport {
      ReachabilityReport(
        target: 0, question: ReachabilityQuestion(.defaultPath), verdict: verdict, previous: nil,
        cause: .start, time: time, suppressedChanges: 1)
    }
    var log = AvailabilityLog(at: 0)
    #expect(log.availability(at: 0) == nil)
    #expect(log.longestOutage(at: 0) == nil)
    log.add(report(verdict([.reachable]), 100))
    log.add(report(verdict([]), 400))
    log.add(report(verdict([]), 450))
    log.add(report(verdict([.reachable]), 500))
    log.add(report(verdict([]), 800))
    #expect(log.outageCount == 2)
    #expect(log.outages.map(\.end) == [500, nil])
    #expect(log.reachable(at: 900) == 600)
    #expect(log.notReachable(at: 900) == 200)
    #expect(log.unknown(at: 900) == 100)
    #expect(log.availability(at: 900) == 0.75)
    #expect(log.longestOutage(at: 850) == 100)
    #expect(log.longestOutage(at: 1_000) == 200)
    #expect(log.changeCount == 4)
    #expect(log.suppressedCount == 5)
  }

  @Test("an unsteady target keeps a bounded list of outages and the whole count")
  func bounded() {
    var log = AvailabilityLog(at: 0)
    for step in 0..<10_000 {
      log.add(
        ReachabilityReport(
          target: 0, question: ReachabilityQuestion(.defaultPath),
          verdict: verdict(step % 2 == 0 ? [] : [.reachable]), previous: nil, cause: .start,
          time: Int64(step) * 10, suppressedChanges: 0))
    }
    #expect(log.outageCount == 5_000)
    #expect(log.outages.count == AvailabilityLog.limit)
  }
}
