import CLan
import Glibc
import LanCore
import LanWire

/// One probe of one target: begun once, ended once, or stopped.
class ProbeAttempt {
  /// What is done.
  let probe: ReachabilityProbe
  /// What it is bound to.
  let request: ProbeRequest
  let reactor: Reactor
  /// Where it goes; nil until that is known.
  var address: IPAddress?
  /// Takes what came of it.
  var onEnd: (ProbeReport.Outcome, String) -> Void = { _, _ in }
  /// The timer that is set.
  var timer: TimerToken?
  private var socket: ProbeSocket?
  private var isEnded = false

  init(_ probe: ReachabilityProbe, _ request: ProbeRequest, _ reactor: Reactor) {
    self.probe = probe
    self.request = request
    self.reactor = reactor
  }

  /// Begins.
  func begin() {}

  /// The time is up.
  func timedOut() { end(.none, "no answer") }

  /// Ends without an outcome.
  func stop() {
    isEnded = true
    close()
    if let timer { reactor.cancel(timer) }
    timer = nil
  }

  /// Ends.
  func end(_ connectivity: ProbeReport.Connectivity, _ detail: String) {
    end(.connectivity(connectivity), detail)
  }

  /// Ends with what could not be done.
  func end(_ failure: ProbeReport.Failure) { end(.failure(failure), "") }

  private func end(_ outcome: ProbeReport.Outcome, _ detail: String) {
    guard !isEnded else { return }
    stop()
    onEnd(outcome, detail)
  }

  /// Ends by an error that a socket told.
  func end(number: Int32) {
    let reason = SystemError(call: "", errno: number).reason
    switch number {
    case ECONNREFUSED: end(.limited, "refused")
    case ECONNRESET, EPIPE: end(.limited, reason)
    case ETIMEDOUT, EHOSTUNREACH, ENETUNREACH, EHOSTDOWN, ENETDOWN: end(.none, reason)
    case EPERM, EACCES:
      end(.permissionDenied(remedy: "a firewall rule or the routes of this host forbid it"))
    default: end(.system(SystemError(call: "probe", errno: number, subject: "\(address, or: "")")))
    }
  }

  /// Calls `handler` after `delay`, or `timedOut` where that is later than the probe may last.
  func wait(_ delay: Duration? = nil, _ handler: @escaping () -> Void = {}) {
    if let timer { reactor.cancel(timer) }
    let due = delay.map { MonotonicClock.now + $0.wholeNanoseconds } ?? .max
    let isLast = due >= request.deadline
    timer = reactor.schedule(at: min(due, request.deadline)) { [weak self] in
      guard let self, !isEnded else { return }
      timer = nil
      if isLast { timedOut() } else { handler() }
    }
  }

  /// Opens the socket of the probe; an error ends it.
  func open(
    _ endpoint: SocketEndpoint, type: Int32, protocol number: Int32 = 0
  ) -> ProbeSocket? {
    close()
    do throws(ProbeSocket.Failure) {
      let socket = try ProbeSocket(request, endpoint, type: type, protocol: number)
      self.socket = socket
      return socket
    } catch {
      switch error {
      case .probe(let failure): end(failure)
      case .errno(let number): end(number: number)
      }
      return nil
    }
  }

  /// Calls `handler` when the socket is ready.
  func watch(_ interest: Readiness, _ handler: @escaping () -> Void) {
    guard let socket else { return }
    do throws(SystemError) {
      try socket.watch(reactor, interest) { [weak self] in
        guard let self, !isEnded else { return }
        handler()
      }
    } catch {
      end(.system(error))
    }
  }

  /// Closes the socket.
  func close() {
    socket?.close(reactor)
    socket = nil
  }
}

extension DefaultStringInterpolation {
  fileprivate mutating func appendInterpolation(_ address: IPAddress?, or text: String) {
    appendLiteral(address?.description ?? text)
  }
}
