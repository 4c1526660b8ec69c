/// Splits a command line into words without a shell.
///
/// Blanks part words. Inside single quotes everything stands for itself; inside double quotes a
/// backslash keeps a following quote or backslash; outside it keeps any character. Nothing is
/// expanded.
enum CommandWords {
  /// Why a text is no command.
  enum Failure: Error, Hashable {
    case empty
    case openQuote
    case endsInBackslash
  }

  /// The words of `text`, at least one.
  static func split(_ text: String) throws(Failure) -> [String] {
    var words: [String] = []
    var word: String?
    var quote: Character?
    var isEscaped = false
    for character in text {
      if isEscaped {
        // Inside double quotes the backslash stands unless it keeps something.
        if quote != nil, character != "\"", character != "\\" { word = (word ?? "") + "\\" }
        word = (word ?? "") + String(character)
        isEscaped = false
      } else if character == "\\", quote != "'" {
        isEscaped = true
      } else if let open = quote {
        if character == open { quote = nil } else { word = (word ?? "") + String(character) }
      } else if character == "'" || character == "\"" {
        quote = character
        word = word ?? ""
      } else if character == " " || character == "\t" || character == "\n" {
        if let done = word { words.append(done) }
        word = nil
      } else {
        word = (word ?? "") + String(character)
      }
    }
    if isEscaped { throw .endsInBackslash }
    if quote != nil { throw .openQuote }
    if let word { words.append(word) }
    guard let program = words.first, !program.isEmpty else { throw .empty }
    return words
  }
}

extension CommandWords.Failure: CustomStringConvertible {
  var description: String {
    switch self {
    case .empty: "names no program"
    case .openQuote: "a quote is not closed"
    case .endsInBackslash: "ends in a backslash"
    }
  }
}
