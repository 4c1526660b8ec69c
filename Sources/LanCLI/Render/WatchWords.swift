import LanCore
import LanSystem
import LanWire

/// Sentences about verdicts in the user's language.
enum WatchWords {
  /// `text` with each `{name}` replaced; what is put in is not looked at again.
  static func fill(_ text: String, _ values: [String: String]) -> String {
    var result = ""
    var rest = text[...]
    while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
      let name = String(rest[rest.index(after: open)..<close])
      result += rest[..<open]
      result += values[name] ?? String(rest[open...close])
      rest = rest[rest.index(after: close)...]
    }
    return result + rest
  }

  /// The first words: what can be said, and the medium.
  static func headline(_ verdict: Verdict) -> String {
    let text = verdict.localizedText
    guard verdict.best.interface != nil else { return text }
    return "\(text) (\(verdict.best.medium.localizedText))"
  }

  /// The way, or why there is none.
  ///
  /// It says "route", and never more than that: whether somebody answers is not known.
  static func way(_ verdict: Verdict, _ target: ReachabilityTarget) -> String {
    let best = verdict.best
    var parts: [String] = []
    if verdict.flags.contains(.reachable) {
      parts.append(route(best, to: destination(verdict, target)))
    }
    if let reason = best.reason {
      let place = best.interface.map { ": \($0.name)" } ?? ""
      parts.append(reason.localizedText + (verdict.flags.contains(.reachable) ? "" : place))
    }
    if best.nextHop == .failed {
      parts.append(MessageCatalog.text("the first hop does not answer"))
    }
    if best.isPartial { parts.append(MessageCatalog.text("only a part of the ways works")) }
    parts += families(verdict)
    return parts.joined(separator: "; ")
  }

  private static func destination(_ verdict: Verdict, _ target: ReachabilityTarget) -> String {
    guard case .host(let name) = target else {
      return target == .defaultPath ? MessageCatalog.text("anywhere") : target.name
    }
    let chosen = verdict.addresses.first { $0.way == verdict.best }
    return chosen.map { "\(name) (\($0.address.text(zone: $0.way.interface?.name)))" } ?? name
  }

  private static func route(_ way: WayVerdict, to target: String) -> String {
    let zone = way.interface?.name
    let values = [
      "target": target, "interface": zone ?? "?", "source": way.source?.text(zone: nil) ?? "",
      "gateway": way.gateway?.text(zone: nil) ?? "",
    ]
    let text: String
    if way.flags.contains(.isLocalAddress) {
      text = MessageCatalog.text("route to {target} inside this host")
    } else {
      text =
        switch (way.gateway == nil, way.source == nil) {
        case (false, false):
          MessageCatalog.text("route to {target} via {gateway} on {interface} from {source}")
        case (false, true):
          MessageCatalog.text("route to {target} via {gateway} on {interface}")
        case (true, false): MessageCatalog.text("route to {target} on {interface} from {source}")
        case (true, true): MessageCatalog.text("route to {target} on {interface}")
        }
    }
    let members = way.members.isEmpty ? "" : " [\(way.members.joined(separator: ","))]"
    return fill(text, values) + members
  }

  /// The family that does not work while the other does.
  private static func families(_ verdict: Verdict) -> [String] {
    guard let ipv4 = verdict.ipv4, let ipv6 = verdict.ipv6 else { return [] }
    if ipv4.isReachable, ipv6.isReachable, (ipv4.nextHop == .failed) != (ipv6.nextHop == .failed),
      verdict.best.nextHop != .failed
    {
      let name = ipv4.nextHop == .failed ? "IPv4" : "IPv6"
      return ["\(name): \(MessageCatalog.text("the first hop does not answer"))"]
    }
    guard ipv4.isReachable != ipv6.isReachable else { return [] }
    let (name, way) = ipv4.isReachable ? ("IPv6", ipv6) : ("IPv4", ipv4)
    return ["\(name): \(way.reason?.localizedText ?? MessageCatalog.text("not reachable"))"]
  }

  /// A span for people: `350 ms`, `28.1 s`, `1h 3m 2s`.
  static func span(_ nanoseconds: Int64) -> String {
    let milliseconds = max(nanoseconds, 0) / 1_000_000
    if milliseconds < 1_000 { return "\(milliseconds) ms" }
    if milliseconds < 60_000 { return "\(milliseconds / 1_000).\(milliseconds % 1_000 / 100) s" }
    let seconds = milliseconds / 1_000
    let (days, hours) = (seconds / 86_400, seconds % 86_400 / 3_600)
    let parts = [(days, "d"), (hours, "h"), (seconds % 3_600 / 60, "m"), (seconds % 60, "s")]
    return parts.drop { $0.0 == 0 }.map { "\($0.0)\($0.1)" }.joined(separator: " ")
  }

  /// A part of one in per cent, cut and never rounded up to 100.
  static func percent(_ part: Double) -> String {
    let thousandths = Int(max(0, min(part, 1)) * 100_000)
    let digits = String(thousandths % 1_000 + 1_000).dropFirst()
    return "\(thousandths / 1_000).\(digits) %"
  }
}

extension Verdict {
  /// The colour of the verdict's first words.
  var tone: TerminalStyle.Tone {
    if status == .unknown { return .dim }
    guard flags.contains(.reachable) else { return .red }
    return connection == .notNeeded ? .green : .yellow
  }
}
