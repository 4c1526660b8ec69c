import LanCore
import LanWire

/// Which interfaces multicast DNS is to be spoken on: the kernel's messages in, links out.
struct MDNSLinkTracker {
  /// What of a link has a meaning here.
  private struct Entry {
    var name: String
    var otherNames: [String]
    var flags: LinkFlags
    var isOperational: Bool
    var isMember: Bool
    var mtu: Int
  }

  /// The only interfaces wanted; empty for all that are fit for it.
  let names: Set<String>
  /// The versions of IP that are wanted.
  let families: MDNSFamilies
  /// Links that were unusable for a time, however short: what was known there may be old.
  private(set) var interrupted: Set<UInt32> = []
  private var entries: [UInt32: Entry] = [:]
  private var addresses = AddressTable()
  /// There was an interface once that multicast DNS is for: the loopback is not used in its place.
  private var hasSeenOther = false
  /// Links that had a wanted name once; they stay wanted under another.
  private var chosen: Set<UInt32> = []

  init(names: Set<String>, families: MDNSFamilies) {
    self.names = names
    self.families = families
  }

  // MARK: Input

  /// Takes the whole state anew.
  mutating func replace(links: [LinkMessage], addresses: [InterfaceAddress]) {
    let told = Set(links.map(\.index))
    for index in entries.keys where !told.contains(index) { remove(index) }
    for link in links { apply(link) }
    _ = self.addresses.replace(with: addresses)
  }

  /// Takes one message.
  mutating func handle(_ event: RouteNetlinkEvent) {
    switch event {
    case .link(let message): apply(message)
    case .linkRemoved(let message):
      // A port that leaves its bridge is told as a removal of this family; the link stays.
      if message.family != .bridge { remove(message.index) }
    case .address(let message):
      if let address = InterfaceAddress(message) { _ = addresses.apply(address) }
    case .addressRemoved(let message):
      if let address = InterfaceAddress(message) { _ = addresses.remove(address) }
    default: break
    }
  }

  /// Forgets which links were interrupted.
  mutating func takeInterrupted() -> Set<UInt32> {
    defer { interrupted = [] }
    return interrupted
  }

  private mutating func apply(_ message: LinkMessage) {
    guard let state = LinkState(message) else { return }
    entries[message.index] = Entry(
      name: message.name, otherNames: message.alternativeNames, flags: message.flags,
      isOperational: state.isUsable,
      isMember: ["bridge", "bond", "team"].contains(message.memberKind),
      mtu: message.mtu.map { Int($0) } ?? 1_500)
    if !names.isDisjoint(with: [message.name] + message.alternativeNames) {
      chosen.insert(message.index)
    }
    if !state.isUsable { interrupted.insert(message.index) }
    let flags = message.flags
    if flags.contains(.multicast), flags.isDisjoint(with: [.loopback, .pointToPoint]) {
      hasSeenOther = true
    }
  }

  private mutating func remove(_ index: UInt32) {
    entries[index] = nil
    chosen.remove(index)
    interrupted.insert(index)
    _ = addresses.removeAll(of: index)
  }

  // MARK: Output

  /// The links to use now.
  var links: [UInt32: MDNSLink] {
    var links: [UInt32: MDNSLink] = [:]
    for (index, entry) in entries where obstacle(index, entry) == nil {
      let link = link(index, entry)
      if !link.families.isEmpty { links[index] = link }
    }
    return links
  }

  /// Names of all interfaces.
  var interfaceNames: [String] { entries.sorted { $0.key < $1.key }.map(\.value.name) }

  /// The first wanted name that no interface has.
  var unknownName: String? {
    let known = entries.values.reduce(into: Set<String>()) { known, entry in
      known.formUnion([entry.name] + entry.otherNames)
    }
    return names.subtracting(known).min()
  }

  /// True if an interface can be used now, or could with an address.
  var isAnyUsable: Bool { entries.contains { obstacle($0.key, $0.value) == nil } }

  /// The interfaces wanted that cannot be used, by number.
  var obstacles: [MDNSInterfaceObstacle] {
    entries.sorted { $0.key < $1.key }.compactMap { index, entry in
      guard names.isEmpty || chosen.contains(index) else { return nil }
      return obstacle(index, entry).map {
        MDNSInterfaceObstacle(interface: entry.name, reason: $0)
      }
    }
  }

  private func obstacle(_ index: UInt32, _ entry: Entry) -> MDNSInterfaceObstacle.Reason? {
    let isChosen = chosen.contains(index)
    if !names.isEmpty, !isChosen { return .isLoopback }
    if !entry.flags.contains(.up) { return .isDown }
    if entry.flags.contains(.loopback) {
      if isChosen { return nil }
      if hasSeenOther { return .isLoopback }
      return entry.flags.contains(.multicast) ? nil : .hasNoMulticast
    }
    if !entry.isOperational { return .hasNoCarrier }
    if !entry.flags.contains(.multicast) { return .hasNoMulticast }
    if isChosen { return nil }
    if entry.isMember { return .isMember }
    return entry.flags.contains(.pointToPoint) ? .isPointToPoint : nil
  }

  private func link(_ index: UInt32, _ entry: Entry) -> MDNSLink {
    let usable = addresses.of(index).filter(\.standing.isUsable)
    let isLoopback = entry.flags.contains(.loopback)
    var found: MDNSFamilies = []
    for address in usable {
      switch address.address {
      case .v4: found.insert(.ipv4)
      case .v6(let value):
        // Multicast DNS over IPv6 is sent from the link-local address.
        if value.isLinkLocal, !isLoopback { found.insert(.ipv6) }
      }
    }
    return MDNSLink(
      index: index, name: entry.name, families: found.intersection(families),
      prefixes: usable.map(\.prefix), mtu: entry.mtu)
  }
}
