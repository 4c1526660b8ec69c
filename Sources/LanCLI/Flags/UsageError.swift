/// What is wrong with a command line, and what would be right.
struct UsageError: Error, Equatable {
  /// The command that was called: `lantool sniff`.
  let command: String
  /// What was typed and why that cannot be; no full stop.
  let message: String
  /// What was probably meant.
  var suggestion: String?
}

extension UsageError: CustomStringConvertible {
  /// One line for standard error.
  var description: String {
    let end = suggestion.map { "; did you mean '\($0)'?" } ?? "."
    return "\(command): \(message)\(end) Try '\(command) --help'."
  }
}

/// Why a value is refused; the words behind `invalid value 'x' for '--option': `.
struct ValueError: Error, Equatable {
  /// What would be right.
  let reason: String
  /// What was probably meant.
  var suggestion: String?
}
