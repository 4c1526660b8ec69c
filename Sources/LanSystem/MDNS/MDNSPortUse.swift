import LanWire

/// Who has UDP port 5353 open in this network namespace.
///
/// Read from /proc/net: a trial bind without reuse would for its time keep another stack, which
/// starts at that moment, from binding.
struct MDNSPortUse {
  static let port: UInt16 = 5353
  private let sockets = SocketTable(["udp", "udp6"], port: MDNSPortUse.port)

  /// False where /proc does not tell.
  var isKnown: Bool { sockets.isKnown }

  /// True if any socket is bound to the port.
  var isTaken: Bool { !sockets.entries.isEmpty }

  /// True if another socket would take unicast datagrams to the port; a socket that is bound to a
  /// group takes none.
  var takesUnicast: Bool { sockets.entries.contains { !$0.address.isMulticast } }

  /// Who holds the port, as far as this user may know; nil where /proc does not tell.
  var holder: PortHolder? { PortHolder(sockets.entries) }
}
