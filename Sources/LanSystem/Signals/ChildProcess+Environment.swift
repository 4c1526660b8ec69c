import CLan
import Glibc

/// How a program ended.
public enum ChildEnd: Hashable, Sendable {
  /// By itself, with this exit status.
  case status(Int32)
  /// By this signal.
  case signal(Int32)
}

extension ChildProcess {
  /// Starts a program that reports to people: found along PATH, with an empty signal mask, no
  /// standard input, and standard error in place of standard output.
  ///
  /// - Parameters:
  ///   - words: Its name or path, and its arguments; at least one.
  ///   - variables: What its environment has beside this process's own.
  /// - Returns: The process id.
  /// - Throws: When the program cannot be started; the subject is its name.
  public static func spawn(
    words: [String], variables: [(name: String, value: String)]
  ) throws(SystemError) -> Int32 {
    let program = words.first ?? ""
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    unsafe posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO)
    var attributes = cleanAttributes()
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var arguments = CStrings(words.map { Array($0.utf8) })
    var environment = CStrings(environment(with: variables))
    var child: Int32 = 0
    let code = unsafe arguments.withPointers { arguments in
      unsafe environment.withPointers { environment -> Int32 in
        guard let arguments = arguments.baseAddress, let environment = environment.baseAddress
        else { return EINVAL }
        return unsafe posix_spawnp(
          &child, program, &actions, &attributes, arguments, environment)
      }
    }
    guard code == 0 else {
      throw SystemError(call: "posix_spawn", errno: code, subject: program)
    }
    return child
  }

  /// This process's environment with `variables` in place of those of the same names.
  private static func environment(
    with variables: [(name: String, value: String)]
  ) -> [[UInt8]] {
    var entries: [[UInt8]] = []
    var next = unsafe environ
    while let entry = unsafe next.pointee {
      let bytes = unsafe Array(UnsafeRawBufferPointer(start: entry, count: strlen(entry)))
      if !bytes.starts(with: "LANTOOL_".utf8) { entries.append(bytes) }
      unsafe next += 1
    }
    return entries + variables.map { Array("\($0.name)=\($0.value)".utf8) }
  }

  /// How `child` ended; nil while it runs.
  ///
  /// - Throws: When it is no child of this process, or was asked for before.
  public static func end(of child: Int32) throws(SystemError) -> ChildEnd? {
    try end(of: child, WNOHANG)
  }

  /// Waits until `child` ends.
  ///
  /// - Throws: When it is no child of this process, or its end was taken before.
  public static func waitForEnd(of child: Int32) throws(SystemError) -> ChildEnd {
    try end(of: child, 0) ?? .status(0)
  }

  private static func end(of child: Int32, _ options: Int32) throws(SystemError) -> ChildEnd? {
    var status: Int32 = 0
    let found = try systemCall("waitpid", on: "process \(child)") {
      unsafe waitpid(child, &status, options)
    }
    guard found != 0 else { return nil }
    let signal = status & 0x7F
    return signal == 0 ? .status(status >> 8 & 0xFF) : .signal(signal)
  }
}

extension SignalSource {
  /// A program that this one started has ended (SIGCHLD).
  public static let childEnded = SIGCHLD
  /// The terminal is gone, or a configuration is to be read again (SIGHUP).
  public static let hangup = SIGHUP
  /// The terminal has another size (SIGWINCH).
  public static let windowChanged = SIGWINCH
  /// Somebody asks for a report: SIGQUIT.
  public static let report = SIGQUIT
}
