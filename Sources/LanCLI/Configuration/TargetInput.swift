import LanSystem

/// Targets from standard input: a name a line, or the JSON Lines of `browse`.
enum TargetInput {
  /// More than any list of targets has.
  private static let limit = 16 << 20

  /// What is wanted of a line of JSON.
  enum Wish {
    /// What can be reached: the service's addresses, else its host.
    case addresses
    /// What can be resolved: the service's name, else its host.
    case names
  }

  /// A line that says something.
  enum Line {
    case word(String)
    /// A JSON object.
    case object(JSONValue)
  }

  /// The lines of standard input, which is read to its end.
  ///
  /// - Throws: When it cannot be read.
  static func lines(_ arguments: ParsedArguments) throws(UsageError) -> [Line] {
    lines(of: try text(arguments))
  }

  /// The lines of a text but for empty ones and those that begin with #.
  static func lines(of text: String) -> [Line] {
    text.split { $0 == "\n" || $0 == "\r\n" }.compactMap { line -> Line? in
      let line = line.drop { $0 == " " || $0 == "\t" }.trimmingTail()
      if line.isEmpty || line.hasPrefix("#") { return nil }
      guard line.hasPrefix("{"), let object = JSONValue(parsing: line) else { return .word(line) }
      return .object(object)
    }
  }

  /// The words of standard input, which is read to its end.
  ///
  /// - Throws: When it cannot be read.
  static func words(
    _ arguments: ParsedArguments, _ wish: Wish = .addresses
  ) throws(UsageError) -> [String] {
    words(of: try text(arguments), wish)
  }

  private static func text(_ arguments: ParsedArguments) throws(UsageError) -> String {
    do throws(SystemError) {
      return String(decoding: try StandardInput.readAll(limit: limit), as: UTF8.self)
    } catch {
      throw arguments.usageError("cannot read standard input: \(error.reason)")
    }
  }

  /// The words of a text.
  ///
  /// A line that is a JSON object gives what is wished of the service, any other line itself. Empty
  /// lines and those that begin with # give none.
  static func words(of text: String, _ wish: Wish = .addresses) -> [String] {
    lines(of: text).flatMap { line -> [String] in
      guard case .object(let object) = line else {
        if case .word(let word) = line { return [word] }
        return []
      }
      if object["event"]?.string == "removed" { return [] }
      switch wish {
      case .addresses:
        let addresses = object["addresses"]?.elements.compactMap(\.string) ?? []
        return addresses.isEmpty ? [object["host"]?.string].compactMap { $0 } : addresses
      case .names: return [name(in: object)].compactMap { $0 }
      }
    }
  }

  private static func name(in object: JSONValue) -> String? {
    if let service = object["serviceName"]?.string { return service }
    guard let host = object["host"]?.string ?? object["name"]?.string else { return nil }
    guard case .number(let port)? = object["port"] else { return host }
    return "\(host):\(port)"
  }
}

extension ParsedArguments {
  /// The positionals as text, with what `input` gives in the place of each `-`.
  func words(
    _ input: () throws(UsageError) -> [String]
  ) throws(UsageError) -> [String] {
    var words: [String] = []
    for bytes in positionals {
      if bytes == [UInt8(ascii: "-")] {
        words += try input()
      } else {
        words.append(String(decoding: bytes, as: UTF8.self))
      }
    }
    return words
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
