import LanCore
import LanSystem

/// `lantool serve`.
enum ServeCommand {
  /// More than any file of attributes has.
  private static let fileLimit = 1 << 16

  /// Runs the command and says how it ended.
  static func run(_ arguments: ParsedArguments) -> ExitStatus {
    let configuration: ServeConfiguration
    do throws(UsageError) {
      configuration = try ServeConfiguration(arguments)
      if configuration.hasTiles, !TerminalKeys.isPossible || !TerminalOutput.canRedraw {
        throw arguments.usageError("--tiles needs a terminal that can move its cursor")
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
    guard let text = strings(configuration) else { return .undetermined }
    if ServeAttributes.size(of: text) > ServeAttributes.advisedSize {
      complain(
        "the TXT record has \(ServeAttributes.size(of: text)) bytes; above "
          + "\(ServeAttributes.advisedSize) it may not fit into a packet with the rest")
    }
    return ServeRun(configuration, text: text).run()
  }

  /// The strings of the TXT record, with those of the file as it is now; nil where that is in error.
  static func strings(_ configuration: ServeConfiguration) -> [[UInt8]]? {
    guard let path = configuration.textFile else { return configuration.strings(file: []) }
    let name = printable(path)
    do throws(SystemError) {
      let lines = ServeAttributes.lines(of: try InputFile.readAll(path, limit: fileLimit))
      let strings = configuration.strings(file: lines)
      guard let fault = fault(of: lines, strings) else { return strings }
      complain("\(name): \(fault)")
    } catch {
      complain("cannot read \(name): \(error.reason)")
    }
    return nil
  }

  private static func fault(of lines: [[UInt8]], _ strings: [[UInt8]]) -> String? {
    for line in lines {
      guard let fault = ServeAttributes.fault(of: line) else { continue }
      return "'\(printable(Array(line.prefix(80))))': \(fault)"
    }
    if let key = ServeAttributes.duplicate(in: lines) {
      return "the key '\(printable(key))' stands there twice"
    }
    let size = ServeAttributes.size(of: strings)
    guard size > ServeAttributes.sizeLimit else { return nil }
    return "the TXT record would have \(size) bytes, and at most \(ServeAttributes.sizeLimit) fit"
  }

  /// One line on standard error: what failed, on what, why, what to do.
  static func complain(_ message: String) {
    // Names of interfaces and of strangers stand in messages as well.
    StandardError.write("lantool serve: \(printable(Array(message.utf8)))\n")
  }
}
