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
    /// Whether `publish` fails where no interface can be used now; otherwise one is waited for.
    public var requiresInterface = true

    /// A service of this machine on every interface.
    public init(_ service: MDNSService) { self.service = service }

    /// What a node for this service alone has set.
    var node: MDNSNode.Configuration {
      var node = MDNSNode.Configuration()
      node.interfaces = interfaces
      node.families = families
      node.requiresInterface = requiresInterface
      return node
    }
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
  public internal(set) var name: ServiceInstanceName?

  private let ownsNode: Bool
  /// The service with the TXT record that it has now.
  private(set) var service: MDNSService
  private(set) var publication: MDNSNodePublication?
  var links: [UInt32: MDNSLink] = [:]
  /// What the service is called on each link where it is announced.
  var announced: [UInt32: Announcement] = [:]
  /// What was told last of it.
  var told: PublishedService?
  private var whenStopped: [() -> Void] = []
  private var isStopping = false
  /// Why it is given up.
  private var failure: ServicePublisherError?
  private var streams = EventStreams<ServicePublisherEvent>()

  /// How a service is announced on a link.
  struct Announcement: Hashable {
    var name: ServiceInstanceName
    var host: DNSName
  }

  /// A publisher that does nothing yet, with a node of its own.
  public init(_ configuration: Configuration, on reactor: Reactor) {
    self.configuration = configuration
    node = MDNSNode(configuration.node, on: reactor)
    ownsNode = true
    service = configuration.service
  }

  /// A publisher that does nothing yet and shares `node` with others; it starts the node if that is
  /// needed, and leaves it running.
  public init(_ configuration: Configuration, node: MDNSNode) {
    self.configuration = configuration
    self.node = node
    ownsNode = false
    service = configuration.service
  }

  // MARK: Publishing

  /// Begins to publish; `didPublish` or `didNotPublish` follows.
  ///
  /// - Throws: `ServicePublisherError`, with nothing begun; unless the service is published already,
  ///   `didNotPublish` is told too.
  public func publish() throws(ServicePublisherError) {
    guard !isPublishing else { throw .alreadyActive }
    do throws(ServicePublisherError) {
      try begin()
    } catch {
      tell(.didNotPublish(error))
      throw error
    }
  }

  private func begin() throws(ServicePublisherError) {
    try configuration.check(text: service.text)
    let claim = hostClaim
    if let other = node.hostClaim, claim.isGiven, other.label != claim.label {
      throw .badArgument(
        "the host name '\(String(decoding: other.label, as: UTF8.self))' is published by the same "
          + "node already; one node has one")
    }
    tell(.willPublish)
    do throws(MDNSError) { try node.start() } catch { throw .mdns(error) }
    isPublishing = true
    (links, announced, told) = ([:], [:], nil)
    var wished = service
    wished.instance = firstInstance
    if let label = configuration.hostLabel, !configuration.proxyAddresses.isEmpty {
      wished.host = .proxy(label: label, addresses: configuration.proxyAddresses)
    }
    let publication = MDNSNodePublication(wished, on: nil, for: self)
    self.publication = publication
    node.add(self)
    publication.interfaces = interfaces
    // A listener may have stopped it in its call.
    if isPublishing, !isStopping { node.publish(publication, as: claim) }
  }

  /// Changes the TXT record.
  ///
  /// - Parameter text: Its strings.
  /// - Returns: False where they are no TXT record; nothing is changed then.
  @discardableResult
  public func update(text: [[UInt8]]) -> Bool {
    guard Configuration.fault(ofText: text) == nil else { return false }
    service.text = text
    if let publication, !isStopping { node.update(publication, text: text) }
    return true
  }

  /// Takes the service back with a goodbye; it can be published again, under the same name.
  ///
  /// - Parameter done: Called once the goodbye has left.
  public func stop(_ done: (() -> Void)? = nil) {
    guard isPublishing, let publication else {
      done?()
      return
    }
    if let done { whenStopped.append(done) }
    guard !isStopping else { return }
    isStopping = true
    node.withdraw(publication) { [weak self] in self?.stopped() }
  }

  /// The goodbye has left.
  private func stopped() {
    guard isPublishing else { return }
    (isPublishing, isStopping, publication) = (false, false, nil)
    node.remove(self)
    if ownsNode { node.stop() }
    tell(failure.map { .didNotPublish($0) } ?? .didStop)
    failure = nil
    streams.finish()
    let calls = whenStopped
    whenStopped = []
    for call in calls { call() }
  }

  /// It is not published, and will not be: told once what others must know of it has left.
  func fail(_ error: ServicePublisherError) {
    guard isPublishing, !isStopping else { return }
    failure = error
    stop()
  }

  /// Others have stopped the node.
  func publishingEnded() { stopped() }

  // MARK: Telling

  /// What is told from now on; `stop` ends the stream.
  ///
  /// A consumer that falls behind loses the oldest of 1,024.
  public var events: AsyncStream<ServicePublisherEvent> {
    streams.add(limit: 1_024)
  }

  func tell(_ event: ServicePublisherEvent) {
    streams.tell(event)
    onEvent?(event)
    switch event {
    case .willPublish: delegate?.servicePublisherWillPublish(self)
    case .didPublish(let service): delegate?.servicePublisher(self, didPublish: service)
    case .didNotPublish(let reason): delegate?.servicePublisher(self, didNotPublish: reason)
    case .didStop: delegate?.servicePublisherDidStop(self)
    case .renamed, .hostRenamed, .diagnostic: break
    }
  }
}
