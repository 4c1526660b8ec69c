/// Text in the language of manual pages.
enum Roff {
  /// Prose: a sentence begins a line, and words that are options are set in bold.
  static func prose(_ text: String) -> String {
    TextWrap.sentences(text).flatMap { sentence in
      let words = sentence.split(separator: " ").map { word(String($0)) }
      return TextWrap.lines(words.joined(separator: " "), width: 78).map(guarded)
    }.joined(separator: "\n")
  }

  /// A line of code, set as it is.
  static func code(_ line: String) -> String { guarded(escaped(line, hyphen: "\\-")) }

  /// Bold text.
  static func bold(_ text: String) -> String { "\\fB\(escaped(text, hyphen: "\\-"))\\fR" }

  /// Italic text, for what the user replaces.
  static func italic(_ text: String) -> String { "\\fI\(escaped(text, hyphen: "\\-"))\\fR" }

  private static func word(_ word: String) -> String {
    let open = word.prefix { "('\"".contains($0) }
    let rest = word.dropFirst(open.count)
    let option = rest.prefix { $0 == "-" || $0.isLetter || $0.isNumber }
    guard option.hasPrefix("-"), option.count > 1 else { return escaped(word, hyphen: "-") }
    let tail = rest.dropFirst(option.count)
    return escaped(String(open), hyphen: "-") + bold(String(option))
      + escaped(String(tail), hyphen: "-")
  }

  private static func escaped(_ text: String, hyphen: String) -> String {
    text.reduce(into: "") { result, character in
      switch character {
      case "\\": result += "\\e"
      case "-": result += hyphen
      case "'": result += "\\(aq"
      case "\"": result += "\\(dq"
      case "`": result += "\\(ga"
      case "^": result += "\\(ha"
      case "~": result += "\\(ti"
      default: result.append(character)
      }
    }
  }

  // A line that begins with a full stop would be taken for a request.
  private static func guarded(_ line: String) -> String {
    line.hasPrefix(".") ? "\\&\(line)" : line
  }
}
