import LanCore
import LanSystem
import LanWire

/// What `lantool resolve` was asked to do, checked.
struct ResolveConfiguration {
  /// How answers are shown.
  enum Output {
    case text
    case json
    /// Nothing; the exit status tells.
    case quiet
  }

  var queries: [ResolveQuery] = []
  var output = Output.text
  var isAll = false
  var isAny = false
  var isWatching = false
  var isColoured = false
  var showsWhy = false
  var server: SocketEndpoint?
  var families = MDNSFamilies.both
  var interfaces: [String] = []
  var namespace: String?
  var timeout: Duration?

  /// Checks what the options mean together; `input` gives the words of standard input.
  init(
    _ arguments: ParsedArguments, input: () throws(UsageError) -> [String],
    port: @escaping (String) -> UInt16? = ServicePort.number
  ) throws(UsageError) {
    output = arguments.isSet("quiet") ? .quiet : arguments.isSet("json") ? .json : .text
    isAll = arguments.isSet("all")
    isAny = arguments.isSet("any")
    isWatching = arguments.isSet("watch")
    showsWhy = arguments.isSet("why")
    if let text = arguments.value("server") {
      guard let endpoint = ServerAddress.parse(text) else {
        throw arguments.usageError(
          """
          invalid value '\(Self.shown(text))' for '--server': expected an address such as \
          192.0.2.53, 192.0.2.53:5353 or [2001:db8::53]:5353
          """)
      }
      server = endpoint
    }
    isColoured = TerminalOutput.isColoured(arguments.value("color"))
    if arguments.isSet("ipv4") != arguments.isSet("ipv6") {
      families = arguments.isSet("ipv4") ? .ipv4 : .ipv6
    }
    interfaces = arguments.values("interface").filter { $0 != "any" }
    namespace = arguments.value("netns")
    if case .after(let duration)? = arguments.timeLimit("timeout") { timeout = duration }
    let hints = try Self.hints(arguments, port)
    queries = try Self.queries(arguments, hints, input)
    try checkFamilies(arguments)
  }

  private static func hints(
    _ arguments: ParsedArguments, _ port: @escaping (String) -> UInt16?
  ) throws(UsageError) -> ResolveQuery.Hints {
    var hints = ResolveQuery.Hints(port: port)
    if let text = arguments.value("domain") {
      guard let domain = try? DNSName(text), !domain.isRoot else {
        throw arguments.usageError("invalid value '\(shown(text))' for '--domain': no domain name")
      }
      hints.domain = domain
    }
    if let text = arguments.value("type") {
      guard let type = DNSRecordType(text) else {
        throw arguments.usageError(
          """
          invalid value '\(shown(text))' for '--type': expected a record type such as A, AAAA, TXT, \
          SRV, ANY or TYPE65280
          """)
      }
      hints.recordType = type
    }
    if let text = arguments.value("service") { hints.serviceType = try type(text, arguments) }
    return hints
  }

  private static func type(
    _ text: String, _ arguments: ParsedArguments
  ) throws(UsageError) -> ServiceType {
    let bare = text.hasSuffix(".") ? String(text.dropLast()) : text
    let parts = bare.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    let transports = ["_tcp", "_udp"]
    guard parts.count == 2, parts[0].hasPrefix("_"), (2...16).contains(parts[0].utf8.count),
      transports.contains(parts[1].lowercased())
    else {
      throw arguments.usageError(
        """
        invalid value '\(shown(text))' for '--service': expected a service type such as _ipp._tcp
        """)
    }
    return ServiceType(
      service: String(parts[0].dropFirst()), transport: String(parts[1].dropFirst()).lowercased())
  }

  private func checkFamilies(_ arguments: ParsedArguments) throws(UsageError) {
    for query in queries {
      guard case .address(let address, _) = query.subject else { continue }
      guard families.contains(MDNSFamilies(address)) else {
        throw arguments.usageError(
          "'\(Self.shown(query.text))' is no \(address.isIPv6 ? "IPv4" : "IPv6") address")
      }
    }
  }

  static func shown(_ text: String) -> String { printable(Array(text.utf8)) }
}
