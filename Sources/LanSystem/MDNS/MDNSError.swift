public import LanCore

/// Why multicast DNS cannot be spoken.
public enum MDNSError: Error, Hashable, Sendable {
  /// Another program holds port 5353 and does not share it.
  case portInUse(PortHolder?)
  /// No interface can be used at present; each with what is in its way.
  case noMulticastInterface([MDNSInterfaceObstacle])
  /// There is no interface of that name.
  case unknownInterface(name: String, available: [String])
  /// The kernel could not be asked for the interfaces.
  case netlink(NetlinkError)
  /// Another system error.
  case system(SystemError)
}

/// An interface that is not used, and why.
public struct MDNSInterfaceObstacle: Hashable, Sendable {
  /// What keeps an interface from being used.
  public enum Reason: String, Hashable, Sendable, CaseIterable {
    /// It is switched off.
    case isDown = "is down"
    /// It has no carrier, or waits for something such as authentication.
    case hasNoCarrier = "has no carrier"
    /// It cannot send to groups.
    case hasNoMulticast = "has no multicast"
    /// It is the loopback, which is used only where it is named or the only one.
    case isLoopback = "is the loopback"
    /// It has one other end, and is used only where it is named.
    case isPointToPoint = "is a point-to-point link"
    /// It belongs to a bridge, bond or team, which is used in its place.
    case isMember = "is part of another interface"
  }
  /// The interface's name.
  public var interface: String
  /// Why it is not used.
  public var reason: Reason

  /// An interface and a reason.
  public init(interface: String, reason: Reason) {
    self.interface = interface
    self.reason = reason
  }
}

extension MDNSError: CustomStringConvertible {
  /// What is in the way, and what to do, in one line.
  public var description: String {
    switch self {
    case .portInUse(let holder):
      "port 5353 is held by \(holder.map { "\($0)" } ?? "another process"), which does not share it; "
        + (holder?.pid.map { "end that process (kill \($0)) or have it use SO_REUSEPORT" }
          ?? "'ss -lunp sport = :5353' as root tells which")
    case .noMulticastInterface(let obstacles):
      obstacles.isEmpty
        ? "no interface can be used for multicast DNS: there is none; see 'ip link'"
        : "no interface can be used for multicast DNS: "
          + obstacles.map { "\($0.interface) \($0.reason.rawValue)" }.joined(separator: ", ")
          + "; see 'ip link', or name one with -i"
    case .unknownInterface(let name, let available):
      "no interface '\(name)'; there \(available.count == 1 ? "is" : "are") "
        + (available.isEmpty ? "none" : available.joined(separator: ", "))
    case .netlink(let error): "\(error)"
    case .system(let error): "\(error)"
    }
  }
}

/// Something that a node met with and that does not end it.
public enum MDNSNodeDiagnostic: Hashable, Sendable {
  /// What the protocol's side has to say.
  case querier(MDNSDiagnostic)
  /// Datagrams were lost for want of room; how many since the start.
  case datagramsLost(Int)
  /// Datagrams were larger than 9,216 bytes and not read; how many since the start.
  case datagramsTooLarge(Int)
  /// Sending on an interface failed; told once for each reason.
  case sendFailed(interface: String, SystemError)
  /// A group could not be joined.
  case notJoined(MulticastMembership.Failure)
  /// The kernel could not be asked for the state of the interfaces; what is known may be old.
  case kernelNotAsked(NetlinkError)
  /// For a minute no name was free for what is to be published (RFC 6762 section 9); it is tried on.
  case noFreeName(String)
}

extension MDNSNodeDiagnostic: CustomStringConvertible {
  /// What is amiss, in one line.
  public var description: String {
    switch self {
    case .querier(let diagnostic): "\(diagnostic)"
    case .datagramsLost(let count):
      "\(count) datagram\(count == 1 ? " was" : "s were") lost: they came faster than they could be "
        + "read; raise net.core.rmem_max"
    case .datagramsTooLarge(let count):
      "\(count) datagram\(count == 1 ? " was" : "s were") larger than multicast DNS allows"
    case .sendFailed(let interface, let error):
      "cannot send on \(interface): \(error.reason)"
        + (error.errno == 1 ? "; a packet filter refuses it (see 'nft list ruleset')" : "")
    case .notJoined(let failure): "\(failure)"
    case .kernelNotAsked(let error): "\(error)"
    case .noFreeName(let name):
      "no name like '\(name)' has been free for a minute; something on the link claims each one"
    }
  }
}
