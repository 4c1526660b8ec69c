import LanCore
import LanSystem

/// What records say beside an event: whose it is, and how the peer is tested.
struct PingPeerSubject: Hashable {
  /// The target as the user or `browse` names it.
  var target: String
  var mode: PeerMode
  /// Where the connection goes; nil before there is one.
  var endpoint: SocketEndpoint?
  /// How long the last handshake took, nanoseconds.
  var connectTime: Int64?
  /// How long a probe may take.
  var wait: Duration
  /// There are other targets, so that lines for people name theirs.
  var isOneOfMany = false
}

/// What the test of one target came to, so far or in all.
struct PingPeerReport: Hashable {
  var subject: PingPeerSubject
  var summary: PeerProbeSummary
  /// The peer sent something that is no WiTap.
  var isForeign = false
  /// The peer vanished without closing the connection, and did not come back.
  var isVanished = false
}

/// What became of a service's records after it failed.
enum PingPeerReconfirmation: Hashable {
  /// Somebody announces it, as before.
  case announced
  /// Nobody answers for it any more, or it said goodbye.
  case gone
  /// It is elsewhere; the addresses to try from now on.
  case moved([SocketEndpoint])

  /// The word for programs.
  var word: String {
    switch self {
    case .announced: "announced"
    case .gone: "gone"
    case .moved: "moved"
    }
  }
}
