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
      \(types)
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

    # Names that are heard on the network within a second. Strangers choose them: they are compared
    # and never expanded, and offered with what quotes them in the word as it was begun. Readline's
    # own quoting of file names would leave dollar signs and backquotes as they are.
    _lantool_heard() {
      local kind=$1 typed=$2 quote='' name word
      local -a words=()
      # A port stands behind a colon, which is a word of its own to bash.
      [[ ${COMP_WORDS[COMP_CWORD-1]} == ':' ]] && return
      [[ $typed == [\'\"]* ]] && quote=${typed:0:1} typed=${typed:1}
      # Without -r this takes the backslashes away.
      [[ $quote == "'" ]] || IFS='' read typed <<<"$typed"
      for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
        [[ $word == '=' ]] || words+=("$word")
      done
      while IFS='' read -r name; do
        [[ $name == "$typed"* ]] && _lantool_quote "$quote" "$name"
      done < <(command lantool --complete "$kind" "${words[@]}" 2>/dev/null </dev/null)
    }

    _lantool_quote() {
      local word='' letter i
      if [[ -z $1 ]]; then
        printf -v word %q "$2"
      else
        for ((i = 0; i < ${#2}; i++)); do
          letter=${2:i:1}
          case $1$letter in
            "''") letter="'\\''" ;;
            '"'[\\\$\`\"]) letter=\\$letter ;;
            # Between double quotes nothing keeps it from the history.
            '"!') letter="\"'!'\"" ;;
          esac
          word+=$letter
        done
        # Readline would leave it out behind a quote that belongs to the name.
        word+=$1
        # And it would take a first quote for the one that stands there already.
        [[ $word == "$1"* ]] && word=$1$word
      fi
      COMPREPLY+=("$word")
    }
    """#

  private static var types: String {
    let words = ServiceTypeDatabase.choices.map(\.word)
    return """

      _lantool_types() {
        _lantool_words '\(joined(words))' "$1"
      }

      """
  }

  private static func function(_ command: CommandDeclaration) -> String {
    let cases = command.visibleOptions.compactMap { option -> String? in
      guard let value = option.value, !value.isOptional else { return nil }
      let action = action(value.kind)
      return
        "    \(spellings(option).joined(separator: "|"))) \(action)\(action.isEmpty ? "" : "; ")return ;;"
    }
    let options = joined(command.visibleOptions.flatMap(spellings))
    let words = "_lantool_words '\(options)' \"$2\""
    // Where an argument can be offered, options are when a hyphen is there or nothing else is.
    let offer = command.arguments.lazy.map { action($0.values) }.first { !$0.isEmpty }
    let rest =
      offer.map { "[[ $2 == -* ]] || \($0)\n  ((${#COMPREPLY[@]})) || \(words)" } ?? words
    return """
      _lantool_\(command.name)() {
        case $1 in
      \(cases.joined(separator: "\n"))
        esac
        \(rest)
      }

      """
  }

  private static func action(_ kind: ValueKind) -> String {
    switch kind {
    case .file: "_lantool_files \"$2\""
    case .interface: "_lantool_interfaces \"$2\""
    case .namespace: "_lantool_names /run/netns \"$2\""
    case .choice(let choices), .offered(let choices):
      "_lantool_words '\(joined(choices.map(\.word)))' \"$2\""
    case .choices(let choices): "_lantool_list '\(joined(choices.map(\.word)))' \"$2\""
    case .words(let words): "_lantool_list '\(joined(words))' \"$2\""
    case .serviceType: "_lantool_types \"$2\""
    case .heard(let kind): "_lantool_heard \(kind.rawValue) \"$2\""
    case .text, .count, .timeLimit, .byteSize: ""
    }
  }

  private static func joined(_ words: [String]) -> String { words.joined(separator: " ") }

  private static func spellings(_ option: OptionDeclaration) -> [String] {
    (option.letter.map { ["-\($0)"] } ?? []) + ["--\(option.name)"]
  }
}
