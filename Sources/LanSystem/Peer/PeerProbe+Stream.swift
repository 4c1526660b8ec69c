import CLan
import Glibc
import LanCore
import LanWire

extension PeerProbe {
  /// The connection is ready for something.
  func ready(_ readiness: Readiness) {
    guard let link else { return }
    var isOver = readiness.contains(.hangup)
    if readiness.contains(.error) {
      // Stamps wait in the error queue; where there are none, an error does.
      if !readStamps(link) { isOver = true }
      guard isRunning, self.link === link else { return }
    }
    if isStalled, readiness.contains(.writable) {
      isStalled = false
      link.change(reactor, to: .readable)
      flush()
      guard isRunning, self.link === link else { return }
    }
    if isOver || readiness.contains(.readable) { receive(link) }
  }

  private func receive(_ link: PeerLink) {
    var stamp: Int64 = 0
    let count =
      sample == nil
      ? unsafe recv(link.raw, input.bytes.baseAddress, input.bytes.count, 0)
      : unsafe lan_stamp_receive(
        link.raw, input.bytes.baseAddress, input.bytes.count, &stamp)
    let number = count < 0 ? errno : 0
    let now = MonotonicClock.now
    guard count > 0 else {
      if count == 0 { return disconnect(.closed, at: now) }
      if number == EAGAIN || number == EINTR { return }
      let error = SystemError(call: "recv", errno: number, subject: link.endpoint.description)
      return disconnect(.system(error), at: now)
    }
    bytesIn += count
    silence.heard()
    switch configuration.mode {
    case .tap(let dialect):
      pollAcknowledgements(at: now)
      takeTaps(count, dialect)
    default: takeEcho(count, stamp, at: now)
    }
    guard isRunning, self.link === link else { return }
    if isEcho, run.isClosedLoop(at: now), partial == nil, !isStalled, wakeTime < .max {
      // The short way of a ping-pong: the timer that is set comes in time for this one too.
      sendEcho(run.issue(at: now), link)
    } else {
      turn(at: now)
    }
  }

  // MARK: Sending

  /// Sends what waits, as far as there is room.
  func flush() {
    for _ in 0..<Self.sendLimit where isRunning && !isStalled {
      guard let link, let number = partial?.number ?? run.nextUnsent else { return }
      if case .tap(let dialect) = configuration.mode {
        sendTap(number, dialect, link)
      } else {
        sendEcho(number, link)
      }
    }
    // Others have their turn before the rest.
    if isRunning, !isStalled, run.nextUnsent != nil { wake(by: MonotonicClock.now) }
  }

  /// How many probes are sent in a row.
  private static let sendLimit = 256

  private func sendEcho(_ number: Int, _ link: PeerLink) {
    let offset = partial?.count ?? 0
    let length = content.size - offset
    let place = content.place(of: number) + offset
    let now = MonotonicClock.now
    let isSampled = offset == 0 && hasStamps && sample == nil && now >= sampleTime
    let count = unsafe content.table.withUnsafeBytes { table in
      let start = unsafe table.baseAddress?.advanced(by: place)
      return isSampled
        ? unsafe lan_stamp_send(link.raw, start, length, 0)
        : unsafe send(link.raw, start, length, Int32(MSG_NOSIGNAL))
    }
    guard count > 0 else { return couldNotSend(link, errno, at: now) }
    if offset == 0 { run.sending(at: now) }
    sent(count)
    partial = count < length ? (number, offset + count) : nil
    if isSampled {
      sampleTime = now + EchoSample.distance
      if count == length { sample = EchoSample(number, lastByte: linkBytesOut - 1, at: now) }
    }
  }

  func sent(_ count: Int) {
    bytesOut += count
    linkBytesOut += count
  }

  /// There was no room, or the connection is gone.
  func couldNotSend(_ link: PeerLink, _ number: Int32, at now: Int64) {
    if number == EINTR { return }
    if number == EAGAIN {
      isStalled = true
      return link.change(reactor, to: [.readable, .writable])
    }
    // What the peer sent before it went may tell more; reading gives the error after it.
    if number == EPIPE || number == ECONNRESET, isStalled == false {
      isStalled = true
      return receive(link)
    }
    let error = SystemError(call: "send", errno: number, subject: link.endpoint.description)
    disconnect(.system(error), at: now)
  }

  // MARK: Echo

  /// Compares what came with what was sent, probe by probe.
  private func takeEcho(_ count: Int, _ stamp: Int64, at now: Int64) {
    var position = 0
    while position < count, isRunning {
      guard let number = run.nextAnswer else {
        unaskedBytes += count - position
        return
      }
      let part = min(content.size - arrived, count - position)
      if mismatch == nil { compare(number, position, part) }
      position += part
      arrived += part
      guard arrived == content.size else { return }
      settle(number, position == count ? stamp : 0, at: now)
    }
  }

  private func compare(_ number: Int, _ position: Int, _ part: Int) {
    let place = content.place(of: number) + arrived
    unsafe content.table.withUnsafeBytes { table in
      guard let sent = unsafe table.baseAddress?.advanced(by: place),
        let got = unsafe input.bytes.baseAddress?.advanced(by: position),
        unsafe memcmp(sent, got, part) != 0
      else { return }
      for index in 0..<part where unsafe table[place + index] != input.bytes[position + index] {
        mismatch = unsafe .corrupted(
          offset: arrived + index, expected: table[place + index],
          received: input.bytes[position + index])
        return
      }
    }
  }

  /// A probe has come back in full.
  private func settle(_ number: Int, _ stamp: Int64, at now: Int64) {
    let wrong = mismatch
    (arrived, mismatch) = (0, nil)
    let split = sample?.number == number ? takeSample(stamp, at: now) : nil
    guard let answer = run.answer(at: now, isIntact: wrong == nil) else { return }
    if wrong == nil { pause = Self.leastPause }
    if isHeard { tell(number, answer, split, wrong) }
    // Others may have come in the same bytes, which the end does not wait for.
    if isRunning, configuration.isEndedBySingle, run.isFinished(at: now) { finish(at: now) }
  }

  private func tell(
    _ number: Int, _ answer: ProbeLedger.Answer, _ split: PeerProbeSummary.Split?,
    _ wrong: PeerFailure?
  ) {
    if let wrong {
      if !answer.isLate { tell(.lost(probe: number, wrong)) }
    } else if answer.isLate {
      tell(.late(probe: number, rtt: answer.elapsed))
    } else {
      tell(.reply(probe: number, bytes: content.size, rtt: answer.elapsed, split: split))
    }
  }
}
