import LanCore
import LanSystem
import LanWire

/// Writes services as records of a zone file (RFC 1035 section 5, RFC 6763).
///
/// Names inside the domain are relative, so that the lines can stand in any zone.
struct BrowseZone {
  private let domain: DNSName
  private let labelCount: Int

  init(domain: DNSName) {
    self.domain = domain
    labelCount = domain.labelCount
  }

  /// Writes the records of `services`, each once.
  func append(_ services: [DiscoveredService], to out: inout OutputBuffer) {
    out.append("; Services of ")
    out.append(text: text(of: domain, isRelative: false))
    out.append(" for any zone: names inside it are relative.\n")
    var blocks: [String: Set<String>] = [:]
    for service in services { add(service, to: &blocks) }
    out.append(text: "\(column("b._dns-sd._udp"))PTR @\n\(column("lb._dns-sd._udp"))PTR @\n")
    for type in Set(services.map { typeText($0) }).sorted() {
      out.append(text: "\(column("_services._dns-sd._udp"))PTR \(type)\n")
    }
    for key in blocks.keys.sorted() {
      out.append("\n")
      for line in (blocks[key] ?? []).sorted(by: Self.precedes) {
        out.append(text: line)
        out.append("\n")
      }
    }
  }

  /// PTR first, then SRV, TXT, and addresses.
  private static func precedes(_ left: String, _ right: String) -> Bool {
    let (first, second) = (rank(left), rank(right))
    return first == second ? left < right : first < second
  }

  private static func rank(_ line: String) -> Int {
    let kinds = ["PTR", "SRV", "TXT", "A", "AAAA"]
    let word = line.split(separator: " ").dropFirst(line.hasPrefix(";") ? 2 : 1).first ?? ""
    return kinds.firstIndex(of: String(word)) ?? kinds.count
  }

  // MARK: Records

  /// Adds the records of a service under its name, and those of its host under the host's.
  private func add(_ service: DiscoveredService, to blocks: inout [String: Set<String>]) {
    let instance = text(of: service.name)
    let type = typeText(service)
    var lines: Set<String> = ["\(column(type))PTR \(instance)"]
    for subtype in service.subtypes {
      let name = "\(Self.escaped(Array(subtype.utf8)))._sub.\(type)"
      lines.insert("\(column(name))PTR \(instance)")
    }
    if let host = service.host, let port = service.port {
      let order = "\(service.priority ?? 0) \(service.weight ?? 0)"
      lines.insert("\(column(instance))SRV \(order) \(port) \(text(of: host))")
    }
    if let strings = service.text {
      let texts = strings.isEmpty ? ["\"\""] : strings.map(Self.quoted)
      lines.insert("\(column(instance))TXT \(texts.joined(separator: " "))")
    }
    blocks["0 \(type) \(instance)", default: []].formUnion(lines)
    guard let host = service.host, !host.isRoot, !service.addresses.isEmpty else { return }
    blocks["1 \(text(of: host))", default: []].formUnion(
      service.addresses.map { line(host, $0, service.interface) })
  }

  private func line(_ host: DNSName, _ address: IPAddress, _ interface: String?) -> String {
    let record = "\(column(text(of: host)))\(address.isIPv6 ? "AAAA" : "A") \(address)"
    // Outside its link such an address means nothing, and outside its zone such a name.
    if address.isLinkLocal { return "; \(record) link-local\(Self.place(interface))" }
    return host.hasSuffix(domain) ? record : "; \(record) outside this zone"
  }

  private static func place(_ interface: String?) -> String {
    interface.map { ", on \(printable(Array($0.utf8)))" } ?? ""
  }

  // MARK: Text

  private func typeText(_ service: DiscoveredService) -> String {
    "_\(Self.escaped(Array(service.type.service.utf8)))._\(Self.escaped(Array(service.type.transport.utf8)))"
  }

  /// The name relative to the domain, or absolute with its final dot where it is not inside.
  private func text(of name: DNSName, isRelative: Bool = true) -> String {
    var labels = name.labels
    if isRelative, name.hasSuffix(domain) {
      labels.removeLast(labelCount)
      return labels.isEmpty ? "@" : labels.map(Self.escaped).joined(separator: ".")
    }
    return labels.map(Self.escaped).joined(separator: ".") + "."
  }

  private func column(_ name: String) -> String {
    name + String(repeating: " ", count: max(40 - name.utf8.count, 1))
  }

  /// A label as a zone file has it: what means something there, blanks and all but ASCII escaped.
  static func escaped(_ label: [UInt8]) -> String {
    label.map { byte in
      switch byte {
      case 0x2E, 0x5C, 0x22, 0x24, 0x28, 0x29, 0x3B, 0x40: "\\\(Character(Unicode.Scalar(byte)))"
      case 0x21...0x7E: String(Character(Unicode.Scalar(byte)))
      default: decimal(byte)
      }
    }.joined()
  }

  /// A character string in quotes.
  static func quoted(_ string: [UInt8]) -> String {
    let text = string.map { byte in
      switch byte {
      case 0x22, 0x5C: "\\\(Character(Unicode.Scalar(byte)))"
      case 0x20...0x7E: String(Character(Unicode.Scalar(byte)))
      default: decimal(byte)
      }
    }
    return "\"\(text.joined())\""
  }

  private static func decimal(_ byte: UInt8) -> String {
    let digits = String(byte)
    return "\\" + String(repeating: "0", count: 3 - digits.utf8.count) + digits
  }
}
