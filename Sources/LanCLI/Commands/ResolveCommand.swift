import LanCore
import LanSystem

/// `lantool resolve`.
enum ResolveCommand {
  /// Runs the command and says how it ended.
  static func run(_ arguments: ParsedArguments) -> ExitStatus {
    let configuration: ResolveConfiguration
    do throws(UsageError) {
      configuration = try ResolveConfiguration(arguments) { () throws(UsageError) in
        try TargetInput.words(arguments, .names)
      }
    } catch {
      StandardError.write("\(error)\n")
      return .usage
    }
    if let status = CommandSetup.enter(configuration.namespace, complain) { return status }
    if let missing = CommandSetup.missingInterface(configuration.interfaces) {
      complain(missing.words + missing.list)
      return .undetermined
    }
    return ResolveRun(configuration).run()
  }

  /// One line on standard error: what failed, on what, why, what to do.
  static func complain(_ message: String) {
    // Names of interfaces and of strangers stand in messages as well.
    StandardError.write("lantool resolve: \(printable(Array(message.utf8)))\n")
  }
}
