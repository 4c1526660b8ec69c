import Glibc
import LanCore
import LanWire

/// Makes the first hop show itself: an empty datagram to it, then the kernel's neighbour state.
final class NeighbourAttempt: ProbeAttempt {
  /// The port of the discard service (RFC 863).
  private static let discard: UInt16 = 9
  private static let distance = Duration.milliseconds(100)
  private let transport: any NetlinkTransport

  init(
    _ probe: ReachabilityProbe, _ request: ProbeRequest, _ reactor: Reactor,
    _ transport: any NetlinkTransport
  ) {
    self.transport = transport
    super.init(probe, request, reactor)
  }

  override func begin() {
    if request.way.medium == .loopback { return end(.full, "this host itself") }
    guard let hop = request.way.gateway ?? request.address, request.way.interface != nil else {
      return end(.noDestination)
    }
    address = hop
    if look() { return }
    let endpoint = request.endpoint(hop, port: Self.discard)
    guard let socket = open(endpoint, type: Int32(SOCK_DGRAM.rawValue)) else { return }
    let number = socket.send([])
    // EHOSTUNREACH may be the news of an earlier failure; the state below tells.
    if number != 0, number != EHOSTUNREACH { return end(number: number) }
    watch(.readable) { [weak self] in
      // A host that refuses the datagram is there; other errors are the neighbour state's business.
      let number = socket.pendingError
      if number == ECONNREFUSED { self?.end(.full, "answered") } else { self?.close() }
    }
    again()
  }

  override func timedOut() { if !look() { end(.none, "no answer") } }

  private func again() {
    wait(Self.distance) { [weak self] in
      guard let self else { return }
      if !look(isLast: false, hasAsked: true) { again() }
    }
  }

  /// Looks at the kernel's state; true if that was the end.
  private func look(isLast: Bool = true, hasAsked: Bool = false) -> Bool {
    guard let address, let index = request.way.interface?.index else { return false }
    do throws(NetlinkError) {
      guard let state = try transport.neighbour(address, index: index)?.state else { return false }
      if state.contains(.reachable) {
        end(.full, "reachable")
      } else if state.contains(.noARP) || state.contains(.permanent) {
        end(.limited, "the kernel never asks this neighbour")
      } else if state.contains(.failed), hasAsked {
        end(.none, "failed")
      } else {
        return false
      }
    } catch {
      end(.none, "\(error)")
    }
    return true
  }
}
