import LanCore
import LanSystem
import LanWire

/// `lantool browse`.
enum BrowseCommand {
  /// Runs the command and says how it ended.
  static func run(_ arguments: ParsedArguments) -> ExitStatus {
    if arguments.isSet("types") { return listTypes(arguments) }
    let configuration: BrowseConfiguration
    do throws(UsageError) { configuration = try BrowseConfiguration(arguments) } catch {
      StandardError.write("\(error)\n")
      return .usage
    }
    if let status = CommandSetup.enter(configuration.namespace, complain) { return status }
    if configuration.file == nil, !hasInterfaces(configuration) { return .undetermined }
    return BrowseRun(configuration, makeSource).run()
  }

  /// One line on standard error: what failed, on what, why, what to do.
  static func complain(_ message: String) {
    // Names of interfaces and of strangers stand in messages as well.
    StandardError.write("lantool browse: \(printable(Array(message.utf8)))\n")
  }

  /// The source that the options ask for.
  static func makeSource(
    _ configuration: BrowseConfiguration, _ reactor: Reactor
  ) throws -> any BrowseSource {
    if configuration.file != nil { return BrowseFileSource(configuration) }
    if !configuration.isMulticast { return BrowseUnicastSource(configuration, on: reactor) }
    return BrowseLiveSource(configuration, on: reactor)
  }

  /// Whether the interfaces that were named are there.
  private static func hasInterfaces(_ configuration: BrowseConfiguration) -> Bool {
    guard let missing = CommandSetup.missingInterface(configuration.interfaces) else { return true }
    complain(missing.words + missing.list)
    return false
  }

  // MARK: The database

  private static func listTypes(_ arguments: ParsedArguments) -> ExitStatus {
    let words = arguments.positionals.map { String(decoding: $0, as: UTF8.self) }
    var entries = ServiceTypeDatabase.all
    if !words.isEmpty {
      let matching = words.map { Set(ServiceTypeDatabase.entries(matching: $0)) }
      entries = entries.filter { entry in matching.contains { $0.contains(entry) } }
    }
    var out = OutputBuffer()
    if arguments.isSet("json") {
      var json = BrowseJSON()
      let now = WallClock.now
      for entry in entries { json.append(entry, at: now, to: &out) }
    } else if !arguments.isSet("quiet") {
      for entry in entries { append(entry, to: &out) }
    }
    if out.count > 0, !CommandSetup.write(out, complain) { return .undetermined }
    return entries.isEmpty ? .negative : .success
  }

  private static func append(_ entry: ServiceTypeDatabase.Entry, to out: inout OutputBuffer) {
    for type in entry.types {
      out.append(text: "\(type)".padded(to: 25))
      out.append(text: "  \(entry.meaning)\n")
    }
  }
}
