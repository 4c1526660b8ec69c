/// What `--help` prints.
struct HelpText {
  /// No line is longer: it fits a terminal of 80 columns.
  static let width = 79
  private static let column = 29

  let command: CommandDeclaration

  init(_ command: CommandDeclaration) { self.command = command }

  /// What bare `lantool` says.
  static var shortUsage: String {
    let names = Command.all.map(\.declaration.name)
    return """
      Usage: lantool COMMAND [ARGUMENT]...
      Commands: \(names.joined(separator: ", ")).
      Try 'lantool --help'.

      """
  }

  /// The whole text.
  var text: String {
    var lines = ["Usage: \(synopsis)", ""]
    lines += TextWrap.lines("\(sentence(command.abstract)).", width: Self.width)
    for case .text(let text) in command.discussion {
      lines += [""] + TextWrap.lines(text, width: Self.width)
    }
    if !command.arguments.isEmpty { lines += ["", "Arguments:"] + argumentLines }
    if command.name.isEmpty { lines += ["", "Commands:"] + commandLines }
    for category in OptionDeclaration.Category.allCases {
      let options = command.visibleOptions.filter { $0.category == category }
      if options.isEmpty { continue }
      let title = command.name.isEmpty ? "Options" : category.rawValue
      lines += ["", "\(title):"] + options.flatMap(lines(for:))
    }
    if !command.examples.isEmpty { lines += ["", "Examples:"] + exampleLines }
    lines += ["", "Exit status:"]
    for (status, text) in command.statuses { lines += row("\(status.rawValue)", text, column: 6) }
    lines += ["", "More: man \(command.page)"]
    return lines.joined(separator: "\n") + "\n"
  }

  private var synopsis: String {
    let words = command.arguments.map { argument in
      let word = argument.isOptional ? "[\(argument.placeholder)]" : argument.placeholder
      return argument.isRepeatable ? "\(word)..." : word
    }
    let options = command.name.isEmpty ? [] : ["[OPTION]..."]
    return ([command.invocation] + options + words).joined(separator: " ")
  }

  private var argumentLines: [String] {
    command.arguments.flatMap { row($0.placeholder, $0.help, column: 12) }
  }

  private var commandLines: [String] {
    Command.all.flatMap { row($0.declaration.name, $0.declaration.abstract, column: 12) }
      + row("help", "show the help of a command", column: 12)
  }

  private var exampleLines: [String] {
    command.examples.flatMap { ["  \($0.command)"] + row("", $0.text, column: 6) }
  }

  private func lines(for option: OptionDeclaration) -> [String] {
    let letter = option.letter.map { "-\($0), " } ?? "    "
    let value = option.value?.shown ?? ""
    return row("\(letter)--\(option.name)\(value)", option.help, column: Self.column)
  }

  private func row(_ term: String, _ text: String, column: Int) -> [String] {
    let start = "  \(term)"
    let body = TextWrap.lines(text, width: Self.width - column)
    let indent = String(repeating: " ", count: column)
    guard start.count + 2 <= column, let first = body.first else {
      return [start] + body.map { indent + $0 }
    }
    let gap = String(repeating: " ", count: column - start.count)
    return [start + gap + first] + body.dropFirst().map { indent + $0 }
  }
}

/// `text` with its first letter in upper case.
func sentence(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }
