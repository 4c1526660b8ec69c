import LanWire

/// What is told of a way beside its verdict.
extension WayEvaluation {
  mutating func noteMembers(_ link: LinkState) {
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

  mutating func noteDevice(_ link: LinkState) {
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

  mutating func noteLegs(_ states: [Leg], chosen: RouteLeg) {
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

  mutating func noteSource(_ bearing: WhyFact.Bearing, _ problem: VerdictReason?) {
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
}
