import CLan
import Glibc
import LanCore

/// How connections begin.
extension PeerServer {
  /// How many are taken before others have their turn.
  private static let batch = 64
  /// How long listeners rest where no descriptor is free and none is given back here.
  private static let rest = Duration.seconds(1)

  func accept(from listener: Int32) {
    for _ in 0..<Self.batch where isRunning {
      var raw = lan_endpoint()
      let number = unsafe lan_peer_accept(listener, &raw)
      if number >= 0 {
        if let peer = SocketEndpoint(raw) {
          take(number, peer)
        } else {
          lan_peer_close(number, 0)
        }
        continue
      }
      switch errno {
      case EAGAIN:
        hasToldShortage = false
        return
      case EMFILE, ENFILE, ENOBUFS, ENOMEM: return rest(errno)
      // What befell that connection alone (accept(2)); the next one may be in order.
      default: continue
      }
    }
  }

  /// Leaves connections with the kernel for a while, which would call again and again.
  private func rest(_ code: Int32) {
    for listener in listeners {
      if let watch = listener.watch { try? reactor.change(watch, to: []) }
    }
    isShort = true
    retryTimer = reactor.schedule(after: Self.rest) { [unowned self] in
      retryTimer = nil
      resume()
    }
    guard !hasToldShortage else { return }
    hasToldShortage = true
    tell(.cannotAccept(SystemError(call: "accept", errno: code, subject: "port \(port)")))
  }

  /// Takes connections again.
  func resume() {
    guard isShort else { return }
    isShort = false
    if let retryTimer { reactor.cancel(retryTimer) }
    retryTimer = nil
    for listener in listeners {
      if let watch = listener.watch { try? reactor.change(watch, to: .readable) }
    }
  }

  private func take(_ number: Int32, _ peer: SocketEndpoint) {
    if let reason = refusal(of: peer, number) { return turnAway(number, peer, reason) }
    let index = connections.insert(
      PeerConnection(
        descriptor: number, peer: peer, activeRound: idleSweep.round, sentRound: stallSweep.round))
    do throws(SystemError) {
      let watch = try reactor.watch(number) { [unowned self] _ in serve(index) }
      connections.update(index) { $0.watch = watch }
    } catch {
      _ = connections.remove(index)
      return turnAway(number, peer, .system(error))
    }
    if isGame || configuration.idleLimit == nil { lan_peer_keep_alive(number) }
    if idleSweep.timer == nil { scheduleIdleSweep() }
    if isGame { player = index }
    tell(.connection(peer))
    if isGame, player == index { tell(.gameBegan(peer)) }
  }

  private func turnAway(_ number: Int32, _ peer: SocketEndpoint, _ reason: PeerCloseReason) {
    lan_peer_close(number, reason == .offLink ? 1 : 0)
    tell(.connection(peer))
    if isRunning { tell(.closed(peer, bytesIn: 0, bytesOut: 0, reason)) }
  }

  var isGame: Bool { if case .tap = configuration.mode { true } else { false } }

  /// Why a peer is not served.
  private func refusal(of peer: SocketEndpoint, _ number: Int32) -> PeerCloseReason? {
    if links.isRestricted {
      var local = lan_endpoint()
      guard unsafe lan_local_endpoint(number, &local) == 0, let own = SocketEndpoint(local),
        links.owns(own)
      else { return .offLink }
    }
    if !configuration.allowsAnyone, !links.contains(peer) { return .offLink }
    if isGame, player != nil { return .busy }
    if connections.count >= configuration.connectionLimit { return .busy }
    if configuration.perPeerLimit < configuration.connectionLimit,
      connections.count(from: peer) >= configuration.perPeerLimit
    {
      return .busy
    }
    return nil
  }
}
