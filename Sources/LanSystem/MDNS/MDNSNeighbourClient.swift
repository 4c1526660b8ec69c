import LanCore
import LanWire

/// Drives `MDNSNeighbours` as a client of the node, and hands on what it decides.
final class MDNSNeighbourClient: MDNSClient {
  private var machine: MDNSNeighbours
  private unowned let publishing: MDNSPublishing

  init(_ publishing: MDNSPublishing, isAlone: Bool) {
    self.publishing = publishing
    var random = SystemRandomNumberGenerator()
    let claim = publishing.claim
    machine = MDNSNeighbours(
      .init(label: claim.label, isGiven: claim.isGiven, isAlone: isAlone), seed: random.next())
  }

  /// Whose host name is used.
  var host: MDNSNeighbours.Host { machine.host }

  /// A link comes, before the responder is told of it.
  func linkComes(_ link: MDNSLink, at now: Int64) {
    change(at: now) { $0.linkComes(link, at: now) }
  }

  func setLink(_ link: MDNSLink, at now: Int64) {
    change(at: now) { $0.setLink(link, at: now) }
  }

  func removeLink(_ index: UInt32, at now: Int64) {
    change(at: now) { $0.removeLink(index, at: now) }
  }

  func handle(_ news: MDNSChange, at now: Int64) {
    change(at: now) { $0.handle(news, at: now) }
  }

  /// Looks at a datagram before the responder does.
  func look(at message: Span<UInt8>, _ arrival: MDNSArrival, at now: Int64) {
    let old = machine.host
    machine.look(at: message, arrival, hostName: publishing.responder.hostName, at: now)
    handOn(old, at: now)
  }

  /// Remembers what is sent.
  func willSend(_ bytes: [UInt8], at now: Int64) {
    machine.willSend(bytes, hostName: publishing.responder.hostName, at: now)
  }

  var nextDeadline: Int64? { machine.nextDeadline }

  func deadlineReached(at now: Int64) {
    change(at: now) { $0.deadlineReached(at: now) }
  }

  func batchEnded(at now: Int64) {}

  func takeDemands() -> [MDNSDemand] {
    defer { machine.demands = [] }
    return machine.demands.map {
      switch $0 {
      case .start(let question, let effort): .start(question, effort)
      case .stop(let question): .stop(question)
      }
    }
  }

  private func change(at now: Int64, _ body: (inout MDNSNeighbours) -> Void) {
    let old = machine.host
    body(&machine)
    handOn(old, at: now)
  }

  private func handOn(_ old: MDNSNeighbours.Host, at now: Int64) {
    if publishing.responder.foreignAddresses != machine.foreignAddresses {
      publishing.responder.foreignAddresses = machine.foreignAddresses
    }
    if machine.host != old { publishing.hostDecided(at: now) }
  }
}
