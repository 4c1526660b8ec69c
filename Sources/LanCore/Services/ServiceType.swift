/// A service type such as `_ipp._tcp`, with the subtype that is browsed for, if any.
///
/// RFC 6335 section 5.1 and RFC 6763 section 7: a service name of 1 to 15 letters, digits and
/// hyphens, `_tcp` or `_udp`.
public struct ServiceType: Hashable, Sendable {
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

  /// The type without its subtype.
  public var base: ServiceType { ServiceType(service: service, transport: transport) }
}

extension ServiceType: CustomStringConvertible {
  /// `_ipp._tcp`, or `_universal._sub._ipp._tcp`.
  public var description: String {
    (subtype.map { "\($0)._sub." } ?? "") + "_\(service)._\(transport)"
  }
}
