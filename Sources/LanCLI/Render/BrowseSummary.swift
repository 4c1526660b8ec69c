import LanCore
import LanSystem

/// The end of a run in numbers.
struct BrowseSummary: Hashable {
  /// What was looked for.
  var subject = BrowseConfiguration.Subject.services
  /// What is there at the end, each interface for itself: services, types or domains.
  var present = 0
  /// The different names among the services, whatever the interface.
  var names = 0
  var types = 0
  var interfaces = 0
  var added = 0
  var updated = 0
  var removed = 0
  /// The first list was complete.
  var isSettled = false
  /// Nanoseconds.
  var duration: Int64 = 0

  /// Writes the members behind the head.
  func appendJSON(to out: inout OutputBuffer) {
    switch subject {
    case .services:
      out.appendJSON("services", present)
      out.appendJSON("types", types)
    case .types:
      out.appendJSON("types", present)
    case .domains:
      out.appendJSON("domains", present)
    }
    for (key, value) in [("added", added), ("updated", updated), ("removed", removed)] {
      out.append(text: ",\"\(key)\":\(value)")
    }
    out.appendJSON("settled", isSettled)
    out.appendJSON("durationMicroseconds", max(duration, 0) / 1_000)
  }

  /// One line for people.
  var line: String {
    var parts: [String] = []
    switch subject {
    case .services:
      parts.append(Self.count(names, "service"))
      if types > 1 { parts.append("of \(Self.count(types, "type"))") }
      if interfaces > 1 { parts.append("on \(Self.count(interfaces, "interface"))") }
    case .types: parts.append(Self.count(present, "service type"))
    case .domains: parts.append(Self.count(present, "domain"))
    }
    var text = parts.joined(separator: " ")
    let changes = [(updated, "changed"), (removed, "went")].filter { $0.0 > 0 }
      .map { "\($0.0) \($0.1)" }
    if !changes.isEmpty { text += "; \(added) came, \(changes.joined(separator: ", "))" }
    return "\(text); \(WatchWords.span(duration))"
  }

  private static func count(_ number: Int, _ word: String) -> String {
    number == 0 ? "no \(word)" : "\(number) \(word)\(number == 1 ? "" : "s")"
  }
}
