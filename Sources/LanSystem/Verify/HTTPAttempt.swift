import Glibc
import LanCore
import LanWire

/// Asks a web server, and tells the expected answer from that of a portal.
final class HTTPAttempt: ProbeAttempt {
  /// Enough for a head and the beginning of a body.
  private static let limit = 32_768
  private let http: HTTPProbe
  private let resolver: NameResolver
  private var candidates: [IPAddress] = []
  private var socket: ProbeSocket?
  private var received: [UInt8] = []
  private var isConnected = false

  init(
    _ probe: ReachabilityProbe, _ request: ProbeRequest, _ reactor: Reactor, _ http: HTTPProbe,
    _ resolver: NameResolver
  ) {
    self.http = http
    self.resolver = resolver
    super.init(probe, request, reactor)
  }

  override func begin() {
    wait()
    if let address = IPAddress(parsing: http.host) { return use([address]) }
    resolver.resolve(http.host) { [weak self] resolution in
      switch resolution {
      case .addresses(let addresses): self?.use(addresses)
      case .failed(let reason): self?.end(.unresolved(reason))
      case .notFound: self?.end(.unresolved("the name has no address"))
      case .pending: break
      }
    }
  }

  override func stop() {
    socket = nil
    super.stop()
  }

  override func timedOut() { end(isConnected ? .limited : .none, "no answer") }

  private func use(_ addresses: [IPAddress]) {
    candidates = addresses.filter { $0.isIPv6 ? request.usesIPv6 : request.usesIPv4 }
    if let local = request.local { candidates.removeAll { $0.isIPv6 != local.isIPv6 } }
    if candidates.isEmpty { return end(.noDestination) }
    connectNext(ECONNREFUSED)
  }

  /// Tries the next address; `number` is what became of the one before.
  private func connectNext(_ number: Int32) {
    guard !candidates.isEmpty else { return end(number: number) }
    let next = candidates.removeFirst()
    address = next
    let type = Int32(SOCK_STREAM.rawValue)
    let endpoint = request.endpoint(next, port: http.port)
    // One family without a route is no reason not to try the other.
    if !candidates.isEmpty,
      (try? ProbeSocket(request, endpoint, type: Int32(SOCK_DGRAM.rawValue), protocol: 0)) == nil
    {
      return connectNext(ENETUNREACH)
    }
    guard let socket = open(endpoint, type: type) else { return }
    self.socket = socket
    watch(.writable) { [weak self] in
      let number = socket.pendingError
      if number == 0 { self?.ask() } else { self?.connectNext(number) }
    }
  }

  private func ask() {
    isConnected = true
    let isIPv6 = http.host.contains(":")
    let host = (isIPv6 ? "[\(http.host)]" : http.host) + (http.port == 80 ? "" : ":\(http.port)")
    // Version 1.0, so that the body comes as it is and the connection ends behind it.
    let text =
      "GET \(http.path) HTTP/1.0\r\nHost: \(host)\r\nUser-Agent: lantool/\(Lantool.version)\r\n"
      + "Accept: */*\r\nCache-Control: no-cache\r\nConnection: close\r\n\r\n"
    let number = socket?.send(Array(text.utf8)) ?? 0
    if number != 0 { return end(number: number) }
    watch(.readable) { [weak self] in self?.receive() }
  }

  private func receive() {
    guard let socket else { return }
    switch socket.receive(limit: 8192) {
    case nil: return
    case .failure(let error)?: end(number: error.errno)
    case .success(let bytes)?:
      received += bytes
      judge(isEnd: bytes.isEmpty || received.count >= Self.limit)
    }
  }

  private func judge(isEnd: Bool) {
    do throws(HTTPResponseHead.Fault) {
      guard let head = try HTTPResponseHead(received.span) else {
        if isEnd { end(.limited, "the answer broke off") }
        return
      }
      let answer = http.judge(head, body: head.body(received.span), isEnd: isEnd)
      if let answer { end(answer.connectivity, answer.detail) }
    } catch {
      end(.limited, "no HTTP answer")
    }
  }
}

extension HTTPProbe {
  /// What an answer means; nil while more of the body is needed.
  func judge(
    _ head: HTTPResponseHead, body: [UInt8], isEnd: Bool
  ) -> (connectivity: ProbeReport.Connectivity, detail: String)? {
    let status = "status \(head.status)"
    if case .status(let wanted) = expectation {
      if head.status == wanted { return (.full, status) }
      // A page in place of the empty answer is the portal's.
      if (200...299).contains(head.status) { return (.portal, status) }
    }
    switch head.status {
    case 511: return (.portal, status)
    case 300...399:
      return (.portal, head.location.map { "\(status) to \(Self.printable($0))" } ?? status)
    case 200...299: break
    default: return (.limited, status)
    }
    guard case .body(let text) = expectation else { return (.full, status) }
    let wanted = Array(text.utf8)
    if body.count < wanted.count, !isEnd { return nil }
    return body.starts(with: wanted) ? (.full, status) : (.portal, "another body than expected")
  }

  /// A stranger's text without what a terminal would obey, and not too long.
  private static func printable(_ text: String) -> String {
    String(
      text.unicodeScalars.prefix(200).map { $0.value < 32 || $0.value == 127 ? "?" : Character($0) }
    )
  }
}
