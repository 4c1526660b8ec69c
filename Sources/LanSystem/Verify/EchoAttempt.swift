import Glibc
import LanCore
import LanWire

/// Sends echo requests (RFC 792, RFC 4443 section 4.1), by a ping socket or else a raw one.
final class EchoAttempt: ProbeAttempt {
  private static let distance = Duration.seconds(1)
  private var socket: ProbeSocket?
  private var isRaw = false
  private var sequence: UInt16 = 0
  private let identifier = UInt16.random(in: 1...UInt16.max)
  private let token = (0..<16).map { _ in UInt8.random(in: 0...255) }

  override func begin() {
    guard let destination = request.address ?? request.way.gateway else {
      return end(.noDestination)
    }
    address = destination
    guard let socket = openEither(request.endpoint(destination, port: 0)) else { return }
    self.socket = socket
    watch(.readable) { [weak self] in self?.receive() }
    send()
  }

  override func stop() {
    socket = nil
    super.stop()
  }

  /// A ping socket where the system lets this group have one, else a raw one.
  private func openEither(_ endpoint: SocketEndpoint) -> ProbeSocket? {
    let isIPv6 = endpoint.address.isIPv6
    let number = Int32(isIPv6 ? 58 : 1)
    let ping = try? ProbeSocket(
      request, endpoint, type: Int32(SOCK_DGRAM.rawValue), protocol: number)
    if ping != nil {
      return open(endpoint, type: Int32(SOCK_DGRAM.rawValue), protocol: number)
    }
    isRaw = true
    return open(endpoint, type: Int32(SOCK_RAW.rawValue), protocol: number)
  }

  private func send() {
    guard let socket, let address else { return }
    sequence &+= 1
    let message = EchoMessage(
      identifier: identifier, sequence: sequence, payload: token, isIPv6: address.isIPv6)
    // A full queue is no answer either; the next one may do better.
    let number = socket.send(message.bytes)
    if number != 0, number != EAGAIN, number != ENOBUFS { return end(number: number) }
    wait(Self.distance) { [weak self] in self?.send() }
  }

  private func receive() {
    guard let socket, let address else { return }
    // A raw socket hears every answer to this host: the loop comes back for more.
    for _ in 0..<64 {
      switch socket.receive(limit: 2048) {
      case nil: return
      case .failure(let error)?: return end(number: error.errno)
      case .success(let bytes)?:
        let hasHeader = isRaw && !address.isIPv6
        let answer = EchoMessage(
          reply: bytes.span, isIPv6: address.isIPv6, hasIPHeader: hasHeader)
        // The kernel gives a ping socket an identifier of its own.
        guard let answer, answer.payload == token, !isRaw || answer.identifier == identifier
        else { continue }
        return end(.full, "reply")
      }
    }
  }
}
