import CLan
import Glibc
import LanCore
import LanWire

/// A socket of one family that takes a server's connections.
final class PeerListener {
  let socket: FileDescriptor
  let family: MDNSFamilies
  let port: UInt16
  var watch: WatchToken?

  private init(_ family: MDNSFamilies, _ port: UInt16) throws(SystemError) {
    let any: IPAddress =
      family == .ipv4 ? .v4(IPv4Address(bits: 0)) : .v6(IPv6Address(high: 0, low: 0))
    var endpoint = SocketEndpoint(any, port: port).raw
    let subject = "port \(port)"
    let number = try systemCall("bind", on: subject) { unsafe lan_peer_listen(&endpoint) }
    socket = FileDescriptor(owning: number)
    try systemCall("getsockname", on: subject) { unsafe lan_local_endpoint(number, &endpoint) }
    self.family = family
    self.port = endpoint.port
  }

  /// How often another port is tried where the kernel's choice is taken in the other family.
  private static let tries = 32

  /// Listens on one port over each of the families; one that this host does not have is left out.
  ///
  /// - Parameters:
  ///   - port: The port; 0 for the kernel's choice.
  ///   - families: The versions of IP that are wished for.
  /// - Returns: A listener for each family.
  /// - Throws: Why it cannot; the subject is the port.
  static func open(
    _ port: UInt16, _ families: MDNSFamilies
  ) throws(SystemError) -> [PeerListener] {
    var tries = port == 0 ? Self.tries : 1
    while true {
      do throws(SystemError) { return try openOnce(port, families) } catch {
        tries -= 1
        guard error.errno == EADDRINUSE, tries > 0 else { throw error }
      }
    }
  }

  private static func openOnce(
    _ port: UInt16, _ families: MDNSFamilies
  ) throws(SystemError) -> [PeerListener] {
    var opened: [PeerListener] = []
    var missing: SystemError?
    for family in [MDNSFamilies.ipv4, .ipv6] where families.contains(family) {
      do throws(SystemError) {
        opened.append(try PeerListener(family, opened.first?.port ?? port))
      } catch {
        guard error.errno == EAFNOSUPPORT || error.errno == EADDRNOTAVAIL else { throw error }
        missing = error
      }
    }
    if opened.isEmpty, let missing { throw missing }
    return opened
  }
}

extension [PeerListener] {
  /// The versions of IP that are listened on.
  var families: MDNSFamilies { reduce(into: []) { $0.formUnion($1.family) } }
}
