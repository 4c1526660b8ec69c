/// Completions for fish.
enum FishCompletion {
  /// The file `lantool.fish`.
  static var text: String {
    let commands = Command.all.map(\.declaration)
    var lines = [helpers, types]
    lines += CommandDeclaration.lantool.visibleOptions.map {
      line($0, condition: "__lantool_needs_command")
    }
    for command in commands {
      lines.append(
        "complete -c lantool -n __lantool_needs_command -a \(command.name) -d \(quoted(command.abstract))"
      )
    }
    lines.append(
      "complete -c lantool -n __lantool_needs_command -a help -d 'show the help of a command'")
    for command in commands {
      lines.append(
        "complete -c lantool -n '__lantool_using help' -a \(command.name) -d \(quoted(command.abstract))"
      )
      lines +=
        [""]
        + command.visibleOptions.map {
          line($0, condition: "'__lantool_using \(command.name)'")
        }
        + command.arguments.compactMap { offer($0.values) }.map {
          "complete -c lantool -n '__lantool_using \(command.name)' -a \($0)"
        }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static let helpers = #"""
    # Completions of lantool for fish. Made by 'lantool --generate fish'.

    function __lantool_needs_command
        test (count (commandline -opc)) -eq 1
    end

    function __lantool_using
        set -l words (commandline -opc)
        test (count $words) -gt 1; and test $words[2] = $argv[1]
    end

    function __lantool_names
        for path in $argv[1]/*
            string replace -r '.*/' '' -- $path
        end
    end

    function __lantool_list
        set -l typed (commandline -ct | string replace -r '^(--[^=]*=|-[^-])' '')
        set -l start (string match -r '^.*,' -- $typed)
        printf '%s\n' "$start"$argv
    end

    # Names that are heard on the network within a second. Strangers choose them: each is a line of
    # output, which fish never expands, and it puts in whatever quotes they need.
    function __lantool_heard
        # None begins with a hyphen, so an option need not wait for them.
        string match -qr -- '^-[^=]*$' (commandline -ct); and return
        set -l words (commandline -opc)
        command lantool --complete $argv[1] $words[2..-1] 2>/dev/null </dev/null
    end

    complete -c lantool -f

    """#

  private static var types: String {
    let words = ServiceTypeDatabase.choices.map { "\($0.word) \(quoted($0.help))" }
    return """
      function __lantool_types
          printf '%s\\t%s\\n' \(words.joined(separator: " \\\n        "))
      end

      """
  }

  private static func line(_ option: OptionDeclaration, condition: String) -> String {
    let letter = option.letter.map { " -s \($0)" } ?? ""
    let value = option.value.map { $0.isOptional ? "" : " \(action($0.kind))" } ?? ""
    return "complete -c lantool -n \(condition)\(letter) -l \(option.name)\(value) -d "
      + quoted(option.help)
  }

  private static func action(_ kind: ValueKind) -> String {
    if case .file = kind { return "-r -F" }
    return offer(kind).map { "-x -a \($0)" } ?? "-x"
  }

  /// The words that are offered; nil for none.
  private static func offer(_ kind: ValueKind) -> String? {
    switch kind {
    case .interface: return "'(__lantool_names /sys/class/net; echo any)'"
    case .namespace: return "'(__lantool_names /run/netns)'"
    case .choice(let choices), .offered(let choices):
      let words = choices.map { "\($0.word)\\t'\($0.help)'" }
      return "\"\(words.joined(separator: " "))\""
    case .choices(let choices): return list(choices.map(\.word))
    case .words(let words): return list(words)
    case .serviceType: return "'(__lantool_types)'"
    case .heard(let kind): return "'(__lantool_heard \(kind.rawValue))'"
    case .file, .text, .count, .timeLimit, .byteSize: return nil
    }
  }

  private static func list(_ words: [String]) -> String {
    "'(__lantool_list \(words.joined(separator: " ")))'"
  }

  private static func quoted(_ text: String) -> String {
    "'" + text.replacing("\\", by: "\\\\").replacing("'", by: "\\'") + "'"
  }
}
