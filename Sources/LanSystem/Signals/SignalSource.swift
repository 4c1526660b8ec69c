import CLan
import Glibc

/// Signals as events of a loop instead of interruptions.
///
/// Make it on the main thread before any other thread starts: threads inherit the mask that keeps
/// these signals for the descriptor. `cancel()` gives them their old effect back; one that is still
/// pending then takes it, so a second SIGINT during a slow end does end the program.
public final class SignalSource {
  /// The signals that ask a program to end: SIGINT and SIGTERM.
  public static let ending: [Int32] = [SIGINT, SIGTERM]

  private let reactor: Reactor
  private let descriptor: FileDescriptor
  private var previous = sigset_t()
  private var watch: WatchToken?

  /// Watches `signals` (such as `SIGINT`) and calls `handler` on the loop with each one's number.
  ///
  /// - Throws: When the kernel refuses the descriptor.
  public init(
    _ signals: [Int32], on reactor: Reactor, _ handler: @escaping (Int32) -> Void
  ) throws(SystemError) {
    self.reactor = reactor
    var set = sigset_t()
    unsafe sigemptyset(&set)
    for signal in signals { unsafe sigaddset(&set, signal) }
    descriptor = FileDescriptor(
      owning: try systemCall("signalfd") {
        unsafe signalfd(-1, &set, Int32(SFD_NONBLOCK) | Int32(SFD_CLOEXEC))
      })
    let raw = descriptor.raw
    watch = try reactor.watch(raw) { _ in Self.read(raw, handler) }
    unsafe pthread_sigmask(SIG_BLOCK, &set, &previous)
  }

  deinit { cancel() }

  /// Stops watching and puts the thread's signal mask back.
  public func cancel() {
    guard let watch else { return }
    self.watch = nil
    reactor.unwatch(watch)
    unsafe pthread_sigmask(SIG_SETMASK, &previous, nil)
  }

  /// Ends the process by the default action of `signal`, as if it had never been watched.
  public static func die(by signal: Int32) -> Never { lan_die_by_signal(signal) }

  private static func read(_ descriptor: Int32, _ handler: (Int32) -> Void) {
    var info = signalfd_siginfo()
    let size = MemoryLayout<signalfd_siginfo>.size
    while unsafe Glibc.read(descriptor, &info, size) == size { handler(Int32(info.ssi_signo)) }
  }
}
