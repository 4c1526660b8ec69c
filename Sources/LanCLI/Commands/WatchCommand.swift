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
        do throws(SystemError) { return try TargetInput.words() } catch {
          throw arguments.usageError("cannot read standard input: \(error.reason)")
        }
      }
    } catch {
      StandardError.write("\(error)\n")
      return .usage
    }
    if let namespace = configuration.namespace {
      do throws(NamespaceError) {
        try NetworkNamespace.enter(namespace)
      } catch {
        complain("\(error)")
        if case .permissionDenied = error { return .notPermitted }
        return .undetermined
      }
    }
    if configuration.replay == nil, !hasInterfaces(configuration) { return .undetermined }
    return WatchRun(configuration).run()
  }

  /// One line on standard error: what failed, on what, why, what to do.
  static func complain(_ message: String) {
    StandardError.write("lantool watch: \(message)\n")
  }

  /// Whether the interfaces that were named are there; with `--wait` one may still come.
  private static func hasInterfaces(_ configuration: WatchConfiguration) -> Bool {
    var names = configuration.targets.compactMap(\.question.interface)
    names = names.filter { InterfaceList.index(of: $0) == nil }
    guard let missing = names.first else { return true }
    let all = (try? InterfaceList.all().map(\.name)) ?? []
    let list = all.isEmpty ? "" : "; there are \(all.joined(separator: ", "))"
    let shown = printable(Array(missing.utf8))
    if case .wait = configuration.mode {
      complain("no interface '\(shown)' yet\(list)")
      return true
    }
    complain("no interface '\(shown)'\(list)")
    return false
  }
}
