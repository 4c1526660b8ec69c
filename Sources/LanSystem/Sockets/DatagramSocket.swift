import CLan
import Glibc
public import LanWire

/// A UDP socket of one family, set up for multicast on a link: it never blocks, hears only the groups
/// that it joined itself, and tells interface, destination, hop limit and kernel time of what comes.
public final class DatagramSocket {
  /// Which IP version a socket speaks.
  public enum Family: Hashable, Sendable {
    /// IPv4.
    case ipv4
    /// IPv6, and nothing else (IPV6_V6ONLY).
    case ipv6
  }

  /// What the socket speaks.
  public let family: Family
  /// The port it is bound to; 0 before `bind`.
  public private(set) var port: UInt16 = 0
  private let descriptor: FileDescriptor

  /// The number, for `Reactor.watch`.
  public var rawDescriptor: Int32 { descriptor.raw }

  /// A socket that is not bound yet.
  ///
  /// - Parameters:
  ///   - family: The IP version.
  ///   - isShared: Lets other programs use the same port (SO_REUSEADDR and SO_REUSEPORT), as every
  ///     multicast DNS stack does.
  ///   - isStamped: Has the kernel tell the time of each datagram.
  /// - Throws: When the system lacks the family or has no descriptor left.
  public init(
    _ family: Family, isShared: Bool = false, isStamped: Bool = true
  ) throws(SystemError) {
    self.family = family
    let domain = family == .ipv4 ? AF_INET : AF_INET6
    let type = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let name = family == .ipv4 ? "IPv4" : "IPv6"
    descriptor = FileDescriptor(
      owning: try systemCall("socket", on: name) { socket(domain, type, 0) })
    if isShared {
      try set(SOL_SOCKET, SO_REUSEADDR, 1, "setsockopt(SO_REUSEADDR)")
      try set(SOL_SOCKET, SO_REUSEPORT, 1, "setsockopt(SO_REUSEPORT)")
    }
    if isStamped { try set(SOL_SOCKET, SO_TIMESTAMPNS, 1, "setsockopt(SO_TIMESTAMPNS)") }
    switch family {
    case .ipv4: try setUpIPv4()
    case .ipv6: try setUpIPv6()
    }
  }

  private func setUpIPv4() throws(SystemError) {
    let level = Int32(IPPROTO_IP)
    try set(level, IP_MULTICAST_ALL, 0, "setsockopt(IP_MULTICAST_ALL)")
    try set(level, IP_PKTINFO, 1, "setsockopt(IP_PKTINFO)")
    try set(level, IP_RECVTTL, 1, "setsockopt(IP_RECVTTL)")
  }

  private func setUpIPv6() throws(SystemError) {
    let level = Int32(IPPROTO_IPV6)
    try set(level, IPV6_V6ONLY, 1, "setsockopt(IPV6_V6ONLY)")
    try set(level, IPV6_RECVPKTINFO, 1, "setsockopt(IPV6_RECVPKTINFO)")
    try set(level, IPV6_RECVHOPLIMIT, 1, "setsockopt(IPV6_RECVHOPLIMIT)")
    // Linux before 4.20 has no such option, and behaves as if it were 1.
    try? set(level, 29, 0, "setsockopt(IPV6_MULTICAST_ALL)")
  }

  private func set(
    _ level: Int32, _ option: Int32, _ value: Int32, _ call: StaticString,
    on subject: @autoclosure () -> String = ""
  ) throws(SystemError) {
    var value = value
    try systemCall(call, on: subject()) {
      unsafe setsockopt(descriptor.raw, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }
  }

  /// Binds to an own address, to a group (then nothing sent to an own address is taken away from
  /// other stacks on the port), or to the unspecified address.
  ///
  /// A group of link-local scope needs the endpoint's `scope`; the socket then belongs to that
  /// interface.
  ///
  /// - Throws: EADDRINUSE when another program does not share the port.
  public func bind(to endpoint: SocketEndpoint) throws(SystemError) {
    var raw = endpoint.raw
    try systemCall("bind", on: endpoint.description) { unsafe lan_bind(descriptor.raw, &raw) }
    var local = lan_endpoint()
    try systemCall("getsockname") { unsafe lan_local_endpoint(descriptor.raw, &local) }
    port = local.port
  }

  /// Joins `group` on one interface.
  ///
  /// - Throws: ENOBUFS when the socket has its fill of groups (20 with IPv4), ENODEV when the
  ///   interface lacks the family; the subject is the interface's name.
  public func join(_ group: IPAddress, on interface: NetworkInterface) throws(SystemError) {
    var raw = SocketEndpoint(group, port: 0).raw
    try systemCall(family == .ipv4 ? "IP_ADD_MEMBERSHIP" : "IPV6_JOIN_GROUP", on: interface.name) {
      unsafe lan_join(descriptor.raw, &raw, interface.index)
    }
  }

  /// Leaves `group` on the interface with number `index`; closing the socket leaves all.
  ///
  /// - Throws: EADDRNOTAVAIL when the group is not joined there.
  public func leave(_ group: IPAddress, on index: UInt32) throws(SystemError) {
    var raw = SocketEndpoint(group, port: 0).raw
    try systemCall(family == .ipv4 ? "IP_DROP_MEMBERSHIP" : "IPV6_LEAVE_GROUP") {
      unsafe lan_leave(descriptor.raw, &raw, index)
    }
  }

  /// Sets TTL or hop limit of what is sent, to groups and to single hosts (255 for mDNS).
  ///
  /// - Throws: When the kernel refuses it.
  public func setHopLimit(_ limit: UInt8) throws(SystemError) {
    let value = Int32(limit)
    switch family {
    case .ipv4:
      try set(Int32(IPPROTO_IP), IP_TTL, value, "setsockopt(IP_TTL)")
      try set(Int32(IPPROTO_IP), IP_MULTICAST_TTL, value, "setsockopt(IP_MULTICAST_TTL)")
    case .ipv6:
      let level = Int32(IPPROTO_IPV6)
      try set(level, IPV6_UNICAST_HOPS, value, "setsockopt(IPV6_UNICAST_HOPS)")
      try set(level, IPV6_MULTICAST_HOPS, value, "setsockopt(IPV6_MULTICAST_HOPS)")
    }
  }

  /// Decides whether what is sent to a group is also heard on this machine (by default yes).
  ///
  /// - Throws: When the kernel refuses it.
  public func setMulticastLoop(_ isOn: Bool) throws(SystemError) {
    switch family {
    case .ipv4:
      try set(Int32(IPPROTO_IP), IP_MULTICAST_LOOP, isOn ? 1 : 0, "setsockopt(IP_MULTICAST_LOOP)")
    case .ipv6:
      try set(
        Int32(IPPROTO_IPV6), IPV6_MULTICAST_LOOP, isOn ? 1 : 0, "setsockopt(IPV6_MULTICAST_LOOP)")
    }
  }

  /// Makes room for `bytes` of datagrams that wait, as far as the system lets this program.
  ///
  /// Beyond `net.core.rmem_max` it takes CAP_NET_ADMIN. The kernel counts its own overhead in, and
  /// doubles the number for that.
  public func setReceiveBuffer(_ bytes: Int) {
    let value = Int32(clamping: bytes)
    // Refused without the capability, and then the limit of everybody holds.
    if (try? set(SOL_SOCKET, SO_RCVBUFFORCE, value, "setsockopt(SO_RCVBUFFORCE)")) != nil { return }
    try? set(SOL_SOCKET, SO_RCVBUF, value, "setsockopt(SO_RCVBUF)")
  }

  /// How many datagrams the kernel threw away since the socket was made, mostly because they found
  /// no room; nil where it does not tell (Linux before 4.12).
  public var lostCount: UInt32? {
    // SO_MEMINFO, and SK_MEMINFO_DROPS in it: unlike what SO_RXQ_OVFL tells with a datagram, this
    // counts what was lost behind the last one too.
    var numbers = [UInt32](repeating: 0, count: 9)
    var length = socklen_t(numbers.count * MemoryLayout<UInt32>.size)
    let result = unsafe getsockopt(descriptor.raw, SOL_SOCKET, 55, &numbers, &length)
    return result == 0 && Int(length) == 36 ? numbers[8] : nil
  }

  /// Takes what waits, without waiting for more.
  ///
  /// - Returns: How many datagrams the batch now holds; 0 when nothing waits.
  /// - Throws: A pending error of the socket, such as ECONNREFUSED for an earlier send.
  @discardableResult
  public func receive(into batch: DatagramBatch) throws(SystemError) -> Int {
    try batch.receive(from: descriptor.raw, port: port)
  }

  /// Sends one datagram.
  ///
  /// - Parameters:
  ///   - bytes: The payload.
  ///   - destination: Where to.
  ///   - interfaceIndex: The interface that it leaves by; 0 lets the routing table choose.
  ///   - source: The source address; nil lets the kernel choose.
  /// - Returns: False when the socket's buffer is full: try again when it is writable.
  /// - Throws: ENETUNREACH, EMSGSIZE and the like; the subject is the destination.
  public func send(
    _ bytes: Span<UInt8>, to destination: SocketEndpoint, interfaceIndex: UInt32 = 0,
    from source: IPAddress? = nil
  ) throws(SystemError) -> Bool {
    var to = destination.raw
    var from = source.map { SocketEndpoint($0, port: 0).raw } ?? lan_endpoint()
    let number = descriptor.raw
    let sent = unsafe bytes.withUnsafeBufferPointer { buffer -> Result<Int?, SystemError> in
      Result { () throws(SystemError) in
        try systemCallIfReady("sendmsg", on: destination.description) {
          unsafe lan_send(number, buffer.baseAddress, buffer.count, &to, interfaceIndex, &from)
        }
      }
    }
    return try sent.get() != nil
  }
}
