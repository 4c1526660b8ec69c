public import LanWire

/// The name of a service instance, in its three parts (RFC 6763 section 4.1).
public struct ServiceInstanceName: Hashable, Sendable {
  /// The bytes of the instance label, nothing escaped.
  public var instance: [UInt8]
  /// The type, without subtype.
  public var type: ServiceType
  /// The domain, such as `local`.
  public var domain: DNSName
  /// The full name.
  public let name: DNSName

  /// The instance of these parts.
  ///
  /// - Throws: What `DNSName(labels:)` throws, such as for an instance of more than 63 octets.
  public init(instance: [UInt8], type: ServiceType, domain: DNSName) throws(WireError) {
    self.instance = instance
    self.type = type
    self.domain = domain
    name = try DNSName(
      labels: [instance, Array("_\(type.service)".utf8), Array("_\(type.transport)".utf8)]
        + domain.labels)
  }

  /// The parts of a full name: the labels before `_service._tcp` or `_service._udp` are the
  /// instance.
  ///
  /// A dot that somebody forgot to escape makes more than one label of it; they are joined again.
  /// Nil when the name has no type, nothing before it, or no domain.
  ///
  /// - Parameters:
  ///   - name: The full name.
  ///   - defaultDomain: The domain of a name that ends with its type.
  public init?(_ name: DNSName, defaultDomain: DNSName? = nil) {
    let labels = name.labels
    guard let place = Self.typePlace(labels), place > 0 else { return nil }
    let instance = Array(labels[..<place].joined(separator: [0x2E]))
    if labels[..<place].contains(where: { $0.count == 4 && Self.isText($0, "_sub") }) { return nil }
    let rest = labels[(place + 2)...]
    guard let domain = rest.isEmpty ? defaultDomain : try? DNSName(labels: rest) else { return nil }
    let type = ServiceType(
      service: String(decoding: labels[place].dropFirst(), as: UTF8.self),
      transport: String(decoding: labels[place + 1].dropFirst(), as: UTF8.self))
    guard let made = try? ServiceInstanceName(instance: instance, type: type, domain: domain)
    else { return nil }
    self = made
  }

  /// Where `_service` stands in front of `_tcp` or `_udp`; the last such place.
  static func typePlace(_ labels: [[UInt8]]) -> Int? {
    guard labels.count >= 2 else { return nil }
    return (0..<(labels.count - 1)).last { index in
      labels[index].count > 1 && labels[index][0] == UInt8(ascii: "_")
        && (isText(labels[index + 1], "_tcp") || isText(labels[index + 1], "_udp"))
    }
  }

  private static func isText(_ label: [UInt8], _ text: String) -> Bool {
    label.map(DNSNameView.folded) == Array(text.utf8)
  }
}
