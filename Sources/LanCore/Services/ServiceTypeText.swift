public import LanWire

/// A service type as a user writes it, held to the rules (RFC 6335 section 5.1, RFC 6763 section
/// 7).
///
/// The forms: `_http._tcp`, with or without a dot at the end; `_http._tcp.local` with a domain;
/// `_universal._sub._ipp._tcp` with a subtype; `_ipp._tcp,_universal` with a subtype, or several,
/// behind commas. Without a transport `_tcp` is meant (`_printer,_universal`), and a bare service
/// name may lack its underscore too: `http` is `_http._tcp`.
public struct ServiceTypeText: Hashable, Sendable {
  /// The type without a subtype.
  public var type: ServiceType
  /// The subtypes' labels, unescaped; none for the type itself.
  public var subtypes: [String] = []
  /// The domain; nil for none given.
  public var domain: DNSName?

  /// Reads a type.
  ///
  /// - Throws: `ServiceTypeError` with what is wrong in words.
  public init(parsing text: String) throws(ServiceTypeError) {
    let pieces = Self.pieces(text)
    guard let first = pieces.first, !first.isEmpty else { throw ServiceTypeError(.empty, text) }
    var labels: [[UInt8]]
    do { labels = try DNSName(first).labels } catch { throw ServiceTypeError(.notAName, text) }
    if labels.count > 2, Self.matches(labels[1], "_sub") {
      guard pieces.count == 1 else { throw ServiceTypeError(.twoForms, text) }
      guard let subtype = String(validating: labels[0], as: UTF8.self) else {
        throw ServiceTypeError(.notAName, text)
      }
      subtypes = [subtype]
      labels.removeFirst(2)
    }
    type = try Self.type(labels, text)
    if labels.count > 2 { domain = try? DNSName(labels: labels[2...]) }
    for piece in pieces.dropFirst() { subtypes.append(try Self.subtype(piece, text)) }
  }

  /// What is browsed for: the type, or each subtype.
  public var types: [ServiceType] {
    guard !subtypes.isEmpty else { return [type] }
    return subtypes.map {
      ServiceType(service: type.service, transport: type.transport, subtype: $0)
    }
  }

  /// Splits at commas that have no backslash in front.
  private static func pieces(_ text: String) -> [String] {
    var pieces: [String] = [""]
    var isEscaped = false
    for character in text.unicodeScalars {
      if character == ",", !isEscaped {
        pieces.append("")
      } else {
        pieces[pieces.count - 1].unicodeScalars.append(character)
      }
      isEscaped = character == "\\" && !isEscaped
    }
    return pieces
  }

  private static func matches(_ label: [UInt8], _ word: String) -> Bool {
    label.elementsEqual(word.utf8) { DNSNameView.folded($0) == $1 }
  }

  private static func isTransport(_ label: [UInt8]) -> Bool {
    matches(label, "_tcp") || matches(label, "_udp")
  }

  private static func type(
    _ labels: [[UInt8]], _ text: String
  ) throws(ServiceTypeError) -> ServiceType {
    guard let first = labels.first else { throw ServiceTypeError(.empty, text) }
    if labels.count > 1, matches(first, "_services"), matches(labels[1], "_dns-sd") {
      throw ServiceTypeError(.enumeration, text)
    }
    if labels.count > 2, isTransport(labels[2]), labels[1].first == 0x5F {
      let type = shown(labels[1]) + "." + shown(labels[2])
      throw ServiceTypeError(.instance(type: type), text)
    }
    let hasUnderscore = first.first == 0x5F
    if labels.count > 1, !hasUnderscore || labels[1].first != 0x5F {
      throw ServiceTypeError(.underscore(suggestion: suggestion(labels)), text)
    }
    if labels.count > 1, !isTransport(labels[1]) {
      throw ServiceTypeError(.transport(shown(labels[1])), text)
    }
    let service = String(decoding: hasUnderscore ? first.dropFirst() : first[...], as: UTF8.self)
    try check(service, text)
    let transport = labels.count > 1 && matches(labels[1], "_udp") ? "udp" : "tcp"
    return ServiceType(service: service, transport: transport)
  }

  private static func suggestion(_ labels: [[UInt8]]) -> String {
    let service = labels[0].first == 0x5F ? shown(labels[0]) : "_" + shown(labels[0])
    return service + (matches(labels[1], "udp") || matches(labels[1], "_udp") ? "._udp" : "._tcp")
  }

  private static func shown(_ label: [UInt8]) -> String {
    (try? DNSName(labels: [label]).description) ?? ""
  }

  /// RFC 6335 section 5.1.
  private static func check(_ service: String, _ text: String) throws(ServiceTypeError) {
    guard !service.isEmpty else { throw ServiceTypeError(.empty, text) }
    var hasLetter = false
    var last: Unicode.Scalar = " "
    for character in service.unicodeScalars {
      switch character {
      case "a"..."z", "A"..."Z": hasLetter = true
      case "0"..."9": break
      case "-" where last == "-": throw ServiceTypeError(.doubleHyphen, text)
      case "-": break
      default:
        throw ServiceTypeError(.badCharacter(shown(Array(String(character).utf8))), text)
      }
      last = character
    }
    guard service.utf8.first != 0x2D, service.utf8.last != 0x2D else {
      throw ServiceTypeError(.hyphenAtEnd, text)
    }
    guard service.utf8.count <= 15 else {
      throw ServiceTypeError(.tooLong(service.utf8.count), text)
    }
    guard hasLetter else { throw ServiceTypeError(.noLetter, text) }
  }

  private static func subtype(
    _ piece: String, _ text: String
  ) throws(ServiceTypeError) -> String {
    guard let name = try? DNSName(piece), name.labelCount == 1, let label = name.firstLabel,
      let subtype = String(validating: label, as: UTF8.self)
    else { throw ServiceTypeError(.subtype(piece), text) }
    return subtype
  }
}

extension ServiceType {
  /// Reads one type, with one subtype at most and without a domain.
  ///
  /// - Throws: `ServiceTypeError` with what is wrong in words.
  public init(parsing text: String) throws(ServiceTypeError) {
    let read = try ServiceTypeText(parsing: text)
    if let domain = read.domain { throw ServiceTypeError(.domain(domain.description), text) }
    guard read.subtypes.count <= 1 else { throw ServiceTypeError(.severalSubtypes, text) }
    self = read.types.first ?? read.type
  }
}
