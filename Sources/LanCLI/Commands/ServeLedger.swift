import LanCore
import LanSystem

/// What has happened in a run of `serve`.
struct ServeLedger: Hashable {
  /// Connections that were served.
  private(set) var connections = 0
  /// Those of them that have ended.
  private(set) var closed = 0
  /// Connections that were turned away.
  private(set) var refused = 0
  private(set) var bytesIn = 0
  private(set) var bytesOut = 0
  private(set) var games = 0
  private(set) var tapsReceived = 0
  private(set) var tapsSent = 0

  /// Counts what a server tells.
  mutating func take(_ event: PeerServerEvent) {
    switch event {
    case .connection: connections += 1
    case .closed(_, let received, let sent, let reason):
      if reason.isRefusal {
        connections -= 1
        refused += 1
      } else {
        closed += 1
      }
      bytesIn &+= received
      bytesOut &+= sent
    case .tap(_, isSent: true, _): tapsSent += 1
    case .tap(_, isSent: false, _): tapsReceived += 1
    case .gameBegan: games += 1
    case .gameEnded, .listening, .cannotAccept: break
    }
  }
}

extension PeerCloseReason {
  /// True where the peer was not served at all.
  var isRefusal: Bool { self == .busy || self == .offLink }

  /// The word in JSON.
  var word: String {
    switch self {
    case .endOfStream: "endOfStream"
    case .system(let error): error.isReset ? "reset" : "error"
    case .idle: "idle"
    case .stalled: "stalled"
    case .byteLimit: "byteLimit"
    case .busy: "busy"
    case .offLink: "offLink"
    case .stopped: "stopped"
    }
  }

  /// The reason for people.
  var text: String {
    switch self {
    case .endOfStream: "closed by the peer"
    case .system(let error): error.isReset ? "reset by the peer" : error.reason
    case .idle: "silent for too long"
    case .stalled: "does not read what it gets"
    case .byteLimit: "sent all that one connection may"
    case .busy: "turned away: too many already"
    case .offLink: "turned away: not on a link of this host (see --allow)"
    case .stopped: "ended here"
    }
  }
}
