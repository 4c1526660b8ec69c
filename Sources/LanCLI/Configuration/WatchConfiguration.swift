import LanCore
import LanSystem
import LanWire

/// What `lantool watch` was asked to do, checked.
struct WatchConfiguration {
  /// How verdicts are shown.
  enum Output {
    case text
    case compact
    case json
    /// Nothing; the exit status tells.
    case quiet
  }

  /// What ends the run, beside signals and time.
  enum Mode {
    case follow
    case once
    case wait(ReachabilityExpression, duration: Int64)
  }

  /// A target and how the user named it.
  struct Target: Hashable {
    var name: String
    var question: ReachabilityQuestion
  }

  var targets: [Target] = []
  var output = Output.text
  var mode = Mode.follow
  var isAny = false
  var showsWhy = false
  var showsEvents = false
  var isColoured = false
  var command: [String]?
  var runsInitially = false
  var polls = true
  var settle: Int64 = 0
  var probe: ReachabilityProbe?
  var namespace: String?
  var record: String?
  var replay: String?
  var count: Int?
  var duration: Duration?
  var timeout: Duration?

  /// True when the run has an end of its own, so that a signal cuts it short.
  var isBounded: Bool {
    if case .follow = mode { return count != nil || duration != nil || replay != nil }
    return true
  }

  /// Checks what the options mean together; `input` gives the words of standard input.
  init(
    _ arguments: ParsedArguments, input: () throws(UsageError) -> [String]
  ) throws(UsageError) {
    output =
      arguments.isSet("quiet")
      ? .quiet : arguments.isSet("json") ? .json : arguments.isSet("compact") ? .compact : .text
    mode = try Self.mode(arguments)
    isAny = arguments.isSet("any")
    showsWhy = arguments.isSet("why")
    showsEvents = arguments.isSet("events")
    isColoured = TerminalOutput.isColoured(arguments.value("color"))
    if let text = arguments.value("exec") { command = try Self.command(text, arguments) }
    runsInitially = arguments.isSet("exec-initial")
    polls = !arguments.isSet("no-poll")
    settle = Self.span(arguments.timeLimit("settle"))?.wholeNanoseconds ?? 0
    if let text = arguments.value("verify") { probe = try .parse(text, arguments) }
    namespace = arguments.value("netns")
    record = arguments.value("record")
    replay = arguments.value("replay")
    count = arguments.count("count")
    duration = Self.span(arguments.timeLimit("duration"))
    timeout = Self.span(arguments.timeLimit("timeout"))
    targets = try Self.targets(arguments, try Self.options(arguments), input)
  }

  static func span(_ limit: TimeLimit?) -> Duration? {
    if case .after(let duration)? = limit { duration } else { nil }
  }

  private static func mode(_ arguments: ParsedArguments) throws(UsageError) -> Mode {
    if arguments.isSet("once") { return .once }
    guard arguments.isSet("wait") else { return .follow }
    let duration = span(arguments.timeLimit("for"))?.wholeNanoseconds ?? 0
    guard let text = arguments.value("wait") else { return .wait(.reachable, duration: duration) }
    do throws(ReachabilityExpression.ParseError) {
      return .wait(try ReachabilityExpression(parsing: text), duration: duration)
    } catch {
      var usage = arguments.usageError("invalid condition '\(shown(text))': \(error.reason.text)")
      if case .unknownWord(let word) = error.reason {
        usage.suggestion = Suggestion.closest(
          to: word, among: ReachabilityExpression.words.map(\.word))
      }
      throw usage
    }
  }

  private static func command(
    _ text: String, _ arguments: ParsedArguments
  ) throws(UsageError) -> [String] {
    do throws(CommandWords.Failure) { return try CommandWords.split(text) } catch {
      throw arguments.usageError("invalid value '\(shown(text))' for '--exec': \(error)")
    }
  }

  private static func options(
    _ arguments: ParsedArguments
  ) throws(UsageError) -> ReachabilityOptions {
    var options = ReachabilityOptions()
    options.interface = arguments.value("interface")
    if let text = arguments.value("local") {
      guard let address = IPAddress(parsing: text)?.unmapped, !address.isUnspecified else {
        throw arguments.usageError(
          "invalid value '\(shown(text))' for '--local': expected an IPv4 or IPv6 address")
      }
      options.local = address
    }
    if let text = arguments.value("mark") { options.mark = try mark(text, arguments) }
    options.uid = arguments.count("uid").map { UInt32(clamping: $0) }
    options.port = arguments.count("port").map { UInt16(clamping: $0) }
    options.usesIPv4 = arguments.isSet("ipv4") || !arguments.isSet("ipv6")
    options.usesIPv6 = arguments.isSet("ipv6") || !arguments.isSet("ipv4")
    return options
  }

  private static func mark(
    _ text: String, _ arguments: ParsedArguments
  ) throws(UsageError) -> UInt32 {
    let isHexadecimal = text.lowercased().hasPrefix("0x")
    let digits = isHexadecimal ? text.dropFirst(2) : text[...]
    // The initializer would also take a sign.
    guard digits.first?.isHexDigit == true,
      let mark = UInt32(digits, radix: isHexadecimal ? 16 : 10)
    else {
      throw arguments.usageError(
        "invalid value '\(shown(text))' for '--mark': expected a number up to 0xffffffff")
    }
    return mark
  }

  static func shown(_ text: String) -> String { printable(Array(text.utf8)) }
}

extension ReachabilityExpression.ParseError.Reason {
  fileprivate var text: String {
    switch self {
    case .empty: "it is empty"
    case .endsEarly: "it ends where a word should follow"
    case .unknownWord(let word): "unknown word '\(WatchConfiguration.shown(word))'"
    case .unexpected(let word): "unexpected '\(WatchConfiguration.shown(word))'"
    case .unclosed: "a parenthesis is not closed"
    case .tooComplex: "it is too long or too deep"
    }
  }
}
