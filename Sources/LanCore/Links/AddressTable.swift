public import LanWire

/// The addresses of the namespace: the kernel's messages in, changes of meaning out.
public struct AddressTable: Sendable {
  /// What a message changed.
  public enum Change: Hashable, Sendable {
    /// A new address.
    case added(InterfaceAddress)
    /// The address is another than before.
    case changed(InterfaceAddress, previous: InterfaceAddress)
    /// The address went.
    case removed(InterfaceAddress)
  }

  /// How many addresses are kept; more are not noticed.
  public static let limit = 262_144

  private struct Key: Hashable {
    var index: UInt32
    var address: IPAddress
    var prefixLength: UInt8
  }

  private var entries: [Key: InterfaceAddress] = [:]
  private var holders: [IPAddress: [UInt32]] = [:]
  private var byInterface: [UInt32: Set<Key>] = [:]

  /// An empty table.
  public init() {}

  /// How many addresses there are.
  public var count: Int { entries.count }

  /// All addresses: by interface, IPv4 first, then by number.
  public var all: [InterfaceAddress] { Self.sorted(Array(entries.values)) }

  /// The addresses of an interface, in a fixed order.
  public func of(_ index: UInt32) -> [InterfaceAddress] {
    Self.sorted((byInterface[index] ?? []).compactMap { entries[$0] })
  }

  /// The entries of an address, one for each interface that holds it.
  public func holding(_ address: IPAddress) -> [InterfaceAddress] {
    (holders[address] ?? []).flatMap { index in
      (byInterface[index] ?? []).lazy.filter { $0.address == address }.compactMap { entries[$0] }
    }
  }

  /// Takes the state that a message told; nil if it means nothing new.
  public mutating func apply(_ address: InterfaceAddress) -> Change? {
    let key = Self.key(address)
    if let previous = entries[key] {
      entries[key] = address
      return previous.means(sameAs: address) ? nil : .changed(address, previous: previous)
    }
    guard entries.count < Self.limit else { return nil }
    entries[key] = address
    byInterface[key.index, default: []].insert(key)
    if holders[key.address]?.contains(key.index) != true {
      holders[key.address, default: []].append(key.index)
    }
    return .added(address)
  }

  /// Removes what a message told; nil if it was not there.
  public mutating func remove(_ address: InterfaceAddress) -> Change? {
    remove(Self.key(address)).map { .removed($0) }
  }

  /// Removes all addresses of an interface that went.
  public mutating func removeAll(of index: UInt32) -> [Change] {
    of(index).compactMap { remove($0) }
  }

  /// Replaces all with what a dump told; the changes are the real differences.
  public mutating func replace(with dump: [InterfaceAddress]) -> [Change] {
    let told = Set(dump.map(Self.key))
    let gone = all.filter { !told.contains(Self.key($0)) }
    return gone.compactMap { remove($0) } + dump.compactMap { apply($0) }
  }

  private mutating func remove(_ key: Key) -> InterfaceAddress? {
    guard let entry = entries.removeValue(forKey: key) else { return nil }
    byInterface[key.index]?.remove(key)
    if byInterface[key.index]?.isEmpty == true { byInterface[key.index] = nil }
    let isHeld = byInterface[key.index]?.contains { $0.address == key.address } ?? false
    if !isHeld { holders[key.address]?.removeAll { $0 == key.index } }
    if holders[key.address]?.isEmpty == true { holders[key.address] = nil }
    return entry
  }

  private static func key(_ address: InterfaceAddress) -> Key {
    Key(
      index: address.interfaceIndex, address: address.address, prefixLength: address.prefixLength)
  }

  private static func sorted(_ addresses: [InterfaceAddress]) -> [InterfaceAddress] {
    guard addresses.count > 1 else { return addresses }
    return addresses.sorted {
      if $0.interfaceIndex != $1.interfaceIndex { return $0.interfaceIndex < $1.interfaceIndex }
      if $0.address != $1.address { return $0.address.sortsBefore($1.address) }
      return $0.prefixLength < $1.prefixLength
    }
  }
}

extension AddressTable.Change {
  /// The address, as it is now or was at last.
  public var address: InterfaceAddress {
    switch self {
    case .added(let address), .changed(let address, _), .removed(let address): address
    }
  }

  /// What happened, for people who follow what the kernel tells.
  public var action: KernelEvent.Action {
    switch self {
    case .added(let address): address.standing == .failed ? .failed : .added
    case .removed: .removed
    case .changed(let address, let previous):
      address.standing == previous.standing
        ? .changed
        : address.standing == .failed
          ? .failed : address.standing == .deprecated ? .deprecated : .changed
    }
  }
}

extension IPAddress {
  /// An order of addresses: IPv4 first, then by number.
  func sortsBefore(_ other: IPAddress) -> Bool {
    switch (self, other) {
    case (.v4(let left), .v4(let right)): left.bits < right.bits
    case (.v6(let left), .v6(let right)):
      left.high != right.high ? left.high < right.high : left.low < right.low
    case (.v4, .v6): true
    case (.v6, .v4): false
    }
  }
}
