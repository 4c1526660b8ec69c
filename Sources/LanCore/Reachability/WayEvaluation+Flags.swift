import LanWire

/// The flags of a way that leaves this host.
extension WayEvaluation {
  func flags(
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

  /// The switch that blocks the radio behind a link; nil if none does or none is known.
  func blockedRadio(_ link: LinkState) -> RadioSwitch? {
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
}
