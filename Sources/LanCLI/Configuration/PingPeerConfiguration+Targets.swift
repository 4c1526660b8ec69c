import LanCore
import LanSystem
import LanWire

/// The targets of a command line.
extension PingPeerConfiguration {
  static func hints(
    _ arguments: ParsedArguments, _ port: @escaping (String) -> UInt16?
  ) throws(UsageError) -> ResolveQuery.Hints {
    var hints = ResolveQuery.Hints(port: port)
    if let text = arguments.value("service") {
      hints.serviceType = try types(text, "service", arguments).first?.base
    }
    return hints
  }

  static func targets(
    _ arguments: ParsedArguments, _ hints: ResolveQuery.Hints,
    _ input: () throws(UsageError) -> [TargetInput.Line]
  ) throws(UsageError) -> [PingPeerTarget] {
    var list = PingPeerTargetList(hints, arguments)
    for bytes in arguments.positionals {
      if bytes == [UInt8(ascii: "-")] {
        for line in try input() { try list.take(line) }
        if list.targets.isEmpty {
          throw arguments.usageError("standard input names no peer to test")
        }
      } else {
        try list.take(word: String(decoding: bytes, as: UTF8.self))
      }
    }
    return list.targets
  }
}

/// Collects targets, each once.
private struct PingPeerTargetList {
  private(set) var targets: [PingPeerTarget] = []
  private let hints: ResolveQuery.Hints
  private let arguments: ParsedArguments

  init(_ hints: ResolveQuery.Hints, _ arguments: ParsedArguments) {
    self.hints = hints
    self.arguments = arguments
  }

  mutating func take(_ line: TargetInput.Line) throws(UsageError) {
    switch line {
    case .word(let text):
      // A line may hold a host and its port; an instance keeps its blanks.
      let parts = text.split(separator: " ", omittingEmptySubsequences: true).map(String.init)
      if parts.count == 2, Self.isNumber(parts[1]), hints.serviceType == nil {
        for part in parts { try take(word: part) }
      } else {
        try take(word: text)
      }
    case .object(let object): take(object)
    }
  }

  mutating func take(word: String) throws(UsageError) {
    // A bare number is no host name that anybody means: it is the port of the name before it.
    if hints.serviceType == nil, Self.isNumber(word), let last = targets.indices.last,
      targets[last].isBareHost
    {
      guard let port = UInt16(word), port > 0 else {
        throw arguments.usageError(
          "'\(ResolveConfiguration.shown(word))' is no port from 1 to 65535")
      }
      targets[last].query.port = port
      targets[last].text = Self.text(targets[last].query, port)
      return
    }
    if hints.serviceType == nil, Self.isNumber(word) {
      throw arguments.usageError(
        "'\(ResolveConfiguration.shown(word))' is a port without a host in front of it")
    }
    let query: ResolveQuery
    do throws(ResolveQuery.ParseError) { query = try ResolveQuery.parse(word, hints) } catch {
      throw arguments.usageError(error.text(word))
    }
    append(PingPeerTarget(text: Self.name(query, word), query: query))
  }

  /// Takes a line of `browse`, or of `resolve` about a service.
  private mutating func take(_ object: JSONValue) {
    guard
      let name = object["serviceName"]?.string ?? object["name"]?.string ?? object["host"]?.string
    else { return }
    let isRemoved =
      object["event"]?.string == "removed" || object["action"]?.string == "removed"
    if isRemoved { return targets.removeAll { $0.text == name && $0.known != nil } }
    guard var query = try? ResolveQuery.parse(name, ResolveQuery.Hints()) else { return }
    let port = object["port"].flatMap { value -> UInt16? in
      if case .number(let digits) = value { UInt16(digits) } else { nil }
    }
    var places: [PingPeerTarget.Place] = []
    let interface = object["interface"]?.string
    let listed = object["addresses"]?.elements ?? [object["address"]].compactMap { $0 }
    for text in listed.compactMap(\.string) {
      let parts = text.split(separator: "%", maxSplits: 1).map(String.init)
      guard let address = IPAddress(parsing: parts.first ?? "")?.unmapped else { continue }
      places.append(.init(address: address, zone: parts.count == 2 ? parts[1] : interface))
    }
    var target = PingPeerTarget(text: name, query: query)
    if case .service = query.subject {
    } else {
      query.port = port
      target = PingPeerTarget(text: port.map { Self.text(query, $0) } ?? name, query: query)
    }
    if let port, port > 0, !places.isEmpty {
      target.known = .init(places: places, port: port, modeWord: Self.modeWord(object))
    }
    // The same service on another link, or with news.
    if let index = targets.firstIndex(where: { $0.text == target.text }) {
      if let old = targets[index].known, var new = target.known {
        new.places = old.places.filter { !new.places.contains($0) } + new.places
        target.known = new
      }
      targets[index] = target
    } else {
      targets.append(target)
    }
  }

  private static func modeWord(_ object: JSONValue) -> String? {
    guard case .object(let members)? = object["txt"] else { return nil }
    return members.first { $0.key.lowercased() == "mode" }?.value.string?.lowercased()
  }

  private mutating func append(_ target: PingPeerTarget) {
    if !targets.contains(target) { targets.append(target) }
  }

  private static func isNumber(_ word: String) -> Bool {
    !word.isEmpty && word.utf8.allSatisfy { 0x30...0x39 ~= $0 }
  }

  /// What records call the target.
  private static func name(_ query: ResolveQuery, _ word: String) -> String {
    if case .service(let service) = query.subject { "\(service.name)" } else { word }
  }

  private static func text(_ query: ResolveQuery, _ port: UInt16) -> String {
    switch query.subject {
    case .address(let address, let zone) where address.isIPv6:
      "[\(zone.map { "\(address)%\($0)" } ?? "\(address)")]:\(port)"
    case .address(let address, _): "\(address):\(port)"
    case .host(let name): "\(name):\(port)"
    case .service, .record: query.text
    }
  }
}
