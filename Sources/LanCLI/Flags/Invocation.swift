import LanCore

/// What a command line asks for.
enum Invocation {
  /// A text for standard output.
  case print(String)
  /// Wrong usage: a text for standard error.
  case refuse(String)
  /// Names for a shell, while its user types.
  case complete(CompletionRequest)
  /// A subcommand with its options.
  case run(Command, ParsedArguments)

  /// Decides what `arguments`, without the program's name, ask for.
  init(_ arguments: [[UInt8]]) {
    do throws(UsageError) { self = try Self.decide(arguments) } catch {
      self = .refuse("\(error)\n")
    }
  }

  private static func decide(_ arguments: [[UInt8]]) throws(UsageError) -> Invocation {
    let elsewhere = Command.all.flatMap { $0.declaration.visibleOptions.map(\.name) }
    let parser = ArgumentParser(
      command: .lantool, optionsElsewhere: elsewhere, stopsAtArgument: true)
    let general = try parser.parse(arguments)
    if let answer = answer(to: general) { return answer }
    if let what = general.value("generate") {
      return .print(try generated(what, page: general.positionals.first))
    }
    if let kind = general.value("complete").flatMap(HeardNames.Kind.init) {
      return .complete(CompletionRequest(kind, general.positionals))
    }
    guard let word = general.positionals.first else { return .refuse(HelpText.shortUsage) }
    let rest = Array(general.positionals.dropFirst())
    if word == Array("help".utf8) { return .print(try help(rest)) }
    let command = try find(word)
    let parsed = try ArgumentParser(command: command.declaration).parse(rest)
    return answer(to: parsed) ?? .run(command, parsed)
  }

  private static func answer(to parsed: ParsedArguments) -> Invocation? {
    if parsed.isSet("help") { return .print(HelpText(parsed.command).text) }
    if parsed.isSet("version") { return .print("lantool \(Lantool.version)\n") }
    return nil
  }

  private static func help(_ words: [[UInt8]]) throws(UsageError) -> String {
    guard let word = words.first, !word.starts(with: "-".utf8) else {
      return HelpText(.lantool).text
    }
    return HelpText(try find(word).declaration).text
  }

  private static func find(_ word: [UInt8]) throws(UsageError) -> Command {
    let name = String(decoding: word, as: UTF8.self)
    if let command = Command.all.first(where: { $0.declaration.name == name }) { return command }
    throw UsageError(
      command: "lantool", message: "unknown command '\(printable(word))'",
      suggestion: Suggestion.closest(
        to: name, among: Command.all.map(\.declaration.name) + ["help"]))
  }

  private static func generated(_ what: String, page: [UInt8]?) throws(UsageError) -> String {
    switch what {
    case "bash": return BashCompletion.text
    case "zsh": return ZshCompletion.text
    case "fish": return FishCompletion.text
    default: break
    }
    let name = String(decoding: page ?? Array("lantool".utf8), as: UTF8.self)
    let declarations = [.lantool] + Command.all.map(\.declaration)
    guard let declaration = declarations.first(where: { $0.page == name }) else {
      throw UsageError(
        command: "lantool", message: "no manual page '\(printable(Array(name.utf8)))'",
        suggestion: Suggestion.closest(to: name, among: declarations.map(\.page)))
    }
    return ManPage(declaration).text
  }
}
