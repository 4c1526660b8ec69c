import LanCore
import LanSystem
import LanWire

/// What `lantool serve` was asked to do, checked.
struct ServeConfiguration {
  /// How events are shown.
  enum Output {
    case text
    case json
    /// Nothing; the exit status tells.
    case quiet
  }

  var type = ServiceType(service: "witap2", transport: "tcp")
  /// The bytes of the instance label.
  var instance: [UInt8] = []
  var isNameGiven = false
  /// The bytes of the subtypes' labels.
  var subtypes: [[UInt8]] = []
  /// The strings of the TXT record, without those of a file.
  var text: [[UInt8]] = []
  /// A file with more of them.
  var textFile: [UInt8]?
  /// The label of the host; nil for the system's.
  var hostLabel: [UInt8]?
  var proxyAddresses: [IPAddress] = []
  /// False for a server that is not published.
  var publishes = true
  /// False for a service that somebody else runs.
  var serves = true
  var mode = PeerMode.echo
  /// The TXT record says what the mode is.
  var tellsMode = true
  var port: UInt16 = 0
  var interfaces: [String] = []
  var families = MDNSFamilies.both
  var server = PeerServer.Configuration()
  var output = Output.text
  var hasTiles = false
  var isColoured = false
  var namespace: String?
  /// Ends after so many connections.
  var count: Int?
  var duration: Duration?
  var timeout: Duration?

  /// True when the run has an end of its own, so that a signal cuts it short.
  var isBounded: Bool { count != nil || duration != nil }

  /// Bytes that one connection may send unless told otherwise.
  static let byteLimit = 64 << 30

  /// Checks what the options mean together; `hostName` is the name where none is given.
  init(
    _ arguments: ParsedArguments, hostName: () -> [UInt8] = { HostName.firstLabel }
  ) throws(UsageError) {
    publishes = !arguments.isSet("no-publish")
    serves = !arguments.isSet("publish-only") && !arguments.isSet("proxy-address")
    output =
      arguments.isSet("quiet") ? .quiet : arguments.isSet("json") ? .json : .text
    isColoured = TerminalOutput.isColoured(arguments.value("color"))
    if arguments.isSet("ipv4") != arguments.isSet("ipv6") {
      families = arguments.isSet("ipv4") ? .ipv4 : .ipv6
    }
    interfaces = arguments.values("interface")
    if interfaces.contains("any") { interfaces = [] }
    namespace = arguments.value("netns")
    count = arguments.count("count")
    duration = Self.span(arguments.timeLimit("duration"))
    timeout = Self.span(arguments.timeLimit("timeout"))
    port = UInt16(clamping: arguments.count("port") ?? 0)
    try takeType(arguments)
    takeMode(arguments)
    try takeNames(arguments, hostName)
    try takeProxy(arguments)
    try takeText(arguments)
    takeLimits(arguments)
    try check(arguments)
  }

  private func check(_ arguments: ParsedArguments) throws(UsageError) {
    if !serves, port == 0 {
      let option = arguments.isSet("publish-only") ? "publish-only" : "proxy-address"
      throw arguments.usageError("--\(option) needs the --port of the server that is published")
    }
    if serves, type.transport == "udp" {
      throw arguments.usageError(
        "'\(type)' is a service over UDP, and this server speaks TCP; add --publish-only for a "
          + "server that runs already")
    }
    if hasTiles, !isGame { throw arguments.usageError("--tiles needs --mode tap") }
  }

  static func span(_ limit: TimeLimit?) -> Duration? {
    if case .after(let duration)? = limit { duration } else { nil }
  }

  /// Tap where a game is asked for by its type, else echo.
  private mutating func takeMode(_ arguments: ParsedArguments) {
    let dialect: TapDialect = type.service.lowercased() == "witap" ? .witap1 : .witap2
    let isGame = ["witap", "witap2"].contains(type.service.lowercased()) && type.transport == "tcp"
    switch arguments.value("mode") {
    case "tap": mode = .tap(dialect)
    case "discard": mode = .discard
    case "echo": mode = .echo
    default: mode = isGame && arguments.isSet("type") ? .tap(dialect) : .echo
    }
    tellsMode = isGame || arguments.isSet("mode")
    hasTiles = arguments.isSet("tiles")
  }

  private mutating func takeLimits(_ arguments: ParsedArguments) {
    server.mode = mode
    server.port = port
    server.families = families
    server.interfaces = interfaces
    server.allowsAnyone = arguments.value("allow") == "any"
    if let limit = arguments.count("max-connections") { server.connectionLimit = limit }
    server.perPeerLimit = arguments.count("max-per-peer") ?? server.connectionLimit
    server.byteLimit = arguments.byteSize("max-bytes") ?? Self.byteLimit
    if let limit = arguments.timeLimit("idle") { server.idleLimit = Self.span(limit) }
    if let limit = arguments.timeLimit("stall") {
      server.stallLimit = Self.span(limit) ?? .seconds(1 << 31)
    }
  }
}

extension ServeConfiguration {
  /// The strings of the TXT record with those of a file.
  ///
  /// `mode=` is put in front unless it is given, for the types of a game and where a mode was asked
  /// for; other types have attributes of their own, and somebody else's server has its own mode.
  func strings(file: [[UInt8]]) -> [[UInt8]] {
    let given = ServeAttributes.merged(text, with: file)
    let own = Array("mode=\(modeWord)".utf8)
    if !serves || !tellsMode || given.contains(where: { ServeAttributes.hasSameKey($0, own) }) {
      return given
    }
    return [own] + given
  }

  /// True for a game of taps.
  var isGame: Bool { if case .tap = mode { true } else { false } }

  /// The word of the mode.
  var modeWord: String {
    switch mode {
    case .echo: "echo"
    case .tap: "tap"
    case .discard, .connect: "discard"
    }
  }
}
