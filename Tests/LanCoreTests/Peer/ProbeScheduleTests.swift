import LanCore
import Testing

@Suite("Probe schedule") struct ProbeScheduleTests {
  private let millisecond: Int64 = 1_000_000

  @Test("an interval runs from one probe to the next, whatever becomes of them") func interval() {
    var schedule = ProbeSchedule(.interval(10 * millisecond))
    schedule.start(at: 0)
    for turn in 0..<5 {
      let due = Int64(turn) * 10 * millisecond
      #expect(schedule.nextDue(inFlight: turn) == due)
      // A timer that is a little late does not shift the grid.
      _ = schedule.issue(at: due + millisecond)
    }
  }

  @Test("a probe that is late by more than an interval is followed after one, not by a burst")
  func noBurst() {
    var schedule = ProbeSchedule(.interval(10 * millisecond))
    schedule.start(at: 0)
    _ = schedule.issue(at: 0)
    _ = schedule.issue(at: 95 * millisecond)
    #expect(schedule.nextDue(inFlight: 0) == 105 * millisecond)
  }

  @Test("interval zero waits for the answer") func asSoonAsAnswered() {
    var schedule = ProbeSchedule(.interval(0), count: 2)
    schedule.start(at: 5)
    #expect(schedule.nextDue(inFlight: 0) == 5)
    _ = schedule.issue(at: 5)
    #expect(schedule.nextDue(inFlight: 1) == nil)
    #expect((schedule.nextDue(inFlight: 0) ?? .max) <= 9)
    _ = schedule.issue(at: 9)
    #expect(schedule.isExhausted)
    #expect(schedule.nextDue(inFlight: 0) == nil)
  }

  @Test("at a rate, each probe has its time, and those that are late are made up for") func rate() {
    var schedule = ProbeSchedule(.rate(1_000))
    schedule.start(at: 0)
    var dues: [Int64] = []
    // The loop was away for 5 ms: what was due then keeps its time.
    while let due = schedule.nextDue(inFlight: dues.count), due <= 5 * millisecond {
      dues.append(schedule.issue(at: 5 * millisecond))
    }
    #expect(dues == (0...5).map { Int64($0) * millisecond })
  }

  @Test("a rate does not drift: a third of a second, three hundred thousand times") func drift() {
    var schedule = ProbeSchedule(.rate(3))
    schedule.start(at: 7)
    for _ in 0..<300_000 { _ = schedule.issue(at: 0) }
    let expected: Int64 = 7 + 100_000 * 1_000_000_000
    #expect(schedule.nextDue(inFlight: 0) == expected)
  }

  @Test("a flood keeps so many under way") func flood() {
    var schedule = ProbeSchedule(.flood(3))
    schedule.start(at: 0)
    #expect(schedule.nextDue(inFlight: 2) != nil)
    #expect(schedule.nextDue(inFlight: 3) == nil)
  }

  @Test("the wait for the first connection is no delay of the probes") func hold() {
    var schedule = ProbeSchedule(.rate(1_000))
    schedule.start(at: 0)
    schedule.hold(until: 40 * millisecond)
    let due = schedule.issue(at: 40 * millisecond)
    #expect(due == 40 * millisecond)
    #expect(schedule.nextDue(inFlight: 1) == 41 * millisecond)
    schedule.hold(until: 90 * millisecond)
    #expect(schedule.nextDue(inFlight: 1) == 41 * millisecond)
  }

  @Test("times at the end of what can be counted do no harm") func ends() {
    var schedule = ProbeSchedule(.interval(.max), duration: .max)
    schedule.start(at: 1)
    _ = schedule.issue(at: 1)
    #expect(schedule.nextDue(inFlight: 0) == .max)
    #expect(schedule.end == .max)
    var slow = ProbeSchedule(.rate(1e-12))
    slow.start(at: 1)
    _ = slow.issue(at: 1)
    #expect(slow.nextDue(inFlight: 0) == .max)
  }
}
