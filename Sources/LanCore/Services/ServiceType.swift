public import LanWire

/// A service type such as `_ipp._tcp`, with the subtype that is browsed for, if any.
///
/// RFC 6335 section 5.1 and RFC 6763 section 7: a service name of 1 to 15 letters, digits and
/// hyphens, `_tcp` or `_udp`. What is heard on the network is taken as it is; what a user writes
/// is held to the rules by `ServiceTypeText`. Types are equal whatever the case of ASCII letters.
public struct ServiceType: Sendable {
  /// The service name without its underscore, such as `ipp`; its case is kept.
  public var service: String
  /// `tcp` or `udp`.
  public var transport: String
  /// The subtype's label, such as `_universal`; nil for none.
  public var subtype: String?

  /// A type of these parts, which are not checked.
  public init(service: String, transport: String, subtype: String? = nil) {
    self.service = service
    self.transport = transport
    self.subtype = subtype
  }

  /// The type that two labels of a name spell, whatever rules the first one breaks; nil where one
  /// has no underscore in front or is no UTF-8.
  public init?(serviceLabel: [UInt8], transportLabel: [UInt8]) {
    guard serviceLabel.count > 1, serviceLabel[0] == 0x5F, transportLabel.count > 1,
      transportLabel[0] == 0x5F,
      let service = String(validating: serviceLabel[1...], as: UTF8.self),
      let transport = String(validating: transportLabel[1...], as: UTF8.self)
    else { return nil }
    self.init(service: service, transport: transport)
  }

  /// The type without its subtype.
  public var base: ServiceType { ServiceType(service: service, transport: transport) }

  /// The name of the type itself, `_ipp._tcp.local`: the parent of its instances' names.
  ///
  /// - Throws: `WireError` where a part is too long or empty.
  public func name(in domain: DNSName) throws(WireError) -> DNSName {
    try DNSName(labels: baseLabels + domain.labels)
  }

  /// The name that is asked for, `_ipp._tcp.local` or `_universal._sub._ipp._tcp.local` (RFC 6763
  /// sections 4 and 7.1).
  ///
  /// - Throws: `WireError` where a part is too long or empty.
  public func browseName(in domain: DNSName) throws(WireError) -> DNSName {
    try DNSName(labels: labels + domain.labels)
  }

  private var baseLabels: [[UInt8]] { [Array("_\(service)".utf8), Array("_\(transport)".utf8)] }

  private var labels: [[UInt8]] {
    guard let subtype else { return baseLabels }
    return [Array(subtype.utf8), Array("_sub".utf8)] + baseLabels
  }
}

extension ServiceType: Hashable {
  /// Equal parts, the case of ASCII letters ignored (RFC 6762 section 16).
  public static func == (left: ServiceType, right: ServiceType) -> Bool {
    equal(left.service, right.service) && equal(left.transport, right.transport)
      && equal(left.subtype, right.subtype)
  }

  /// Feeds the parts, their ASCII letters folded.
  public func hash(into hasher: inout Hasher) {
    for byte in service.utf8 { hasher.combine(DNSNameView.folded(byte)) }
    hasher.combine(UInt8(0xFF))
    for byte in transport.utf8 { hasher.combine(DNSNameView.folded(byte)) }
    guard let subtype else { return }
    hasher.combine(UInt8(0xFF))
    for byte in subtype.utf8 { hasher.combine(DNSNameView.folded(byte)) }
  }

  private static func equal(_ left: String?, _ right: String?) -> Bool {
    guard let left, let right else { return left == nil && right == nil }
    return equal(left, right)
  }

  private static func equal(_ left: String, _ right: String) -> Bool {
    left.utf8.elementsEqual(right.utf8) {
      DNSNameView.folded($0) == DNSNameView.folded($1)
    }
  }
}

extension ServiceType: CustomStringConvertible {
  /// `_ipp._tcp`, or `_universal._sub._ipp._tcp`, escaped as names are.
  public var description: String {
    if let name = try? DNSName(labels: labels) { return name.description }
    return (subtype.map { "\($0)._sub." } ?? "") + "_\(service)._\(transport)"
  }
}
