import LanWire

/// A default route, or one half of a pair.
public struct DefaultRoute: Hashable, Sendable {
  /// Where it leads: everywhere or to a half of everything.
  public var destination: IPPrefix
  /// The routing table.
  public var table: UInt32
  /// The metric; lower is better.
  public var priority: UInt32
  /// The next hops.
  public var legs: [RouteLeg]

  /// The route of a message.
  public init(_ change: RouteChange) {
    destination = IPPrefix(change.destination.first, change.destination.length)
    table = change.table
    priority = change.priority
    legs = change.legs
  }
}

/// The default routes that messages told, so that a change can be told from an addition.
///
/// It mirrors nothing else of the routing tables: what is reachable is looked up, never derived.
public struct DefaultRouteTable: Sendable {
  /// What a message changed.
  public enum Change: Hashable, Sendable {
    /// A new route.
    case added(DefaultRoute)
    /// Other next hops than before.
    case changed(DefaultRoute, previous: DefaultRoute)
    /// The route went.
    case removed(DefaultRoute)
  }

  /// How many routes are kept; beyond it additions are reported and forgotten.
  public static let limit = 1_024

  private var routes: [DefaultRoute] = []

  /// An empty table.
  public init() {}

  /// The routes, in the order in which they came.
  public var all: [DefaultRoute] { routes }

  /// Takes a route that a message told; nil if it is no default route or nothing new.
  public mutating func apply(_ change: RouteChange) -> Change? {
    guard change.isDefault else { return nil }
    let route = DefaultRoute(change)
    // IPv4 has one route for a table, destination and metric; IPv6 one for each next hop too,
    // unless the message says that it replaces.
    let isOneOfMany = route.destination.address.isIPv6 && !change.isReplacement
    let index = routes.firstIndex {
      isSame($0, route) && (!isOneOfMany || hasSameWay($0, route))
    }
    guard let index else {
      if routes.count < Self.limit { routes.append(route) }
      return .added(route)
    }
    let previous = routes[index]
    guard previous.legs.map(way) != route.legs.map(way) else { return nil }
    routes[index] = route
    return .changed(route, previous: previous)
  }

  /// Removes a route that a message told; nil if it was no default route.
  public mutating func remove(_ change: RouteChange) -> Change? {
    guard change.isDefault else { return nil }
    let route = DefaultRoute(change)
    let found =
      routes.firstIndex { isSame($0, route) && hasSameWay($0, route) }
      ?? routes.firstIndex {
        isSame($0, route) && (!route.destination.address.isIPv6 || route.legs.isEmpty)
      }
    guard let found else { return .removed(route) }
    let known = routes.remove(at: found)
    return .removed(route.legs.isEmpty ? known : route)
  }

  /// Removes the routes that went with a link without a message of their own.
  ///
  /// IPv4 routes go silently when their link is switched off or loses its last address.
  public mutating func removeAll(over index: UInt32, isIPv6: Bool) -> [Change] {
    let gone = routes.filter { route in
      route.destination.address.isIPv6 == isIPv6 && !route.legs.isEmpty
        && route.legs.allSatisfy { $0.interfaceIndex == index }
    }
    routes.removeAll { gone.contains($0) }
    return gone.map { .removed($0) }
  }

  /// Learns a route that a look-up showed at the start, which is no event.
  public mutating func learn(_ answer: RouteAnswer) {
    let change = RouteChange(
      answer.prefix, kind: answer.kind, table: answer.table, priority: answer.priority ?? 0,
      legs: answer.legs)
    guard change.isDefault, routes.count < Self.limit else { return }
    let route = DefaultRoute(change)
    if !routes.contains(where: { isSame($0, route) && hasSameWay($0, route) }) {
      routes.append(route)
    }
  }

  /// Forgets all: after a loss of messages nothing is known about them.
  public mutating func removeAll() { routes.removeAll() }

  private func isSame(_ left: DefaultRoute, _ right: DefaultRoute) -> Bool {
    left.destination == right.destination && left.table == right.table
      && left.priority == right.priority
  }

  private func hasSameWay(_ left: DefaultRoute, _ right: DefaultRoute) -> Bool {
    left.legs.map(way) == right.legs.map(way)
  }

  private func way(_ leg: RouteLeg) -> NeighbourWay {
    NeighbourWay(interfaceIndex: leg.interfaceIndex, gateway: leg.gateway)
  }

  private struct NeighbourWay: Hashable {
    var interfaceIndex: UInt32
    var gateway: IPAddress?
  }
}

extension DefaultRouteTable.Change {
  /// The change for people who follow what the kernel tells.
  public func event(_ links: LinkTable) -> KernelEvent {
    let (action, route, previous): (KernelEvent.Action, DefaultRoute, DefaultRoute?) =
      switch self {
      case .added(let route): (.added, route, nil)
      case .changed(let route, let previous): (.changed, route, previous)
      case .removed(let route): (.removed, route, nil)
      }
    let index = route.legs.first?.interfaceIndex
    return KernelEvent(
      action, .route(route, previous: previous),
      interface: index.flatMap { links[$0]?.name }, interfaceIndex: index)
  }
}
