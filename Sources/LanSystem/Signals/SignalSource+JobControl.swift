import CLan
import Glibc

extension SignalSource {
  /// Somebody at the terminal wants this process to stop for now (SIGTSTP).
  public static let suspension = SIGTSTP
  /// The process goes on after it was stopped (SIGCONT).
  public static let continuation = SIGCONT

  /// What a picture on a terminal depends on: its size, and who has its use.
  public static let ofTerminal = [windowChanged, suspension, continuation]

  /// Stops the process as an unwatched SIGTSTP does, and returns when it goes on.
  ///
  /// The kernel leaves it running where nobody is there to let it go on. For the thread that watches
  /// `suspension` and `continuation`; the SIGCONT that ends the stop is not told to the watcher.
  public static func suspend() {
    var stop = sigset_t()
    unsafe sigemptyset(&stop)
    unsafe sigaddset(&stop, SIGTSTP)
    var before = sigset_t()
    raise(SIGTSTP)
    // Pending while it is blocked; it is taken here.
    unsafe pthread_sigmask(SIG_UNBLOCK, &stop, &before)
    unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
    var resume = sigset_t()
    unsafe sigemptyset(&resume)
    unsafe sigaddset(&resume, SIGCONT)
    var now = timespec()
    unsafe sigtimedwait(&resume, nil, &now)
  }
}
