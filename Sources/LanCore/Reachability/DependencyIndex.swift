import LanWire

/// Finds the targets that a change can touch, without looking at the others.
struct DependencyIndex: Sendable {
  private var dependencies: [Int: Dependencies] = [:]
  private var destinations: [Int: [IPAddress]] = [:]
  private var byLink: [UInt32: Set<Int>] = [:]
  private var byNeighbour: [NeighbourKey: Set<Int>] = [:]
  /// The targets that any link may change.
  private(set) var anyLink: Set<Int> = []
  /// The targets that any address may change.
  private(set) var anyAddress: Set<Int> = []
  /// The targets whose way uses next hop objects, or that have none.
  private(set) var nextHopUsers: Set<Int> = []
  /// The destinations of all targets in the order of their numbers, made when asked for.
  private var sorted: [(address: IPAddress, id: Int)]?

  /// Notes what a target's verdict rests on.
  mutating func set(_ id: Int, _ new: Dependencies, destinations addresses: [IPAddress]) {
    if destinations[id] != addresses {
      destinations[id] = addresses
      sorted = nil
    }
    guard dependencies[id] != new else { return }
    unlink(id)
    dependencies[id] = new
    for link in new.links { byLink[link, default: []].insert(id) }
    for key in new.neighbours { byNeighbour[key, default: []].insert(id) }
    if new.anyLink { anyLink.insert(id) }
    if new.anyAddress { anyAddress.insert(id) }
    if new.usesNextHopObjects || new.anyLink { nextHopUsers.insert(id) }
  }

  /// Forgets a target.
  mutating func remove(_ id: Int) {
    unlink(id)
    dependencies[id] = nil
    if destinations.removeValue(forKey: id) != nil { sorted = nil }
  }

  private mutating func unlink(_ id: Int) {
    guard let old = dependencies[id] else { return }
    for link in old.links {
      byLink[link]?.remove(id)
      if byLink[link]?.isEmpty == true { byLink[link] = nil }
    }
    for key in old.neighbours {
      byNeighbour[key]?.remove(id)
      if byNeighbour[key]?.isEmpty == true { byNeighbour[key] = nil }
    }
    anyLink.remove(id)
    anyAddress.remove(id)
    nextHopUsers.remove(id)
  }

  /// The targets whose way goes over a link.
  func over(_ link: UInt32) -> Set<Int> { byLink[link] ?? [] }

  /// The targets whose first hop a neighbour is.
  func behind(_ key: NeighbourKey) -> Set<Int> { byNeighbour[key] ?? [] }

  /// True while a neighbour is somebody's first hop.
  func isFirstHop(_ key: NeighbourKey) -> Bool { byNeighbour[key] != nil }

  /// How many first hops there are.
  var firstHopCount: Int { byNeighbour.count }

  /// The targets with a destination in a prefix: two binary searches and the targets found.
  mutating func inside(_ prefix: IPPrefix) -> ArraySlice<(address: IPAddress, id: Int)> {
    let list = ordered()
    let first = prefix.first
    let last = prefix.last
    let start = Self.partition(list) { !$0.sortsBefore(first) }
    let end = Self.partition(list) { last.sortsBefore($0) }
    return start < end ? list[start..<end] : []
  }

  private mutating func ordered() -> [(address: IPAddress, id: Int)] {
    if let sorted { return sorted }
    var list: [(address: IPAddress, id: Int)] = []
    for (id, addresses) in destinations { list += addresses.map { ($0, id) } }
    list.sort { $0.address != $1.address ? $0.address.sortsBefore($1.address) : $0.id < $1.id }
    sorted = list
    return list
  }

  /// The first place from which on `isBehind` holds.
  private static func partition(
    _ list: [(address: IPAddress, id: Int)], _ isBehind: (IPAddress) -> Bool
  ) -> Int {
    var low = 0
    var high = list.count
    while low < high {
      let middle = low + (high - low) / 2
      if isBehind(list[middle].address) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
