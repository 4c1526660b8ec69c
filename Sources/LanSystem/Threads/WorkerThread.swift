import Glibc

/// A thread of its own for work that blocks, joined before its owner goes on.
public final class WorkerThread {
  private let thread: pthread_t
  private var isJoined = false

  /// Starts `body` on a new thread.
  ///
  /// - Throws: When the system has no room for another thread.
  public init(_ body: @escaping @Sendable () -> Void) throws(SystemError) {
    thread = try ThreadStart.spawn(body)
  }

  deinit { join() }

  /// Waits until the body has returned.
  public func join() {
    guard !isJoined else { return }
    isJoined = true
    pthread_join(thread, nil)
  }
}
