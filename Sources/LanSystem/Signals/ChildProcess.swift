import CLan
import Glibc

/// Programs started by this one.
public enum ChildProcess {
  /// Starts `executable` with `arguments` and an empty signal mask.
  ///
  /// A child inherits the blocked signals of a `SignalSource`, and could then not be interrupted.
  /// Signals that this process ignores or handles have their default action again.
  ///
  /// - Parameters:
  ///   - executable: Its path.
  ///   - arguments: What follows its name.
  /// - Returns: The process id.
  /// - Throws: When the program cannot be started; the subject is its path.
  public static func spawn(
    _ executable: String, _ arguments: [String]
  ) throws(SystemError) -> Int32 {
    var attributes = cleanAttributes()
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var vector = unsafe ([executable] + arguments).map { unsafe strdup($0) } + [nil]
    defer { unsafe vector.forEach { unsafe free($0) } }
    var child: Int32 = 0
    let code = unsafe posix_spawn(&child, executable, nil, &attributes, &vector, environ)
    guard code == 0 else {
      throw SystemError(call: "posix_spawn", errno: code, subject: executable)
    }
    return child
  }

  /// Attributes that give a child an empty mask and every signal's default action; the caller
  /// destroys them.
  static func cleanAttributes() -> posix_spawnattr_t {
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    var none = sigset_t()
    var all = sigset_t()
    unsafe sigemptyset(&none)
    unsafe sigfillset(&all)
    unsafe posix_spawnattr_setsigmask(&attributes, &none)
    unsafe posix_spawnattr_setsigdefault(&attributes, &all)
    unsafe posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF))
    return attributes
  }

  /// Waits for a child and gives its status as `wait` reports it.
  ///
  /// - Throws: When it is no child of this process, or its end was taken before.
  public static func wait(for child: Int32) throws(SystemError) -> Int32 {
    var status: Int32 = 0
    try systemCall("waitpid", on: "process \(child)") { unsafe waitpid(child, &status, 0) }
    return status
  }
}
