public import LanCore
import LanSystem

extension Lantool {
  /// Runs the command line of this process and gives its exit status.
  public static func run() -> Int32 {
    // Scripts and benchmarks ask for the version most; no table is built for it.
    if ProgramArguments.isOnly("--version") {
      return write("lantool \(version)\n").rawValue
    }
    switch Invocation(ProgramArguments.bytes()) {
    case .print(let text): return write(text).rawValue
    case .refuse(let message):
      StandardError.write(message)
      return ExitStatus.usage.rawValue
    case .complete(let request): return write(CompletionListener.lines(request)).rawValue
    case .run(let command, let arguments):
      BrokenPipe.ignoreSignal()
      return command.run(arguments).rawValue
    }
  }

  private static func write(_ text: String) -> ExitStatus {
    switch StandardOutput.write(text) {
    case .written: return .success
    case .closed: BrokenPipe.end()
    case .failed(let code):
      StandardError.write("lantool: cannot write to standard output: \(systemMessage(code))\n")
      return .undetermined
    }
  }
}
