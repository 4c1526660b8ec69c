import LanSystem

/// Reads a command line by its declaration.
struct ArgumentParser {
  let command: CommandDeclaration
  /// Words that belong to other commands; naming one in the wrong place gets a better message.
  var optionsElsewhere: [String] = []
  /// Whether everything from the first argument on is left for somebody else.
  var stopsAtArgument = false

  /// Scans `arguments` and checks every value.
  ///
  /// Errors behind a `--help` or `--version` don't matter, as these end the run.
  func parse(_ arguments: [[UInt8]]) throws(UsageError) -> ParsedArguments {
    let scanner = OptionScanner(
      options: command.options.map(ScannerOption.init), stopsAtArgument: stopsAtArgument)
    var occurrences: [ParsedArguments.Occurrence] = []
    var positionals: [[UInt8]] = []
    for event in scanner.scan(arguments) {
      switch event {
      case .option(let index, let value):
        let option = command.options[index]
        try check(value, of: option)
        occurrences.append(.init(name: option.name, value: value))
        if option.name == "help" || option.name == "version" {
          return ParsedArguments(command: command, occurrences: occurrences, positionals: [])
        }
      case .argument(let word): positionals.append(word)
      default: throw usageError(for: event)
      }
    }
    try checkCompany(of: Set(occurrences.map(\.name)))
    try checkCount(of: positionals)
    return ParsedArguments(command: command, occurrences: occurrences, positionals: positionals)
  }

  private func checkCompany(of given: Set<String>) throws(UsageError) {
    for option in command.options where given.contains(option.name) {
      if let needed = option.needs, !given.contains(needed) {
        throw error("option '--\(option.name)' means nothing without '--\(needed)'")
      }
      if let other = option.excludes.first(where: given.contains) {
        throw error("options '--\(option.name)' and '--\(other)' contradict each other")
      }
    }
  }

  private func checkCount(of positionals: [[UInt8]]) throws(UsageError) {
    if stopsAtArgument { return }
    let required = command.arguments.filter { !$0.isOptional }
    if positionals.count < required.count {
      throw error("missing argument \(required[positionals.count].placeholder)")
    }
    if command.arguments.contains(where: \.isRepeatable) { return }
    guard positionals.count > command.arguments.count else { return }
    let word = printable(positionals[command.arguments.count])
    let hint = command.excessHint.isEmpty ? "" : "; \(command.excessHint)"
    throw error("unexpected argument '\(word)'\(hint)")
  }

  private func check(_ bytes: [UInt8]?, of option: OptionDeclaration) throws(UsageError) {
    guard let bytes, let value = option.value else { return }
    let text = String(decoding: bytes, as: UTF8.self)
    do throws(ValueError) {
      switch value.kind {
      case .count(let range): _ = try ValueParser.count(text, in: range)
      case .timeLimit: _ = try ValueParser.timeLimit(text)
      case .byteSize(let range): _ = try ValueParser.byteSize(text, in: range)
      case .choice(let choices): _ = try ValueParser.choice(text, of: choices)
      case .choices(let choices): _ = try ValueParser.choices(text, of: choices)
      case .words: _ = try ValueParser.list(text)
      case .text, .offered, .serviceType, .heard: break
      case .file, .interface, .namespace:
        if bytes.isEmpty { throw ValueError(reason: "must not be empty") }
      }
    } catch {
      throw UsageError(
        command: command.invocation,
        message: "invalid value '\(printable(bytes))' for '--\(option.name)': \(error.reason)",
        suggestion: error.suggestion)
    }
  }

  private func usageError(for event: ScanEvent) -> UsageError {
    switch event {
    case .unknown(let option, let word): unknown(option, in: word)
    case .ambiguous(let option, let candidates):
      error(
        "option '\(printable(option))' is ambiguous: "
          + ValueParser.alternatives(visible(candidates).map { "'--\($0.name)'" }))
    case .missingValue(let index): error("option '\(spelling(index))' needs a value")
    case .unexpectedValue(let index):
      error("option '--\(command.options[index].name)' takes no value")
    case .option, .argument: error("cannot read the command line")
    }
  }

  private func unknown(_ option: [UInt8], in word: [UInt8]) -> UsageError {
    let typed = printable(option)
    let names = command.visibleOptions.map(\.name)
    let name = String(decoding: word.drop { $0 == UInt8(ascii: "-") }, as: UTF8.self)
    let bare = String(name.prefix { $0 != "=" })
    if optionsElsewhere.contains(bare) {
      return error("option '--\(bare)' belongs behind the command's name")
    }
    let isLong = option.starts(with: "--".utf8)
    let close = isLong ? Suggestion.closest(to: bare, among: names) : names.first { $0 == bare }
    return UsageError(
      command: command.invocation, message: "unknown option '\(typed)'",
      suggestion: close.map { "--\($0)" })
  }

  private func visible(_ candidates: [Int]) -> [OptionDeclaration] {
    candidates.map { command.options[$0] }.filter { !$0.isHidden }
  }

  private func spelling(_ index: Int) -> String {
    guard let value = command.options[index].value else {
      return "--\(command.options[index].name)"
    }
    return "--\(command.options[index].name) \(value.placeholder)"
  }

  private func error(_ message: String) -> UsageError {
    UsageError(command: command.invocation, message: message)
  }
}

extension ScannerOption {
  /// What the scanner needs to know of a declaration.
  init(_ option: OptionDeclaration) {
    self.init(
      name: option.name, letter: option.letter?.asciiValue, takesValue: option.value != nil,
      isValueOptional: option.value?.isOptional ?? false)
  }
}
