import LanCore
import LanWire
import Testing

@Suite("Happy Eyeballs (RFC 8305)") struct HappyEyeballsTests {
  private let millisecond: Int64 = 1_000_000
  private let six = IPAddress.v6(IPv6Address(high: 0xFD77 << 48, low: 2))
  private let six2 = IPAddress.v6(IPv6Address(high: 0xFD77 << 48, low: 3))
  private let four = IPAddress.v4(IPv4Address(bits: 0x0A4D_0002))
  private let four2 = IPAddress.v4(IPv4Address(bits: 0x0A4D_0003))

  /// A machine whose inputs can stand in an expectation.
  private final class Machine {
    private var machine: HappyEyeballs
    init(_ addresses: [IPAddress], delay: Int64 = 250_000_000, limit: Int64 = 1_000_000_000) {
      machine = HappyEyeballs(addresses, delay: delay, limit: limit)
    }

    var nextDeadline: Int64? { machine.nextDeadline }
    var attempts: [HappyEyeballs.Attempt] { machine.attempts }
    var isEnded: Bool { machine.isEnded }

    @discardableResult func start(at now: Int64) -> [HappyEyeballs.Output] {
      machine.start(at: now)
    }
    @discardableResult func connected(_ index: Int, at now: Int64) -> [HappyEyeballs.Output] {
      machine.connected(index, at: now)
    }
    @discardableResult func failed(
      _ index: Int, _ outcome: HappyEyeballs.Outcome, at now: Int64
    ) -> [HappyEyeballs.Output] { machine.failed(index, outcome, at: now) }
    @discardableResult func deadlineReached(at now: Int64) -> [HappyEyeballs.Output] {
      machine.deadlineReached(at: now)
    }
  }

  @Test("families take turns, beginning with the first address's (section 4)") func order() {
    #expect(HappyEyeballs.order([six, six2, four, four2]) == [0, 2, 1, 3])
    #expect(HappyEyeballs.order([four, six, six2]) == [0, 1, 2])
    #expect(HappyEyeballs.order([six, six2]) == [0, 1])
    #expect(HappyEyeballs.order([]).isEmpty)
  }

  @Test("the next try begins 250 ms after the last one, and the first to connect wins")
  func staggered() {
    let machine = Machine([six, four])
    #expect(machine.start(at: 0) == [.begin(0)])
    #expect(machine.nextDeadline == 250 * millisecond)
    #expect(machine.deadlineReached(at: 249 * millisecond).isEmpty)
    #expect(machine.deadlineReached(at: 250 * millisecond) == [.begin(1)])
    #expect(machine.connected(1, at: 252 * millisecond) == [.abandon(0), .connected(1)])
    #expect(machine.isEnded)
    #expect(machine.nextDeadline == nil)
    #expect(machine.attempts.map(\.outcome) == [.abandoned, .connected])
    // The winner's own time leaves the 250 ms out.
    #expect(machine.attempts[1].ended - machine.attempts[1].begun == 2 * millisecond)
  }

  @Test("a try that fails lets the next begin at once") func failsAtOnce() {
    let machine = Machine([six, four])
    machine.start(at: 0)
    #expect(machine.failed(0, .failed(111), at: 1 * millisecond) == [.begin(1)])
    #expect(machine.connected(1, at: 2 * millisecond) == [.connected(1)])
    #expect(machine.attempts.map(\.outcome) == [.failed(111), .connected])
  }

  @Test("the slower first address still wins if it connects before the second") func firstWins() {
    let machine = Machine([six, four])
    machine.start(at: 0)
    machine.deadlineReached(at: 250 * millisecond)
    #expect(machine.connected(0, at: 260 * millisecond) == [.abandon(1), .connected(0)])
    #expect(machine.attempts[0].ended == 260 * millisecond)
  }

  @Test("when all failed it says so, once") func allFail() {
    let machine = Machine([six, four])
    machine.start(at: 0)
    machine.failed(0, .failed(101), at: 1)
    #expect(machine.failed(1, .selfConnected, at: 2) == [.failed])
    #expect(machine.failed(1, .failed(111), at: 3).isEmpty)
    #expect(machine.connected(0, at: 4).isEmpty)
  }

  @Test("a try ends at its limit, and nothing is waited for after the last one") func limits() {
    let machine = Machine([six, four])
    machine.start(at: 0)
    machine.deadlineReached(at: 250 * millisecond)
    #expect(machine.nextDeadline == 1_000 * millisecond)
    #expect(machine.deadlineReached(at: 1_000 * millisecond) == [.abandon(0)])
    #expect(machine.nextDeadline == 1_250 * millisecond)
    #expect(machine.deadlineReached(at: 1_250 * millisecond) == [.abandon(1), .failed])
    #expect(machine.attempts.map(\.outcome) == [.timedOut, .timedOut])
  }

  @Test(
    "the delay is held between 10 ms and 2 s (section 8)",
    arguments: [
      (0, 10_000_000), (40_000_000, 40_000_000), (Int64.max, 2_000_000_000),
    ] as [(Int64, Int64)])
  func delays(_ wanted: Int64, _ given: Int64) {
    let machine = Machine([six, four], delay: wanted, limit: .max)
    machine.start(at: 0)
    #expect(machine.nextDeadline == given)
  }

  @Test("without an address it fails") func empty() {
    let machine = Machine([])
    #expect(machine.start(at: 0) == [.failed])
    #expect(machine.start(at: 0).isEmpty)
  }
}
