import LanCore
import LanSystem
import LanWire

/// Writes what a browser tells as JSON Lines, as the contract's chapter on `browse` says.
struct BrowseJSON {
  private var head = JSONLineHead("lantool.browse/1")
  /// The type of the line before: most lines are of the same.
  private var lastType: ServiceType?
  private var lastMeaning: String?
  /// A capture has numbers of its own for its interfaces, which mean nothing elsewhere.
  private let showsIndex: Bool

  init(showsIndex: Bool = true) { self.showsIndex = showsIndex }

  /// Writes an `added`, `updated` or `removed`.
  ///
  /// `time` is nanoseconds since 1970; nil where a capture has none.
  mutating func append(
    _ service: DiscoveredService, _ change: ServiceChange, isResolving: Bool, at time: Int64?,
    to out: inout OutputBuffer
  ) {
    head.append(change.word, at: time, to: &out)
    let name = service.name.wire.span
    out.append(",\"instance\":\"")
    if name.count > 1 { out.append(json: name, 1..<(1 + Int(name[0]))) }
    out.append("\"")
    out.appendJSON("serviceName", name: service.name)
    append(service.type, to: &out)
    append(meaningOf: service.type, to: &out)
    out.appendJSON("domain", name: service.domain)
    append(interface: service.interface, service.interfaceIndex, to: &out)
    append(heardOver: service.heardOver, to: &out)
    out.appendJSON("origin", service.origin == .mdns ? "mdns" : "dns")
    if !service.subtypes.isEmpty { out.appendJSON("subtypes", service.subtypes) }
    if isResolving { append(resolved: service, to: &out) }
    if let ttl = service.ttl { out.appendJSON("ttlSeconds", ttl) }
    if service.isOwn { out.appendJSON("own", true) }
    if isResolving, !service.isComplete, change.isPresent { out.appendJSON("complete", false) }
    if case .removed(let cause) = change { out.appendJSON("cause", cause.word) }
    out.append("}\n")
  }

  private func append(interface: String?, _ index: UInt32?, to out: inout OutputBuffer) {
    if let interface { out.appendJSON("interface", interface) }
    if let index, showsIndex { out.appendJSON("interfaceIndex", index) }
  }

  private mutating func append(meaningOf type: ServiceType, to out: inout OutputBuffer) {
    if lastType != type {
      lastType = type
      lastMeaning = ServiceTypeDatabase.meaning(type)
    }
    if let lastMeaning { out.appendJSON("typeMeaning", lastMeaning) }
  }

  private func append(heardOver families: MDNSFamilies, to out: inout OutputBuffer) {
    if families.isEmpty { return }
    out.append(",\"heardOver\":[")
    if families.contains(.ipv4) { out.append("\"ipv4\"") }
    if families == .both { out.append(",") }
    if families.contains(.ipv6) { out.append("\"ipv6\"") }
    out.append("]")
  }

  private func append(resolved service: DiscoveredService, to out: inout OutputBuffer) {
    if let host = service.host {
      out.appendJSON("host", name: host)
    }
    if let port = service.port { out.appendJSON("port", port) }
    if !service.addresses.isEmpty {
      out.append(",\"addresses\":[")
      for (index, address) in service.addresses.enumerated() {
        out.append(index > 0 ? ",\"" : "\"")
        out.append(AddressText(address))
        if address.needsZone, let zone = service.interface {
          out.append("%")
          out.append(text: zone, escape: .jsonText)
        }
        out.append("\"")
      }
      out.append("]")
    }
    if let priority = service.priority { out.appendJSON("priority", priority) }
    if let weight = service.weight { out.appendJSON("weight", weight) }
    if let text = service.text { JSONText.append(text, to: &out) }
    if service.isPlaceholder { out.appendJSON("placeholder", true) }
  }

  // MARK: Other events

  /// Writes a `type`.
  mutating func append(
    _ type: ServiceType, isAdded: Bool, domain: DNSName, interface: String?,
    interfaceIndex: UInt32?, at time: Int64?, to out: inout OutputBuffer
  ) {
    head.append("type", at: time, to: &out)
    out.appendJSON("action", isAdded ? "added" : "removed")
    append(type, to: &out)
    append(meaningOf: type, to: &out)
    out.appendJSON("domain", name: domain)
    append(interface: interface, interfaceIndex, to: &out)
    out.append("}\n")
  }

  /// Writes a `domain`.
  mutating func append(
    _ domain: DNSName, _ kind: BrowsingDomainKind, isAdded: Bool, interface: String?,
    interfaceIndex: UInt32?, at time: Int64?, to out: inout OutputBuffer
  ) {
    head.append("domain", at: time, to: &out)
    out.appendJSON("action", isAdded ? "added" : "removed")
    out.appendJSON("kind", kind.word)
    out.appendJSON("domain", name: domain)
    append(interface: interface, interfaceIndex, to: &out)
    out.append("}\n")
  }

  /// Writes a `settled`.
  mutating func appendSettled(services: Int, at time: Int64?, to out: inout OutputBuffer) {
    head.append("settled", at: time, to: &out)
    out.appendJSON("services", services)
    out.append("}\n")
  }

  /// Writes the `summary`.
  mutating func append(_ summary: BrowseSummary, at time: Int64?, to out: inout OutputBuffer) {
    head.append("summary", at: time, to: &out)
    summary.appendJSON(to: &out)
    out.append("}\n")
  }

  /// Writes a `knownType` of the database.
  mutating func append(
    _ entry: ServiceTypeDatabase.Entry, at time: Int64, to out: inout OutputBuffer
  ) {
    for type in entry.types {
      head.append("knownType", at: time, to: &out)
      append(type, to: &out)
      out.appendJSON("transport", type.transport)
      out.appendJSON("typeMeaning", entry.meaning)
      out.append("}\n")
    }
  }

  private func append(_ type: ServiceType, to out: inout OutputBuffer) {
    out.append(",\"type\":\"_")
    out.append(text: type.service, escape: .jsonLabel)
    out.append("._")
    out.append(text: type.transport, escape: .jsonLabel)
    out.append("\"")
  }
}
