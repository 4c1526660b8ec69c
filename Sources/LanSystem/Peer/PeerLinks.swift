import CLan
import Glibc
import LanCore
import LanWire

/// Which peers are on a link of this host, by the prefixes of its own addresses.
final class PeerLinks {
  private let names: [String]
  private var prefixes: [IPPrefix] = []
  private var own: [SocketEndpoint] = []
  private var indices: Set<UInt32> = []
  /// When the kernel was asked, by the monotonic clock; nil before that.
  private var asked: Int64?
  /// Given up for a moment where the kernel has no descriptor left for a question.
  private var reserve: FileDescriptor?

  /// How old what is known may be before a peer is turned away, and before one is let in.
  private static let shortest: Int64 = 200_000_000
  private static let longest: Int64 = 30_000_000_000

  /// The links of the interfaces called so; of all where none is named.
  init(_ names: [String]) { self.names = names }

  var isRestricted: Bool { !names.isEmpty }

  /// Asks the kernel for the addresses of this host; what is known stays where it does not tell.
  func refresh() {
    asked = MonotonicClock.now
    reserve = nil
    defer { reserve = Self.makeReserve() }
    guard let all = try? InterfaceList.all() else { return }
    let chosen = all.filter { $0.isUp && (names.isEmpty || names.contains($0.name)) }
    indices = Set(chosen.map(\.index))
    prefixes = []
    own = []
    for interface in chosen {
      for address in interface.addresses {
        prefixes.append(IPPrefix(address.address, UInt8(clamping: address.prefixLength)))
        let scope = address.address.isIPv6 && address.address.isLinkLocal ? interface.index : 0
        own.append(SocketEndpoint(address.address, port: 0, scope: scope))
      }
    }
  }

  private static func makeReserve() -> FileDescriptor? {
    let number = unsafe Glibc.open("/dev/null", O_RDONLY | O_CLOEXEC)
    return number < 0 ? nil : FileDescriptor(owning: number)
  }

  /// Where peers find a server.
  func endpoints(_ port: UInt16, _ families: MDNSFamilies) -> [SocketEndpoint] {
    own.filter { families.contains(MDNSFamilies($0.address)) }
      .map { SocketEndpoint($0.address, port: port, scope: $0.scope) }
  }

  /// True if `peer` is on a link of this host.
  func contains(_ peer: SocketEndpoint) -> Bool {
    decide { $0.has(peer) }
  }

  /// True if `local`, an own address, belongs to one of the interfaces named.
  func owns(_ local: SocketEndpoint) -> Bool {
    decide { $0.hasOwn(local) }
  }

  private func decide(_ isGood: (PeerLinks) -> Bool) -> Bool {
    let age = asked.map { MonotonicClock.now - $0 } ?? .max
    if age > Self.longest { refresh() }
    if isGood(self) { return true }
    guard age > Self.shortest, age <= Self.longest else { return false }
    refresh()
    return isGood(self)
  }

  private func has(_ peer: SocketEndpoint) -> Bool {
    if peer.address.isLinkLocal {
      return names.isEmpty || peer.scope == 0 || indices.contains(peer.scope)
    }
    let isLoopback =
      switch peer.address {
      case .v4(let address): address.isLoopback
      case .v6(let address): address.isLoopback
      }
    return isLoopback || prefixes.contains { $0.length > 0 && $0.contains(peer.address) }
  }

  private func hasOwn(_ local: SocketEndpoint) -> Bool {
    if local.scope != 0 { return indices.contains(local.scope) }
    return own.contains { $0.address == local.address }
  }
}
