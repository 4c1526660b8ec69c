import Glibc
public import LanWire

/// Listens without any privilege: shared UDP sockets that joined the groups.
///
/// It sees what is sent to the groups, and nothing else: no frames, no link-layer addresses, no
/// others' unicast. Each socket is bound to its group, not to the wildcard, so that no unicast answer
/// meant for another stack on the port ends up here.
public final class MulticastSocketCapture {
  /// An interface and group that could not be listened on.
  public typealias Failure = MulticastMembership.Failure

  /// Called with each datagram's payload, lent for that call.
  public typealias Handler = (Span<UInt8>, DatagramInfo) -> Void

  /// A group and its port.
  public struct Group: Hashable, Sendable {
    /// The group.
    public var address: IPAddress
    /// The port in host order.
    public var port: UInt16

    /// A group from its parts.
    public init(_ address: IPAddress, port: UInt16) {
      self.address = address
      self.port = port
    }

    /// Multicast DNS over both families.
    public static let mdns = MulticastMembership.mdnsGroups.map { Group($0, port: 5353) }
    /// LLMNR over both families.
    public static let llmnr = MulticastMembership.llmnrGroups.map { Group($0, port: 5355) }
  }

  /// What could not be listened on; the rest works.
  public private(set) var failures: [Failure] = []
  /// How many sockets listen; 0 means that nothing will come.
  public var socketCount: Int { sockets.count }

  private let reactor: Reactor
  private var isStopped = false
  private var sockets: [(DatagramSocket, WatchToken)] = []

  /// Listens for `groups` on `interfaces`.
  ///
  /// - Parameters:
  ///   - groups: What to join, such as `Group.mdns`.
  ///   - interfaces: Where; such as `InterfaceList.multicast()`.
  ///   - reactor: The loop that `handler` is called on.
  ///   - handler: Called with each datagram.
  /// - Throws: When memory is short; what fails on one interface is in `failures`.
  public init(
    groups: [Group], interfaces: [NetworkInterface], on reactor: Reactor,
    _ handler: @escaping Handler
  ) throws(SystemError) {
    self.reactor = reactor
    guard let batch = DatagramBatch() else { throw SystemError(call: "malloc", errno: ENOMEM) }
    for interface in interfaces {
      for group in groups {
        do throws(SystemError) {
          try listen(to: group, on: interface, batch, handler)
        } catch {
          failures.append(
            Failure(interface: interface.name, group: group.address, error: error))
        }
      }
    }
  }

  deinit { stop() }

  /// Leaves the groups and closes the sockets; also from inside the handler.
  public func stop() {
    isStopped = true
    for (_, watch) in sockets { reactor.unwatch(watch) }
    sockets = []
  }

  private func listen(
    to group: Group, on interface: NetworkInterface, _ batch: DatagramBatch,
    _ handler: @escaping Handler
  ) throws(SystemError) {
    let isIPv6 = group.address.isIPv6
    let socket = try DatagramSocket(isIPv6 ? .ipv6 : .ipv4, isShared: true)
    try socket.bind(
      to: SocketEndpoint(group.address, port: group.port, scope: isIPv6 ? interface.index : 0))
    try socket.join(group.address, on: interface)
    let watch = try reactor.watch(socket.rawDescriptor) { [weak self, unowned socket] _ in
      // One batch a turn, so that a flood leaves the loop time for signals and deadlines. A pending
      // error of a socket that never sends is the interface's end; the receive clears it.
      _ = try? socket.receive(into: batch)
      batch.forEach { bytes, info in
        // The handler may have stopped us in the middle of the batch.
        if self?.isStopped == false { handler(bytes, info) }
      }
    }
    sockets.append((socket, watch))
  }
}
