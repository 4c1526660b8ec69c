import LanCore
import LanWire

/// What a TYPE on the command line asks for.
struct BrowseTypeWord {
  /// The types to browse, one for each subtype.
  var types: [ServiceType] = []
  /// The domain, where the word names one: `_ipp._tcp.example.org`.
  var domain: String?
  /// The word is `_services._dns-sd._udp`, which stands for every type (RFC 6763 section 9).
  var isMetaQuery = false

  /// Reads a word.
  ///
  /// - Throws: Why it is no type, with what was probably meant.
  init(_ bytes: [UInt8]) throws(ValueError) {
    var text = String(decoding: bytes, as: UTF8.self)
    if text.hasSuffix("."), !text.hasSuffix("\\.") { text.removeLast() }
    let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    let labels = (parts.first ?? "").split(separator: ".", omittingEmptySubsequences: false)
      .map(String.init)
    if labels.isEmpty || labels.contains("") || parts.contains("") {
      throw ValueError(reason: "an empty part in it; expected a type such as _ipp._tcp")
    }
    try take(labels, subtypes: Array(parts.dropFirst()))
  }

  private mutating func take(_ labels: [String], subtypes: [String]) throws(ValueError) {
    var labels = labels
    var subtypes = subtypes
    if labels.count > 2, labels[1].lowercased() == "_sub" {
      subtypes.insert(labels[0], at: 0)
      labels.removeFirst(2)
    }
    if labels.prefix(3).map({ $0.lowercased() }) == ["_services", "_dns-sd", "_udp"] {
      isMetaQuery = true
      if labels.count > 3 { domain = labels.dropFirst(3).joined(separator: ".") }
      return
    }
    let service = Self.withoutUnderscore(labels[0])
    try Self.check(service)
    for subtype in subtypes where subtype.utf8.count > DNSLimits.labelOctets {
      throw ValueError(reason: "a subtype has at most \(DNSLimits.labelOctets) bytes")
    }
    let transports: [String]
    if labels.count > 1 {
      let transport = Self.withoutUnderscore(labels[1]).lowercased()
      guard transport == "tcp" || transport == "udp" else {
        throw Self.error("its transport is neither _tcp nor _udp", service)
      }
      transports = [transport]
      if labels.count > 2 { domain = labels.dropFirst(2).joined(separator: ".") }
    } else {
      transports = ServiceTypeDatabase.entries(of: service).flatMap(\.transports)
      if transports.isEmpty {
        throw Self.error("the transport is missing; expected a type such as _ipp._tcp", service)
      }
    }
    for transport in transports {
      let base = ServiceType(service: service, transport: transport)
      if subtypes.isEmpty { types.append(base) }
      for subtype in subtypes {
        types.append(
          ServiceType(service: service, transport: transport, subtype: subtype))
      }
    }
  }

  private static func withoutUnderscore(_ label: String) -> String {
    label.hasPrefix("_") ? String(label.dropFirst()) : label
  }

  /// What RFC 6335 section 5.1 allows, and the underscores and lengths that are really in use.
  private static func check(_ service: String) throws(ValueError) {
    guard (1...30).contains(service.utf8.count) else {
      throw error("a service name has 1 to 15 characters", service)
    }
    let isPlain = service.utf8.allSatisfy { byte in
      (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        || byte == 0x2D || byte == 0x5F
    }
    guard isPlain else {
      throw error("a service name has letters, digits and hyphens only", service)
    }
  }

  private static func error(_ reason: String, _ service: String) -> ValueError {
    ValueError(reason: reason, suggestion: suggestion(service))
  }

  /// The known type that is meant most likely.
  static func suggestion(_ service: String) -> String? {
    let all = ServiceTypeDatabase.all
    var typed = service.lowercased()
    for end in ["_tcp", "_udp", "tcp", "udp"] where typed.hasSuffix(end) && typed.count > 6 {
      typed.removeLast(end.count)
    }
    guard let closest = Suggestion.closest(to: typed, among: all.map(\.service)),
      let entry = all.first(where: { $0.service == closest }), let type = entry.types.first
    else { return nil }
    return "\(type)"
  }
}
