import Glibc
import LanCore
import LanWire

/// Connects over TCP, and that is all.
final class ConnectAttempt: ProbeAttempt {
  private let port: UInt16

  init(
    _ probe: ReachabilityProbe, _ request: ProbeRequest, _ reactor: Reactor, port: UInt16
  ) {
    self.port = port
    super.init(probe, request, reactor)
  }

  override func begin() {
    guard let destination = request.address ?? request.way.gateway else {
      return end(.noDestination)
    }
    address = destination
    let type = Int32(SOCK_STREAM.rawValue)
    guard let socket = open(request.endpoint(destination, port: port), type: type) else { return }
    wait()
    watch(.writable) { [weak self] in
      let number = socket.pendingError
      if number == 0 { self?.end(.full, "connected") } else { self?.end(number: number) }
    }
  }
}
