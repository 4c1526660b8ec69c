import CLan
import Glibc
import Synchronization
public import _Concurrency

/// The event loop of one thread, which is at once the executor of its actors and tasks.
///
/// Descriptors (epoll), deadlines (one timerfd) and jobs of Swift's concurrency run one after the
/// other on the thread that calls `run()`; while nothing happens there is no system call. Start
/// flows with `Task(executorPreference: reactor)`; hot paths use `watch` and `schedule` directly.
///
/// `watch`, `unwatch`, `change`, `schedule` and `cancel` belong to the loop's thread (or to the one
/// that sets up before `run()`); `submit`, `stop` and `sleep` may be called from anywhere.
public final class Reactor: SerialExecutor, TaskExecutor, @unchecked Sendable {
  private struct Inbox {
    var jobs: [UnownedJob] = []
    var work: [@Sendable () -> Void] = []
    var isEmpty: Bool { jobs.isEmpty && work.isEmpty }
  }
  private static let wakeBits = UInt64.max
  private static let timerBits = UInt64.max - 1
  private static let batchSize: Int32 = 64

  private let epoll: FileDescriptor
  private let wake: FileDescriptor
  private let timer: FileDescriptor
  private let inbox = Mutex(Inbox())
  private let owner = Atomic<UInt>(0)
  private let stopping = Atomic<Bool>(false)
  // Only touched on the loop's thread, or by the one that sets up before run().
  private var watches = WatchTable()
  private var timers = DeadlineHeap<() -> Void>()
  private var armed = Int64.max

  /// A loop that watches nothing yet.
  ///
  /// - Throws: When the kernel has no descriptor left.
  public init() throws(SystemError) {
    epoll = FileDescriptor(
      owning: try systemCall("epoll_create1") { epoll_create1(Int32(EPOLL_CLOEXEC)) })
    wake = FileDescriptor(
      owning: try systemCall("eventfd") { eventfd(0, Int32(EFD_NONBLOCK) | Int32(EFD_CLOEXEC)) })
    timer = FileDescriptor(
      owning: try systemCall("timerfd_create") {
        timerfd_create(CLOCK_MONOTONIC, Int32(TFD_NONBLOCK) | Int32(TFD_CLOEXEC))
      })
    try control(EPOLL_CTL_ADD, wake.raw, .readable, Self.wakeBits)
    try control(EPOLL_CTL_ADD, timer.raw, .readable, Self.timerBits)
  }

  // MARK: Descriptors

  /// Calls `handler` on the loop whenever `descriptor` is ready for one of `interest`.
  ///
  /// - Parameters:
  ///   - descriptor: Stays the caller's; call `unwatch` before closing it.
  ///   - interest: What to wait for (level-triggered); errors and hang-ups come unasked.
  ///   - handler: Runs on the loop; it must not block.
  /// - Returns: What `unwatch` and `change` need.
  /// - Throws: When epoll refuses it, such as EPERM for a regular file.
  public func watch(
    _ descriptor: Int32, for interest: Readiness = .readable,
    _ handler: @escaping (Readiness) -> Void
  ) throws(SystemError) -> WatchToken {
    assertOwned()
    let token = watches.insert(descriptor, handler)
    do throws(SystemError) {
      try control(EPOLL_CTL_ADD, descriptor, interest, token.bits)
    } catch {
      _ = watches.remove(token)
      throw error
    }
    return token
  }

  /// Waits for something else on a watched descriptor.
  ///
  /// - Throws: When epoll refuses it, such as EBADF for a descriptor that was closed.
  public func change(_ token: WatchToken, to interest: Readiness) throws(SystemError) {
    assertOwned()
    guard let descriptor = watches.descriptor(of: token) else { return }
    try control(EPOLL_CTL_MOD, descriptor, interest, token.bits)
  }

  /// Ends a watch; its handler is not called again, not even for events that were at hand.
  public func unwatch(_ token: WatchToken) {
    assertOwned()
    guard let descriptor = watches.remove(token) else { return }
    // Fails only if the descriptor was closed too early, and then the kernel has forgotten it.
    _ = epoll_ctl(epoll.raw, EPOLL_CTL_DEL, descriptor, nil)
  }

  private func control(
    _ operation: Int32, _ descriptor: Int32, _ interest: Readiness, _ bits: UInt64
  ) throws(SystemError) {
    var event = unsafe epoll_event()
    unsafe event.events = interest.rawValue
    unsafe event.data.u64 = bits
    try systemCall("epoll_ctl", on: "descriptor \(descriptor)") {
      unsafe epoll_ctl(epoll.raw, operation, descriptor, &event)
    }
  }

  // MARK: Deadlines

  /// Calls `handler` once, on the loop, when the monotonic clock has reached `deadline`.
  ///
  /// - Parameters:
  ///   - deadline: Nanoseconds of `MonotonicClock`; one that has passed fires in the next round.
  ///   - handler: Runs on the loop.
  /// - Returns: What `cancel` needs.
  @discardableResult
  public func schedule(at deadline: Int64, _ handler: @escaping () -> Void) -> TimerToken {
    assertOwned()
    return timers.insert(handler, at: deadline)
  }

  /// Calls `handler` once, on the loop, after `delay`.
  @discardableResult
  public func schedule(after delay: Duration, _ handler: @escaping () -> Void) -> TimerToken {
    let (deadline, overflow) = MonotonicClock.now.addingReportingOverflow(delay.wholeNanoseconds)
    return schedule(at: overflow ? .max : deadline, handler)
  }

  /// Takes a timer back; false if it has fired or was taken back before.
  @discardableResult
  public func cancel(_ token: TimerToken) -> Bool {
    assertOwned()
    return timers.remove(token) != nil
  }

  /// Sets the timerfd if a deadline came in front of the armed one.
  ///
  /// It is never set back for a cancelled timer: one idle wake-up is cheaper than a call each time.
  private func arm() throws(SystemError) {
    guard let earliest = timers.earliest, earliest < armed else { return }
    var time = itimerspec()
    let nanoseconds = max(earliest, 1)
    time.it_value.tv_sec = Int(nanoseconds / 1_000_000_000)
    time.it_value.tv_nsec = Int(nanoseconds % 1_000_000_000)
    try systemCall("timerfd_settime") {
      unsafe timerfd_settime(timer.raw, Int32(TFD_TIMER_ABSTIME), &time, nil)
    }
    armed = earliest
  }

  private func fireTimers() {
    drain(timer.raw)
    armed = .max
    let now = MonotonicClock.now
    // What handlers schedule now waits for the next round, so that descriptors get their turn.
    let horizon = timers.horizon
    while !isStopping, let handler = timers.popDue(at: now, before: horizon) { handler() }
  }

  // MARK: Jobs

  /// Runs `work` on the loop's thread; may be called from any thread.
  public func submit(_ work: @escaping @Sendable () -> Void) {
    post { $0.work.append(work) }
  }

  /// Takes a job of Swift's concurrency; called by the runtime.
  public func enqueue(_ job: consuming ExecutorJob) {
    let unowned = UnownedJob(job)
    post { $0.jobs.append(unowned) }
  }

  private func post(_ add: (inout Inbox) -> Void) {
    let isFirst = inbox.withLock { box in
      let isFirst = box.isEmpty
      add(&box)
      return isFirst
    }
    // The loop looks into the inbox before it sleeps, so only others must wake it, and only once.
    if isFirst, !isOnLoop { wakeUp() }
  }

  private func runInbox() {
    let box = inbox.withLock { box in
      let full = box
      box = Inbox()
      return full
    }
    for job in box.jobs {
      unsafe job.runSynchronously(
        isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
    }
    for work in box.work { work() }
  }

  // MARK: Running

  /// Runs the loop on the calling thread until `stop()`.
  ///
  /// - Throws: When epoll or the timer fails, which points to a closed descriptor.
  public func run() throws(SystemError) {
    owner.store(UInt(pthread_self()), ordering: .releasing)
    defer { owner.store(0, ordering: .releasing) }
    let events = UnsafeMutableBufferPointer<epoll_event>.allocate(capacity: Int(Self.batchSize))
    defer { unsafe events.deallocate() }
    while true {
      runInbox()
      if stopping.exchange(false, ordering: .acquiringAndReleasing) { return }
      try arm()
      let hasMore = inbox.withLock { !$0.isEmpty }
      let count = try systemCall("epoll_wait") {
        unsafe epoll_wait(epoll.raw, events.baseAddress, Self.batchSize, hasMore ? 0 : -1)
      }
      for index in 0..<Int(count) where !isStopping {
        let event = unsafe events[index]
        unsafe dispatch(event.data.u64, Readiness(rawValue: event.events))
      }
    }
  }

  /// Ends `run()` after the handler at hand; a call before `run()` makes that one return at once.
  public func stop() {
    stopping.store(true, ordering: .releasing)
    if !isOnLoop { wakeUp() }
  }

  private func dispatch(_ bits: UInt64, _ readiness: Readiness) {
    switch bits {
    case Self.wakeBits: drain(wake.raw)
    case Self.timerBits: fireTimers()
    default: watches.handler(of: WatchToken(bits: bits))?(readiness)
    }
  }

  private var isStopping: Bool { stopping.load(ordering: .acquiring) }

  private func wakeUp() {
    var one: UInt64 = 1
    // Can only fail when the counter is full, and then the loop is awake.
    _ = unsafe write(wake.raw, &one, 8)
  }

  private func drain(_ descriptor: Int32) {
    var count: UInt64 = 0
    // EAGAIN is fine: an earlier handler may have drained it.
    _ = unsafe read(descriptor, &count, 8)
  }

  // MARK: Isolation

  /// True on the thread that is inside `run()`.
  public var isOnLoop: Bool { owner.load(ordering: .acquiring) == UInt(pthread_self()) }

  /// Stops the program if the caller is not on the loop; called by the runtime.
  public func checkIsolated() { precondition(isOnLoop, "not on the reactor's thread") }

  private func assertOwned() {
    let thread = owner.load(ordering: .acquiring)
    precondition(thread == 0 || thread == UInt(pthread_self()), "not on the reactor's thread")
  }
}
