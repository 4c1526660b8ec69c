import LanWire

// Service-type enumeration (RFC 6763 section 9).
extension ServiceBrowserMachine {
  /// The types that are announced, and where.
  struct TypeListing: Sendable {
    /// A type on a link.
    struct Key: Hashable, Sendable {
      var type: ServiceType
      var link: UInt32
    }

    /// Names that announce one type, of which more are passed over.
    static let nameLimit = 16

    /// The name that lists types; nil where they are not listed.
    var question: DNSName?
    /// The names that announce each type: only the first two labels matter, so there may be several.
    var names: [Key: [DNSName]] = [:]
  }

  mutating func startTypes() {
    let labels = ["_services", "_dns-sd", "_udp"].map { Array($0.utf8) }
    guard let name = try? DNSName(labels: labels + configuration.domain.labels) else { return }
    typeListing.question = name
    ask(name, .ptr, .start)
  }

  mutating func stopTypes() {
    if let name = typeListing.question { ask(name, .ptr, .stop) }
  }

  /// Takes a PTR record that names no instance as far as is known: a type or a domain, or an
  /// instance of a type that nobody has heard of.
  mutating func takeListing(_ answer: MDNSAnswer, _ target: DNSName) {
    guard answer.name == typeListing.question else {
      if !hear(answer.name) { takeDomain(answer, target) }
      return
    }
    guard let type = Self.type(target) else { return }
    list(type, by: target, on: answer.interfaceIndex)
  }

  /// Notes a name that shows that there is a type on a link.
  mutating func list(_ type: ServiceType, by target: DNSName, on link: UInt32) {
    let key = TypeListing.Key(type: type, link: link)
    if let names = typeListing.names[key] {
      if names.count < TypeListing.nameLimit, !names.contains(target) {
        typeListing.names[key]?.append(target)
      }
      return
    }
    let limit = configuration.listsTypes ? configuration.instanceLimit : configuration.typeLimit
    guard typeListing.names.count < limit, configuration.listsTypes || hasRoom(for: type) else {
      tellLimit(limit)
      return
    }
    typeListing.names[key] = [target]
    noteNews()
    if configuration.listsTypes {
      tell(.typeAdded(type, domain: configuration.domain, interfaceIndex: shown(key.link)))
    } else if let pointer = addPointer(type, isConfigured: false) {
      pointers[pointer]?.announcements += 1
    }
  }

  /// Takes the end of such a record.
  mutating func loseListing(_ answer: MDNSAnswer, _ target: DNSName) {
    guard answer.name == typeListing.question else {
      loseDomain(answer, target)
      return
    }
    guard let type = Self.type(target) else { return }
    unlist(type, by: target, on: answer.interfaceIndex)
  }

  /// Notes that a name shows the type no more.
  mutating func unlist(_ type: ServiceType, by target: DNSName, on link: UInt32) {
    let key = TypeListing.Key(type: type, link: link)
    guard let index = typeListing.names[key]?.firstIndex(of: target) else { return }
    // As it was spelled first.
    let shownType = typeListing.names.index(forKey: key).map { typeListing.names[$0].key.type }
    typeListing.names[key]?.remove(at: index)
    guard typeListing.names[key]?.isEmpty == true else { return }
    typeListing.names[key] = nil
    if configuration.listsTypes {
      tell(
        .typeRemoved(
          shownType ?? type, domain: configuration.domain, interfaceIndex: shown(key.link)))
    } else if let name = try? type.browseName(in: configuration.domain),
      let pointer = pointerIDs[name]
    {
      pointers[pointer]?.announcements -= 1
      dropPointerIfIdle(pointer)
    }
  }

  private static func type(_ target: DNSName) -> ServiceType? {
    let labels = target.labels.prefix(2)
    guard labels.count == 2 else { return nil }
    return ServiceType(serviceLabel: labels[0], transportLabel: labels[1])
  }

  /// A link's number where there are links.
  func shown(_ link: UInt32) -> UInt32? { configuration.origin == .mdns ? link : nil }
}
