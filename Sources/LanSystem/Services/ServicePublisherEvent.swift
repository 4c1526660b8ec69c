public import LanCore
public import LanWire

/// A service that is published, as others see it.
public struct PublishedService: Hashable, Sendable {
  /// The name that was really registered.
  public var name: ServiceInstanceName
  /// The host that its SRV record names.
  public var host: DNSName
  /// The port.
  public var port: UInt16
  /// The interfaces that it is announced on.
  public var interfaces: [String]
  /// The host's records are another stack's on this machine.
  public var isHostForeign: Bool

  /// A service of these facts.
  public init(
    name: ServiceInstanceName, host: DNSName, port: UInt16, interfaces: [String],
    isHostForeign: Bool = false
  ) {
    self.name = name
    self.host = host
    self.port = port
    self.interfaces = interfaces
    self.isHostForeign = isHostForeign
  }
}

/// What became of a service that is to be published.
public enum ServicePublisherEvent: Hashable, Sendable {
  /// Publishing begins.
  case willPublish
  /// The service is announced on every link in use; again whenever names or links are different.
  case didPublish(PublishedService)
  /// The service's name was taken; `to` is tried, or was registered.
  case renamed(from: [UInt8], to: [UInt8], rival: IPAddress?)
  /// The host's label was taken; `to` is tried.
  case hostRenamed(from: [UInt8], to: [UInt8], rival: IPAddress?)
  /// It is not published, and will not be; may come late.
  case didNotPublish(ServicePublisherError)
  /// Its goodbye has left.
  case didStop
  /// Something is amiss that does not end it.
  case diagnostic(MDNSNodeDiagnostic)
}

/// Why a service is not published.
public enum ServicePublisherError: Error, Hashable, Sendable {
  /// It is published already.
  case alreadyActive
  /// What is to be published makes no sense; the reason is for people.
  case badArgument(String)
  /// The name is taken and no other may be chosen.
  case collision(rival: IPAddress?)
  /// Multicast DNS cannot be spoken.
  case mdns(MDNSError)

  /// The number that NSNetServices has for it.
  public var code: Int {
    switch self {
    case .alreadyActive: -72003
    case .badArgument: -72004
    case .collision: -72001
    case .mdns(.unknownInterface): -72004
    case .mdns(.noMulticastInterface), .mdns(.portInUse): -72006
    case .mdns: -72000
    }
  }
}

extension ServicePublisherError: CustomStringConvertible {
  /// The reason, and what to do, in one line.
  public var description: String {
    switch self {
    case .alreadyActive: "the service is published already; stop it first"
    case .badArgument(let reason): reason
    case .collision(let rival):
      "the name is taken\(rival.map { " by \($0)" } ?? ""); choose another with --name"
    case .mdns(let error): "\(error)"
    }
  }
}

/// Is told what becomes of a service, in the order and manners of NSNetService.
public protocol ServicePublisherDelegate: AnyObject {
  /// Publishing begins.
  func servicePublisherWillPublish(_ publisher: ServicePublisher)
  /// The service is announced, under the name given here.
  func servicePublisher(_ publisher: ServicePublisher, didPublish service: PublishedService)
  /// It is not published.
  func servicePublisher(
    _ publisher: ServicePublisher, didNotPublish reason: ServicePublisherError)
  /// It was taken back.
  func servicePublisherDidStop(_ publisher: ServicePublisher)
}

extension ServicePublisherDelegate {
  /// Does nothing.
  public func servicePublisherWillPublish(_ publisher: ServicePublisher) {}
  /// Does nothing.
  public func servicePublisher(
    _ publisher: ServicePublisher, didPublish service: PublishedService
  ) {}
  /// Does nothing.
  public func servicePublisher(
    _ publisher: ServicePublisher, didNotPublish reason: ServicePublisherError
  ) {}
  /// Does nothing.
  public func servicePublisherDidStop(_ publisher: ServicePublisher) {}
}
