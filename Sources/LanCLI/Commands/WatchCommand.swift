import LanCore
import LanSystem
import LanWire

/// `lantool watch`.
enum WatchCommand {
  /// Runs the command and says how it ended.
  static func run(_ arguments: ParsedArguments) -> ExitStatus {
    let configuration: WatchConfiguration
    do throws(UsageError) {
      configuration = try WatchConfiguration(arguments) { () throws(UsageError) in
        try TargetInput.words(arguments)
      }
    } catch {
      StandardError.write("\(error)\n")
      return .usage
    }
    if let status = CommandSetup.enter(configuration.namespace, complain) { return status }
    if configuration.replay == nil, !hasInterfaces(configuration) { return .undetermined }
    return WatchRun(configuration).run()
  }

  /// One line on standard error: what failed, on what, why, what to do.
  static func complain(_ message: String) {
    // Names of interfaces and of strangers stand in messages as well.
    StandardError.write("lantool watch: \(printable(Array(message.utf8)))\n")
  }

  /// Whether the interfaces that were named are there; with `--wait` one may still come.
  private static func hasInterfaces(_ configuration: WatchConfiguration) -> Bool {
    let names = configuration.targets.compactMap(\.question.interface)
    guard let missing = CommandSetup.missingInterface(names) else { return true }
    if case .wait = configuration.mode {
      complain(missing.words + " yet" + missing.list)
      return true
    }
    complain(missing.words + missing.list)
    return false
  }
}
