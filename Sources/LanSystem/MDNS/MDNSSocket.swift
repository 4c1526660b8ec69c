import Glibc
import LanCore
import LanWire

/// One socket of a node: what it has joined, and what waits to be sent.
final class MDNSSocket {
  /// One packet that waits for room.
  struct Waiting {
    var bytes: [UInt8]
    var interfaceIndex: UInt32
    var destination: SocketEndpoint
  }
  /// More than this many packets do not wait.
  static let waitingLimit = 512

  let socket: DatagramSocket
  /// The only interface that it can be used on, for IPv6 sockets that are bound to a group.
  let scope: UInt32
  var watch: WatchToken?
  var memberships = 0
  /// It has its fill of groups.
  var isFull = false
  /// It is there only for its groups, and goes with the last of them.
  var isExtra = false
  var waiting: [Waiting] = []
  /// Datagrams that the kernel had lost when it was last asked.
  private var lost: UInt32 = 0

  /// A socket that shares port 5353, bound to everything or to the group alone.
  init(
    _ family: DatagramSocket.Family, toGroup: Bool, scope: UInt32 = 0, receiveBuffer: Int
  ) throws(SystemError) {
    self.scope = scope
    socket = try DatagramSocket(family, isShared: true, isStamped: false)
    socket.setReceiveBuffer(receiveBuffer)
    try socket.setHopLimit(255)
    // Other stacks on this host must hear us.
    try socket.setMulticastLoop(true)
    let address: IPAddress =
      toGroup
      ? Self.group(family)
      : family == .ipv4 ? .v4(IPv4Address(bits: 0)) : .v6(IPv6Address(high: 0, low: 0))
    try socket.bind(to: SocketEndpoint(address, port: MDNSPortUse.port, scope: scope))
  }

  /// The group of a family.
  static func group(_ family: DatagramSocket.Family) -> IPAddress {
    family == .ipv4 ? .v4(.mdnsGroup) : .v6(.mdnsGroup)
  }

  /// Where a packet goes: to its one destination, or to the group on its interface.
  func destination(of packet: MDNSPacket) -> SocketEndpoint {
    let address = packet.destination?.address ?? Self.group(socket.family)
    return SocketEndpoint(
      address, port: packet.destination?.port ?? MDNSPortUse.port,
      scope: address.isIPv6 && (packet.destination == nil || address.isLinkLocal)
        ? packet.interfaceIndex : 0)
  }

  /// How many more datagrams the kernel has thrown away since the last call.
  func takeLost() -> Int {
    guard let now = socket.lostCount else { return 0 }
    defer { lost = now }
    return Int(now &- lost)
  }
}
