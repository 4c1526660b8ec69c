public import LanCore
import LanWire

extension ServicePublisher: MDNSClient {
  // MARK: Links

  /// Takes a link from the node.
  public func setLink(_ link: MDNSLink, at now: Int64) {
    // A link that was chosen by its name stays so under another.
    guard
      configuration.interfaces.isEmpty || links[link.index] != nil
        || configuration.interfaces.contains(link.name)
    else { return }
    links[link.index] = link
    linksChanged()
  }

  /// Takes the loss of a link from the node.
  public func removeLink(_ index: UInt32, at now: Int64) {
    guard links.removeValue(forKey: index) != nil else { return }
    announced[index] = nil
    linksChanged()
    if links.isEmpty { told = nil } else { tellPublished() }
  }

  /// The numbers of the links of use; nil for all that the node has.
  var interfaces: Set<UInt32>? {
    configuration.interfaces.isEmpty ? nil : Set(links.keys)
  }

  private func linksChanged() {
    if let publication { node.setInterfaces(interfaces, of: publication) }
  }

  // MARK: The rest of a client

  /// Asks nothing, and so is told nothing.
  public func handle(_ change: MDNSChange, at now: Int64) {}
  /// Does nothing.
  public func batchEnded(at now: Int64) {}
  /// There is none.
  public var nextDeadline: Int64? { nil }
  /// Does nothing.
  public func deadlineReached(at now: Int64) {}
  /// There are none.
  public func takeDemands() -> [MDNSDemand] { [] }
  /// Passes on what is amiss.
  public func nodeDidReport(_ diagnostic: MDNSNodeDiagnostic) { tell(.diagnostic(diagnostic)) }
}

extension ServicePublisher: MDNSPublisherClient {
  // MARK: What became of it

  func handle(_ event: MDNSResponderEvent, of publication: MDNSNodePublication) {
    guard publication === self.publication, !publication.isLeaving else { return }
    switch event {
    case .published(_, let name, let host, let index):
      guard links[index] != nil else { return }
      announced[index] = Announcement(name: name, host: host)
      tellPublished()
    case .renamed(_, let from, let to, let rival):
      announced = [:]
      tell(.renamed(from: from, to: to, rival: rival))
    case .hostRenamed(let from, let to, let rival):
      if publication.service.host == .own, !publication.isHostForeign {
        tell(.hostRenamed(from: from, to: to, rival: rival))
      }
    case .refused(_, let rival): fail(.collision(rival: rival))
    case .struggling:
      let wished = String(decoding: service.instance, as: UTF8.self)
      tell(.diagnostic(.noFreeName(wished)))
    }
  }

  /// Tells of the service once it has the same name and host on all links of use.
  private func tellPublished() {
    guard let publication, let first = announced.first?.value, !links.isEmpty,
      links.keys.allSatisfy({ announced[$0] == first })
    else { return }
    let published = PublishedService(
      name: first.name, host: first.host, port: service.port,
      interfaces: links.sorted { $0.key < $1.key }.map(\.value.name),
      isHostForeign: publication.isHostForeign)
    guard published != told else { return }
    told = published
    name = first.name
    remember(published)
    tell(.didPublish(published))
  }

  // MARK: Names

  /// The instance that is tried first: the one of before, the one that was chosen in an earlier run,
  /// or the one that is wished for.
  var firstInstance: [UInt8] {
    if let name { return name.instance }
    guard !configuration.isNameGiven, service.mayRename else { return service.instance }
    return chosenNames?.instance(insteadOf: service.instance, type: service.type)
      ?? service.instance
  }

  /// The host label that is tried first.
  var hostClaim: MDNSHostClaim {
    if let label = configuration.hostLabel, configuration.proxyAddresses.isEmpty {
      return MDNSHostClaim(label: label, isGiven: true)
    }
    let own = HostLabel.own
    return MDNSHostClaim(
      label: chosenNames?.hostLabel(insteadOf: own) ?? own, isGiven: false)
  }

  private var chosenNames: ChosenNames? { configuration.stateFolder.map { ChosenNames($0) } }

  /// Keeps the names that were chosen for the next run.
  private func remember(_ published: PublishedService) {
    guard let chosenNames else { return }
    if !configuration.isNameGiven {
      chosenNames.remember(
        instance: published.name.instance, insteadOf: service.instance, type: service.type)
    }
    if configuration.hostLabel == nil, !published.isHostForeign,
      let label = published.host.firstLabel
    {
      chosenNames.remember(hostLabel: label, insteadOf: HostLabel.own)
    }
  }
}
