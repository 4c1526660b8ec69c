import Glibc

/// An open descriptor that is closed when its owner goes.
public struct FileDescriptor: ~Copyable, Sendable {
  /// The number, lent for calls while this value lives.
  public let raw: Int32

  /// Takes over `raw`, which must be open and owned by nobody else.
  public init(owning raw: Int32) { self.raw = raw }

  deinit { Glibc.close(raw) }

  /// Closes now and reports what the kernel had kept back, such as a full disk.
  ///
  /// - Throws: The error of `close`; the descriptor is gone all the same.
  public consuming func close() throws(SystemError) {
    let number = raw
    discard self
    // Not repeated after EINTR: Linux has freed the number by then.
    guard Glibc.close(number) == -1, errno != EINTR else { return }
    throw SystemError(call: "close", errno: errno)
  }

  /// Gives the number away; closing is the caller's from here.
  public consuming func release() -> Int32 {
    let number = raw
    discard self
    return number
  }
}
