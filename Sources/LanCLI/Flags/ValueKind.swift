/// What an option's value must look like, and so what a shell offers for it.
enum ValueKind: Sendable {
  /// Anything.
  case text
  /// The name of a file; `-` is standard input or output.
  case file
  /// A network interface, or `any`.
  case interface
  /// A network namespace of `ip netns`.
  case namespace
  /// A whole number within the range.
  case count(ClosedRange<Int>)
  /// A time span such as `250ms` or `3s`, or `none`.
  case timeLimit
  /// A number of bytes such as `64KiB`, within the range.
  case byteSize(ClosedRange<Int>)
  /// One of these words.
  case choice([Choice])
  /// Some of these words, separated by commas.
  case choices([Choice])
  /// Words separated by commas; these are only offered.
  case words([String])
  /// Anything; these words are only offered, and made when somebody wants to see them.
  case offered(@Sendable () -> [Choice])
}

/// One word that an option's value may be.
struct Choice: Sendable {
  /// The word, as typed.
  let word: String
  /// What it means, a few words without a full stop.
  let help: String

  init(_ word: String, _ help: String) {
    self.word = word
    self.help = help
  }
}
