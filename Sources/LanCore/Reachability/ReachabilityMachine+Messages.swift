public import LanWire

extension ReachabilityMachine {
  /// Takes what the kernel told.
  public mutating func handle(_ message: KernelMessage, at now: Int64) {
    switch message {
    case .link(let link):
      if let change = evaluator.facts.links.apply(link) { noteLink(change, at: now) }
    case .linkRemoved(let index):
      if let change = evaluator.facts.links.remove(index) { noteLink(change, at: now) }
    case .address(let address):
      if let change = evaluator.facts.addresses.apply(address) { noteAddress(change, at: now) }
    case .addressRemoved(let address):
      if let change = evaluator.facts.addresses.remove(address) { noteAddress(change, at: now) }
    case .route(let route):
      routeTouched(route.destination, at: now)
      if let change = defaultRoutes.apply(route) {
        tellRoute(change)
        hurryUnresolved(at: now)
      }
    case .routeRemoved(let route):
      routeTouched(route.destination, at: now)
      if let change = defaultRoutes.remove(route) { tellRoute(change) }
    case .rule:
      rulesChanged = true
      markAll(.rule, at: now)
    case .nextHop(let id): mark(index.nextHopUsers, .nextHop(id), at: now)
    case .neighbour(let key, let state): noteNeighbour(key, state, at: now)
    case .settings: markAll(.settings, at: now)
    case .notice, .device, .wireless, .radio, .radioRemoved: noteSideFact(message, at: now)
    case .bridgePort, .noise: break
    }
  }

  /// Takes the destination of a route message; true if the whole message should be handed in
  /// instead, as it may be about a default route.
  ///
  /// Nothing is taken then, so that it is not taken twice.
  public mutating func routeTouched(_ prefix: RoutePrefix, at now: Int64) -> Bool {
    guard prefix.length > 3, let destination = prefix.destination else { return true }
    routeTouched(IPPrefix(destination, prefix.length), at: now)
    return false
  }

  /// Takes the change of a route of which only the destination is known: the cheap way for the
  /// many routes that lead nowhere near a target.
  public mutating func routeTouched(_ destination: IPPrefix, at now: Int64) {
    markInside(destination, .route(destination), at: now)
  }

  mutating func noteLink(_ change: LinkTable.Change, at now: Int64) {
    let link = change.link
    if tellsEvents { output += change.events.map { .event($0) } }
    let cause = ChangeCause.link(link.name)
    if change.isUpward {
      // Routes over the link may live again without a message, also for targets that go another
      // way meanwhile.
      markAll(cause, at: now)
      hurryUnresolved(at: now)
    } else {
      mark(index.over(link.index).union(index.anyLink), cause, at: now)
      if let master = link.master { mark(index.over(master), cause, at: now) }
    }
    switch change {
    case .added: output.append(.inspect(link))
    case .removed: forget(link, at: now)
    case .changed(_, let previous):
      if let master = previous.master, master != link.master {
        mark(index.over(master), cause, at: now)
      }
      if previous.name != link.name { output.append(.inspect(link)) }
      if previous.isUp, !link.isUp { dropRoutes(over: link.index, isIPv6: false) }
    }
  }

  private mutating func forget(_ link: LinkState, at now: Int64) {
    dropRoutes(over: link.index, isIPv6: false)
    dropRoutes(over: link.index, isIPv6: true)
    for change in evaluator.facts.addresses.removeAll(of: link.index) {
      noteAddress(change, interface: link.name, at: now)
    }
    evaluator.facts.devices[link.index] = nil
    evaluator.facts.wireless[link.index] = nil
    evaluator.facts.notices.removeAll { $0.interfaceIndex == link.index }
  }

  mutating func noteAddress(
    _ change: AddressTable.Change, interface: String? = nil, at now: Int64
  ) {
    let address = change.address
    let link = address.interfaceIndex
    if tellsEvents {
      output.append(
        .event(
          KernelEvent(
            change.action, .address(address),
            interface: interface ?? evaluator.facts.links[link]?.name, interfaceIndex: link)))
    }
    let cause = ChangeCause.address(address.address)
    mark(index.over(link).union(index.anyAddress), cause, at: now)
    markInside(address.prefix, cause, at: now)
    markInside(IPPrefix(address.address, 128), cause, at: now)
    if case .removed = change {} else { hurryUnresolved(at: now) }
    guard case .removed = change, !address.address.isIPv6 else { return }
    // The last IPv4 address takes the routes over its link with it, without a message.
    if !evaluator.facts.addresses.of(link).contains(where: { !$0.address.isIPv6 }) {
      dropRoutes(over: link, isIPv6: false)
    }
  }

  private mutating func dropRoutes(over link: UInt32, isIPv6: Bool) {
    for change in defaultRoutes.removeAll(over: link, isIPv6: isIPv6) { tellRoute(change) }
  }

  private mutating func tellRoute(_ change: DefaultRouteTable.Change) {
    if tellsEvents { output.append(.event(change.event(evaluator.facts.links))) }
  }

  private mutating func noteNeighbour(
    _ key: NeighbourKey, _ state: NextHopState, at now: Int64
  ) {
    guard let previous = evaluator.facts.neighbours.apply(key, state) else { return }
    let isFailure = state == .failed
    if isFailure != (previous == .failed) {
      mark(index.behind(key), .neighbour(key.address), at: now)
    }
    guard tellsEvents else { return }
    let action: KernelEvent.Action
    switch (previous, state) {
    case (_, .failed): action = .failed
    case (_, .unknown): action = .removed
    case (.unknown, _): action = .added
    case (.failed, _): action = .changed
    // Reachable, stale and back is the ordinary breath of a neighbour.
    default: return
    }
    output.append(
      .event(
        KernelEvent(
          action, .neighbour(key, state),
          interface: evaluator.facts.links[key.interfaceIndex]?.name,
          interfaceIndex: key.interfaceIndex)))
  }

  private mutating func noteSideFact(_ message: KernelMessage, at now: Int64) {
    switch message {
    case .device(let link, let facts):
      guard evaluator.facts.devices[link] != facts else { return }
      evaluator.facts.devices[link] = facts
      mark(index.over(link), .link(evaluator.facts.links[link]?.name ?? ""), at: now)
    case .wireless(let link, let facts):
      guard evaluator.facts.wireless[link] != facts else { return }
      evaluator.facts.wireless[link] = facts
      mark(index.over(link), .wireless(evaluator.facts.links[link]?.name ?? ""), at: now)
    case .radio(let radio):
      var radios = evaluator.facts.radios ?? []
      guard !radios.contains(radio) else { return }
      radios.removeAll { $0.index == radio.index }
      evaluator.facts.radios = (radios + [radio]).sorted { $0.index < $1.index }
      markAll(.radio, at: now)
    case .radioRemoved(let index):
      evaluator.facts.radios?.removeAll { $0.index == index }
      markAll(.radio, at: now)
    case .notice(let notice): note(notice, at: now)
    default: break
    }
  }

  /// How many notices of routers are kept.
  private static let noticeLimit = 64

  private mutating func note(_ notice: RouterNotice, at now: Int64) {
    func isSame(_ other: RouterNotice) -> Bool {
      other.interfaceIndex == notice.interfaceIndex && other.content == notice.content
    }
    let known = evaluator.facts.notices.first(where: isSame)
    evaluator.facts.notices.removeAll(where: isSame)
    for old in noticeEnds.keys.filter(isSame) { noticeEnds[old] = nil }
    if notice.lifetimeSeconds != 0, evaluator.facts.notices.count < Self.noticeLimit {
      evaluator.facts.notices.append(notice)
      if let seconds = notice.lifetimeSeconds {
        noticeEnds[notice] = later(now, Int64(seconds) * 1_000_000_000)
      }
    }
    if known == nil || notice.lifetimeSeconds == 0 {
      mark(index.over(notice.interfaceIndex), .notice, at: now)
    }
  }
}
