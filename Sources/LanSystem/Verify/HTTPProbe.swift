/// A web server to ask, and the answer that is expected from it.
public struct HTTPProbe: Hashable, Sendable {
  /// What answer is expected.
  public enum Expectation: Hashable, Sendable {
    /// Any success (2xx).
    case success
    /// This status.
    case status(Int)
    /// A success whose body begins with this text.
    case body(String)
  }

  /// Why a text is no such probe.
  public enum ParseError: Error, Hashable, Sendable {
    /// It does not begin with `http://`; other protocols hide the portal that is looked for.
    case notHTTP(String)
    /// There is no host in it.
    case noHost(String)
    /// The port is no number from 1 to 65535.
    case badPort(String)
    /// There are spaces, line breaks or the like in the path.
    case badPath(String)
  }

  /// The host's name or address, without brackets.
  public var host: String
  /// The port.
  public var port: UInt16
  /// The path with the query, beginning with a slash.
  public var path: String
  /// What answer is expected.
  public var expectation: Expectation

  /// Reads `http://HOST[:PORT][/PATH][#EXPECTED]`.
  ///
  /// `EXPECTED` is a status of three digits or the text that the body begins with; without, any
  /// success will do.
  ///
  /// - Throws: `ParseError` with the part that is wrong.
  public init(parsing text: String) throws(ParseError) {
    guard text.lowercased().hasPrefix("http://") else { throw .notHTTP(text) }
    let parts = text.dropFirst(7).split(
      separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    let place = parts.first ?? ""
    let end = place.firstIndex { $0 == "/" || $0 == "?" } ?? place.endIndex
    let rest = String(place[end...])
    path = rest.hasPrefix("/") ? rest : "/" + rest
    guard path.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { throw .badPath(text) }
    (host, port) = try Self.authority(place[..<end], text)
    expectation = parts.count == 2 ? Self.expectation(String(parts[1])) : .success
  }

  private static func expectation(_ text: String) -> Expectation {
    if text.isEmpty { return .success }
    if text.utf8.count == 3, let status = Int(text) { return .status(status) }
    return .body(text)
  }

  private static func authority(
    _ text: Substring, _ whole: String
  ) throws(ParseError) -> (String, UInt16) {
    var host = text
    var port: Substring?
    if text.hasPrefix("["), let close = text.firstIndex(of: "]") {
      host = text[text.index(after: text.startIndex)..<close]
      let rest = text[text.index(after: close)...]
      if rest.hasPrefix(":") {
        port = rest.dropFirst()
      } else if !rest.isEmpty {
        throw .badPort(whole)
      }
    } else if let colon = text.firstIndex(of: ":") {
      host = text[..<colon]
      port = text[text.index(after: colon)...]
    }
    let isClean = host.utf8.allSatisfy {
      $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "@") && $0 != UInt8(ascii: "[")
    }
    guard !host.isEmpty, isClean else { throw .noHost(whole) }
    guard let port else { return (String(host), 80) }
    guard let number = UInt16(port), number > 0 else { throw .badPort(whole) }
    return (String(host), number)
  }
}
