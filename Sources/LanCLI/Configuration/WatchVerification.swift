import LanSystem

extension ReachabilityProbe {
  /// The probe that the text of `--verify` names.
  static func parse(_ text: String, _ arguments: ParsedArguments) throws(UsageError) -> Self {
    if text == "neighbour" || text == "neighbor" { return .neighbour }
    if text == "icmp" { return .icmp }
    if text.hasPrefix("tcp:"), let port = UInt16(text.dropFirst(4)), port > 0 {
      return .tcp(port: port)
    }
    let start = "invalid value '\(WatchConfiguration.shown(text))' for '--verify': "
    if text.hasPrefix("http") {
      do throws(HTTPProbe.ParseError) { return .http(try HTTPProbe(parsing: text)) } catch {
        throw arguments.usageError(start + error.reason)
      }
    }
    var error = arguments.usageError(
      start + "expected neighbour, icmp, tcp:PORT or http://HOST[:PORT][/PATH]")
    error.suggestion = Suggestion.closest(to: text, among: ["neighbour", "icmp"])
    throw error
  }
}

extension HTTPProbe.ParseError {
  fileprivate var reason: String {
    switch self {
    case .notHTTP: "only http:// can show a captive portal, others hide it"
    case .noHost: "there is no host in it"
    case .badPath: "there is a blank or the like in its path"
    case .badPort: "the port is no number from 1 to 65535"
    }
  }
}
