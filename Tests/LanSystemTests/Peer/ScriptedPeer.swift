import Foundation
import Glibc
import LanCore
import LanWire
import Synchronization

@testable import LanSystem

/// A peer on loopback that does what a script says, on a thread of its own for each connection.
final class ScriptedPeer: Sendable {
  /// One connection; calls wait, for ten seconds at most.
  struct Connection {
    let descriptor: Int32
    /// Which connection this is, from 1.
    let number: Int

    /// What came, `limit` bytes at most; empty once the prober is gone.
    func read(_ limit: Int = 65_536) -> [UInt8] {
      var bytes = [UInt8](repeating: 0, count: limit)
      let count = recv(descriptor, &bytes, limit, 0)
      return Array(bytes.prefix(max(count, 0)))
    }

    /// Exactly so many bytes; nil if the prober goes before.
    func read(exactly count: Int) -> [UInt8]? {
      var bytes: [UInt8] = []
      while bytes.count < count {
        let part = read(count - bytes.count)
        if part.isEmpty { return nil }
        bytes += part
      }
      return bytes
    }

    func write(_ bytes: [UInt8]) {
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes {
          send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        guard count > 0 else { return }
        rest = rest.dropFirst(count)
      }
    }

    /// Sends back what comes until the prober is gone.
    func echo() {
      while true {
        let bytes = read()
        if bytes.isEmpty { return }
        write(bytes)
      }
    }

    func pause(_ seconds: Double) { usleep(UInt32(seconds * 1e6)) }

    /// Has the end of the script reset the connection.
    func reset() {
      var now = linger(l_onoff: 1, l_linger: 0)
      setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
    }
  }

  let port: UInt16
  private let listener: Int32

  /// A peer at 127.0.0.1, or at ::1; port 0 is any.
  ///
  /// With a backlog of 0 and no script SYNs are dropped after the first, as behind a filter.
  init(
    isIPv6: Bool = false, port: UInt16 = 0, backlog: Int32 = 64,
    _ script: (@Sendable (Connection) -> Void)? = { $0.echo() }
  ) throws {
    listener = try Self.listen(isIPv6, port, backlog)
    self.port = Self.port(of: listener, isIPv6)
    if let script { Self.accept(listener, script) }
  }

  private static func listen(_ isIPv6: Bool, _ port: UInt16, _ backlog: Int32) throws -> Int32 {
    let listener = socket(isIPv6 ? AF_INET6 : AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    set(listener, SOL_SOCKET, SO_REUSEADDR, 1)
    let isBound =
      if isIPv6 {
        with(sockaddr_in6(port)) { bind(listener, $0, $1) }
      } else {
        with(sockaddr_in(port)) { bind(listener, $0, $1) }
      }
    guard isBound == 0, Glibc.listen(listener, backlog) == 0 else {
      throw SystemError(call: "listen", errno: errno)
    }
    return listener
  }

  private static func accept(
    _ listener: Int32, _ script: @escaping @Sendable (Connection) -> Void
  ) {
    Thread.detachNewThread {
      var number = 0
      while true {
        let descriptor = Glibc.accept(listener, nil, nil)
        guard descriptor >= 0 else { return }
        number += 1
        var limit = timeval(tv_sec: 10, tv_usec: 0)
        setsockopt(
          descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        set(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, 1)
        let connection = Connection(descriptor: descriptor, number: number)
        Thread.detachNewThread {
          script(connection)
          close(connection.descriptor)
        }
      }
    }
  }

  private static func set(_ descriptor: Int32, _ level: Int32, _ option: Int32, _ value: Int32) {
    var value = value
    setsockopt(descriptor, level, option, &value, 4)
  }

  private static func with<Address>(
    _ address: Address, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    withUnsafeBytes(of: address) { bytes in
      guard let start = bytes.baseAddress else { return -1 }
      return body(start.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count))
    }
  }

  private static func port(of listener: Int32, _ isIPv6: Bool) -> UInt16 {
    // The port stands at the same place in both.
    var local = sockaddr_in6()
    var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
    withUnsafeMutableBytes(of: &local) { bytes in
      if let start = bytes.baseAddress {
        getsockname(listener, start.assumingMemoryBound(to: sockaddr.self), &length)
      }
    }
    return UInt16(bigEndian: local.sin6_port)
  }

  /// Takes no connections any more.
  func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

  deinit {
    // Wakes the thread that accepts.
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
  }

  static func address(_ isIPv6: Bool) -> IPAddress {
    isIPv6 ? .v6(IPv6Address(high: 0, low: 1)) : .v4(IPv4Address(bits: 0x7F00_0001))
  }

  /// A port of loopback on which nobody listens.
  static func closedPort(isIPv6: Bool = false) throws -> UInt16 {
    try ScriptedPeer(isIPv6: isIPv6, nil).port
  }

  func endpoint(isIPv6: Bool = false) -> SocketEndpoint {
    SocketEndpoint(Self.address(isIPv6), port: port)
  }
}

/// What came of a probe that ran to its end.
struct ProbeTrial {
  var events: [PeerProbeEvent] = []
  var summary = PeerProbeSummary()

  /// Runs a probe on a reactor of this thread; `during` is called with each event, to interfere.
  init(
    _ endpoints: [SocketEndpoint], _ configure: (inout PeerProbe.Configuration) -> Void,
    during: ((PeerProbeEvent, PeerProbe) -> Void)? = nil
  ) throws {
    let reactor = try Reactor()
    var configuration = PeerProbe.Configuration()
    configuration.interval = .zero
    configure(&configuration)
    let probe = PeerProbe(endpoints, configuration, on: reactor)
    var events: [PeerProbeEvent] = []
    probe.onEvent = { event in
      events.append(event)
      during?(event, probe)
      if event == .finished { reactor.stop() }
    }
    probe.start()
    reactor.schedule(after: .seconds(30)) { probe.stop() }
    try reactor.run()
    self.events = events
    summary = probe.summary
  }

  /// True where the numbers add up, in the summary and in what was told.
  var isConsistent: Bool {
    let told = events.reduce(into: (received: 0, lost: 0)) { count, event in
      switch event {
      case .reply, .tapAcknowledged: count.received += 1
      case .lost: count.lost += 1
      default: break
      }
    }
    return summary.sent == summary.received + summary.lost + summary.inFlight
      && told.received == summary.received && told.lost == summary.lost
      && summary.times.count == summary.received && events.last == .finished
  }

  /// Why probes were lost, in their order.
  var failures: [PeerFailure] {
    events.compactMap { if case .lost(_, let failure) = $0 { failure } else { nil } }
  }

  /// Why connections ended.
  var ends: [PeerFailure] {
    events.compactMap { if case .disconnected(let failure) = $0 { failure } else { nil } }
  }

  /// The tries of the first connection.
  var attempts: [PeerConnectAttempt] {
    for event in events { if case .connected(_, _, _, let attempts) = event { return attempts } }
    return []
  }
}

extension PeerFailure {
  /// How each try to connect ended.
  var outcomes: [PeerConnectAttempt.Outcome] {
    if case .notConnected(let attempts) = self { attempts.map(\.outcome) } else { [] }
  }

  /// The number of a system error.
  var number: Int32? { if case .system(let error) = self { error.errno } else { nil } }
}

extension sockaddr_in {
  /// 127.0.0.1 with this port.
  fileprivate init(_ port: UInt16) {
    self.init()
    sin_family = sa_family_t(AF_INET)
    sin_port = port.bigEndian
    sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
  }
}

extension sockaddr_in6 {
  /// ::1 with this port.
  fileprivate init(_ port: UInt16) {
    self.init()
    sin6_family = sa_family_t(AF_INET6)
    sin6_port = port.bigEndian
    sin6_addr = in6addr_loopback
  }
}
