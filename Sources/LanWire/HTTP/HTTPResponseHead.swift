/// The head of an HTTP response (RFC 9112), as far as a probe needs it.
public struct HTTPResponseHead: Hashable, Sendable {
  /// Why bytes are no response.
  public enum Fault: Error, Hashable, Sendable {
    /// They do not begin like one.
    case notHTTP
    /// The head is longer than anybody needs.
    case tooLong
  }

  /// How long a head may be, in bytes.
  public static let limit = 16_384

  /// The status, three digits (RFC 9110 section 15).
  public var status: Int
  /// Where a redirection leads; nil where it does not say.
  public var location: String?
  /// True if the body comes in chunks (RFC 9112 section 7.1).
  public var isChunked = false
  /// Where the body starts: the offset behind the empty line.
  public var bodyStart: Int

  /// Reads a head.
  ///
  /// - Returns: Nil where it has not come in full.
  /// - Throws: `Fault` for bytes that do not begin like a response, or a head over `limit`.
  public init?(_ bytes: Span<UInt8>) throws(Fault) {
    try Self.check(bytes)
    guard let end = Self.end(bytes) else {
      if bytes.count > Self.limit { throw .tooLong }
      return nil
    }
    bodyStart = end
    var lines = Self.lines(bytes, to: end)
    let words = lines.removeFirst().split(separator: " ", maxSplits: 2)
    guard words.count > 1, words[1].utf8.count == 3, let status = Int(words[1]),
      (100...599).contains(status)
    else { throw .notHTTP }
    self.status = status
    for line in lines { read(line) }
  }

  /// Finds out early that it is something else.
  private static func check(_ bytes: Span<UInt8>) throws(Fault) {
    let start = Array("HTTP/1.".utf8)
    for index in 0..<min(bytes.count, start.count) where bytes[index] != start[index] {
      throw .notHTTP
    }
  }

  /// Behind the empty line; lines may end without the carriage return.
  private static func end(_ bytes: Span<UInt8>) -> Int? {
    var isLineEmpty = false
    for index in 0..<min(bytes.count, limit) {
      switch bytes[index] {
      case 10:
        if isLineEmpty { return index + 1 }
        isLineEmpty = true
      case 13: break
      default: isLineEmpty = false
      }
    }
    return nil
  }

  private static func lines(_ bytes: Span<UInt8>, to end: Int) -> [String] {
    var lines: [String] = []
    var line: [UInt8] = []
    for index in 0..<end {
      switch bytes[index] {
      case 10:
        lines.append(String(decoding: line, as: UTF8.self))
        line = []
      case 13: break
      default: line.append(bytes[index])
      }
    }
    return lines
  }

  private mutating func read(_ line: String) {
    let parts = line.split(separator: ":", maxSplits: 1)
    guard parts.count == 2 else { return }
    var value = parts[1]
    while value.first == " " || value.first == "\t" { value = value.dropFirst() }
    switch parts[0].lowercased() {
    case "location": location = String(value)
    case "transfer-encoding": isChunked = value.lowercased().contains("chunked")
    default: break
    }
  }

  /// The beginning of the body, of what has come.
  public func body(_ bytes: Span<UInt8>) -> [UInt8] {
    var start = bodyStart
    if isChunked {
      // The size of the first chunk stands on a line of its own.
      while start < bytes.count, bytes[start] != 10 { start += 1 }
      start += 1
    }
    var body: [UInt8] = []
    for index in min(start, bytes.count)..<bytes.count { body.append(bytes[index]) }
    return body
  }
}
