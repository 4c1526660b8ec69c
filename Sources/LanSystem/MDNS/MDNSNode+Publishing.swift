import LanCore
import LanWire

/// What publishers want of a node that runs.
extension MDNSNode {
  /// The host label that the node claims; nil while nothing is published.
  var hostClaim: MDNSHostClaim? { publishing?.claim }

  /// Begins to publish, with the host name that others on this node have already, or `claim`.
  func publish(_ publication: MDNSNodePublication, as claim: MDNSHostClaim) {
    guard isRunning else { return }
    let now = MonotonicClock.now
    let publishing = publishing ?? MDNSPublishing(self, claim, at: now)
    self.publishing = publishing
    publishing.publish(publication, at: now)
    finishTurn(at: now)
  }

  /// Takes a publication back; `onEnd` is called from the loop once the goodbye has left.
  func withdraw(_ publication: MDNSNodePublication, _ onEnd: @escaping () -> Void) {
    guard isRunning, let publishing else { return publicationsEnded([onEnd]) }
    let now = MonotonicClock.now
    publishing.withdraw(publication, at: now, onEnd)
    finishTurn(at: now)
  }

  /// Changes a publication's TXT record.
  func update(_ publication: MDNSNodePublication, text: [[UInt8]]) {
    publication.service.text = text
    guard isRunning, let publishing, let id = publication.id else { return }
    let now = MonotonicClock.now
    publishing.responder.update(id, text: text, at: now)
    finishTurn(at: now)
  }

  /// Publishes on these links and no others from now on.
  func setInterfaces(_ interfaces: Set<UInt32>?, of publication: MDNSNodePublication) {
    guard publication.interfaces != interfaces else { return }
    publication.interfaces = interfaces
    guard isRunning, let publishing, let id = publication.id else { return }
    let now = MonotonicClock.now
    publishing.responder.setInterfaces(interfaces, of: id, at: now)
    finishTurn(at: now)
  }

  /// Tells that publications are gone, outside of the turn that goes on.
  func publicationsEnded(_ calls: [() -> Void]) {
    reactor.schedule(after: .zero) { [weak self] in
      for call in calls { call() }
      self?.endPublishing()
    }
  }

  /// Ends the answering half when nothing is left of it.
  private func endPublishing() {
    guard let publishing, publishing.publications.isEmpty, publishing.responder.isIdle else {
      return
    }
    self.publishing = nil
    if let neighbours = publishing.neighbours { remove(neighbours) }
  }
}
