import Glibc

/// A system call that failed: which one, on what, and why.
public struct SystemError: Error, Hashable, Sendable {
  /// The call as the manual names it, such as `setsockopt(IP_ADD_MEMBERSHIP)`.
  public var call: String
  /// The error number that the call left behind.
  public var errno: Int32
  /// What it was done on (an interface, a file, an address); empty where there is nothing to name.
  public var subject: String

  /// An error of `call` on `subject`.
  public init(call: String, errno: Int32, subject: String = "") {
    self.call = call
    self.errno = errno
    self.subject = subject
  }

  /// The system's words for the error number, starting in lower case.
  public var reason: String {
    guard let text = unsafe strerror(errno) else { return "error \(errno)" }
    let words = unsafe String(cString: text)
    // "RPC struct is bad" and the like keep their capitals.
    guard let second = words.dropFirst().first, second.isLowercase else { return words }
    return words.prefix(1).lowercased() + words.dropFirst()
  }
}

extension SystemError: CustomStringConvertible {
  /// The call, its subject and the reason in one line.
  public var description: String {
    subject.isEmpty ? "\(call): \(reason)" : "\(call) on \(subject): \(reason)"
  }
}

/// Does a system call, again where a signal interrupted it, and throws its error.
///
/// - Parameters:
///   - call: The name for the error.
///   - subject: What it is done on, made only for the error.
///   - body: The call; -1 means that `errno` has the reason.
/// - Returns: What the call gave.
/// - Throws: Its error number as a `SystemError`.
@discardableResult
@inline(__always)
func systemCall<Result: FixedWidthInteger & SignedInteger>(
  _ call: StaticString, on subject: @autoclosure () -> String = "", _ body: () -> Result
) throws(SystemError) -> Result {
  while true {
    let result = body()
    if result != -1 { return result }
    let code = errno
    if code == EINTR { continue }
    throw SystemError(call: "\(call)", errno: code, subject: subject())
  }
}

/// `systemCall` for a descriptor that does not block: nil where there is nothing to be had now.
@inline(__always)
func systemCallIfReady<Result: FixedWidthInteger & SignedInteger>(
  _ call: StaticString, on subject: @autoclosure () -> String = "", _ body: () -> Result
) throws(SystemError) -> Result? {
  while true {
    let result = body()
    if result != -1 { return result }
    let code = errno
    if code == EINTR { continue }
    if code == EAGAIN { return nil }
    throw SystemError(call: "\(call)", errno: code, subject: subject())
  }
}
