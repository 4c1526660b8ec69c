public import LanWire

/// What is done with a connection to a peer.
public enum PeerMode: Hashable, Sendable {
  /// Bytes come back as they were sent (RFC 862).
  case echo
  /// Each byte is a tap of WiTap; nothing comes back.
  case tap(TapDialect)
  /// The handshake is all.
  case connect
  /// Bytes are taken and thrown away (RFC 863); for servers.
  case discard
}
