import LanCore
import LanSystem

/// `lantool ping-peer`.
enum PingPeerCommand {
  /// Runs the command and says how it ended.
  static func run(_ arguments: ParsedArguments) -> ExitStatus {
    let configuration: PingPeerConfiguration
    do throws(UsageError) {
      configuration = try PingPeerConfiguration(arguments) { () throws(UsageError) in
        try TargetInput.lines(arguments)
      }
    } catch {
      StandardError.write("\(error)\n")
      return .usage
    }
    if let status = CommandSetup.enter(configuration.namespace, complain) { return status }
    if let missing = CommandSetup.missingInterface([configuration.interface].compactMap { $0 }) {
      complain(missing.words + missing.list)
      return .undetermined
    }
    return PingPeerRun(configuration).run()
  }

  /// One line on standard error: what failed, on what, why, what to do.
  static func complain(_ message: String) {
    // Names of interfaces and of strangers stand in messages as well.
    StandardError.write("lantool ping-peer: \(printable(Array(message.utf8)))\n")
  }
}
