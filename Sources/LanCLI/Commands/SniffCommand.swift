import LanCore
import LanSystem
import LanWire

/// `lantool sniff`.
enum SniffCommand {
  /// Runs the command and says how it ended.
  static func run(_ arguments: ParsedArguments) -> ExitStatus {
    if let rule = arguments.value("explain") { return explain(rule, arguments) }
    let configuration: SniffConfiguration
    do throws(UsageError) {
      configuration = try SniffConfiguration(arguments)
    } catch {
      StandardError.write("\(error)\n")
      return .usage
    }
    if let status = CommandSetup.enter(configuration.namespace, complain) { return status }
    return configuration.file == nil
      ? SniffLiveRun(configuration).run() : SniffFileRun(configuration).run()
  }

  /// One line on standard error: what failed, on what, why, what to do.
  static func complain(_ message: String) {
    // Names of interfaces and of strangers stand in messages as well.
    StandardError.write("lantool sniff: \(printable(Array(message.utf8)))\n")
  }

  private static func explain(_ id: String, _ arguments: ParsedArguments) -> ExitStatus {
    guard let rule = LintRules.rule(id) else {
      var error = arguments.usageError("no rule '\(printable(Array(id.utf8)))'")
      error.suggestion = Suggestion.closest(to: id, among: LintRules.all.map(\.id))
      StandardError.write("\(error)\n")
      return .usage
    }
    let text = TextWrap.lines("\(rule.demand) \(rule.advice)", width: 76)
    StandardOutput.write(
      "\(rule.id): \(rule.severity.word) (\(rule.section))\n\n\(text.joined(separator: "\n"))\n")
    return .success
  }

  /// Writes `out` to standard output; ends the program quietly when nobody reads it any more.
  static func write(_ out: borrowing OutputBuffer) -> Bool {
    CommandSetup.write(out, complain)
  }
}
