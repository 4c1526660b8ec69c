import LanCore
import LanWire

/// What a TYPE on the command line asks for.
struct BrowseTypeWord {
  /// The types to browse, one for each subtype.
  var types: [ServiceType] = []
  /// The domain, where the word names one: `_ipp._tcp.example.org`.
  var domain: DNSName?
  /// The word is `_services._dns-sd._udp`, which stands for every type (RFC 6763 section 9).
  var isMetaQuery = false

  /// Reads a word.
  ///
  /// - Throws: Why it is no type, with what was probably meant.
  init(_ bytes: [UInt8]) throws(ValueError) {
    let text = String(decoding: bytes, as: UTF8.self)
    do throws(ServiceTypeError) {
      let read = try ServiceTypeText(parsing: text)
      types = Self.hasTransport(text) ? read.types : Self.types(of: read)
      domain = read.domain
    } catch {
      if error.reason == .enumeration {
        isMetaQuery = true
        domain = Self.domain(behind: 3, of: text)
      } else if let type = Self.inUse(text) {
        // Whatever rule its name breaks: this type is out there.
        types = [type]
        domain = Self.domain(behind: 2, of: text)
      } else {
        throw ValueError(reason: error.explanation, suggestion: Self.suggestion(error))
      }
    }
  }

  /// Whether the word says `_tcp` or `_udp` itself.
  private static func hasTransport(_ text: String) -> Bool {
    let labels = text.lowercased().split { $0 == "." || $0 == "," }
    return labels.contains("_tcp") || labels.contains("_udp")
  }

  /// The types of a word without transport: those that are known by this name, else TCP.
  private static func types(of read: ServiceTypeText) -> [ServiceType] {
    let known = ServiceTypeDatabase.entries(of: read.type.service).flatMap(\.types)
    if known.isEmpty { return read.types }
    if read.subtypes.isEmpty { return known }
    return known.flatMap { type in
      read.subtypes.map {
        ServiceType(service: type.service, transport: type.transport, subtype: $0)
      }
    }
  }

  private static func inUse(_ text: String) -> ServiceType? {
    let labels = text.split(separator: ".", omittingEmptySubsequences: false)
    guard labels.count > 1, labels[0].hasPrefix("_"), labels[1].hasPrefix("_") else { return nil }
    let type = ServiceType(
      service: String(labels[0].dropFirst()), transport: String(labels[1].dropFirst()))
    return ServiceTypeDatabase.meaning(type) == nil ? nil : type
  }

  private static func domain(behind count: Int, of text: String) -> DNSName? {
    guard let labels = try? DNSName(text).labels, labels.count > count else { return nil }
    return try? DNSName(labels: labels.dropFirst(count))
  }

  private static func suggestion(_ error: ServiceTypeError) -> String? {
    switch error.reason {
    case .underscore(let suggestion): suggestion
    case .instance(let type): type
    default:
      suggestion(
        String(error.text.split { $0 == "." || $0 == "," }.first?.drop { $0 == "_" } ?? ""))
    }
  }

  /// The known type that is meant most likely by a service name.
  static func suggestion(_ service: String) -> String? {
    var typed = service.lowercased()
    for end in ["_tcp", "_udp", "tcp", "udp"] where typed.hasSuffix(end) && typed.count > 6 {
      typed.removeLast(end.count)
    }
    if typed.isEmpty { return nil }
    let all = ServiceTypeDatabase.all
    guard let closest = Suggestion.closest(to: typed, among: all.map(\.service)),
      let entry = all.first(where: { $0.service == closest }), let type = entry.types.first
    else { return nil }
    return "\(type)"
  }
}
