import Glibc

/// The arguments of this process as the bytes that the kernel handed over.
///
/// `CommandLine.arguments` repairs invalid UTF-8, which would make a file with such a name
/// unreachable.
package enum ProgramArguments {
  /// All arguments without the program's name.
  package static func bytes() -> [[UInt8]] {
    let vector = unsafe CommandLine.unsafeArgv
    return (1..<max(1, Int(CommandLine.argc))).compactMap { index in
      guard let argument = unsafe vector[index] else { return nil }
      return unsafe Array(
        UnsafeRawBufferPointer(start: argument, count: strlen(argument)))
    }
  }

  /// Whether `word` is the only argument; allocates nothing.
  package static func isOnly(_ word: StaticString) -> Bool {
    guard CommandLine.argc == 2, let argument = unsafe CommandLine.unsafeArgv[1],
      unsafe strlen(argument) == word.utf8CodeUnitCount
    else { return false }
    return unsafe memcmp(argument, word.utf8Start, word.utf8CodeUnitCount) == 0
  }
}
