import LanCore
import LanWire

/// The answering half of a node, there while something is published: the responder, whose services
/// are whose, and what name the host has beside other stacks on this machine.
final class MDNSPublishing {
  let claim: MDNSHostClaim
  var responder: MDNSResponder
  private(set) var publications: [MDNSNodePublication] = []
  /// What other stacks on this machine do; nil until something is published.
  private(set) var neighbours: MDNSNeighbourClient?

  private unowned let node: MDNSNode
  /// When a goodbye that found no room is given up.
  private var patienceEnds: Int64?
  private static let patience: Int64 = 3_000_000_000

  init(_ node: MDNSNode, _ claim: MDNSHostClaim, at now: Int64) {
    self.node = node
    self.claim = claim
    var configuration = MDNSResponder.Configuration(hostLabel: claim.label)
    // What is sent to this machine's port may go to the other stack.
    configuration.mayAskForUnicast = !node.isPortShared
    var random = SystemRandomNumberGenerator()
    responder = MDNSResponder(configuration, seed: random.next())
    for link in node.links.values.sorted(by: { $0.index < $1.index }) {
      responder.setLink(published(link), at: now)
    }
    let neighbours = MDNSNeighbourClient(
      self, isAlone: node.sockets?.hasNeighbours == false)
    self.neighbours = neighbours
    node.add(neighbours)
  }

  // MARK: Publications

  /// Begins to publish, now or once it is known whose host name to use.
  func publish(_ publication: MDNSNodePublication, at now: Int64) {
    publications.append(publication)
    if let neighbours, neighbours.host != .undecided { begin(publication, at: now) }
  }

  private func begin(_ publication: MDNSNodePublication, at now: Int64) {
    let service = placed(publication)
    publication.id = responder.publish(service, on: publication.interfaces, at: now)
  }

  /// The service of a publication with the host that it has now.
  private func placed(_ publication: MDNSNodePublication) -> MDNSService {
    var service = publication.service
    publication.isHostForeign = false
    if service.host == .own, case .foreign(let name)? = neighbours?.host {
      service.host = .foreign(name)
      publication.isHostForeign = true
    }
    return service
  }

  /// It was found out whose host name is to be used, or that is different now.
  func hostDecided(at now: Int64) {
    for publication in publications where !publication.isLeaving {
      guard let id = publication.id else {
        begin(publication, at: now)
        continue
      }
      let wasForeign = publication.isHostForeign
      let service = placed(publication)
      if wasForeign || publication.isHostForeign {
        responder.update(id, host: service.host, at: now)
      }
    }
  }

  /// Takes a publication back; `onEnd` is called once the goodbye has left.
  func withdraw(_ publication: MDNSNodePublication, at now: Int64, _ onEnd: @escaping () -> Void) {
    publication.onEnd = onEnd
    patienceEnds = now + Self.patience
    if let id = publication.id { responder.withdraw(id, at: now) }
  }

  /// The node's packets were sent, as far as there was room.
  func packetsLeft(isDrained: Bool) {
    guard isDrained, publications.isEmpty || publications.contains(where: \.isLeaving) else {
      return
    }
    endLeaving(isForced: false)
  }

  private func endLeaving(isForced: Bool) {
    // The last one's goodbyes may be repeated; those of others are sent along meanwhile.
    let isLast = publications.allSatisfy(\.isLeaving)
    guard isForced || !isLast || responder.isIdle else { return }
    let ended = publications.filter(\.isLeaving)
    publications.removeAll(where: \.isLeaving)
    patienceEnds = nil
    node.publicationsEnded(ended.compactMap(\.onEnd))
  }

  /// The node was stopped.
  func nodeStopped() {
    for publication in publications {
      publication.client?.publishingEnded()
      publication.onEnd?()
    }
    publications = []
  }

  // MARK: Links, messages, time

  func setLink(_ link: MDNSLink, at now: Int64) {
    neighbours?.linkComes(link, at: now)
    responder.setLink(published(link), at: now)
  }

  /// A link with the addresses that are published: those of the versions of IP that are spoken.
  private func published(_ link: MDNSLink) -> MDNSLink {
    var link = link
    let families = node.configuration.families
    link.prefixes.removeAll { families.isDisjoint(with: MDNSFamilies($0.address)) }
    return link
  }

  func removeLink(_ index: UInt32, at now: Int64) { responder.removeLink(index, at: now) }

  /// Takes a datagram that came in on a link in use.
  func handle(_ message: Span<UInt8>, _ arrival: MDNSArrival, at now: Int64) {
    neighbours?.look(at: message, arrival, at: now)
    responder.handle(message, arrival, at: now)
  }

  /// When something is due.
  var nextDeadline: Int64? {
    guard let next = responder.nextDeadline else { return patienceEnds }
    return min(next, patienceEnds ?? next)
  }

  /// Does what is due.
  func deadlineReached(at now: Int64) {
    if let next = responder.nextDeadline, next <= now { responder.deadlineReached(at: now) }
    if let end = patienceEnds, end <= now { endLeaving(isForced: true) }
  }

  // MARK: Output

  /// True if there is nothing to tell or to send.
  var isSilent: Bool { responder.output.isEmpty }

  /// Tells what there is to tell, and hands out what is to be sent.
  func talk(at now: Int64) -> [MDNSPacket] {
    if responder.output.isEmpty { return [] }
    let output = responder.output
    responder.output = MDNSResponderOutput()
    for packet in output.packets { neighbours?.willSend(packet.bytes, at: now) }
    for event in output.events { tell(event) }
    for diagnostic in output.diagnostics {
      // The querier has told of it already.
      if case .malformed = diagnostic { continue }
      node.report(.querier(diagnostic))
    }
    return output.packets
  }

  private func tell(_ event: MDNSResponderEvent) {
    let subject: MDNSService.ID?
    switch event {
    case .published(let id, _, _, _), .renamed(let id, _, _, _), .refused(let id, _),
      .struggling(let id):
      subject = id
    case .hostRenamed: subject = nil
    }
    for publication in publications where subject == nil || publication.id == subject {
      publication.client?.handle(event, of: publication)
    }
  }
}
