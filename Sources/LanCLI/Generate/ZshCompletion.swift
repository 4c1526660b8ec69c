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
      \(types)
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

  private static let helpers = #"""
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

    # Names that are heard on the network within a second; the last argument is their kind. Strangers
    # choose them: they are never expanded, and compadd puts in whatever quotes they need.
    _lantool_heard() {
      local -a found
      # None begins with a hyphen, so an option need not wait for them.
      [[ $PREFIX == -* ]] && return 1
      found=("${(@f)$(command lantool --complete $@[-1] "${(@Q)words[1,CURRENT-1]}" 2>/dev/null </dev/null)}")
      found=(${found:#})
      compadd "${@[1,-2]}" -a found
    }

    """#

  private static var types: String {
    let words = ServiceTypeDatabase.choices.map { "    '\($0.word):\(quoted($0.help))'" }
    return """
      _lantool_types() {
        local -a found
        found=(
      \(words.joined(separator: "\n"))
        )
        _describe -t types 'service type' found "$@"
      }

      """
  }

  private static func function(_ command: CommandDeclaration) -> String {
    let specs =
      command.visibleOptions.map { "    \(spec($0, of: command))" }
      + command.arguments.compactMap { argument in
        let action = action(argument.values, argument.placeholder)
        if action.isEmpty { return nil }
        return "    '\(argument.isRepeatable ? "*" : ""):\(argument.placeholder):\(action)'"
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
    return "\(value.isOptional ? "::" : ":")\(value.placeholder):"
      + action(value.kind, value.placeholder)
  }

  private static func action(_ kind: ValueKind, _ placeholder: String) -> String {
    switch kind {
    case .file: "_files"
    case .interface: "_lantool_interfaces"
    case .namespace: "_lantool_namespaces"
    case .choice(let choices), .offered(let choices): described(choices)
    case .choices(let choices): list(choices.map(\.word), of: placeholder)
    case .words(let words): list(words, of: placeholder)
    case .serviceType: "_lantool_types"
    case .heard(let kind): "_lantool_heard \(kind.rawValue)"
    case .text, .count, .timeLimit, .byteSize: ""
    }
  }

  private static func described(_ choices: [Choice]) -> String {
    let words = choices.map { "\($0.word)\\:\"\(escaped($0.help))\"" }
    return "((\(words.joined(separator: " "))))"
  }

  private static func list(_ words: [String], of placeholder: String) -> String {
    "_values -s , \(placeholder) \(words.joined(separator: " "))"
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
