import CLan
import Glibc

/// A thread that nobody waits for: for calls that may block longer than the program wants to live.
enum DetachedThread {
  /// Starts `body` on a new thread with all signals blocked.
  ///
  /// - Throws: When the system has no room for another thread.
  static func start(_ body: @escaping @Sendable () -> Void) throws(SystemError) {
    var all = sigset_t()
    var old = sigset_t()
    unsafe sigfillset(&all)
    // Signals belong to the loop; a new thread inherits the mask.
    unsafe pthread_sigmask(SIG_SETMASK, &all, &old)
    defer { unsafe pthread_sigmask(SIG_SETMASK, &old, nil) }
    pthread_detach(try ThreadStart.spawn(body))
  }
}
