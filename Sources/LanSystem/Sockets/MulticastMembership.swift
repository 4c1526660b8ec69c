import Glibc
public import LanWire

/// Keeps groups joined on interfaces, so that network cards and switches let their traffic through.
///
/// Only the membership: nothing is bound or received. All groups are left when it goes.
public final class MulticastMembership {
  /// A group that could not be joined on an interface.
  public struct Failure: Hashable, Sendable {
    /// The interface's name.
    public var interface: String
    /// The group.
    public var group: IPAddress
    /// Why.
    public var error: SystemError
  }

  /// The groups of multicast DNS (RFC 6762 section 3).
  public static let mdnsGroups: [IPAddress] = [.v4(.mdnsGroup), .v6(.mdnsGroup)]
  /// The groups of LLMNR (RFC 4795 section 2).
  public static let llmnrGroups: [IPAddress] = [.v4(.llmnrGroup), .v6(.llmnrGroup)]

  private struct Joined: Hashable {
    var group: IPAddress
    var index: UInt32
  }
  private let groups: [IPAddress]
  private var sockets: [DatagramSocket] = []
  private var joined: [Joined: DatagramSocket] = [:]

  /// A membership of `groups`, on no interface yet.
  public init(groups: [IPAddress] = mdnsGroups) { self.groups = groups }

  /// Joins every group on `interface`; a second time is no error.
  ///
  /// - Returns: What could not be joined, such as the IPv6 group where IPv6 is off.
  public func join(_ interface: NetworkInterface) -> [Failure] {
    groups.compactMap { group in
      let key = Joined(group: group, index: interface.index)
      guard joined[key] == nil else { return nil }
      do throws(SystemError) {
        joined[key] = try join(group, on: interface)
        return nil
      } catch {
        return Failure(interface: interface.name, group: group, error: error)
      }
    }
  }

  /// Leaves every group on the interface with number `index`, also when that is gone.
  public func leave(_ index: UInt32) {
    for group in groups {
      // Fails only where the interface is gone, and its memberships with it.
      try? joined.removeValue(forKey: Joined(group: group, index: index))?.leave(group, on: index)
    }
  }

  private func join(
    _ group: IPAddress, on interface: NetworkInterface
  ) throws(SystemError) -> DatagramSocket {
    let family: DatagramSocket.Family = group.isIPv6 ? .ipv6 : .ipv4
    if let socket = sockets.last(where: { $0.family == family }) {
      do throws(SystemError) {
        try socket.join(group, on: interface)
        return socket
      } catch {
        // One socket may hold 20 IPv4 groups (igmp_max_memberships): go on with a fresh one.
        guard error.errno == ENOBUFS else { throw error }
      }
    }
    let socket = try DatagramSocket(family)
    try socket.join(group, on: interface)
    sockets.append(socket)
    return socket
  }
}

extension MulticastMembership.Failure: CustomStringConvertible {
  /// What could not be joined where, and why, in one line.
  public var description: String { "cannot join \(group) on \(interface): \(error.reason)" }
}
