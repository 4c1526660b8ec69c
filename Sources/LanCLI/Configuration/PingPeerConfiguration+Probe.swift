import LanCore
import LanSystem
import LanWire

/// How peers are tested, by the options.
extension PingPeerConfiguration {
  mutating func takeProbe(_ arguments: ParsedArguments) throws(UsageError) {
    probe.count = arguments.count("count")
    probe.duration = Self.span(arguments.timeLimit("duration"))
    probe.endsWhenLost = arguments.isSet("until-lost")
    probe.endsWhenAnswered = arguments.isSet("until-reply")
    probe.isUndelayed = !arguments.isSet("no-nodelay")
    probe.usesStamps = !arguments.isSet("no-stamps")
    probe.interface = interface
    if let size = arguments.byteSize("size") { probe.size = size }
    if let wait = arguments.timeLimit("wait") { probe.wait = Self.span(wait) ?? .seconds(86_400) }
    if arguments.isSet("flood") {
      probe.flood = arguments.count("flood") ?? 16
      probe.interval = .zero
    }
    if let text = arguments.value("interval") {
      probe.interval = try Self.interval(text, arguments)
    }
    if let text = arguments.value("rate") {
      guard let rate = Self.number(text), rate > 0, rate <= 1_000_000 else {
        throw Self.refusal(text, "rate", "expected probes a second, above 0 to 1000000", arguments)
      }
      probe.rate = rate
    }
    if let bytes = arguments.bytes("pattern") {
      guard let pattern = Self.pattern(bytes) else {
        throw arguments.usageError("invalid value '' for '--pattern': must not be empty")
      }
      probe.pattern = pattern
    }
    if let text = arguments.value("tos") {
      guard let value = Self.octet(text) else {
        throw Self.refusal(text, "tos", "expected 0 to 255, or 0x00 to 0xff", arguments)
      }
      probe.trafficClass = value
    }
    if let text = arguments.value("max-loss") {
      let digits = text.hasSuffix("%") ? String(text.dropLast()) : text
      guard let loss = Self.number(digits), (0...100).contains(loss) else {
        throw Self.refusal(text, "max-loss", "expected 0 to 100 percent", arguments)
      }
      maximumLoss = loss
    }
    if let text = arguments.value("source") {
      guard let address = IPAddress(parsing: text)?.unmapped, !address.isMulticast else {
        throw Self.refusal(text, "source", "expected an address of this host", arguments)
      }
      probe.source = address
      guard families.contains(MDNSFamilies(address)) else {
        throw arguments.usageError(
          "source \(address) is no \(address.isIPv6 ? "IPv4" : "IPv6") address")
      }
      families = MDNSFamilies(address)
    }
  }

  /// A time between probes; unlike a limit it may be 0.
  private static func interval(
    _ text: String, _ arguments: ParsedArguments
  ) throws(UsageError) -> Duration {
    if number(text) == 0 || text == "0ms" || text == "0s" { return .zero }
    do throws(ValueError) {
      if let span = span(try ValueParser.timeLimit(text)) { return span }
      throw ValueError(reason: "expected a time such as 200ms or 1s, or 0")
    } catch {
      throw refusal(text, "interval", error.reason, arguments)
    }
  }

  private static func refusal(
    _ text: String, _ option: String, _ reason: String, _ arguments: ParsedArguments
  ) -> UsageError {
    arguments.usageError(
      "invalid value '\(ResolveConfiguration.shown(text))' for '--\(option)': \(reason)")
  }

  /// A plain decimal number.
  private static func number(_ text: String) -> Double? {
    guard !text.isEmpty, text.utf8.allSatisfy({ 0x30...0x39 ~= $0 || $0 == 0x2E }) else {
      return nil
    }
    return Double(text)
  }

  private static func octet(_ text: String) -> UInt8? {
    if text.hasPrefix("0x") || text.hasPrefix("0X") { return UInt8(text.dropFirst(2), radix: 16) }
    guard let first = text.utf8.first, 0x30...0x39 ~= first else { return nil }
    return UInt8(text)
  }

  /// Bytes of an even number of hexadecimal digits, else the text's own; nil for none.
  static func pattern(_ bytes: [UInt8]) -> [UInt8]? {
    let mark = Array("text:".utf8)
    if bytes.starts(with: mark) {
      return bytes.count > mark.count ? Array(bytes.dropFirst(mark.count)) : nil
    }
    if bytes.isEmpty { return nil }
    let digits = bytes.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
    guard digits.count == bytes.count, digits.count.isMultiple(of: 2),
      bytes.allSatisfy({ $0 < 0x80 })
    else { return bytes }
    return stride(from: 0, to: digits.count, by: 2).map {
      UInt8(digits[$0] << 4 | digits[$0 + 1])
    }
  }
}
