import LanCore
import LanSystem
import LanWire

@testable import LanCLI

/// Services made by hand, for renderers and runs.
enum BrowseSamples {
  static let time: Int64 = 1_796_000_000_123_456_789
  static let witap = ServiceType(service: "witap2", transport: "tcp")
  static let http = ServiceType(service: "http", transport: "tcp")
  static let local = BrowseConfiguration.local

  /// An instance of which only the name is known.
  static func named(
    _ instance: [UInt8], _ type: ServiceType = witap, on index: UInt32? = 2,
    _ interface: String? = "v0", domain: DNSName = local
  ) -> DiscoveredService {
    let labels =
      [instance, Array("_\(type.service)".utf8), Array("_\(type.transport)".utf8)] + domain.labels
    return DiscoveredService(
      name: (try? DNSName(labels: labels)) ?? .root, type: type, domain: domain,
      interfaceIndex: index, interface: interface, heardOver: .both)
  }

  /// One that is resolved: `tv.local:4242`, one address of each family.
  static func resolved(
    _ instance: String = "Deck", _ type: ServiceType = witap, on index: UInt32? = 2,
    _ interface: String? = "v0", text: [String] = ["v=2"]
  ) -> DiscoveredService {
    var service = named(Array(instance.utf8), type, on: index, interface)
    service.host = try? DNSName("tv.local")
    (service.port, service.priority, service.weight) = (4_242, 0, 0)
    service.addresses = [address("192.0.2.20"), address("fe80::20")]
    service.text = text.map { Array($0.utf8) }
    service.ttl = 4_500
    return service
  }

  static func address(_ text: String) -> IPAddress {
    IPAddress(parsing: text) ?? .v4(IPv4Address(bits: 0))
  }

  /// What `body` writes.
  static func written(_ body: (inout OutputBuffer) -> Void) -> String {
    var out = OutputBuffer()
    body(&out)
    return out.withBytes { bytes in
      String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
    }
  }

  /// The configuration that a command line of `browse` gives.
  static func configure(_ words: [String]) throws -> BrowseConfiguration {
    try BrowseConfiguration(
      ArgumentParser(command: .browse).parse(words.map { Array($0.utf8) }))
  }
}
