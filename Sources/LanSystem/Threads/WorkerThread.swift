import Glibc

/// A thread of its own for work that blocks, joined before its owner goes on.
public final class WorkerThread {
  private let thread: pthread_t
  private var isJoined = false

  private final class Start {
    let body: () -> Void
    init(_ body: @escaping () -> Void) { self.body = body }
  }

  /// Starts `body` on a new thread.
  ///
  /// - Throws: When the system has no room for another thread.
  public init(_ body: @escaping @Sendable () -> Void) throws(SystemError) {
    let start = unsafe Unmanaged.passRetained(Start(body))
    var thread = pthread_t()
    let code = unsafe pthread_create(
      &thread, nil,
      { argument in
        if let argument = unsafe argument {
          unsafe Unmanaged<Start>.fromOpaque(argument).takeRetainedValue().body()
        }
        return nil
      }, start.toOpaque())
    guard code == 0 else {
      unsafe start.release()
      throw SystemError(call: "pthread_create", errno: code)
    }
    self.thread = thread
  }

  deinit { join() }

  /// Waits until the body has returned.
  public func join() {
    guard !isJoined else { return }
    isJoined = true
    pthread_join(thread, nil)
  }
}
