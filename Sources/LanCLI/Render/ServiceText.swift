import LanCore
import LanSystem
import LanWire

/// What happened to a service.
enum ServiceChange: Hashable {
  case added
  case updated
  case removed(MDNSRemovalCause)

  /// The event's word in JSON.
  var word: StaticString {
    switch self {
    case .added: "added"
    case .updated: "updated"
    case .removed: "removed"
    }
  }

  /// False once the service is gone.
  var isPresent: Bool { if case .removed = self { false } else { true } }
}

extension MDNSRemovalCause {
  /// The word of the contract.
  var word: String {
    switch self {
    case .goodbye: "goodbye"
    case .expired: "expired"
    case .flushed: "flushed"
    case .interfaceDown: "interface-down"
    case .noResponse: "no-response"
    }
  }

  /// The cause for people.
  var text: StaticString {
    switch self {
    case .goodbye: "goodbye"
    case .expired: "expired"
    case .flushed: "flushed"
    case .interfaceDown: "interface down"
    case .noResponse: "no response"
    }
  }
}

extension BrowsingDomainKind {
  /// The word in JSON.
  var word: String {
    switch self {
    case .browse: "browse"
    case .defaultBrowse: "defaultBrowse"
    case .legacyBrowse: "legacyBrowse"
    case .register: "register"
    case .defaultRegister: "defaultRegister"
    }
  }

  /// The kind for people.
  var text: StaticString {
    switch self {
    case .browse: "browsing"
    case .defaultBrowse: "browsing by default"
    case .legacyBrowse: "browsing by programs that do not ask"
    case .register: "registering"
    case .defaultRegister: "registering by default"
    }
  }
}

extension [[UInt8]] {
  /// The strings as they stand in a TXT record, each behind its length.
  var wireForm: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(reduce(count) { $0 + $1.count })
    for string in self {
      bytes.append(UInt8(truncatingIfNeeded: Swift.min(string.count, 255)))
      bytes.append(contentsOf: string.prefix(255))
    }
    return bytes
  }

  /// True for a record that says nothing: no string, an empty one, or a single zero byte
  /// (RFC 6763 section 6.1).
  var saysNothing: Bool { allSatisfy(\.isEmpty) || self == [[0]] }
}

extension OutputBuffer {
  /// Writes a name in presentation form, without trailing dot; the root is `.`.
  mutating func append(name: DNSName, escape: EscapeStyle) {
    var labels = DNSLabelIterator(at: 0)
    let wire = name.wire.span
    var isFirst = true
    while let label = labels.next(wire) {
      if !isFirst { append(".") }
      isFirst = false
      append(wire, label.range, escape: escape)
    }
    if isFirst { append(".") }
  }

  /// Writes text inside a JSON string so that it reads back as it is.
  ///
  /// Controls become `\u00XX`; bytes that are no UTF-8 cannot stand in JSON and become U+FFFD.
  mutating func append(json bytes: Span<UInt8>, _ range: Range<Int>) {
    var index = range.lowerBound
    while index < range.upperBound {
      let byte = bytes[index]
      let size = UTF8Sequence.length(bytes, at: index, end: range.upperBound)
      switch byte {
      case _ where size == 0:
        append("\u{FFFD}")
        index += 1
        continue
      case 0x22: append("\\\"")
      case 0x5C: append("\\\\")
      case 0..<0x20, 0x7F:
        append("\\u00")
        append(hex: bytes, index..<(index + 1))
      case 0xC2 where bytes[index + 1] < 0xA0:
        // C1 controls, which some terminals obey.
        append("\\u00")
        append(hex: bytes, (index + 1)..<(index + 2))
      default: append(bytes, index..<(index + size))
      }
      index += size
    }
  }
}
