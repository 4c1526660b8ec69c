import LanSystem

/// `lantool sniff`.
enum SniffCommand {
  /// Runs the command and says how it ended.
  static func run(_ arguments: ParsedArguments) -> ExitStatus {
    StandardError.write("lantool sniff: not built into this program\n")
    return .undetermined
  }
}
