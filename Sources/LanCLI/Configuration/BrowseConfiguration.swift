import LanCore
import LanSystem
import LanWire

/// What `lantool browse` was asked to do, checked.
struct BrowseConfiguration {
  /// How services are shown.
  enum Output {
    /// A table on a terminal, else lines.
    case text
    case json
    /// Records for a zone file, once at the end.
    case zone
    /// Nothing; the exit status tells.
    case quiet
  }

  /// What is looked for.
  enum Subject: Hashable {
    case services
    /// The service types on the network.
    case types
    /// The domains that are recommended.
    case domains
  }

  /// The types; empty for all.
  var types: [ServiceType] = []
  var subject = Subject.services
  var domain: DNSName
  var interfaces: [String]
  var families = MDNSFamilies.both
  var output = Output.text
  var isColoured = false
  var resolves = true
  var ignoresOwn = false
  var isPassive = false
  /// Ends when the first list is complete.
  var isOnce = false
  /// Names that the run waits for.
  var expected: [ExpectedService] = []
  /// One of them is enough.
  var isAny = false
  var settle = Duration.milliseconds(500)
  var duration: Duration?
  var timeout: Duration?
  /// Path of a capture file as typed; `-` is standard input, nil is live.
  var file: String?
  var server: SocketEndpoint?
  var namespace: String?

  /// True when the run has an end of its own, so that a signal cuts it short.
  var isBounded: Bool {
    isOnce || !expected.isEmpty || duration != nil || file != nil || isZoneOnly
  }

  /// True when an incomplete first list still ends the run: nothing says that it should go on.
  var endsWhenSettled: Bool {
    // A file ends by itself, and what stands in it after a quiet second counts too.
    guard file == nil else { return false }
    if isOnce { return true }
    guard duration == nil, timeout == nil else { return false }
    return !expected.isEmpty || isZoneOnly
  }

  private var isZoneOnly: Bool { if case .zone = output { true } else { false } }

  /// True for the domain that multicast DNS serves.
  var isMulticast: Bool { domain == Self.local }

  /// `local`.
  static let local = (try? DNSName("local")) ?? .root

  /// Checks what the options mean together.
  init(_ arguments: ParsedArguments) throws(UsageError) {
    domain = Self.local
    interfaces = arguments.values("interface")
    if interfaces.contains("any") { interfaces = [] }
    try takeTypes(arguments)
    if let text = arguments.value("domain") { try take(domain: text, arguments) }
    if arguments.isSet("domains") { subject = .domains }
    if arguments.isSet("only-types") { subject = .types }
    families =
      arguments.isSet("ipv4") == arguments.isSet("ipv6")
      ? .both : arguments.isSet("ipv4") ? .ipv4 : .ipv6
    output =
      arguments.isSet("quiet")
      ? .quiet : arguments.isSet("json") ? .json : arguments.isSet("zone") ? .zone : .text
    isColoured = TerminalOutput.isColoured(arguments.value("color"))
    resolves = !arguments.isSet("no-resolve")
    ignoresOwn = arguments.isSet("ignore-own")
    isPassive = arguments.isSet("passive")
    isOnce = arguments.isSet("once")
    expected = arguments.values("expect").map(ExpectedService.init)
    isAny = arguments.isSet("any")
    if let span = Self.span(arguments.timeLimit("settle")) { settle = span }
    duration = Self.span(arguments.timeLimit("duration"))
    timeout = Self.span(arguments.timeLimit("timeout"))
    file = arguments.value("read")
    namespace = arguments.value("netns")
    if let text = arguments.value("server") { server = try Self.server(text, arguments) }
    try check(arguments)
  }

  private func check(_ arguments: ParsedArguments) throws(UsageError) {
    if expected.contains(where: { $0.typed.isEmpty }) {
      throw arguments.usageError("an empty word is no name to expect")
    }
    if subject != .services, !types.isEmpty {
      let option = subject == .types ? "only-types" : "domains"
      throw arguments.usageError("--\(option) takes no TYPE")
    }
    if !expected.isEmpty, subject != .services {
      throw arguments.usageError("--expect needs services, not their types")
    }
    if case .zone = output, subject != .services {
      throw arguments.usageError("--zone needs services, not their types")
    }
    if isMulticast {
      if server != nil {
        throw arguments.usageError("--server means nothing for the domain local; add --domain")
      }
      return
    }
    if isPassive { throw arguments.usageError("--passive needs the domain local") }
    if file != nil { throw arguments.usageError("--read needs the domain local") }
    if !interfaces.isEmpty {
      throw arguments.usageError(
        "--interface needs the domain local; DNS servers are asked by route")
    }
  }

  // MARK: Types and domain

  private mutating func takeTypes(_ arguments: ParsedArguments) throws(UsageError) {
    var seen: Set<ServiceType> = []
    for bytes in arguments.positionals {
      let parsed: BrowseTypeWord
      do throws(ValueError) { parsed = try BrowseTypeWord(bytes) } catch {
        var usage = arguments.usageError(
          "'\(printable(bytes))' is no service type: \(error.reason)")
        usage.suggestion = error.suggestion
        throw usage
      }
      if let named = parsed.domain { try take(named, arguments) }
      if parsed.isMetaQuery {
        guard arguments.positionals.count == 1 else {
          throw arguments.usageError("'\(printable(bytes))' stands for every type; name it alone")
        }
        subject = .types
      }
      for type in parsed.types where seen.insert(type).inserted { types.append(type) }
    }
  }

  private mutating func take(
    domain text: String, _ arguments: ParsedArguments
  ) throws(UsageError) {
    guard let name = try? DNSName(text), !name.isRoot else {
      throw arguments.usageError(
        "'\(Self.shown(text))' is no domain; expected a name such as local or example.org")
    }
    try take(name, arguments)
  }

  private mutating func take(_ name: DNSName, _ arguments: ParsedArguments) throws(UsageError) {
    if domain != Self.local, domain != name {
      throw arguments.usageError("one run browses one domain, not '\(domain)' and '\(name)'")
    }
    domain = name
  }

  private static func server(
    _ text: String, _ arguments: ParsedArguments
  ) throws(UsageError) -> SocketEndpoint {
    guard let endpoint = ServerAddress.parse(text) else {
      throw arguments.usageError(
        "invalid value '\(shown(text))' for '--server': expected an address such as 192.0.2.53, "
          + "192.0.2.53:5353 or [2001:db8::53]:5353")
    }
    return endpoint
  }

  private static func span(_ limit: TimeLimit?) -> Duration? {
    if case .after(let duration)? = limit { duration } else { nil }
  }

  private static func shown(_ text: String) -> String { printable(Array(text.utf8)) }
}
