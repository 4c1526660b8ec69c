import LanCore
import LanSystem
import LanWire

/// What `lantool sniff` was asked to do, checked.
struct SniffConfiguration {
  /// How messages are shown.
  enum Output {
    case text
    case oneLine
    case json
    case fields(SniffFields)
    /// Nothing; the exit status tells.
    case quiet
  }

  var options = SniffOptions()
  var output = Output.text
  var time = SniffTimeFormat.local
  var isColoured = false
  var isLineBuffered = false
  /// Path of a capture file as typed; `-` is standard input, nil is live.
  var file: String?
  /// What to listen on when live; `interfaces` and `expression` hold for files too.
  var live = PacketSniffer.Configuration()
  var namespace: String?
  var write: SniffWriteConfiguration?
  var duration: Duration?
  var timeout: Duration?

  /// True when the run has an end of its own, so that a signal cuts it short.
  var isBounded: Bool { options.count != nil || duration != nil }

  /// All multicast DNS of a capture file, for other commands.
  init(file: String) { self.file = file }

  /// Checks what the options mean together.
  init(_ arguments: ParsedArguments) throws(UsageError) {
    options.selection = try Self.selection(arguments)
    options.lint = arguments.isSet("lint")
    options.statistics = arguments.isSet("stats")
    options.count = arguments.count("count")
    output = try Self.output(arguments)
    if case .text = output { options.names = true }
    if case .oneLine = output { options.names = true }
    time = arguments.value("time").flatMap(SniffTimeFormat.init) ?? .local
    isColoured = TerminalOutput.isColoured(arguments.value("color"))
    isLineBuffered = arguments.isSet("line-buffered")
    file = arguments.value("read")
    live.interfaces = arguments.values("interface")
    live.usesSocket = arguments.isSet("socket")
    live.joins = !arguments.isSet("no-join")
    live.isPromiscuous = arguments.isSet("promiscuous")
    live.snapshotLength = arguments.byteSize("snapshot-length")
    live.bufferSize = arguments.byteSize("buffer-size")
    live.expression = arguments.value("filter")
    namespace = arguments.value("netns")
    write = SniffWriteConfiguration(arguments)
    options.frames = write != nil
    duration = Self.span(arguments.timeLimit("duration"))
    timeout = Self.span(arguments.timeLimit("timeout"))
    if live.usesSocket, write != nil {
      throw arguments.usageError("--write needs frames, which --socket does not see")
    }
    if live.usesSocket, live.expression != nil {
      throw arguments.usageError("--filter needs frames, which --socket does not see")
    }
    if write?.path == "-" { output = .quiet }
  }

  private static func span(_ limit: TimeLimit?) -> Duration? {
    if case .after(let duration)? = limit { duration } else { nil }
  }

  private static func output(_ arguments: ParsedArguments) throws(UsageError) -> Output {
    if arguments.isSet("quiet") { return .quiet }
    if let names = arguments.list("fields") {
      return .fields(try SniffFields(names, arguments))
    }
    if arguments.isSet("json") { return .json }
    return arguments.isSet("oneline") ? .oneLine : .text
  }

  private static func selection(_ arguments: ParsedArguments) throws(UsageError) -> SniffSelection {
    var selection = SniffSelection()
    if let words = arguments.list("protocol") {
      selection.protocols = NameProtocol.allCases.filter {
        words.contains("all") || words.contains("\($0.word)")
      }
    }
    selection.tunnels = !arguments.isSet("no-tunnels")
    selection.names = arguments.values("name")
    for word in arguments.list("type") ?? [] {
      guard let type = DNSRecordType(word) else {
        throw arguments.usageError(
          "'\(printable(Array(word.utf8)))' is no record type; "
            + "expected a mnemonic such as PTR or a number such as TYPE65280")
      }
      selection.types.append(type)
    }
    let kinds = arguments.list("kind") ?? []
    selection.kinds = MessageKind.allCases.filter { kinds.contains("\($0.word)") }
    selection.hosts = arguments.values("host").map(SniffHost.init(typed:))
    selection.onlyIPv4 = arguments.isSet("ipv4") && !arguments.isSet("ipv6")
    selection.onlyIPv6 = arguments.isSet("ipv6") && !arguments.isSet("ipv4")
    return selection
  }
}

/// Where matching frames are saved.
struct SniffWriteConfiguration {
  let path: String
  let isPacketBuffered: Bool
  let ring: CaptureRing?
  /// True for the older format, which one link type and no interface names fit into.
  let isClassic: Bool

  init?(_ arguments: ParsedArguments) {
    guard let path = arguments.value("write") else { return nil }
    self.path = path
    isPacketBuffered = arguments.isSet("packet-buffered")
    ring = arguments.byteSize("ring-size").map {
      CaptureRing(fileSize: $0, fileCount: arguments.count("ring-files"))
    }
    isClassic = [".pcap", ".cap", ".dmp"].contains { path.hasSuffix($0) }
  }
}

extension SniffHost {
  /// An address or link-layer address where the text is one, else a name.
  init(typed text: String) {
    // Output shows link-local addresses with their zone.
    let bare = text.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)[0]
    if let address = IPAddress(parsing: text) {
      self = .address(address)
    } else if let address = IPv6Address(parsing: String(bare)) {
      self = .address(.v6(address))
    } else if let mac = MACAddress(parsing: text) {
      self = .mac(mac)
    } else {
      self = .name(text)
    }
  }
}
