import LanWire

/// The links of the namespace: the kernel's messages in, changes of meaning out.
///
/// A bridge that lets a port go sends a removal of the family AF_BRIDGE; that is no business of
/// this table: the link itself stays.
public struct LinkTable: Sendable {
  /// What a message changed.
  public enum Change: Hashable, Sendable {
    /// A new link.
    case added(LinkState)
    /// The link is another than before.
    case changed(LinkState, previous: LinkState)
    /// The link went.
    case removed(LinkState)
  }

  /// How many links are kept; more are not noticed.
  public static let limit = 65_536

  private var links: [UInt32: LinkState] = [:]
  private var indexes: [String: UInt32] = [:]
  private var memberIndexes: [UInt32: [UInt32]] = [:]

  /// An empty table.
  public init() {}

  /// How many links there are.
  public var count: Int { links.count }

  /// All links, by number.
  public var all: [LinkState] { links.values.sorted { $0.index < $1.index } }

  /// The link of a number.
  public subscript(index: UInt32) -> LinkState? { links[index] }

  /// The link of a name, or of a number as text.
  public subscript(name: String) -> LinkState? {
    if let index = indexes[name] { return links[index] }
    return UInt32(name).flatMap { links[$0] }
  }

  /// The members of a bridge, bond, team or VRF, by number.
  public func members(of index: UInt32) -> [LinkState] {
    (memberIndexes[index] ?? []).compactMap { links[$0] }
  }

  /// The loopback.
  public var loopback: LinkState? {
    if let first = links[1], first.flags.contains(.loopback) { return first }
    return links.values.filter { $0.flags.contains(.loopback) }.min { $0.index < $1.index }
  }

  /// Takes the state that a message told; nil if it means nothing new.
  public mutating func apply(_ link: LinkState) -> Change? {
    guard let previous = links[link.index] else {
      guard links.count < Self.limit else { return nil }
      store(link)
      return .added(link)
    }
    guard previous != link else { return nil }
    unlink(previous)
    store(link)
    return .changed(link, previous: previous)
  }

  /// Removes the link of a number; nil if there is none.
  public mutating func remove(_ index: UInt32) -> Change? {
    guard let link = links.removeValue(forKey: index) else { return nil }
    unlink(link)
    return .removed(link)
  }

  /// Replaces all with what a dump told; the changes are the real differences.
  public mutating func replace(with dump: [LinkState]) -> [Change] {
    let told = Set(dump.map(\.index))
    let gone = links.keys.filter { !told.contains($0) }.sorted()
    return gone.compactMap { remove($0) } + dump.compactMap { apply($0) }
  }

  private mutating func store(_ link: LinkState) {
    links[link.index] = link
    indexes[link.name] = link.index
    if let master = link.master {
      var members = memberIndexes[master] ?? []
      members.append(link.index)
      members.sort()
      memberIndexes[master] = members
    }
  }

  private mutating func unlink(_ link: LinkState) {
    if indexes[link.name] == link.index { indexes[link.name] = nil }
    guard let master = link.master else { return }
    memberIndexes[master]?.removeAll { $0 == link.index }
    if memberIndexes[master]?.isEmpty == true { memberIndexes[master] = nil }
  }
}

extension LinkTable.Change {
  /// The link, as it is now or was at last.
  public var link: LinkState {
    switch self {
    case .added(let link), .changed(let link, _), .removed(let link): link
    }
  }

  /// True if packets may pass now that did not before.
  public var isUpward: Bool {
    switch self {
    case .added(let link): link.isUp
    case .changed(let link, let previous):
      link.isUp && !previous.isUp || link.hasCarrier && !previous.hasCarrier
        || link.isUsable && !previous.isUsable
    case .removed: false
    }
  }

  /// The change for people who follow what the kernel tells; a rename and another change are two.
  public var events: [KernelEvent] {
    let name = link.name
    let index = link.index
    func event(_ action: KernelEvent.Action, _ previous: LinkState?) -> KernelEvent {
      KernelEvent(
        action, .link(link, previous: previous), interface: name, interfaceIndex: index)
    }
    switch self {
    case .added: return [event(.added, nil)]
    case .removed: return [event(.removed, nil)]
    case .changed(let link, let previous):
      var renamed = previous
      renamed.name = link.name
      let rename = previous.name == link.name ? [] : [event(.renamed, previous)]
      return rename + (renamed == link ? [] : [event(.changed, previous)])
    }
  }
}
