import LanCore
import LanSystem
import LanWire

/// The queries of a command line.
extension ResolveConfiguration {
  static func queries(
    _ arguments: ParsedArguments, _ hints: ResolveQuery.Hints,
    _ input: () throws(UsageError) -> [String]
  ) throws(UsageError) -> [ResolveQuery] {
    let words = try arguments.words(input)
    if words.isEmpty { throw arguments.usageError("standard input names nothing to resolve") }
    var queries: [ResolveQuery] = []
    for word in words {
      // A bare number is no host name that anybody means: it is the port of the name before it.
      if let port = port(word), let last = queries.indices.last, queries[last].takesPort {
        queries[last].port = port
        continue
      }
      let query: ResolveQuery
      do throws(ResolveQuery.ParseError) { query = try ResolveQuery.parse(word, hints) } catch {
        throw arguments.usageError(error.text(word))
      }
      if !queries.contains(query) { queries.append(query) }
    }
    return queries
  }

  private static func port(_ word: String) -> UInt16? {
    guard !word.isEmpty, word.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let port = UInt16(word),
      port > 0
    else { return nil }
    return port
  }
}

extension ResolveQuery {
  fileprivate var takesPort: Bool {
    switch subject {
    case .host, .address: port == nil
    case .service, .record: false
    }
  }
}

extension ResolveQuery.ParseError {
  /// What is wrong with `word`, for people.
  func text(_ word: String) -> String {
    let shown = ResolveConfiguration.shown(word)
    return switch self {
    case .empty: "an empty word is no name"
    case .badName: "'\(shown)' is neither a host name, an address nor a service instance"
    case .tooLong: "'\(shown)' is too long: a label has at most 63 bytes, a name 255"
    case .badPort(let port):
      """
      '\(ResolveConfiguration.shown(port))' in '\(shown)' is neither a port from 1 to 65535 nor a \
      known service; put an IPv6 address in brackets
      """
    case .badZone: "'\(shown)' has no usable interface behind '%'"
    case .typeWithoutInstance:
      """
      '\(shown)' is a service type without an instance; 'lantool browse' lists instances, and \
      '--type PTR' shows the records
      """
    }
  }
}
