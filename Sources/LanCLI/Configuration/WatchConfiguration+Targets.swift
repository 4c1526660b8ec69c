import LanCore
import LanSystem
import LanWire

/// The targets of a command line.
extension WatchConfiguration {
  static func targets(
    _ arguments: ParsedArguments, _ options: ReachabilityOptions,
    _ input: () throws(UsageError) -> [String]
  ) throws(UsageError) -> [Target] {
    var words = try arguments.words(input)
    if words.isEmpty {
      if !arguments.positionals.isEmpty {
        throw arguments.usageError("standard input names no target")
      }
      words = ["default"]
    }
    var targets: [Target] = []
    var seen: Set<Target> = []
    for word in words {
      let target = try target(word, options, arguments)
      if seen.insert(target).inserted { targets.append(target) }
    }
    return targets
  }

  private static func target(
    _ word: String, _ options: ReachabilityOptions, _ arguments: ParsedArguments
  ) throws(UsageError) -> Target {
    let target: ReachabilityTarget
    do throws(ReachabilityTarget.ParseError) {
      target = try ReachabilityTarget.parse(word, isScoped: options.interface != nil)
    } catch {
      throw arguments.usageError(error.text(word))
    }
    if case .address(let address, _) = target {
      guard address.isIPv6 ? options.usesIPv6 : options.usesIPv4 else {
        throw arguments.usageError(
          "'\(shown(word))' is no \(address.isIPv6 ? "IPv4" : "IPv6") address")
      }
    }
    return Target(name: target.name, question: ReachabilityQuestion(target, options: options))
  }
}

extension ReachabilityTarget {
  /// The target as records name it.
  var name: String {
    switch self {
    case .defaultPath: "default"
    case .host(let name): name
    case .address(let address, let zone): zone.map { "\(address)%\($0)" } ?? "\(address)"
    }
  }
}

extension ReachabilityTarget.ParseError {
  fileprivate func text(_ word: String) -> String {
    let shown = WatchConfiguration.shown(word)
    return switch self {
    case .empty: "an empty word is no target"
    case .ambiguousScope(let address):
      """
      link-local address \(address) means nothing without its interface; say \
      '\(address)%eth0' or add '--interface eth0'
      """
    case .badZone: "'\(shown)' has no usable interface behind '%'"
    case .badName: "'\(shown)' is neither an address nor a host name"
    }
  }
}
