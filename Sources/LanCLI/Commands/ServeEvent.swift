import LanCore
import LanSystem
import LanWire

/// What happens in a run of `serve`, as its renderers are told it.
enum ServeEvent: Hashable {
  case listening(port: UInt16, [SocketEndpoint], mode: String)
  /// Announced under the name that was really taken, with these strings in its TXT record.
  case published(PublishedService, text: [[UInt8]])
  case renamed(from: [UInt8], to: [UInt8], rival: IPAddress?)
  case hostRenamed(from: [UInt8], to: [UInt8], rival: IPAddress?)
  /// The TXT record is another one.
  case updated(text: [[UInt8]])
  /// Taken back with a goodbye.
  case withdrawn(ServiceInstanceName?)
  case notPublished(ServicePublisherError)
  case connection(SocketEndpoint)
  case closed(SocketEndpoint, bytesIn: Int, bytesOut: Int, PeerCloseReason)
  case tap(TapByte, isSent: Bool, SocketEndpoint)
  case cannotAccept(SystemError)

  /// What a server tells, where it is to be shown; `gameBegan` and `gameEnded` stand beside others.
  init?(_ event: PeerServerEvent, mode: String) {
    switch event {
    case .listening(let port, let addresses): self = .listening(port: port, addresses, mode: mode)
    case .connection(let peer): self = .connection(peer)
    case .closed(let peer, let bytesIn, let bytesOut, let reason):
      self = .closed(peer, bytesIn: bytesIn, bytesOut: bytesOut, reason)
    case .tap(let tap, let isSent, let peer): self = .tap(tap, isSent: isSent, peer)
    case .cannotAccept(let error): self = .cannotAccept(error)
    case .gameBegan, .gameEnded: return nil
    }
  }
}

extension SocketEndpoint {
  /// The address as text; a link-local one carries its interface.
  var addressText: String {
    guard scope != 0 else { return "\(address)" }
    return "\(address)%\(InterfaceList.name(of: scope) ?? "\(scope)")"
  }

  /// Address and port as one connects to them.
  var shown: String { address.isIPv6 ? "[\(addressText)]:\(port)" : "\(addressText):\(port)" }
}
