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
  /// Anything; these words are only offered.
  case offered([Choice])
  /// A service type such as `_ipp._tcp`; those of the database are only offered.
  case serviceType
  /// Anything; names of this kind that are heard on the network are only offered.
  case heard(HeardNames.Kind)
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
