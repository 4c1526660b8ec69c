public import LanWire

/// Why a connection of a server ended.
public enum PeerCloseReason: Hashable, Sendable {
  /// The peer closed it.
  case endOfStream
  /// The peer reset it, or the network failed.
  case system(SystemError)
  /// Nothing came for too long.
  case idle
  /// The peer does not read what it gets back.
  case stalled
  /// The peer used up its bytes.
  case byteLimit
  /// The server is full, or plays with somebody else.
  case busy
  /// The peer is not on a link of this host.
  case offLink
  /// The server ends.
  case stopped
}

/// What a server tells.
public enum PeerServerEvent: Hashable, Sendable {
  /// Connections are taken on this port at these addresses.
  case listening(port: UInt16, addresses: [SocketEndpoint])
  /// A peer connected.
  case connection(SocketEndpoint)
  /// A connection ended.
  case closed(SocketEndpoint, bytesIn: Int, bytesOut: Int, PeerCloseReason)
  /// A tap was received from, or sent to, the player.
  case tap(TapByte, isSent: Bool, SocketEndpoint)
  /// A game began: the service is to be withdrawn.
  case gameBegan(SocketEndpoint)
  /// The game is over: the service is to be published again.
  case gameEnded(SocketEndpoint)
  /// Connections cannot be taken for now; told once until they can again.
  case cannotAccept(SystemError)
}
