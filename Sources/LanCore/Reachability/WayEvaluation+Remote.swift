import LanWire

extension WayEvaluation {
  /// One next hop with the state of its link.
  struct Leg {
    var leg: RouteLeg
    var health: LinkHealth
  }

  /// Judges a way that leaves this host.
  mutating func judgeRemote(
    _ chosen: RouteAnswer, _ entry: RouteAnswer, _ replies: KernelReplies
  ) {
    guard let legs = legs(chosen, entry, replies) else { return }
    guard let first = chosen.legs.first ?? legs.first else {
      dependencies.anyLink = true
      return stop(.nextHopsDead)
    }
    let states = legs.prefix(LinkChain.countLimit).map { Leg(leg: $0, health: health($0)) }
    let own = states.first { $0.leg.isSameWay(as: first) } ?? Leg(leg: first, health: health(first))
    way.gateway = first.gateway
    way.source = chosen.source ?? local
    let chain = describe(own, states)
    let live = states.filter { !$0.health.isDead }
    way.isPartial = !live.isEmpty && live.count < states.count
    noteLegs(states, chosen: first)
    dependOnSource()
    guard !live.isEmpty else {
      dependencies.anyLink = true
      return stop(own.health.reason ?? .nextHopsDead)
    }
    if let problem = sourceProblem(first.interfaceIndex) {
      dependencies.anyAddress = true
      noteSource(.decides, problem)
      return stop(problem)
    }
    noteSource(.supports, nil)
    judgeNextHop(chosen, first)
    finish(flags(chosen, own, live, chain))
    if !way.status.isReachable {
      way.reason = way.flags.contains(.interventionRequired) ? .radioBlocked : .linkDormant
    }
  }

  /// All next hops; nil while next hop objects have to be asked for.
  private mutating func legs(
    _ chosen: RouteAnswer, _ entry: RouteAnswer, _ replies: KernelReplies
  ) -> [RouteLeg]? {
    if !entry.legs.isEmpty { return entry.legs }
    guard let id = entry.nextHopID else { return chosen.legs }
    guard let reply = replies[.nextHop(id)] else { return pend([.nextHop(id)]) }
    // Without an answer about the object the plain answer still names the chosen next hop.
    guard case .nextHop(let object) = reply else { return chosen.legs }
    let members = object.members.prefix(LinkChain.countLimit).map { KernelLookup.nextHop($0) }
    let unasked = members.filter { replies[$0] == nil }
    guard unasked.isEmpty else { return pend(unasked) }
    var legs = object.leg.map { [$0] } ?? []
    for member in members {
      if case .nextHop(let object)? = replies[member], let leg = object.leg { legs.append(leg) }
    }
    return legs.isEmpty ? chosen.legs : legs
  }

  private mutating func pend(_ lookups: [KernelLookup]) -> [RouteLeg]? {
    missing += lookups
    way.status = .unknown
    way.reason = .pending
    return nil
  }

  /// The link is asked first, then the kernel's mark: a dormant link with a carrier gets the mark
  /// for IPv6 and not for IPv4.
  private mutating func health(_ leg: RouteLeg) -> LinkHealth {
    dependencies.links.insert(leg.interfaceIndex)
    guard let link = facts.links[leg.interfaceIndex] else { return .dead(.linkDown) }
    let members = facts.links.members(of: link.index).count
    switch LinkHealth(link, members: members) {
    case .dormant: return .dormant
    case .dead(let reason): return .dead(reason)
    case .usable:
      if leg.isLinkDown { return .dead(.noCarrier) }
      return leg.isDead ? .dead(.nextHopsDead) : .usable
    }
  }

  /// Names the link of the way and all below it.
  private mutating func describe(_ own: Leg, _ states: [Leg]) -> LinkChain {
    let chain = LinkChain(from: own.leg.interfaceIndex, in: facts.links)
    dependencies.anyLink = dependencies.anyLink || !chain.missing.isEmpty
    for state in states where state.leg.interfaceIndex != own.leg.interfaceIndex {
      let other = LinkChain(from: state.leg.interfaceIndex, in: facts.links)
      dependencies.links.formUnion(other.links.map(\.link.index))
    }
    let classifier = LinkClassifier(facts: facts)
    for (link, depth) in chain.links {
      dependencies.links.insert(link.index)
      noteLink(link, depth: depth, depth > 0 ? .notes : own.health.isDead ? .decides : .supports)
      noteDevice(link)
    }
    guard let egress = chain.links.first?.link else { return chain }
    way.interface = InterfaceName(index: egress.index, name: egress.name)
    way.medium = classifier.medium(egress)
    noteMembers(egress)
    if way.medium == .tunnel, egress.kind == "wireguard" {
      note(.tunnelLiveness, .notes, .interface(egress.name), [])
    }
    return chain
  }

  /// The choice of the source looks at the link's own addresses first, then at all others.
  private mutating func dependOnSource() {
    let holders = way.source.map { facts.addresses.holding($0) } ?? []
    for holder in holders { dependencies.links.insert(holder.interfaceIndex) }
    let own = way.interface?.index
    if !holders.contains(where: { $0.interfaceIndex == own }) { dependencies.anyAddress = true }
  }

  /// The neighbour's answer is told and changes nothing: a packet can leave all the same.
  private mutating func judgeNextHop(_ chosen: RouteAnswer, _ leg: RouteLeg) {
    guard chosen.kind == .unicast || chosen.kind == .anycast,
      let link = facts.links[leg.interfaceIndex],
      link.flags.isDisjoint(with: [.noARP, .pointToPoint, .loopback]),
      let address = leg.gateway ?? (isPath ? nil : destination)
    else { return }
    let key = NeighbourKey(interfaceIndex: link.index, address: address)
    dependencies.neighbours.insert(key)
    guard let state = facts.neighbours[key] else {
      missing.append(.neighbour(key))
      return
    }
    way.nextHop = state
    note(
      state == .failed ? .nextHopFailed : .nextHop, .notes, .address(address),
      [.init("state", .text(state.rawValue)), .init("interface", .text(link.name))])
    if case .v4(let target) = destination, target.isLinkLocal, leg.gateway != nil {
      note(
        .linkLocalByGateway, .notes, .address(destination), [.init("gateway", .address(address))])
    }
  }
}

extension RouteLeg {
  func isSameWay(as other: RouteLeg) -> Bool {
    interfaceIndex == other.interfaceIndex && gateway == other.gateway
  }
}
