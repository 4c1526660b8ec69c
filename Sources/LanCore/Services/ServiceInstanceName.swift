public import LanWire

/// The parts of a service instance's name: instance, type, domain (RFC 6763 section 4.1).
///
/// The instance is one label of any text, dots included. Names whose publisher broke the label at
/// its dots are read too: the type is found by its underscores.
public struct ServiceInstanceName: Hashable, Sendable {
  /// The instance's bytes, UTF-8 as a rule; labels that were broken apart are joined by dots.
  public var instance: [UInt8]
  /// The type.
  public var type: ServiceType
  /// The domain.
  public var domain: DNSName

  /// Takes a name apart; nil for one that is no instance's.
  public init?(_ name: DNSName) {
    let labels = name.labels
    guard let position = Self.typePosition(labels),
      let type = ServiceType(
        serviceLabel: labels[position], transportLabel: labels[position + 1]),
      let domain = try? DNSName(labels: labels[(position + 2)...])
    else { return nil }
    instance = Array(labels[..<position].joined(separator: [0x2E]))
    self.type = type
    self.domain = domain
  }

  /// Which label is the type's first one.
  private static func typePosition(_ labels: [[UInt8]]) -> Int? {
    guard labels.count > 2 else { return nil }
    return (1..<(labels.count - 1)).first { position in
      labels[position].first == 0x5F && isTransport(labels[position + 1])
    }.flatMap { isSubtypeMark(labels[$0 - 1]) ? nil : $0 }
  }

  private static func isTransport(_ label: [UInt8]) -> Bool {
    label.count == 4 && label[0] == 0x5F
      && ["tcp", "udp"].contains(
        String(decoding: label[1...].map(DNSNameView.folded), as: UTF8.self))
  }

  private static func isSubtypeMark(_ label: [UInt8]) -> Bool {
    label.map(DNSNameView.folded) == Array("_sub".utf8)
  }
}

extension DNSName {
  /// The instance part of a service's name; the leftmost label of any other name.
  var instancePart: [UInt8] {
    // As a rule the type follows the first label, and nothing has to be taken apart.
    let first = Int(wire[0]) + 1
    guard first + 1 < wire.count, wire[first + 1] != 0x5F else { return firstLabel ?? [] }
    return ServiceInstanceName(self)?.instance ?? firstLabel ?? []
  }
}
