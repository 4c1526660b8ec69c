/// Whether an acknowledgement was held back by the peer's kernel.
enum PingPeerDelayedAck {
  /// Linux holds one back for 40 ms at least, others for up to 200 ms.
  private static let least: Int64 = 30_000_000

  /// True where a byte took that much longer to be acknowledged than the handshake.
  static func isSuspected(_ elapsed: Int64, handshake: Int64) -> Bool {
    elapsed - handshake > least
  }
}
