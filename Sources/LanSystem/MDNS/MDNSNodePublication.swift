import LanCore
import LanWire

/// Who publishes through an `MDNSNode`, beside asking.
protocol MDNSPublisherClient: MDNSClient {
  /// Something became of a publication of this client.
  func handle(_ event: MDNSResponderEvent, of publication: MDNSNodePublication)
  /// The node was stopped, and all publications are gone without a goodbye.
  func publishingEnded()
}

/// A service that a node publishes, or is to publish.
final class MDNSNodePublication {
  /// What is published, as it is wished for.
  var service: MDNSService
  /// The only links; nil for all.
  var interfaces: Set<UInt32>?
  /// Who is told what becomes of it.
  weak var client: (any MDNSPublisherClient)?
  /// The responder's number; nil before it has one.
  var id: MDNSService.ID?
  /// Its SRV record names another stack's host.
  var isHostForeign = false
  /// Called once the goodbye has left; there while it is taken back.
  var onEnd: (() -> Void)?

  init(_ service: MDNSService, on interfaces: Set<UInt32>?, for client: any MDNSPublisherClient) {
    self.service = service
    self.interfaces = interfaces
    self.client = client
  }

  /// True while it is taken back.
  var isLeaving: Bool { onEnd != nil }
}

/// The host name that a node claims for what it publishes.
struct MDNSHostClaim: Hashable {
  /// The label that is tried first.
  var label: [UInt8]
  /// The user gave it: it is claimed even beside another stack's name.
  var isGiven: Bool
}
