import LanWire

extension WayEvaluation {
  /// One next hop with the state of its link.
  private struct Leg {
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

  private mutating func noteMembers(_ link: LinkState) {
    guard LinkChain.isAggregate(link) else { return }
    let members = facts.links.members(of: link.index)
    let passing = members.filter(\.isUsable)
    let active = link.activeMember.flatMap { facts.links[$0]?.name }
    way.members = active.map { [$0] } ?? passing.map(\.name)
    note(
      .members, members.isEmpty ? .decides : .notes, .interface(link.name),
      [
        .init("members", .list(members.map(\.name))),
        .init("carrying", .list(passing.map(\.name))),
      ])
  }

  private mutating func noteDevice(_ link: LinkState) {
    if let wireless = facts.wireless[link.index] {
      var values: [WhyFact.Value] = [.init("role", .text(wireless.role.rawValue))]
      if let network = wireless.network { values.append(.init("network", .text(network))) }
      if let isAuthorized = wireless.isAuthorized {
        values.append(.init("authorized", .flag(isAuthorized)))
      }
      note(.wireless, .notes, .interface(link.name), values)
    }
    if let radio = blockedRadio(link) {
      note(
        .radio, .notes, .interface(link.name),
        [
          .init("kind", .text(radio.kind.rawValue)), .init("soft", .flag(radio.isSoftBlocked)),
          .init("hard", .flag(radio.isHardBlocked)),
        ])
    }
  }

  private mutating func noteLegs(_ states: [Leg], chosen: RouteLeg) {
    guard states.count > 1 else { return }
    for state in states {
      var values: [WhyFact.Value] = []
      if let gateway = state.leg.gateway { values.append(.init("gateway", .address(gateway))) }
      values.append(.init("state", .text(state.health.word)))
      values.append(.init("chosen", .flag(state.leg.isSameWay(as: chosen))))
      let name = facts.links[state.leg.interfaceIndex]?.name ?? String(state.leg.interfaceIndex)
      note(.leg, state.health.isDead ? .notes : .supports, .interface(name), values)
    }
    if way.isPartial { note(.partial, .notes, .none, []) }
  }

  /// The switch that blocks the radio behind a link; nil if none does or none is known.
  private func blockedRadio(_ link: LinkState) -> RadioSwitch? {
    guard let radios = facts.radios else { return nil }
    if let index = facts.devices[link.index]?.radio {
      return radios.first { $0.index == index && $0.isBlocked }
    }
    let classifier = LinkClassifier(facts: facts)
    let kind: RadioSwitch.Kind
    if classifier.isCellular(link) {
      kind = .wwan
    } else if classifier.isWireless(link) {
      kind = .wlan
    } else {
      return nil
    }
    // Which switch belongs to the link is not known: it is blocked for sure if all of its kind are.
    let same = radios.filter { $0.kind == kind }
    return same.allSatisfy(\.isBlocked) ? same.first : nil
  }

  private mutating func noteSource(_ bearing: WhyFact.Bearing, _ problem: VerdictReason?) {
    var values: [WhyFact.Value] = []
    if let problem { values.append(.init("reason", .text(problem.rawValue))) }
    if let source = way.source {
      let holders = facts.addresses.holding(source)
      if let standing = holders.first?.standing {
        values.append(.init("standing", .text(standing.rawValue)))
      }
    }
    note(.source, bearing, way.source.map { .address($0) } ?? .none, values)
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

  private func flags(
    _ chosen: RouteAnswer, _ own: Leg, _ live: [Leg], _ chain: LinkChain
  ) -> ReachabilityFlags {
    let classifier = LinkClassifier(facts: facts)
    var flags: ReachabilityFlags = [.reachable]
    let links = chain.links.map(\.link)
    let leg = own.leg
    if leg.isEncapsulated || links.contains(where: classifier.isTransient) {
      flags.insert(.transientConnection)
    }
    if links.contains(where: classifier.isCellular) { flags.insert(.isWWAN) }
    let egress = facts.links[leg.interfaceIndex]
    let isLoopback = egress?.flags.contains(.loopback) ?? false
    if isLoopback, !isPath { flags.insert(.isLocalAddress) }
    if chosen.kind == .unicast, leg.gateway == nil, !leg.isEncapsulated, !isLoopback,
      egress?.flags.contains(.pointToPoint) == false
    {
      flags.insert(.isDirect)
    }
    if !live.contains(where: { $0.health == .usable }) {
      let waiting = own.health == .dormant ? own.leg : live.first?.leg ?? own.leg
      flags.formUnion(connection(waiting, classifier))
    }
    return flags
  }

  /// What a dormant link waits for, told by the lowest dormant one of its chain.
  private func connection(
    _ leg: RouteLeg, _ classifier: LinkClassifier
  ) -> ReachabilityFlags {
    let chain = LinkChain(from: leg.interfaceIndex, in: facts.links)
    guard let link = chain.lowestDormant else { return [.connectionRequired] }
    var flags: ReachabilityFlags = [.connectionRequired]
    if classifier.isDialed(link) {
      flags.insert(.connectionOnTraffic)
    } else if link.mode != .dormant, facts.wireless[link.index]?.isAuthorized != false {
      // User space that gates the port is a supplicant (802.1X, WPA) that has not let it open:
      // nothing that a packet or a request could bring about.
      flags.insert(.connectionOnDemand)
    }
    if chain.links.contains(where: { blockedRadio($0.link) != nil }) {
      flags.insert(.interventionRequired)
    }
    return flags
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

extension RouteLeg {
  func isSameWay(as other: RouteLeg) -> Bool {
    interfaceIndex == other.interfaceIndex && gateway == other.gateway
  }
}
