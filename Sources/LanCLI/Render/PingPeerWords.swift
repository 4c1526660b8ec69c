import LanCore
import LanSystem
import LanWire

/// The words of `ping-peer` for what happens to probes and connections.
enum PingPeerWords {
  /// Nanoseconds as milliseconds with three digits behind the point.
  static func milliseconds(_ nanoseconds: Int64) -> String {
    let microseconds = (max(nanoseconds, 0) + 500) / 1_000
    return "\(microseconds / 1_000).\(padded(microseconds % 1_000))"
  }

  /// The same of a mean.
  static func milliseconds(_ nanoseconds: Double) -> String {
    milliseconds(Int64(nanoseconds.rounded()))
  }

  private static func padded(_ value: Int64) -> String {
    value < 10 ? "00\(value)" : value < 100 ? "0\(value)" : "\(value)"
  }

  /// A share of 100 with a digit behind the point: `76.9 %`.
  static func percent(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    return "\(tenths / 10).\(tenths % 10) %"
  }

  /// Where a connection goes, with the interface's name as the zone.
  static func text(_ endpoint: SocketEndpoint) -> String {
    endpoint.address.isIPv6
      ? "[\(address(endpoint))]:\(endpoint.port)" : "\(endpoint.address):\(endpoint.port)"
  }

  /// The address with its zone: `fe80::1%eth0`.
  static func address(_ endpoint: SocketEndpoint) -> String {
    guard endpoint.address.needsZone, endpoint.scope != 0 else { return "\(endpoint.address)" }
    let zone = InterfaceList.name(of: endpoint.scope) ?? "\(endpoint.scope)"
    return "\(endpoint.address)%\(zone)"
  }

  /// The mode as `--mode` has it.
  static func word(_ mode: PeerMode) -> String {
    switch mode {
    case .echo: "echo"
    case .tap: "tap"
    case .connect: "connect"
    case .discard: "discard"
    }
  }

  /// Why something failed, as one word for programs.
  static func word(_ failure: PeerFailure) -> String {
    switch failure {
    case .timeout: "timeout"
    case .halfOpen: "halfOpen"
    case .closed: "closed"
    case .shortReply: "shortReply"
    case .corrupted: "corrupted"
    case .selfConnected: "selfConnected"
    case .system(let error): error.peerWord
    case .notConnected(let attempts):
      attempts.last(where: \.isTelling).map { word($0.outcome) } ?? "notConnected"
    }
  }

  /// How a try to connect ended, as one word.
  static func word(_ outcome: PeerConnectAttempt.Outcome) -> String {
    switch outcome {
    case .connected: "connected"
    case .failed(let number): SystemError(call: "connect", errno: number).peerWord
    case .abandoned: "abandoned"
    case .timedOut: "timeout"
    case .selfConnected: "selfConnected"
    }
  }

  /// Why something failed, for people; `wait` is the time limit of a probe.
  static func text(_ failure: PeerFailure, wait: Duration) -> String {
    switch failure {
    case .timeout: return "no answer within \(span(wait))"
    case .halfOpen:
      return "half-open: nothing comes any more, though nobody closed the connection"
    case .closed: return "the peer closed the connection"
    case .shortReply(let received, let expected):
      return "short answer: the peer closed after \(received) of \(expected) bytes"
    case .corrupted(let offset, let expected, let received):
      return
        "wrong bytes: byte \(offset) is 0x\(hex(received)), 0x\(hex(expected)) was sent"
    case .selfConnected:
      return "the kernel connected the socket to itself; nobody listens there"
    case .system(let error): return error.reason
    case .notConnected(let attempts): return text(attempts, wait: wait)
    }
  }

  /// Why a probe was lost, for people.
  static func lossText(_ failure: PeerFailure, wait: Duration) -> String {
    let text = text(failure, wait: wait)
    if case .notConnected = failure { return "not connected: \(text)" }
    return text
  }

  /// The tries that failed: `[2001:db8::7]:7 connection refused; 192.0.2.7:7 no answer within 1s`.
  private static func text(_ attempts: [PeerConnectAttempt], wait: Duration) -> String {
    guard !attempts.isEmpty else { return "there is no address to connect to" }
    if attempts.count == 1 { return text(attempts[0].outcome, wait: wait) }
    return attempts.map { "\(text($0.endpoint)) \(text($0.outcome, wait: wait))" }
      .joined(separator: "; ")
  }

  /// How a try to connect ended, for people.
  static func text(_ outcome: PeerConnectAttempt.Outcome, wait: Duration) -> String {
    switch outcome {
    case .connected: "connected"
    case .failed(let number): SystemError(call: "connect", errno: number).reason
    case .abandoned: "given up for another"
    case .timedOut: "no answer within \(span(wait))"
    case .selfConnected: "connected to itself"
    }
  }

  /// A span as an option would give it.
  static func span(_ duration: Duration) -> String {
    let nanoseconds = duration.wholeNanoseconds
    if nanoseconds == 0 { return "0" }
    for (unit, scale) in [("s", Int64(1_000_000_000)), ("ms", 1_000_000), ("us", 1_000)]
    where nanoseconds % scale == 0 {
      return "\(nanoseconds / scale)\(unit)"
    }
    return "\(nanoseconds)ns"
  }

  private static func hex(_ byte: UInt8) -> String {
    (byte < 16 ? "0" : "") + String(byte, radix: 16)
  }
}

extension PeerConnectAttempt {
  /// It tells why there is no connection.
  var isTelling: Bool { outcome != .abandoned && outcome != .connected }
}

extension PeerFailure {
  /// True where the peer, or somebody on the way, has said something; silence says nothing.
  var isDefinite: Bool {
    switch self {
    case .timeout, .halfOpen: false
    case .notConnected(let attempts):
      attempts.contains { $0.isTelling && $0.outcome != .timedOut }
    default: true
    }
  }

  /// The error of this host that no peer can do anything about; nil for another failure.
  var localError: SystemError? {
    switch self {
    case .system(let error): return error.isLocal ? error : nil
    case .notConnected(let attempts):
      var first: SystemError?
      for attempt in attempts where attempt.isTelling {
        guard case .failed(let number) = attempt.outcome else { return nil }
        let error = SystemError(call: "connect", errno: number)
        guard error.isLocal else { return nil }
        first = first ?? error
      }
      return first
    default: return nil
    }
  }
}
