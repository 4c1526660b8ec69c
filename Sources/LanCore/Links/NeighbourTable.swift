public import LanWire

/// A neighbour: an address on a link.
public struct NeighbourKey: Hashable, Sendable {
  /// The number of the interface.
  public var interfaceIndex: UInt32
  /// The neighbour's address.
  public var address: IPAddress

  /// The neighbour `address` on a link.
  public init(interfaceIndex: UInt32, address: IPAddress) {
    self.interfaceIndex = interfaceIndex
    self.address = address
  }
}

/// What is known of the first hop of a way.
public enum NextHopState: String, Hashable, Sendable, CaseIterable {
  /// It answered lately, or no answer is needed.
  case reachable
  /// It answered once.
  case stale
  /// It did not answer.
  case failed
  /// Nothing is known: without traffic there is no entry.
  case unknown
}

/// The neighbours that matter: the first hops of watched targets, and nobody else's.
///
/// The kernel tells every neighbour's every step; what is not asked for here is dropped, so the
/// table is as small as the set of first hops.
public struct NeighbourTable: Sendable {
  private var states: [NeighbourKey: NextHopState] = [:]

  /// An empty table.
  public init() {}

  /// How many neighbours are kept.
  public var count: Int { states.count }

  /// The state of a neighbour; nil where it has to be asked for.
  public subscript(key: NeighbourKey) -> NextHopState? { states[key] }

  /// Takes the answer to a question about a neighbour, and keeps following it.
  public mutating func learn(_ key: NeighbourKey, _ state: NextHopState) { states[key] = state }

  /// Takes what a message told; nil if it is nobody's first hop, or nothing new.
  public mutating func apply(_ key: NeighbourKey, _ state: NextHopState) -> NextHopState? {
    guard let previous = states[key], previous != state else { return nil }
    states[key] = state
    return previous
  }

  /// Keeps only the neighbours that still matter.
  public mutating func keep(_ isWanted: (NeighbourKey) -> Bool) {
    states = states.filter { isWanted($0.key) }
  }

  /// Forgets all, so that they are asked for anew.
  public mutating func removeAll() { states.removeAll() }
}
