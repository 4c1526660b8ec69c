import LanCore
import LanWire

/// A peer that is to be tested, as a user or a line of `browse` names it.
struct PingPeerTarget: Hashable {
  /// An address that a line of `browse` gives.
  struct Place: Hashable {
    var address: IPAddress
    /// The interface of a link-local address.
    var zone: String?
  }

  /// What a line of `browse` says already, so that nobody has to be asked.
  struct Known: Hashable {
    var places: [Place]
    var port: UInt16
    /// The strings of the TXT record's attribute `mode`; nil for none.
    var modeWord: String?
  }

  /// As records name it.
  var text: String
  /// What is to be resolved, with the port that goes with it.
  var query: ResolveQuery
  /// What is known of it.
  var known: Known?

  /// A bare host: its WiTap service is meant if it has one.
  var isBareHost: Bool {
    switch query.subject {
    case .host, .address: query.port == nil
    case .service, .record: false
    }
  }

  /// The type of a service.
  var serviceType: ServiceType? {
    if case .service(let name) = query.subject { name.type } else { nil }
  }
}

/// How a peer is tested, by what is known of it.
enum PingPeerMode {
  /// The types of WiTap, the newer one first.
  static let tapTypes: [(type: ServiceType, dialect: TapDialect)] = [
    (ServiceType(service: "witap2", transport: "tcp"), .witap2),
    (ServiceType(service: "witap", transport: "tcp"), .witap1),
  ]

  /// The dialect that peers of a type speak; nil for no type of WiTap.
  static func dialect(_ type: ServiceType?) -> TapDialect? {
    guard let type else { return nil }
    return tapTypes.first { $0.type == type.base }?.dialect
  }

  /// The mode by `--mode`, else by a service's type and its TXT attribute `mode`; where there is no
  /// service, echo is meant.
  static func choose(
    _ wish: PingPeerConfiguration.Mode, _ type: ServiceType?, modeWord: String?
  ) -> PeerMode {
    switch wish {
    case .echo: return .echo
    case .connect: return .connect
    case .tap: return .tap(dialect(type) ?? .witap2)
    case .auto: break
    }
    guard let type else { return .echo }
    if modeWord == "echo" { return .echo }
    // A server that throws away what it gets says so; nothing but the handshake can be seen of it.
    guard let dialect = dialect(type), modeWord != "discard" else { return .connect }
    return .tap(dialect)
  }

  /// The value of the first attribute `mode` of a TXT record (RFC 6763 section 6.4), its ASCII
  /// letters small.
  static func word(in strings: [[UInt8]]?) -> String? {
    let key = Array("mode=".utf8)
    let found = strings?.first {
      $0.count >= key.count && $0.prefix(key.count).map(DNSNameView.folded) == key
    }
    return found.map { string in
      String(decoding: string.dropFirst(key.count).map(DNSNameView.folded), as: UTF8.self)
    }
  }
}
