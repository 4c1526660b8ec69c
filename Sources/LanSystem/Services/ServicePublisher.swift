public import LanCore
public import LanWire

/// Publishes one service by multicast DNS, in the manners of NSNetService.
///
/// Everything happens on the reactor's thread. What is told comes in the same order to `onEvent`, the
/// delegate and the streams.
public final class ServicePublisher {
  /// What is published, and how.
  public struct Configuration: Hashable, Sendable {
    /// The service; its `host` is left `own` unless `proxyAddresses` are given.
    public var service: MDNSService
    /// The label of the host; nil for this machine's own name.
    public var hostLabel: [UInt8]?
    /// The addresses of the machine that is announced, where it is another one.
    public var proxyAddresses: [IPAddress] = []
    /// The only interfaces, by name; empty for each that is fit for multicast DNS.
    public var interfaces: [String] = []
    /// The versions of IP that are spoken; not for a publisher with a node of others.
    public var families: MDNSFamilies = .both
    /// The user gave the service's name: it is tried first, whatever was remembered.
    public var isNameGiven = false
    /// Where names that were chosen are remembered; nil for nowhere.
    public var stateFolder: String?

    /// A service of this machine on every interface.
    public init(_ service: MDNSService) { self.service = service }
  }

  /// Called with everything that is told, on the reactor's thread.
  public var onEvent: ((ServicePublisherEvent) -> Void)?
  /// Is told the same in the manners of NSNetService.
  public weak var delegate: (any ServicePublisherDelegate)?
  /// What is published, and how.
  public let configuration: Configuration
  /// Who speaks multicast DNS for the publisher.
  public let node: MDNSNode
  /// True between `publish` and the end of `stop`.
  public private(set) var isPublishing = false
  /// The name that was really registered; nil before that.
  public private(set) var name: ServiceInstanceName?

  /// A publisher that does nothing yet, with a node of its own.
  public init(_ configuration: Configuration, on reactor: Reactor) {
    self.configuration = configuration
    node = MDNSNode(on: reactor)
  }

  /// A publisher that does nothing yet and shares `node` with others.
  public init(_ configuration: Configuration, node: MDNSNode) {
    self.configuration = configuration
    self.node = node
  }

  /// Begins to publish; `didPublish` or `didNotPublish` follows.
  ///
  /// - Throws: `ServicePublisherError`, with nothing begun; the delegate is told it too.
  public func publish() throws(ServicePublisherError) {}

  /// Changes the TXT record.
  ///
  /// - Parameter text: Its strings.
  public func update(text: [[UInt8]]) {}

  /// Takes the service back with a goodbye; it can be published again, under the same name.
  ///
  /// - Parameter done: Called once the goodbye has left.
  public func stop(_ done: (() -> Void)? = nil) {}

  /// What is told from now on; `stop` ends the stream.
  public var events: AsyncStream<ServicePublisherEvent> { AsyncStream { $0.finish() } }
}
