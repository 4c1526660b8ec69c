/// Completions for zsh.
enum ZshCompletion {
  /// The file `_lantool`.
  static var text: String {
    let commands = Command.all.map(\.declaration)
    let described = commands.map { "'\($0.name):\(quoted($0.abstract))'" }
    let general = CommandDeclaration.lantool.visibleOptions.map {
      "    \(spec($0, of: .lantool)) \\"
    }
    let cases = commands.map { "        \($0.name)) _lantool_\($0.name) ;;" }
    return """
      \(helpers)
      \(commands.map(function).joined(separator: "\n"))
      _lantool() {
        local context state state_descr line
        typeset -A opt_args
        local -a commands
        commands=(\(described.joined(separator: " ")))
        _arguments -C -S \\
      \(general.joined(separator: "\n"))
          '1:command:->command' \\
          '*::argument:->argument'
        case $state in
          command)
            commands+=('help:show the help of a command')
            _describe -t commands command commands ;;
          argument)
            case $words[1] in
      \(cases.joined(separator: "\n"))
              help) ((CURRENT == 2)) && _describe -t commands command commands ;;
            esac ;;
        esac
      }

      if [[ $funcstack[1] == _lantool ]]; then
        _lantool "$@"
      else
        compdef _lantool lantool
      fi

      """
  }

  private static let helpers = """
    #compdef lantool
    # Completions of lantool for zsh. Made by 'lantool --generate zsh'.

    _lantool_interfaces() {
      local -a found
      found=(/sys/class/net/*(N:t) any)
      compadd "$@" -a found
    }

    _lantool_namespaces() {
      local -a found
      found=(/run/netns/*(N:t))
      compadd "$@" -a found
    }

    """

  private static func function(_ command: CommandDeclaration) -> String {
    let specs =
      command.visibleOptions.map { "    \(spec($0, of: command))" }
      + command.arguments.compactMap { argument in
        guard case .offered(let choices) = argument.values else { return nil }
        return
          "    '\(argument.isRepeatable ? "*" : ""):\(argument.placeholder):\(described(choices()))'"
      }
    return """
      _lantool_\(command.name)() {
        _arguments -s -S \\
      \(specs.joined(separator: " \\\n"))
      }

      """
  }

  private static func spec(
    _ option: OptionDeclaration, of command: CommandDeclaration
  ) -> String {
    let long = "--\(option.name)"
    // '=-' wants the value behind the sign, in the same word.
    let name =
      option.value.map { $0.isOptional ? "\(long)=-" : "\(long)=" } ?? long
    let letter = option.letter.map { "-\($0)" }
    let spellings = letter.map { "{\($0)\(option.value == nil ? "" : "+"),\(name)}" } ?? name
    // What is not offered any more once this option stands in the line.
    let rivals = command.visibleOptions.filter {
      $0.excludes.contains(option.name) || option.excludes.contains($0.name)
    }
    let itself = option.isRepeatable ? [] : [letter, long].compactMap { $0 }
    let excluded =
      itself
      + rivals.flatMap { [$0.letter.map { "-\($0)" }, "--\($0.name)"] }
      .compactMap { $0 }
    let ends = option.name == "help" || option.name == "version"
    let list = ends ? "(- *)" : excluded.isEmpty ? "" : "(\(excluded.joined(separator: " ")))"
    let prefix = "'\(list)\(option.isRepeatable ? "*" : "")'"
    return "\(prefix)\(spellings)'[\(escaped(option.help))]\(action(option.value))'"
  }

  private static func action(_ value: OptionDeclaration.Value?) -> String {
    guard let value else { return "" }
    let placeholder = "\(value.isOptional ? "::" : ":")\(value.placeholder):"
    switch value.kind {
    case .file: return placeholder + "_files"
    case .interface: return placeholder + "_lantool_interfaces"
    case .namespace: return placeholder + "_lantool_namespaces"
    case .choice(let choices): return placeholder + described(choices)
    case .offered(let choices): return placeholder + described(choices())
    case .choices(let choices): return placeholder + list(choices.map(\.word), of: value)
    case .words(let words): return placeholder + list(words, of: value)
    case .text, .count, .timeLimit, .byteSize: return placeholder
    }
  }

  private static func described(_ choices: [Choice]) -> String {
    let words = choices.map { "\($0.word)\\:\"\(escaped($0.help))\"" }
    return "((\(words.joined(separator: " "))))"
  }

  private static func list(_ words: [String], of value: OptionDeclaration.Value) -> String {
    "_values -s , \(value.placeholder) \(words.joined(separator: " "))"
  }

  // Brackets and colons mean something in a specification, the quote ends its shell word.
  private static func escaped(_ text: String) -> String {
    quoted(
      text.reduce(into: "") { result, character in
        if "[]:".contains(character) { result += "\\" }
        result.append(character)
      })
  }

  private static func quoted(_ text: String) -> String { text.replacing("'", by: "'\\''") }
}
