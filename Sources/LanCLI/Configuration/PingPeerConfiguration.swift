import LanCore
import LanSystem
import LanWire

/// What `lantool ping-peer` was asked to do, checked.
struct PingPeerConfiguration {
  /// How results are shown.
  enum Output {
    case text
    case json
    /// Nothing; the exit status tells.
    case quiet
  }

  /// How peers are tested.
  enum Mode: String {
    case auto
    case echo
    case tap
    case connect
  }

  /// Peers that are to be found first.
  struct Search: Hashable {
    var types: [ServiceType]
    /// The instance that is meant; nil for any.
    var name: String?
    /// All that are found are tested.
    var isAll = false
    /// The user named no type.
    var isDefault = false
  }

  /// The peers; none where they are searched for.
  var targets: [PingPeerTarget] = []
  var search: Search?
  var mode = Mode.auto
  /// How each is tested, but for the mode.
  var probe = PeerProbe.Configuration()
  var maximumLoss: Double?
  var isAny = false
  var output = Output.text
  var showsTime = false
  var showsHistogram = false
  var isColoured = false
  var families = MDNSFamilies.both
  var interface: String?
  var namespace: String?
  var timeout: Duration?

  /// True when the run has an end of its own, so that a signal cuts it short.
  var isBounded: Bool {
    probe.count != nil || probe.duration != nil || probe.endsWhenAnswered
  }

  /// How long peers are searched for at most.
  static let patience = Duration.seconds(3)

  /// Checks what the options mean together; `input` gives the lines of standard input.
  init(
    _ arguments: ParsedArguments, input: () throws(UsageError) -> [TargetInput.Line],
    port: @escaping (String) -> UInt16? = ServicePort.number
  ) throws(UsageError) {
    output = arguments.isSet("quiet") ? .quiet : arguments.isSet("json") ? .json : .text
    mode = arguments.value("mode").flatMap(Mode.init) ?? .auto
    isAny = arguments.isSet("any")
    showsTime = arguments.isSet("timestamp")
    showsHistogram = arguments.isSet("histogram")
    isColoured = TerminalOutput.isColoured(arguments.value("color"))
    if arguments.isSet("ipv4") != arguments.isSet("ipv6") {
      families = arguments.isSet("ipv4") ? .ipv4 : .ipv6
    }
    interface = arguments.value("interface").flatMap { $0 == "any" ? nil : $0 }
    namespace = arguments.value("netns")
    timeout = Self.span(arguments.timeLimit("timeout"))
    try takeProbe(arguments)
    try takeSearch(arguments)
    let hints = try Self.hints(arguments, port)
    targets = try Self.targets(arguments, hints, input)
    try check(arguments)
  }

  static func span(_ limit: TimeLimit?) -> Duration? {
    if case .after(let duration)? = limit { duration } else { nil }
  }

  private mutating func takeSearch(_ arguments: ParsedArguments) throws(UsageError) {
    var types: [ServiceType] = []
    for text in arguments.values("browse") { types += try Self.types(text, "browse", arguments) }
    let isDefault = types.isEmpty
    if isDefault {
      guard arguments.positionals.isEmpty else { return }
      types = PingPeerMode.tapTypes.map(\.type)
    }
    search = Search(
      types: types, name: arguments.value("name"), isAll: arguments.isSet("all"),
      isDefault: isDefault)
  }

  /// The types that a word means.
  static func types(
    _ text: String, _ option: String, _ arguments: ParsedArguments
  ) throws(UsageError) -> [ServiceType] {
    do throws(ServiceTypeError) {
      let parsed = try ServiceTypeText(parsing: text)
      guard parsed.domain.map({ $0 == .local }) ?? true else {
        throw ServiceTypeError(.notAName, text)
      }
      return parsed.types
    } catch {
      throw arguments.usageError(
        "invalid value '\(ResolveConfiguration.shown(text))' for '--\(option)': \(error)")
    }
  }

  private func check(_ arguments: ParsedArguments) throws(UsageError) {
    if search != nil, !arguments.positionals.isEmpty {
      throw arguments.usageError(
        "a TARGET and '--browse' contradict each other: one is named, the other looked for")
    }
    if search == nil {
      for option in ["name", "all"] where arguments.isSet(option) {
        throw arguments.usageError("option '--\(option)' means nothing beside a TARGET")
      }
    }
    for target in targets {
      guard case .address(let address, _) = target.query.subject else { continue }
      guard families.contains(MDNSFamilies(address)) else {
        throw arguments.usageError(
          """
          '\(ResolveConfiguration.shown(target.text))' is no \
          \(address.isIPv6 ? "IPv4" : "IPv6") address
          """)
      }
    }
    if probe.count == nil, probe.duration == nil, timeout == nil, probe.flood != nil,
      output == .quiet
    {
      throw arguments.usageError(
        "a flood that shows nothing needs an end: '--count', '--duration' or '--timeout'")
    }
  }
}
