import Glibc
import LanCore
import LanWire

/// The sockets of a node: one for each version of IP, and more where the kernel demands it.
///
/// With port 5353 to itself the first of each family is bound to everything, so that unicast
/// answers come in. Beside another stack all are bound to the groups, which take no unicast; those
/// of IPv6 then belong to one interface each, as the group is of link-local scope.
final class MDNSSockets {
  private struct Key: Hashable {
    var index: UInt32
    var family: DatagramSocket.Family
  }

  /// True if another stack has the port too: no unicast answers are to be asked for.
  private(set) var isPortShared: Bool
  /// True if somebody had the port at the start, be it for the groups alone.
  private(set) var hasNeighbours = false
  /// Called when a socket can be read.
  var onReadable: ((MDNSSocket) -> Void)?
  /// Called when something could not be sent.
  var onFailure: ((UInt32, SystemError) -> Void)?
  /// Called when nothing waits to be sent any more.
  var onDrained: (() -> Void)?
  /// Packets that went out, each version of IP counted.
  private(set) var sent = 0

  private let reactor: Reactor
  private let receiveBuffer: Int
  private var sockets: [MDNSSocket] = []
  private var joined: [Key: MDNSSocket] = [:]
  private var retry: TimerToken?
  /// How often the port is tried for again.
  private static let attempts = 4
  /// How long to wait where the kernel is short of room without saying when there will be some.
  private static let retryDelay = Duration.milliseconds(20)

  init(_ reactor: Reactor, receiveBuffer: Int) {
    self.reactor = reactor
    self.receiveBuffer = receiveBuffer
    isPortShared = false
  }

  // MARK: Opening

  /// Takes the port.
  ///
  /// - Throws: `MDNSError.portInUse`, `MDNSError.system`.
  func open(_ families: MDNSFamilies) throws(MDNSError) {
    let use = MDNSPortUse()
    isPortShared = use.isKnown ? use.takesUnicast : !Self.canBindAlone()
    hasNeighbours = isPortShared || use.isTaken
    for attempt in 0... {
      do throws(SystemError) {
        return try openFirst(families)
      } catch {
        close()
        guard error.errno == EADDRINUSE, attempt < Self.attempts else { throw Self.error(error) }
        // Held for a single address, the group may be free all the same; and stacks that start at
        // this moment may try for an instant whether they are alone.
        if isPortShared { usleep(5_000) }
        (isPortShared, hasNeighbours) = (true, true)
      }
    }
  }

  static func error(_ error: SystemError) -> MDNSError {
    error.errno == EADDRINUSE ? .portInUse(MDNSPortUse().holder) : .system(error)
  }

  /// Whether nobody has the port, where /proc cannot tell.
  private static func canBindAlone() -> Bool {
    guard let trial = try? DatagramSocket(.ipv4) else { return false }
    let everything = SocketEndpoint(.v4(IPv4Address(bits: 0)), port: MDNSPortUse.port)
    return (try? trial.bind(to: everything)) != nil
  }

  private func openFirst(_ families: MDNSFamilies) throws(SystemError) {
    if families.contains(.ipv4) { _ = try add(.ipv4, toGroup: isPortShared) }
    guard families.contains(.ipv6), !isPortShared else { return }
    do throws(SystemError) {
      _ = try add(.ipv6, toGroup: false)
    } catch {
      // A host without IPv6 is none without multicast DNS.
      guard error.errno == EAFNOSUPPORT || error.errno == EADDRNOTAVAIL,
        families.contains(.ipv4)
      else { throw error }
    }
  }

  private func add(
    _ family: DatagramSocket.Family, toGroup: Bool, scope: UInt32 = 0
  ) throws(SystemError) -> MDNSSocket {
    let new = try MDNSSocket(
      family, toGroup: toGroup, scope: scope, receiveBuffer: receiveBuffer)
    new.watch = try reactor.watch(new.socket.rawDescriptor) { [weak self, weak new] readiness in
      guard let self, let new else { return }
      if readiness.contains(.writable) { sendWaiting(new) }
      if readiness != .writable { onReadable?(new) }
    }
    sockets.append(new)
    return new
  }

  private func remove(_ socket: MDNSSocket) {
    if let watch = socket.watch { reactor.unwatch(watch) }
    socket.watch = nil
    sockets.removeAll { $0 === socket }
  }

  /// Leaves all groups and gives the port back.
  func close() {
    for socket in sockets { remove(socket) }
    joined = [:]
    if let retry { reactor.cancel(retry) }
    retry = nil
  }

  // MARK: Groups

  /// Joins the group of a family on an interface; once more is no error.
  func join(_ family: DatagramSocket.Family, _ interface: NetworkInterface) throws(SystemError) {
    let key = Key(index: interface.index, family: family)
    guard joined[key] == nil else { return }
    let group = MDNSSocket.group(family)
    let scope = family == .ipv6 && isPortShared ? interface.index : 0
    // One socket may hold 20 IPv4 groups (igmp_max_memberships): go on with a fresh one.
    for socket in sockets where socket.socket.family == family && socket.scope == scope {
      if socket.isFull { continue }
      do throws(SystemError) {
        try socket.socket.join(group, on: interface)
        return took(socket, key)
      } catch {
        guard error.errno == ENOBUFS || error.errno == ENOMEM else { throw error }
        socket.isFull = true
      }
    }
    // Only the first is to hear unicast; but a group of IPv6 would bind it to one interface.
    let new = try add(family, toGroup: family == .ipv4 || isPortShared, scope: scope)
    new.isExtra = true
    do throws(SystemError) {
      try new.socket.join(group, on: interface)
    } catch {
      remove(new)
      throw error
    }
    took(new, key)
  }

  private func took(_ socket: MDNSSocket, _ key: Key) {
    socket.memberships += 1
    joined[key] = socket
  }

  /// Leaves the group of a family on an interface, also when that is gone.
  func leave(_ family: DatagramSocket.Family, _ index: UInt32) {
    guard let socket = joined.removeValue(forKey: Key(index: index, family: family)) else { return }
    // Fails only where the interface is gone, and its memberships with it.
    try? socket.socket.leave(MDNSSocket.group(family), on: index)
    socket.memberships -= 1
    socket.isFull = false
    socket.waiting.removeAll { $0.interfaceIndex == index }
    if socket.memberships == 0, socket.isExtra { remove(socket) }
  }

  // MARK: Sending

  /// Sends a packet, now or as soon as there is room.
  func send(_ packet: MDNSPacket) {
    for (family, bit) in [(DatagramSocket.Family.ipv4, MDNSFamilies.ipv4), (.ipv6, .ipv6)]
    where packet.families.contains(bit) {
      let key = Key(index: packet.interfaceIndex, family: family)
      guard let socket = joined[key] else { continue }
      let waiting = MDNSSocket.Waiting(
        bytes: packet.bytes, interfaceIndex: packet.interfaceIndex,
        destination: socket.destination(of: packet))
      if socket.waiting.isEmpty, send(waiting, socket) { continue }
      if socket.waiting.count < MDNSSocket.waitingLimit {
        socket.waiting.append(waiting)
      } else {
        onFailure?(packet.interfaceIndex, SystemError(call: "sendmsg", errno: ENOBUFS))
      }
    }
  }

  /// Sends one packet; false if it has to wait.
  private func send(_ packet: MDNSSocket.Waiting, _ socket: MDNSSocket) -> Bool {
    do throws(SystemError) {
      if try socket.socket.send(
        packet.bytes.span, to: packet.destination, interfaceIndex: packet.interfaceIndex)
      {
        sent += 1
        return true
      }
      awaitRoom(socket, [.readable, .writable])
      return false
    } catch {
      if error.errno == ENOBUFS {
        // The socket itself has room, and would wake us at once and again.
        awaitRoom(socket, .readable)
        sendLater()
        return false
      }
      onFailure?(packet.interfaceIndex, error)
      return true
    }
  }

  private func awaitRoom(_ socket: MDNSSocket, _ interest: Readiness) {
    if let watch = socket.watch { try? reactor.change(watch, to: interest) }
  }

  private func sendWaiting(_ socket: MDNSSocket) {
    while let first = socket.waiting.first {
      guard send(first, socket) else { return }
      if !socket.waiting.isEmpty { socket.waiting.removeFirst() }
    }
    awaitRoom(socket, .readable)
    if isDrained { onDrained?() }
  }

  /// True if no packet waits for room.
  var isDrained: Bool { sockets.allSatisfy(\.waiting.isEmpty) }

  private func sendLater() {
    guard retry == nil else { return }
    retry = reactor.schedule(after: Self.retryDelay) { [weak self] in
      guard let self else { return }
      retry = nil
      for socket in sockets where !socket.waiting.isEmpty { sendWaiting(socket) }
    }
  }
}
