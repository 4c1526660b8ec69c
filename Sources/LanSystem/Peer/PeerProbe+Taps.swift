import CLan
import Glibc
import LanCore
import LanWire

/// Down and up for each tile in turn, and what is under way of it.
struct TapSequence {
  private var next = 0
  private var sent: [(tap: TapByte, begun: Int64)] = []
  private var first = 0
  /// Taps that the peer's kernel has acknowledged on this connection.
  var acknowledged = 0

  /// The tap that comes next.
  var upcoming: TapByte { TapByte(tile: next / 2, isDown: next % 2 == 0) }

  /// `upcoming` was sent.
  mutating func advance(at now: Int64) {
    if first > 64, first * 2 > sent.count {
      sent.removeFirst(first)
      first = 0
    }
    sent.append((upcoming, now))
    next = (next + 1) % (2 * TapByte.tileCount)
  }

  /// The oldest that was sent is acknowledged.
  mutating func pop() -> (tap: TapByte, begun: Int64)? {
    guard first < sent.count else { return nil }
    first += 1
    acknowledged += 1
    return sent[first - 1]
  }

  /// A new connection, where no tile is down.
  mutating func restart() {
    next -= next % 2
    (sent, first, acknowledged) = ([], 0, 0)
  }
}

extension PeerProbe {
  func sendTap(_ number: Int, _ dialect: TapDialect, _ link: PeerLink) {
    let tap = taps.upcoming
    var byte = tap.byte(dialect)
    let now = MonotonicClock.now
    let count = unsafe lan_stamp_send(link.raw, &byte, 1, 1)
    guard count > 0 else { return couldNotSend(link, errno, at: now) }
    run.sending(at: now)
    sent(1)
    taps.advance(at: now)
    if isHeard { tell(.tapSent(probe: number, tap)) }
    if !hasStamps { wake(by: now + Self.pollDistance) }
  }

  /// From one look at the queue of what is not acknowledged to the next, where there are no stamps.
  static let pollDistance: Int64 = 1_000_000

  /// The peer's kernel has all bytes up to the one with this number.
  func acknowledge(upTo id: UInt32, at stamp: Int64) {
    var now: Int64 = 0
    let distance = unsafe lan_clock_distance(&now)
    let count = Int(Int32(bitPattern: id &+ 1 &- UInt32(truncatingIfNeeded: taps.acknowledged)))
    acknowledge(count, at: stamp - distance, now)
  }

  /// Where there are no stamps: what the queue has lost is acknowledged.
  func pollAcknowledgements(at now: Int64) {
    guard !hasStamps, let link, run.inFlight > 0 else { return }
    let waiting = Int(lan_unacknowledged(link.raw))
    guard waiting >= 0 else { return }
    acknowledge(linkBytesOut - waiting - taps.acknowledged, at: now, now)
    if run.inFlight > 0 { wake(by: now + Self.pollDistance) }
  }

  private func acknowledge(_ count: Int, at time: Int64, _ now: Int64) {
    guard count > 0 else { return }
    silence.heard()
    for _ in 0..<count {
      guard isRunning, let (tap, begun) = taps.pop() else { break }
      // A wall clock that was set in between gives times that cannot be.
      let isPlausible = begun <= time && time <= now
      guard let answer = run.answer(at: isPlausible ? time : now) else { break }
      pause = Self.leastPause
      if answer.isLate {
        if isHeard { tell(.late(probe: answer.number, rtt: answer.elapsed)) }
        continue
      }
      delayedAcks.record(answer.elapsed, handshake: connectTime ?? 0)
      if isHeard {
        tell(.tapAcknowledged(probe: answer.number, tap, elapsed: answer.elapsed))
      }
    }
  }

  /// What the peer taps.
  func takeTaps(_ count: Int, _ dialect: TapDialect) {
    guard isHeard else { return }
    if !hasHeardTaps {
      hasHeardTaps = true
      let first = (0..<min(count, 32)).map { unsafe input.bytes[$0] }
      if first.contains(where: { TapByte($0, dialect) == nil }) { tell(.notPlainWiTap(first)) }
    }
    for index in 0..<count where isRunning {
      if let tap = TapByte(unsafe input.bytes[index], dialect) { tell(.tapReceived(tap)) }
    }
  }
}
