import CLan
import Glibc
public import LanWire
import Synchronization

/// A socket for requests to the kernel: links, addresses, routes and so on, or generic netlink.
///
/// The kernel answers within the call that asks, so nothing here waits in practice; the bound of a
/// second is for what should not happen. Needs no privilege. It belongs to the network namespace of
/// the thread that made it. Events come over a `NetlinkEventSource` of their own.
public final class NetlinkSocket {
  /// How often a request is repeated when a change came in between or answers were lost.
  static let attempts = 5
  /// How many look-ups are under way at once: their answers fit the smallest receive buffer.
  static let window = 64
  private static let timeout: Int64 = 1_000_000_000
  /// Unique in the process, so that in a recording each answer finds its request.
  private static let sequences = Atomic<UInt32>(1)

  /// What the socket speaks.
  public let netlinkProtocol: NetlinkProtocol
  /// The socket's own address, which replies carry.
  public let port: UInt32
  /// Datagrams that did not come from the kernel; they were ignored.
  public private(set) var forged = 0
  /// True where the kernel checks requests strictly and filters dumps (Linux 4.20 and later).
  public let isStrict: Bool
  private let descriptor: FileDescriptor
  private let recorder: NetlinkRecorder?
  private let batch: NetlinkBatch
  private var output: [UInt8] = []

  /// A socket of `netlinkProtocol`.
  ///
  /// - Parameters:
  ///   - netlinkProtocol: What it speaks.
  ///   - recorder: Is told of everything that is sent and received.
  /// - Throws: `NetlinkError.system`, such as EPROTONOSUPPORT or EMFILE.
  public init(
    _ netlinkProtocol: NetlinkProtocol = .route, recorder: NetlinkRecorder? = nil
  ) throws(NetlinkError) {
    self.netlinkProtocol = netlinkProtocol
    self.recorder = recorder
    batch = try NetlinkBatch(capacity: Self.window)
    var port: UInt32 = 0
    do throws(SystemError) {
      descriptor = FileDescriptor(
        owning: try systemCall("socket", on: "netlink") {
          unsafe lan_netlink_open(Int32(netlinkProtocol.rawValue), &port)
        })
    } catch {
      throw .system(error)
    }
    self.port = port
    // Older kernels lack some of these (ENOPROTOOPT) and do without.
    lan_netlink_set(descriptor.raw, NetlinkOption.extendedAcknowledgement, 1)
    lan_netlink_set(descriptor.raw, NetlinkOption.cappedAcknowledgement, 1)
    isStrict = lan_netlink_set(descriptor.raw, NetlinkOption.strictCheck, 1) == 0
  }

  private func send() throws(NetlinkError) {
    recorder?.record(output.span, netlinkProtocol, isToKernel: true)
    let number = descriptor.raw
    let sent = unsafe output.withUnsafeBufferPointer { buffer -> Result<Int, SystemError> in
      Result { () throws(SystemError) in
        try systemCall("sendto", on: "netlink") {
          unsafe lan_netlink_send(number, buffer.baseAddress, buffer.count)
        }
      }
    }
    if case .failure(let error) = sent { throw .system(error) }
  }

  /// Waits until the socket is readable.
  private func wait(until deadline: Int64) throws(NetlinkError) {
    let left = deadline - MonotonicClock.now
    guard left > 0 else { throw .noAnswer }
    var wait = pollfd(fd: descriptor.raw, events: Int16(POLLIN), revents: 0)
    do throws(SystemError) {
      try systemCall("poll", on: "netlink") {
        unsafe poll(&wait, 1, Int32(clamping: left / 1_000_000 + 1))
      }
    } catch {
      throw .system(error)
    }
  }

  /// Takes what waits off the socket, such as the rest of a dump that was given up.
  private func drain() {
    for _ in 0..<1024 {
      // ENOBUFS as well: what was lost is not wanted.
      if let count = try? batch.receive(from: descriptor.raw), count == 0 { return }
    }
  }

  /// Takes what waits; nil where answers were lost.
  private func receiveBatch() throws(NetlinkError) -> Int? {
    do throws(SystemError) {
      return try batch.receive(from: descriptor.raw)
    } catch {
      if error.errno == ENOBUFS { return nil }
      throw .system(error)
    }
  }

  /// Lends messages of the kernel to `body` until that returns true.
  ///
  /// - Returns: False where answers were lost (ENOBUFS, or a message larger than the room for it).
  private func receive(
    _ body: (NetlinkMessage, Span<UInt8>) -> Bool
  ) throws(NetlinkError) -> Bool {
    let deadline = MonotonicClock.now + Self.timeout
    var isDone = false
    while !isDone {
      guard let count = try receiveBatch() else { return false }
      guard count > 0 else {
        try wait(until: deadline)
        continue
      }
      var failure: WireError?
      var isCut = false
      batch.forEach { bytes, sender in
        guard sender == 0 else { return forged += 1 }
        guard let bytes else { return isCut = true }
        recorder?.record(bytes, netlinkProtocol, isToKernel: false)
        failure = Self.walk(bytes) { if body($0, $1) { isDone = true } } ?? failure
      }
      if let failure { throw .malformed(failure) }
      if isCut { return false }
    }
    return true
  }

  /// Lends the messages of a datagram; the fault that ended the walk, if any.
  private static func walk(
    _ bytes: Span<UInt8>, _ body: (NetlinkMessage, Span<UInt8>) -> Void
  ) -> WireError? {
    var messages = NetlinkMessages(bytes)
    do throws(WireError) {
      while let message = try messages.next(bytes) { body(message, bytes) }
      return nil
    } catch {
      return error
    }
  }

  private static func takeSequences(_ count: Int) -> UInt32 {
    sequences.wrappingAdd(UInt32(clamping: count), ordering: .relaxed).oldValue
  }

  private func pause(_ attempt: Int) {
    // So that two writers in step do not meet again.
    usleep(UInt32.random(in: 100...1000) * UInt32(attempt + 1))
  }
}

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

/// Options of level SOL_NETLINK.
enum NetlinkOption {
  static let addMembership: Int32 = 1
  static let cappedAcknowledgement: Int32 = 10
  static let extendedAcknowledgement: Int32 = 11
  static let strictCheck: Int32 = 12
}
