import LanCore
import Testing

@Suite("Probe run") struct ProbeRunTests {
  private static let millisecond: Int64 = 1_000_000
  private let millisecond = Self.millisecond

  /// A peer and a clock that are turned by hand: `answers` says after how long a probe is answered.
  private struct Trial {
    let run: ProbeRun
    var now: Int64 = 0
    var pending: [Int64] = []
    var lost: [Int] = []
    var latest: Int64 = 0

    init(_ schedule: ProbeSchedule, wait: Int64 = 1_000 * ProbeRunTests.millisecond) {
      run = ProbeRun(schedule, wait: wait)
      run.start(at: 0)
    }

    /// Turns the clock until `end`, or until the run is over.
    mutating func turn(until end: Int64, _ answer: (Int) -> Int64?) {
      while !run.isFinished(at: now) {
        while let number = run.expire(at: now) { lost.append(number) }
        while let due = run.nextDue, due <= now {
          let number = run.issue(at: now)
          run.sending(at: now)
          // A stream answers in its order.
          if let delay = answer(number) { pending.append(max(now + delay, pending.last ?? 0)) }
        }
        while let first = pending.first, first <= now {
          pending.removeFirst()
          if let answer = run.answer(at: now) { latest = answer.elapsed }
        }
        if run.isFinished(at: now) { return }
        let next = min(run.nextDue ?? .max, min(run.nextSettling, pending.first ?? .max))
        guard next <= end else { return now = end }
        now = max(next, now)
      }
    }
  }

  @Test("PP-03: 1,000 probes of which 231 are answered lose 76.9 %") func lossShare() {
    var trial = Trial(ProbeSchedule(.interval(10 * millisecond), count: 1_000))
    trial.turn(until: .max) { $0 <= 231 ? 100_000 : nil }
    #expect(trial.run.ledger.sent == 1_000)
    #expect(trial.run.ledger.received == 231)
    #expect(trial.run.ledger.lost == 769)
    #expect(trial.run.ledger.inFlight == 0)
    var summary = PeerProbeSummary()
    (summary.sent, summary.lost) = (trial.run.ledger.sent, trial.run.ledger.lost)
    #expect(abs(summary.lossPercent - 76.9) < 1e-9)
    // 1,000 probes 10 ms apart and the wait for the last, not a second for each.
    #expect(trial.now == 9_990 * millisecond + 1_000 * millisecond)
  }

  @Test("PP-05: probes under way at the end are in flight, not lost") func inFlight() {
    var trial = Trial(ProbeSchedule(.interval(5 * millisecond)))
    trial.turn(until: 1_000 * millisecond) { _ in 30 * Self.millisecond }
    let ledger = trial.run.ledger
    #expect(ledger.lost == 0)
    #expect(ledger.inFlight == 6)
    #expect(ledger.sent == ledger.received + ledger.lost + ledger.inFlight)
  }

  @Test(
    "PP-13: times do not depend on the interval",
    arguments: [0, 100, 200, 1_000].map { $0 * millisecond })
  func notQuantised(_ interval: Int64) {
    var trial = Trial(ProbeSchedule(.interval(interval), count: 30))
    trial.turn(until: .max) { _ in 1_234_567 }
    #expect(trial.run.ledger.received == 30)
    #expect(trial.run.statistics.times.minimum == 1_234_567)
    #expect(trial.run.statistics.times.maximum == 1_234_567)
  }

  @Test("PP-07: a clock that goes back gives no negative times") func clockBack() {
    let run = ProbeRun(ProbeSchedule(.interval(0)), wait: 1_000)
    run.start(at: 1_000)
    _ = run.issue(at: 1_000)
    run.sending(at: 1_000)
    let answer = run.answer(at: 500)
    #expect(answer?.elapsed == 0)
  }

  @Test("at a rate, a stall of the peer shows in all probes that were due in it") func openLoop() {
    var trial = Trial(ProbeSchedule(.rate(100), count: 100))
    trial.turn(until: .max) { $0 == 50 ? 200 * Self.millisecond : 1_000 }
    // Twenty probes were due while the peer stood still; each waited for the rest of it.
    #expect(trial.run.statistics.times.value(at: 0.9) > 90 * millisecond)
    #expect(trial.run.ledger.received == 100)
  }

  @Test("a late answer belongs to the probe that was given up, not to the next one") func late() {
    let run = ProbeRun(ProbeSchedule(.interval(10 * millisecond)), wait: 5 * millisecond)
    run.start(at: 0)
    _ = run.issue(at: 0)
    run.sending(at: 0)
    let expired = run.expire(at: 5 * millisecond)
    #expect(expired == 1)
    _ = run.issue(at: 10 * millisecond)
    run.sending(at: 10 * millisecond)
    let late = run.answer(at: 11 * millisecond)
    #expect(late?.number == 1 && late?.elapsed == 11 * millisecond && late?.isLate == true)
    let timely = run.answer(at: 12 * millisecond)
    #expect(timely?.number == 2 && timely?.elapsed == 2 * millisecond && timely?.isLate == false)
    #expect(run.ledger.received == 1 && run.ledger.lost == 1 && run.ledger.inFlight == 0)
    #expect(run.statistics.times.count == 1)
  }

  @Test("a probe that never left is not waited for in the stream") func skipped() {
    let run = ProbeRun(ProbeSchedule(.interval(1)), wait: 10)
    run.start(at: 0)
    _ = run.issue(at: 0)
    run.sending(at: 0)
    _ = run.issue(at: 1)
    _ = run.issue(at: 9)
    let expired = (0..<3).map { _ in run.expire(at: 11) }
    #expect(expired == [1, 2, nil])
    #expect(run.ledger.nextUnsent == 3)
    run.sending(at: 12)
    let answers = (13...15).map { run.answer(at: $0)?.number }
    #expect(answers == [1, 3, nil])
  }

  @Test("until-lost ends at the first loss, until-reply at the first answer") func ends() {
    let lost = ProbeRun(ProbeSchedule(.interval(10)), wait: 5, endsWhenLost: true)
    lost.start(at: 0)
    _ = lost.issue(at: 0)
    lost.sending(at: 0)
    #expect(!lost.isFinished(at: 4))
    _ = lost.expire(at: 5)
    #expect(lost.isFinished(at: 5))

    let answered = ProbeRun(ProbeSchedule(.interval(10)), wait: 5, endsWhenAnswered: true)
    answered.start(at: 0)
    _ = answered.issue(at: 0)
    answered.sending(at: 0)
    _ = answered.expire(at: 5)
    #expect(!answered.isFinished(at: 5))
    _ = answered.issue(at: 10)
    answered.sending(at: 10)
    // A late answer is none.
    _ = answered.answer(at: 11)
    #expect(!answered.isFinished(at: 11))
    _ = answered.answer(at: 12)
    #expect(answered.isFinished(at: 12))
  }

  @Test("the duration ends the run with what is under way") func duration() {
    var trial = Trial(ProbeSchedule(.interval(100 * millisecond), duration: 1_000 * millisecond))
    trial.turn(until: .max) { _ in 150 * Self.millisecond }
    #expect(trial.now == 1_000 * millisecond)
    #expect(trial.run.ledger.sent == 10)
    #expect(trial.run.ledger.inFlight == 1)
  }

  @Test("handshakes settle in any order") func anyOrder() {
    let run = ProbeRun(ProbeSchedule(.interval(1)), wait: 100)
    run.start(at: 0)
    for time in 0..<3 {
      _ = run.issue(at: Int64(time))
      run.sending(at: Int64(time))
    }
    let settled = [run.settle(2, elapsed: 7), run.settle(2, elapsed: 7), run.fail(3)]
    #expect(settled == [true, false, true])
    let expired = run.expire(at: 100)
    #expect(expired == 1)
    let late = run.settle(1, elapsed: 120)
    #expect(!late)
    #expect(run.ledger.received == 1 && run.ledger.lost == 2 && run.ledger.inFlight == 0)
  }

  @Test("whatever happens, sent is received, lost and in flight") func accounting() {
    var state: UInt64 = 7
    func chance(_ sides: UInt64) -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (state >> 33) % sides
    }
    let run = ProbeRun(ProbeSchedule(.interval(1)), wait: 40)
    run.start(at: 0)
    var numbers: Set<Int> = []
    func add(_ number: Int) {
      let isNew = numbers.insert(number).inserted
      #expect(isNew, "probe \(number) was settled twice")
    }
    for time in 0..<20_000 as Range<Int64> {
      switch chance(8) {
      case 0, 1, 2:
        if run.nextDue != nil { _ = run.issue(at: time) }
      case 3, 4:
        if run.ledger.hasUnsent { run.sending(at: time) }
      case 5:
        if let answer = run.answer(at: time, isIntact: chance(9) > 0), !answer.isLate {
          add(answer.number)
        }
      case 6:
        while let number = run.expire(at: time) { add(number) }
      default:
        guard chance(50) == 0 else { continue }
        while let number = run.loseSent() { add(number) }
        if chance(2) == 0 {
          while let number = run.loseUnsent() { add(number) }
        }
      }
      let ledger = run.ledger
      #expect(ledger.inFlight >= 0)
      #expect(ledger.received + ledger.lost == numbers.count)
    }
    while let number = run.loseSent() { add(number) }
    while let number = run.loseUnsent() { add(number) }
    #expect(run.ledger.inFlight == 0)
    #expect(numbers.count == run.ledger.sent)
  }
}
