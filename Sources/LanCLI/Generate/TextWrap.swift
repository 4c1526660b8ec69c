/// Breaks text into lines at spaces.
enum TextWrap {
  /// Lines of at most `width` columns; a longer word stands alone on its line.
  static func lines(_ text: String, width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      if !line.isEmpty, line.count + 1 + word.count > width {
        lines.append(line)
        line = ""
      }
      line += line.isEmpty ? "\(word)" : " \(word)"
    }
    if !line.isEmpty { lines.append(line) }
    return lines
  }

  /// The sentences of `text`, each with its full stop.
  static func sentences(_ text: String) -> [String] {
    var sentences: [String] = []
    var sentence: [Substring] = []
    for word in text.split(separator: " ") {
      sentence.append(word)
      if word.hasSuffix(".") || word.hasSuffix(".)") || word.hasSuffix("?") {
        sentences.append(sentence.joined(separator: " "))
        sentence = []
      }
    }
    if !sentence.isEmpty { sentences.append(sentence.joined(separator: " ")) }
    return sentences
  }
}

extension String {
  /// The text with every `character` replaced; the standard library's own search brings the whole
  /// regular expression engine into the program.
  func replacing(_ character: Character, by replacement: String) -> String {
    reduce(into: "") { $0 += $1 == character ? replacement : String($1) }
  }
}
