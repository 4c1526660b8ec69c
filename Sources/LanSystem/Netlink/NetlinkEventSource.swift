import CLan
import Glibc
public import LanWire

/// Events of the kernel over a netlink socket that a reactor watches.
///
/// Only the kernel is believed. When events were lost, the source reads on until nothing waits (the
/// kernel drops silently until then), and says so once; the owner then asks for the present state.
///
/// With a `linger` the first event after calm is given at once, and the socket is then left alone
/// for that time: a storm costs a few wake-ups in which the queue is emptied, instead of one for
/// each message, and what does not fit into the kernel's buffer costs nothing at all and comes as
/// an overrun. That is what routes want, of which only the fact that some changed is of use.
public final class NetlinkEventSource {
  /// What one emptying of the queue brought.
  public struct Batch: Hashable, Sendable {
    /// Messages that were lent.
    public var messages = 0
    /// True when events were lost: ask for the present state.
    public var isOverrun = false
    /// True when the kernel sent something that could not be read; what could be, was lent.
    public var isMalformed = false
  }

  /// Called with a message and the bytes that it stands in, which are lent for that call.
  public typealias MessageHandler = (NetlinkMessage, Span<UInt8>) -> Void

  /// Datagrams that did not come from the kernel; they were ignored.
  public private(set) var forged = 0
  /// How often events were lost.
  public private(set) var overruns = 0
  /// Groups that this kernel does not have.
  public let missing: [NetlinkGroup]
  /// The socket's own address.
  public let port: UInt32

  /// How many receive calls one wake-up makes before others get their turn.
  private static let rounds = 64
  private let netlinkProtocol: NetlinkProtocol
  private let descriptor: FileDescriptor
  private let recorder: NetlinkRecorder?
  private let batch: NetlinkBatch
  private var isDesynchronised = false
  private var reactor: Reactor?
  private var watch: WatchToken?
  private var timer: TimerToken?
  private var linger = Duration.zero
  private var onMessage: MessageHandler?
  private var onBatch: ((Batch) -> Void)?

  /// Joins `groups`; events queue up from here on, so ask for the present state after this.
  ///
  /// - Parameters:
  ///   - groups: What to hear of; one that the kernel lacks is put into `missing`.
  ///   - netlinkProtocol: What the socket speaks.
  ///   - receiveBuffer: Bytes for what waits; more than `net.core.rmem_max` needs CAP_NET_ADMIN and
  ///     is cut to that without.
  ///   - recorder: Is told of everything that is received, and of overruns.
  /// - Throws: `NetlinkError.system` where the kernel gives no socket or refuses to bind it.
  public init(
    groups: [NetlinkGroup], _ netlinkProtocol: NetlinkProtocol = .route,
    receiveBuffer: Int = 1 << 20, recorder: NetlinkRecorder? = nil
  ) throws(NetlinkError) {
    self.netlinkProtocol = netlinkProtocol
    self.recorder = recorder
    batch = try NetlinkBatch(capacity: 32)
    var port: UInt32 = 0
    var missing: [NetlinkGroup] = []
    do throws(SystemError) {
      let file = FileDescriptor(
        owning: try systemCall("socket", on: "netlink") {
          unsafe lan_netlink_open(Int32(netlinkProtocol.rawValue), &port)
        })
      let number = file.raw
      // The kernel doubles the value.
      try systemCall("setsockopt(SO_RCVBUF)", on: "netlink") {
        lan_netlink_set_buffer(number, Int32(clamping: receiveBuffer / 2))
      }
      for group in groups {
        if lan_netlink_set(
          number, NetlinkOption.addMembership, Int32(clamping: group.rawValue)) == -1
        {
          guard errno == EINVAL || errno == ENOENT else {
            throw SystemError(call: "setsockopt(NETLINK_ADD_MEMBERSHIP)", errno: errno)
          }
          missing.append(group)
        }
      }
      descriptor = consume file
    } catch {
      throw .system(error)
    }
    self.port = port
    self.missing = missing
  }

  /// Lets the kernel drop route events that cannot matter to `targets`.
  ///
  /// A later call takes the place of an earlier one; what waits already is not looked at again. Ask
  /// for the present state after it.
  ///
  /// - Parameter targets: The addresses that are watched; nil hears everything again.
  /// - Returns: False where everything is heard: nil was asked for, there are too many targets, or
  ///   the kernel refused the program.
  @discardableResult
  public func hearRoutes(to targets: [IPAddress]?) -> Bool {
    guard let filter = targets.flatMap({ RouteEventFilter(targets: $0) }) else {
      // Fails only where there is no filter, which is what was wanted.
      _ = lan_netlink_filter(descriptor.raw, nil, 0)
      return false
    }
    let number = descriptor.raw
    return unsafe filter.program.withUnsafeBufferPointer { program in
      unsafe lan_netlink_filter(number, program.baseAddress, UInt32(program.count)) == 0
    }
  }

  /// Begins to give events on `reactor`.
  ///
  /// - Parameters:
  ///   - reactor: The loop; `stop` must be called on its thread too.
  ///   - linger: For how long the socket is left alone after each batch.
  ///   - onMessage: Is lent each message.
  ///   - onBatch: Comes after the messages of one emptying of the queue.
  /// - Throws: What keeps the reactor from watching.
  public func start(
    on reactor: Reactor, linger: Duration = .zero, onMessage: @escaping MessageHandler,
    onBatch: @escaping (Batch) -> Void
  ) throws(NetlinkError) {
    stop()
    self.reactor = reactor
    self.linger = linger
    self.onMessage = onMessage
    self.onBatch = onBatch
    try beginWatch()
  }

  /// Ends the events; what waits is kept for another start.
  public func stop() {
    if let watch { reactor?.unwatch(watch) }
    if let timer { reactor?.cancel(timer) }
    (watch, timer, reactor, onMessage, onBatch) = (nil, nil, nil, nil, nil)
  }

  private func beginWatch() throws(NetlinkError) {
    guard let reactor, watch == nil else { return }
    do throws(SystemError) {
      // The loop holds no strong reference, so that an owner who forgets `stop` leaks nothing.
      watch = try reactor.watch(descriptor.raw) { [weak self] _ in self?.isReady() }
    } catch {
      throw .system(error)
    }
  }

  /// Called by the loop when something waits.
  private func isReady() {
    _ = deliver()
    guard let reactor, let watch else { return }
    guard linger > .zero else {
      // The bound on rounds ended the reading, and an empty queue wakes nobody.
      if isDesynchronised, timer == nil { schedule(on: reactor) }
      return
    }
    // Taken out altogether: a pending error would wake the loop whatever it waits for.
    reactor.unwatch(watch)
    self.watch = nil
    schedule(on: reactor)
  }

  private func schedule(on reactor: Reactor) {
    timer = reactor.schedule(after: linger) { [weak self] in self?.lingered() }
  }

  private func lingered() {
    timer = nil
    let isCalm = !deliver()
    guard let reactor else { return }
    // Should the watch fail, the timer goes on in its place.
    if isCalm, (try? beginWatch()) != nil { return }
    schedule(on: reactor)
  }

  /// Empties the queue and tells the handlers; false where nothing was in it.
  private func deliver() -> Bool {
    var result = Batch()
    let hadSomething = receive(into: &result) { onMessage?($0, $1) }
    if hadSomething || result.isOverrun { onBatch?(result) }
    return hadSomething
  }

  /// Takes what waits now, without a reactor: for owners that have a loop of their own.
  ///
  /// - Returns: What came; an overrun is told once the queue is empty.
  public func receive(_ body: MessageHandler) -> Batch {
    var result = Batch()
    _ = receive(into: &result, body)
    return result
  }

  private func receive(into result: inout Batch, _ body: MessageHandler) -> Bool {
    var hadSomething = false
    for _ in 0..<Self.rounds {
      do throws(SystemError) {
        if try batch.receive(from: descriptor.raw) == 0 {
          if isDesynchronised { endOverrun(&result) }
          return hadSomething
        }
      } catch {
        // ENOBUFS; any other error means as well that something may have been missed.
        hadSomething = true
        isDesynchronised = true
        continue
      }
      hadSomething = true
      lend(&result, body)
      // A queue that did not fill the batch is empty: the next call would only say so.
      if batch.count < batch.capacity, !isDesynchronised { return true }
    }
    return hadSomething
  }

  private func endOverrun(_ result: inout Batch) {
    isDesynchronised = false
    overruns += 1
    result.isOverrun = true
    recorder?.note(NetlinkNote(.overrun, "", "\(overruns)"))
  }

  private func lend(_ result: inout Batch, _ body: MessageHandler) {
    batch.forEach { bytes, sender in
      guard sender == 0 else { return forged += 1 }
      // A message that was cut is a lost one.
      guard let bytes else { return isDesynchronised = true }
      // What waits behind a loss is older than what will be asked for.
      if isDesynchronised { return }
      recorder?.record(bytes, netlinkProtocol, isToKernel: false)
      var messages = NetlinkMessages(bytes)
      do throws(WireError) {
        while let message = try messages.next(bytes) {
          if message.header.type == .overrun { isDesynchronised = true }
          result.messages += 1
          body(message, bytes)
        }
      } catch {
        result.isMalformed = true
      }
    }
  }
}
