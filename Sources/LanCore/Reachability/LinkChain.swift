/// The links that a way goes over: the egress link, those below it, and members of bridges, bonds
/// and teams.
struct LinkChain {
  /// How deep links are followed.
  static let depthLimit = 8
  /// How many links a chain holds at most.
  static let countLimit = 64

  /// The links, the egress link first, each with its depth below it.
  private(set) var links: [(link: LinkState, depth: Int)] = []
  /// Numbers of links that were meant and are not known.
  private(set) var missing: [UInt32] = []

  /// Follows the links from `index` downwards.
  init(from index: UInt32, in table: LinkTable) {
    var queue = [(index, 0)]
    var seen: Set<UInt32> = []
    var next = 0
    while next < queue.count, links.count < Self.countLimit {
      let (index, depth) = queue[next]
      next += 1
      guard seen.insert(index).inserted else { continue }
      guard let link = table[index] else {
        missing.append(index)
        continue
      }
      links.append((link, depth))
      guard depth < Self.depthLimit else { continue }
      if let lower = link.lower { queue.append((lower, depth + 1)) }
      if let active = link.activeMember, table[active] != nil {
        queue.append((active, depth + 1))
      } else {
        queue += Self.members(of: link, in: table).prefix(Self.countLimit)
          .map { ($0.index, depth + 1) }
      }
    }
  }

  /// The members that matter: those that carry packets, else those that may, else all.
  private static func members(of link: LinkState, in table: LinkTable) -> [LinkState] {
    guard isAggregate(link) else { return [] }
    let members = table.members(of: link.index)
    let usable = members.filter(\.isUsable)
    guard usable.isEmpty else { return usable }
    let dormant = members.filter(\.isDormant)
    return dormant.isEmpty ? members : dormant
  }

  /// True for links whose members carry their packets.
  static func isAggregate(_ link: LinkState) -> Bool {
    link.kind == "bridge" || link.kind == "bond" || link.kind == "team"
  }

  /// The lowest dormant link: the one that decides what the way waits for.
  var lowestDormant: LinkState? {
    links.filter { $0.link.isDormant }.max { $0.depth < $1.depth }?.link
  }
}

/// Whether packets pass a link.
enum LinkHealth: Equatable {
  /// They do.
  case usable
  /// They may, once what it waits for has come.
  case dormant
  /// They don't.
  case dead(VerdictReason)

  /// The health of a link, which the kernel keeps in step with what is below it.
  init(_ link: LinkState, members: Int) {
    if link.isUsable {
      self = .usable
    } else if link.isDormant {
      self = .dormant
    } else if !link.isUp {
      self = .dead(.linkDown)
    } else if link.isProtocolDown {
      self = .dead(.protocolDown)
    } else if !link.hasCarrier {
      self = .dead(LinkChain.isAggregate(link) && members == 0 ? .noMembers : .noCarrier)
    } else {
      self = .dead(.linkNotOperational)
    }
  }
}

extension LinkHealth {
  var isDead: Bool { reason != nil }

  var reason: VerdictReason? {
    if case .dead(let reason) = self { reason } else { nil }
  }

  var word: String {
    switch self {
    case .usable: "usable"
    case .dormant: "dormant"
    case .dead(let reason): reason.rawValue
    }
  }
}
