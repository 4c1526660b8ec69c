/// Completions for bash; they need nothing but bash itself.
enum BashCompletion {
  /// The file `lantool.bash`.
  static var text: String {
    let commands = Command.all.map(\.declaration)
    let names = commands.map(\.name)
    let general = CommandDeclaration.lantool.visibleOptions.flatMap(spellings)
    let cases = names.map { "    \($0)) _lantool_\($0) \"$option\" \"$cur\" ;;" }
    return """
      \(helpers)
      \(commands.map(function).joined(separator: "\n"))
      _lantool() {
        local cur=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD-1]} command=''
        COMPREPLY=()
        # The equals sign is a word of its own to bash.
        if [[ $cur == '=' ]]; then
          cur=''
        elif [[ $option == '=' ]] && ((COMP_CWORD > 1)); then
          option=${COMP_WORDS[COMP_CWORD-2]}
        fi
        ((COMP_CWORD > 1)) && command=${COMP_WORDS[1]}
        case $command in
      \(cases.joined(separator: "\n"))
          help) ((COMP_CWORD == 2)) && _lantool_words '\(names.joined(separator: " "))' "$cur" ;;
          '') _lantool_words '\((names + ["help"] + general).joined(separator: " "))' "$cur" ;;
        esac
        return 0
      }

      complete -F _lantool lantool

      """
  }

  private static let helpers = #"""
    # Completions of lantool for bash. Made by 'lantool --generate bash'.

    _lantool_words() {
      mapfile -t COMPREPLY < <(compgen -W "$1" -- "$2")
    }

    _lantool_list() {
      local start=''
      [[ $2 == *,* ]] && start=${2%,*},
      mapfile -t COMPREPLY < <(compgen -P "$start" -W "$1" -- "${2##*,}")
      compopt -o nospace 2>/dev/null
    }

    _lantool_files() {
      mapfile -t COMPREPLY < <(compgen -f -- "$1")
      compopt -o filenames 2>/dev/null
    }

    # Names from the system never pass through compgen -W, which would expand them.
    _lantool_names() {
      local path name
      for path in "$1"/*; do
        name=${path##*/}
        [[ -e $path && $name == "$2"* && $name != *[^A-Za-z0-9._-]* ]] && COMPREPLY+=("$name")
      done
    }

    _lantool_interfaces() {
      _lantool_names /sys/class/net "$1"
      [[ any == "$1"* ]] && COMPREPLY+=(any)
    }

    """#

  private static func function(_ command: CommandDeclaration) -> String {
    let cases = command.visibleOptions.compactMap { option -> String? in
      guard let value = option.value, !value.isOptional else { return nil }
      return "    \(spellings(option).joined(separator: "|"))) \(action(value.kind))return ;;"
    }
    let words = (command.visibleOptions.flatMap(spellings) + command.offeredWords.map(\.word))
      .joined(separator: " ")
    return """
      _lantool_\(command.name)() {
        case $1 in
      \(cases.joined(separator: "\n"))
        esac
        _lantool_words '\(words)' "$2"
      }

      """
  }

  private static func action(_ kind: ValueKind) -> String {
    switch kind {
    case .file: "_lantool_files \"$2\"; "
    case .interface: "_lantool_interfaces \"$2\"; "
    case .namespace: "_lantool_names /run/netns \"$2\"; "
    case .choice(let choices): "_lantool_words '\(joined(choices.map(\.word)))' \"$2\"; "
    case .choices(let choices): "_lantool_list '\(joined(choices.map(\.word)))' \"$2\"; "
    case .words(let words): "_lantool_list '\(joined(words))' \"$2\"; "
    case .offered(let choices): "_lantool_words '\(joined(choices().map(\.word)))' \"$2\"; "
    case .text, .count, .timeLimit, .byteSize: ""
    }
  }

  private static func joined(_ words: [String]) -> String { words.joined(separator: " ") }

  private static func spellings(_ option: OptionDeclaration) -> [String] {
    (option.letter.map { ["-\($0)"] } ?? []) + ["--\(option.name)"]
  }
}
