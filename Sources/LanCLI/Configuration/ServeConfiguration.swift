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

  // MARK: Parts

  private mutating func takeType(_ arguments: ParsedArguments) throws(UsageError) {
    guard let bytes = arguments.bytes("type") else { return }
    let text = String(decoding: bytes, as: UTF8.self)
    do throws(ServiceTypeError) {
      let read = try ServiceTypeText(parsing: text)
      if let domain = read.domain, domain != BrowseConfiguration.local {
        throw ServiceTypeError(.domain(domain.description), text)
      }
      // What is published has its name spelt out.
      guard text.hasPrefix("_"), text.lowercased().contains("._\(read.type.transport)") else {
        throw ServiceTypeError(.underscore(suggestion: "\(read.type)"), text)
      }
      type = read.type
      subtypes = read.subtypes.map { Array($0.utf8) }
    } catch {
      var usage = arguments.usageError(
        "'\(printable(bytes))' is no service type: \(error.explanation)")
      if case .underscore(let suggestion) = error.reason { usage.suggestion = suggestion }
      throw usage
    }
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

  private mutating func takeNames(
    _ arguments: ParsedArguments, _ hostName: () -> [UInt8]
  ) throws(UsageError) {
    isNameGiven = arguments.isSet("name")
    instance = arguments.bytes("name") ?? hostName()
    if instance.isEmpty, !isNameGiven { instance = Array("lantool".utf8) }
    try check(label: instance, "name", arguments)
    for subtype in arguments.allBytes("subtype") {
      try check(label: subtype, "subtype", arguments)
      if !subtypes.contains(subtype) { subtypes.append(subtype) }
    }
    guard var label = arguments.bytes("host") else { return }
    if label.last == UInt8(ascii: ".") { label.removeLast() }
    let ending = Array(".local".utf8)
    if label.count > ending.count,
      String(decoding: label.suffix(ending.count), as: UTF8.self).lowercased() == ".local"
    {
      label.removeLast(ending.count)
    }
    try check(label: label, "host", arguments)
    guard !label.contains(UInt8(ascii: ".")) else {
      throw arguments.usageError(
        "invalid value '\(printable(label))' for '--host': expected one label, such as nas or "
          + "nas.local")
    }
    hostLabel = label
  }

  /// RFC 6763 sections 4.1.1 and 7.2.
  private func check(
    label: [UInt8], _ option: String, _ arguments: ParsedArguments
  ) throws(UsageError) {
    let fault: String
    switch label.count {
    case 0: fault = "must not be empty"
    case 64...: fault = "\(label.count) bytes, and a label has at most 63"
    default:
      if label.contains(where: { $0 < 0x20 || $0 == 0x7F }) {
        fault = "control characters are not allowed"
      } else if option != "subtype", String(validating: label, as: UTF8.self) == nil {
        fault = "it is no valid UTF-8"
      } else {
        return
      }
    }
    throw arguments.usageError(
      "invalid value '\(printable(label))' for '--\(option)': \(fault)")
  }

  private mutating func takeProxy(_ arguments: ParsedArguments) throws(UsageError) {
    for text in arguments.values("proxy-address") {
      guard let address = IPAddress(parsing: text), !address.isMulticast, !address.isUnspecified
      else {
        throw arguments.usageError(
          "invalid value '\(printable(Array(text.utf8)))' for '--proxy-address': expected an "
            + "address such as 192.0.2.9 or 2001:db8::9")
      }
      if !proxyAddresses.contains(address) { proxyAddresses.append(address) }
    }
  }

  private mutating func takeText(_ arguments: ParsedArguments) throws(UsageError) {
    text = arguments.allBytes("txt")
    textFile = arguments.bytes("txt-file")
    for string in text {
      guard let fault = ServeAttributes.fault(of: string) else { continue }
      throw arguments.usageError(
        "invalid value '\(printable(Array(string.prefix(80))))' for '--txt': \(fault)")
    }
    if let key = ServeAttributes.duplicate(in: text) {
      throw arguments.usageError(
        "the key '\(printable(key))' is given twice; a TXT record has each only once")
    }
    let size = ServeAttributes.size(of: text)
    guard size <= ServeAttributes.sizeLimit else {
      throw arguments.usageError(
        "the TXT record has \(size) bytes, and at most \(ServeAttributes.sizeLimit) fit into a "
          + "packet; \(ServeAttributes.advisedSize) are advised")
    }
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
