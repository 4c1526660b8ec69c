import Glibc
import LanCore

extension PeerProbe {
  /// Goes on elsewhere: the peer has moved.
  ///
  /// A connection to a place that is not in the list is left at once; numbers and figures go on.
  ///
  /// - Parameter endpoints: Where the peer is to be tried from now on, best first.
  public func move(to endpoints: [SocketEndpoint]) {
    self.endpoints = endpoints
    preferred = nil
    (restsUntil, pause) = (.min, Self.leastPause)
    guard isRunning else { return }
    let now = MonotonicClock.now
    dial?.cancel()
    dial = nil
    if let link, !endpoints.contains(link.endpoint) {
      disconnect(.system(SystemError(call: "move", errno: ECANCELED)), at: now)
      restsUntil = .min
    }
    if isRunning { wake(by: now) }
  }
}
