import CLan
import LanCore
public import LanWire

/// The game of taps.
extension PeerServer {
  /// Takes bytes of the player out of the buffer.
  func play(_ count: Int, _ peer: SocketEndpoint, _ index: Int) {
    for place in 0..<min(count, buffer.capacity) where player == index {
      if let tap = game.receive(unsafe buffer.bytes[place]) {
        tell(.tap(tap, isSent: false, peer))
      }
    }
  }

  /// Sends a tap to the player; false where there is none, no room, or the tile is so already.
  @discardableResult
  public func send(_ tap: TapByte) -> Bool {
    guard let player, let connection = connections[player], !game.isSent(tap) else { return false }
    guard lan_peer_send(connection.descriptor, tap.byte(game.dialect)) > 0 else { return false }
    game.didSend(tap)
    connections.update(player) { $0.bytesOut &+= 1 }
    tell(.tap(tap, isSent: true, connection.peer))
    return true
  }
}
