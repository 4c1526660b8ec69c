public import LanWire

extension ResolveQuery {
  /// What goes with the words.
  public struct Hints {
    /// The type of the service whose instance label the words are.
    public var serviceType: ServiceType?
    /// The record type that is asked for.
    public var recordType: DNSRecordType?
    /// The domain of instances that name none.
    public var domain: DNSName
    /// The port of a service such as `ssh`, in host order; nil for one that is not known.
    public var port: (String) -> UInt16?

    /// No hints: instances belong to `local`.
    public init(domain: DNSName = .local, port: @escaping (String) -> UInt16? = { _ in nil }) {
      self.domain = domain
      self.port = port
    }
  }

  /// Why words are no query.
  public enum ParseError: Error, Hashable, Sendable {
    /// Nothing at all.
    case empty
    /// No host name, service instance or address.
    case badName
    /// A label of more than 63 octets, or a name of more than 255.
    case tooLong
    /// No port from 1 to 65535, and no service of that name.
    case badPort(String)
    /// An address with a zone that it cannot have, or an empty one.
    case badZone
    /// A service type without an instance.
    case typeWithoutInstance
  }

  /// The query that `text` spells.
  ///
  /// An address asks for its name; `host:port`, `host:service` and `[address]:port` give a port; a
  /// name with `_service._tcp` or `_service._udp` in it is a service instance, in which a dot or
  /// backslash of the instance is escaped with a backslash.
  ///
  /// - Throws: `ParseError` with what is wrong; nothing is looked up, so a name may still not exist.
  public static func parse(_ text: String, _ hints: Hints) throws(ParseError) -> ResolveQuery {
    if text.isEmpty { throw .empty }
    if let type = hints.serviceType { return try instance(text, type, hints) }
    if let type = hints.recordType {
      if type == .ptr, let address = IPAddress(parsing: text) {
        return ResolveQuery(text: text, subject: .record(DNSName(reverseOf: address), type))
      }
      return ResolveQuery(text: text, subject: .record(try dnsName(text), type))
    }
    if let service = try service(text, hints) { return service }
    if let address = try address(text, hints) { return address }
    return try host(text, hints)
  }

  private static func instance(
    _ text: String, _ type: ServiceType, _ hints: Hints
  ) throws(ParseError) -> ResolveQuery {
    do throws(WireError) {
      let name = try ServiceInstanceName(
        instance: Array(text.utf8), type: type, domain: hints.domain)
      return ResolveQuery(text: text, subject: .service(name))
    } catch {
      throw .tooLong
    }
  }

  private static func service(
    _ text: String, _ hints: Hints
  ) throws(ParseError) -> ResolveQuery? {
    guard let name = try? DNSName(text), let place = ServiceInstanceName.typePlace(name.labels)
    else { return nil }
    if place == 0 { throw .typeWithoutInstance }
    guard let service = ServiceInstanceName(name, defaultDomain: hints.domain) else {
      throw .badName
    }
    return ResolveQuery(text: text, subject: .service(service))
  }

  /// `address`, `address%zone`, `192.0.2.1:port`, `[address%zone]` or `[address%zone]:port`.
  private static func address(
    _ text: String, _ hints: Hints
  ) throws(ParseError) -> ResolveQuery? {
    var inner = text[...]
    var port: UInt16?
    if inner.hasPrefix("[") {
      guard let close = inner.lastIndex(of: "]") else { throw .badName }
      let rest = inner[inner.index(after: close)...]
      inner = inner[inner.index(after: inner.startIndex)..<close]
      if !rest.isEmpty {
        guard rest.hasPrefix(":") else { throw .badName }
        port = try self.port(rest.dropFirst(), hints)
      }
    } else if let colon = inner.firstIndex(of: ":"), inner.lastIndex(of: ":") == colon,
      IPv4Address(parsing: String(inner[..<colon])) != nil
    {
      port = try self.port(inner[inner.index(after: colon)...], hints)
      inner = inner[..<colon]
    }
    let parts = inner.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
    guard let address = IPAddress(parsing: String(parts.first ?? ""))?.unmapped else {
      if text.hasPrefix("[") { throw .badName }
      return nil
    }
    var zone: String?
    if parts.count == 2 {
      guard !parts[1].isEmpty, parts[1].utf8.count < 16, address.isIPv6 else { throw .badZone }
      zone = String(parts[1])
    }
    return ResolveQuery(text: text, subject: .address(address, zone: zone), port: port)
  }

  private static func host(_ text: String, _ hints: Hints) throws(ParseError) -> ResolveQuery {
    var name = text[...]
    var port: UInt16?
    if let colon = name.lastIndex(of: ":") {
      port = try self.port(name[name.index(after: colon)...], hints)
      name = name[..<colon]
    }
    let isSafe = name.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: ":") }
    guard isSafe, !name.isEmpty else { throw .badName }
    _ = try dnsName(String(name))
    return ResolveQuery(text: text, subject: .host(String(name)), port: port)
  }

  private static func port(_ text: Substring, _ hints: Hints) throws(ParseError) -> UInt16 {
    let isNumber = !text.isEmpty && text.utf8.allSatisfy { 0x30...0x39 ~= $0 }
    let port = isNumber ? UInt16(text) : hints.port(String(text))
    guard let port, port > 0 else { throw .badPort(String(text)) }
    return port
  }

  private static func dnsName(_ text: String) throws(ParseError) -> DNSName {
    do throws(WireError) { return try DNSName(text) } catch {
      switch error.reason {
      case .badLength, .nameTooLong: throw .tooLong
      default: throw .badName
      }
    }
  }
}
