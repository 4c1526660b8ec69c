import LanSystem

/// Targets from standard input: a name a line, or the JSON Lines of `browse`.
enum TargetInput {
  /// More than any list of targets has.
  private static let limit = 16 << 20

  /// The words of standard input, which is read to its end.
  ///
  /// - Throws: When it cannot be read.
  static func words() throws(SystemError) -> [String] {
    words(of: String(decoding: try StandardInput.readAll(limit: limit), as: UTF8.self))
  }

  /// The words of a text.
  ///
  /// A line that is a JSON object gives the service's addresses or else its host, any other line
  /// itself. Empty lines and those that begin with # give none.
  static func words(of text: String) -> [String] {
    text.split { $0 == "\n" || $0 == "\r\n" }.flatMap { line -> [String] in
      let line = line.drop { $0 == " " || $0 == "\t" }.trimmingTail()
      if line.isEmpty || line.hasPrefix("#") { return [] }
      guard line.hasPrefix("{"), let object = JSONValue(parsing: line) else { return [line] }
      if object["event"]?.string == "removed" { return [] }
      let addresses = object["addresses"]?.elements.compactMap(\.string) ?? []
      return addresses.isEmpty ? [object["host"]?.string].compactMap { $0 } : addresses
    }
  }
}

extension Substring {
  /// The text without blanks at its end.
  fileprivate func trimmingTail() -> String {
    var text = self
    while let last = text.last, last == " " || last == "\t" || last == "\r" { text.removeLast() }
    return String(text)
  }
}
