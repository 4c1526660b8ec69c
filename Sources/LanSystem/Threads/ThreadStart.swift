import Glibc

/// What a new thread is to do, on its way there.
final class ThreadStart {
  private let body: () -> Void
  private init(_ body: @escaping () -> Void) { self.body = body }

  /// Starts `body` on a new thread, which somebody has to join or detach.
  ///
  /// - Throws: When the system has no room for another thread.
  static func spawn(_ body: @escaping @Sendable () -> Void) throws(SystemError) -> pthread_t {
    let start = unsafe Unmanaged.passRetained(ThreadStart(body))
    var thread = pthread_t()
    let code = unsafe pthread_create(
      &thread, nil,
      { argument in
        if let argument = unsafe argument {
          unsafe Unmanaged<ThreadStart>.fromOpaque(argument).takeRetainedValue().body()
        }
        return nil
      }, start.toOpaque())
    guard code == 0 else {
      unsafe start.release()
      throw SystemError(call: "pthread_create", errno: code)
    }
    return thread
  }
}
