import CLan
import Glibc

/// A thread that nobody waits for: for calls that may block longer than the program wants to live.
enum DetachedThread {
  private final class Start {
    let body: () -> Void
    init(_ body: @escaping () -> Void) { self.body = body }
  }

  /// Starts `body` on a new thread with a small stack and all signals blocked.
  ///
  /// - Throws: When the system has no room for another thread.
  static func start(_ body: @escaping @Sendable () -> Void) throws(SystemError) {
    let start = unsafe Unmanaged.passRetained(Start(body))
    var all = sigset_t()
    var old = sigset_t()
    unsafe sigfillset(&all)
    // Signals belong to the loop; a new thread inherits the mask.
    unsafe pthread_sigmask(SIG_SETMASK, &all, &old)
    var thread = pthread_t()
    let code = unsafe pthread_create(
      &thread, nil,
      { argument in
        if let argument = unsafe argument {
          unsafe Unmanaged<Start>.fromOpaque(argument).takeRetainedValue().body()
        }
        return nil
      }, start.toOpaque())
    unsafe pthread_sigmask(SIG_SETMASK, &old, nil)
    guard code == 0 else {
      unsafe start.release()
      throw SystemError(call: "pthread_create", errno: code)
    }
    pthread_detach(thread)
  }
}
