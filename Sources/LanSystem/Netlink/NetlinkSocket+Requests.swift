import Glibc
public import LanWire

extension NetlinkSocket: NetlinkTransport {
  /// Asks for one thing and lends the answer; see `NetlinkTransport`.
  ///
  /// - Throws: `NetlinkError.refused` with the kernel's error, or why it could not be asked.
  public func ask(
    _ request: NetlinkRequest, _ body: (NetlinkMessage, Span<UInt8>) -> Void
  ) throws(NetlinkError) {
    _ = try answer(request, restarted: {}, body)
  }

  /// Asks for all things of a kind; see `NetlinkTransport`.
  ///
  /// - Throws: `NetlinkError.refused` with the kernel's error, or why it could not be asked.
  public func dump(
    _ request: NetlinkRequest, restarted: () -> Void,
    _ body: (NetlinkMessage, Span<UInt8>) -> Void
  ) throws(NetlinkError) -> Bool {
    try answer(request, restarted: restarted, body)
  }

  private func answer(
    _ request: NetlinkRequest, restarted: () -> Void,
    _ body: (NetlinkMessage, Span<UInt8>) -> Void
  ) throws(NetlinkError) -> Bool {
    var outcome = Outcome()
    for attempt in 0..<Self.attempts {
      if attempt > 0 {
        pause(attempt)
        restarted()
      }
      outcome = try attemptAnswer(request, body)
      if outcome.isWhole { return true }
      drain()
    }
    if outcome.wasLost { throw .lost }
    return false
  }

  /// How one attempt went.
  private struct Outcome {
    var wasInterrupted = false
    var wasLost = false
    var isWhole: Bool { !wasInterrupted && !wasLost }
  }

  private func attemptAnswer(
    _ request: NetlinkRequest, _ body: (NetlinkMessage, Span<UInt8>) -> Void
  ) throws(NetlinkError) -> Outcome {
    let sequence = Self.takeSequences(1)
    output.removeAll(keepingCapacity: true)
    request.append(to: &output, sequence: sequence, port: port)
    try send()
    var outcome = Outcome()
    var end: Result<NetlinkErrorMessage, WireError>?
    let isWhole = try receive { message, bytes in
      let header = message.header
      guard header.sequence == sequence, header.port == port, end == nil else { return false }
      if message.isInterrupted { outcome.wasInterrupted = true }
      switch header.type {
      case .error, .done:
        end = Result { () throws(WireError) in try NetlinkErrorMessage(message, in: bytes) }
        return true
      case .overrun:
        outcome.wasLost = true
        return true
      default:
        body(message, bytes)
        return !header.flags.contains(.multi)
      }
    }
    if !isWhole { outcome.wasLost = true }
    switch end {
    case .failure(let error): throw .malformed(error)
    // EINTR: a change came in between. EBUSY: an older dump was still under way.
    case .success(let error) where error.errno == EINTR || error.errno == EBUSY:
      outcome.wasInterrupted = true
    case .success(let error) where error.errno != 0: throw .refused(error)
    default: break
    }
    return outcome
  }

  /// Looks up routes, 64 by each call to the kernel; see `NetlinkTransport`.
  ///
  /// - Throws: `NetlinkError` where the kernel could not be asked.
  public func lookUp(
    _ lookups: [RouteLookup], _ body: (Int, RouteAnswer) -> Void
  ) throws(NetlinkError) {
    var start = 0
    while start < lookups.count {
      let part = start..<min(start + Self.window, lookups.count)
      try lookUp(lookups, part, body)
      start = part.upperBound
    }
  }

  /// One window of look-ups: one call that asks, mostly one that takes all answers.
  private func lookUp(
    _ lookups: [RouteLookup], _ part: Range<Int>, _ body: (Int, RouteAnswer) -> Void
  ) throws(NetlinkError) {
    // A bit for each look-up of the window that has no answer yet.
    var open = part.count == 64 ? UInt64.max : (1 << UInt64(part.count)) - 1
    for attempt in 0..<Self.attempts {
      if attempt > 0 { drain() }
      let first = Self.takeSequences(part.count)
      output.removeAll(keepingCapacity: true)
      for index in part where open & 1 << UInt64(index - part.lowerBound) != 0 {
        lookups[index].append(
          to: &output, sequence: first &+ UInt32(index - part.lowerBound), port: port)
      }
      try send()
      let isWhole = try receive { message, bytes in
        let place = message.header.sequence &- first
        guard place < part.count, message.header.port == port, open & 1 << UInt64(place) != 0
        else { return false }
        open &= ~(1 << UInt64(place))
        body(part.lowerBound + Int(place), RouteAnswer(message, in: bytes))
        return open == 0
      }
      if isWhole { return }
    }
    throw .lost
  }
}
