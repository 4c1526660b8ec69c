import CLan
import Glibc
import LanCore
import LanWire

/// A TCP connection of a probe, from its first try on.
final class PeerLink {
  /// The peer.
  let endpoint: SocketEndpoint
  private let descriptor: FileDescriptor
  private var token: WatchToken?

  /// The number, for calls while this lives.
  var raw: Int32 { descriptor.raw }

  /// A socket that is set up and bound, but not connected.
  ///
  /// - Throws: What a local fact forbids, such as an address that this host does not have.
  init(
    to endpoint: SocketEndpoint, _ configuration: PeerProbe.Configuration
  ) throws(SystemError) {
    self.endpoint = endpoint
    let isIPv6 = endpoint.address.isIPv6
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    descriptor = FileDescriptor(
      owning: try systemCall("socket", on: isIPv6 ? "IPv6" : "IPv4") {
        socket(isIPv6 ? AF_INET6 : AF_INET, type, 0)
      })
    let number = descriptor.raw
    let traffic = configuration.trafficClass.map(Int32.init) ?? -1
    try systemCall("setsockopt", on: endpoint.description) {
      lan_peer_options(number, isIPv6 ? 1 : 0, traffic, configuration.isUndelayed ? 1 : 0)
    }
    if let name = configuration.interface {
      try systemCall("setsockopt(SO_BINDTODEVICE)", on: name) {
        unsafe lan_bind_interface(number, name)
      }
    }
    guard let source = configuration.source, source.isIPv6 == isIPv6 else { return }
    let scope = source.isLinkLocal ? endpoint.scope : 0
    var raw = SocketEndpoint(source, port: 0, scope: scope).raw
    try systemCall("bind", on: source.description) { unsafe lan_bind_address(number, &raw) }
  }

  /// Begins to connect; gives 0 where that is done, EINPROGRESS, or the error.
  func connect() -> Int32 {
    var raw = endpoint.raw
    while unsafe lan_connect(descriptor.raw, &raw) != 0 {
      if errno != EINTR { return errno }
    }
    return 0
  }

  /// The error that waits; 0 for none.
  var pendingError: Int32 { lan_pending_error(descriptor.raw) }
  /// True where the kernel connected the socket to itself, which happens on loopback.
  var isSelfConnected: Bool { lan_is_self_connected(descriptor.raw) != 0 }

  /// The own end.
  var local: SocketEndpoint {
    var raw = lan_endpoint()
    _ = unsafe lan_local_endpoint(descriptor.raw, &raw)
    return SocketEndpoint(raw) ?? SocketEndpoint(.v4(IPv4Address(bits: 0)), port: 0)
  }

  /// What the kernel knows of the connection; nil where it does not tell.
  var facts: lan_tcp? {
    var facts = lan_tcp()
    return unsafe lan_tcp_read(descriptor.raw, &facts) == 0 ? facts : nil
  }

  /// Calls `handler` whenever the socket is ready; takes the place of an earlier watch.
  func watch(
    _ reactor: Reactor, for interest: Readiness, _ handler: @escaping (Readiness) -> Void
  ) throws(SystemError) {
    if let token { reactor.unwatch(token) }
    token = nil
    token = try reactor.watch(descriptor.raw, for: interest, handler)
  }

  /// Waits for something else.
  func change(_ reactor: Reactor, to interest: Readiness) {
    guard let token else { return }
    // A descriptor that is watched can be changed.
    try? reactor.change(token, to: interest)
  }

  /// Ends the watch; the connection is closed with its last owner.
  func close(_ reactor: Reactor) {
    if let token { reactor.unwatch(token) }
    token = nil
  }

  /// Has the close reset the connection, which leaves no port behind that has to wait.
  func closeByReset(_ reactor: Reactor) {
    lan_close_by_reset(descriptor.raw)
    close(reactor)
  }
}

extension PeerProbeSummary.Kernel {
  /// What the kernel told, with `retransmits` of earlier connections.
  init(_ facts: lan_tcp, retransmits: Int) {
    self.init(
      rtt: Int64(facts.rtt) * 1_000, rttDeviation: Int64(facts.rtt_deviation) * 1_000,
      minimumRTT: facts.least_rtt == .max ? nil : Int64(facts.least_rtt) * 1_000,
      retransmits: retransmits + Int(facts.retransmits), segmentSize: Int(facts.segment_size),
      congestionWindow: Int(facts.congestion_window))
  }
}
