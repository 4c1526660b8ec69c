/// A command line that was found to fit its declaration.
///
/// Options are asked for by long name; asking for one that is not declared is a programming error,
/// which debug builds stop at.
struct ParsedArguments: Sendable {
  /// One occurrence of an option.
  struct Occurrence: Sendable {
    let name: String
    let value: [UInt8]?
  }

  /// What the command line was read by.
  let command: CommandDeclaration
  /// The options in the order typed.
  let occurrences: [Occurrence]
  /// The words that are no options, in the order typed.
  let positionals: [[UInt8]]

  /// Whether the option was given.
  func isSet(_ name: String) -> Bool {
    check(name)
    return occurrences.contains { $0.name == name }
  }

  /// The value's bytes, of the last occurrence; for names of files.
  func bytes(_ name: String) -> [UInt8]? { allBytes(name).last }

  /// The bytes of every occurrence's value.
  func allBytes(_ name: String) -> [[UInt8]] {
    check(name)
    return occurrences.filter { $0.name == name }.compactMap(\.value)
  }

  /// The value of the last occurrence as text; invalid UTF-8 is replaced.
  func value(_ name: String) -> String? { values(name).last }

  /// The value of every occurrence as text.
  func values(_ name: String) -> [String] {
    allBytes(name).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The value of a `.count` option.
  func count(_ name: String) -> Int? {
    value(name).flatMap { try? ValueParser.count($0, in: Int.min...Int.max) }
  }

  /// The value of a `.byteSize` option, in bytes.
  func byteSize(_ name: String) -> Int? {
    value(name).flatMap { try? ValueParser.byteSize($0, in: 0...Int.max) }
  }

  /// The value of a `.timeLimit` option.
  func timeLimit(_ name: String) -> TimeLimit? {
    value(name).flatMap { try? ValueParser.timeLimit($0) }
  }

  /// The words of a `.choices` or `.words` option; nil if it was not given.
  func list(_ name: String) -> [String]? {
    value(name).flatMap { try? ValueParser.list($0) }
  }

  /// Says that the options contradict each other or the world, as `message`.
  func usageError(_ message: String) -> UsageError {
    UsageError(command: command.invocation, message: message)
  }

  private func check(_ name: String) {
    assert(
      command.options.contains { $0.name == name },
      "\(command.invocation) declares no option --\(name)")
  }
}
