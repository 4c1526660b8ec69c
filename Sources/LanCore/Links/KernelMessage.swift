public import LanWire

/// What the kernel told, reduced to what has a meaning for reachability.
public enum KernelMessage: Hashable, Sendable {
  /// The state of a link.
  case link(LinkState)
  /// A link went.
  case linkRemoved(UInt32)
  /// Something about a bridge's port, which is not the state of the link itself.
  case bridgePort(UInt32)
  /// The state of an address.
  case address(InterfaceAddress)
  /// An address went.
  case addressRemoved(InterfaceAddress)
  /// A route.
  case route(RouteChange)
  /// A route went.
  case routeRemoved(RouteChange)
  /// A policy rule came or went.
  case rule(isIPv6: Bool)
  /// A next hop object came, changed or went.
  case nextHop(UInt32)
  /// The state of a neighbour; one that went is unknown.
  case neighbour(NeighbourKey, NextHopState)
  /// A router announced something.
  case notice(RouterNotice)
  /// A setting of the network stack changed.
  case settings
  /// Facts of sysfs about a link; nil when it has none.
  case device(UInt32, DeviceFacts?)
  /// Facts of nl80211 about a link; nil when it is not wireless.
  case wireless(UInt32, WirelessFacts?)
  /// A radio switch.
  case radio(RadioSwitch)
  /// A radio switch went.
  case radioRemoved(UInt32)
  /// A message that means nothing here.
  case noise
}

extension KernelMessage {
  /// The meaning of a message of rtnetlink; `flags` are those of its header.
  public init(_ event: RouteNetlinkEvent, flags: NetlinkFlags = []) {
    self =
      switch event {
      case .link(let message): Self.link(message)
      case .linkRemoved(let message):
        // A port that leaves its bridge is told as a removal of this family; the link stays.
        message.family == .bridge ? .bridgePort(message.index) : .linkRemoved(message.index)
      case .address(let message): InterfaceAddress(message).map { .address($0) } ?? .noise
      case .addressRemoved(let message):
        InterfaceAddress(message).map { .addressRemoved($0) } ?? .noise
      case .route(let message): RouteChange(message, flags).map { .route($0) } ?? .noise
      case .routeRemoved(let message):
        RouteChange(message, flags).map { .routeRemoved($0) } ?? .noise
      case .rule(let message), .ruleRemoved(let message): .rule(isIPv6: message.family == .ipv6)
      case .neighbour(let message): Self.neighbour(message, NextHopState(message.state))
      case .neighbourRemoved(let message): Self.neighbour(message, .unknown)
      case .nextHop(let message), .nextHopRemoved(let message): .nextHop(message.id)
      case .routerOption(let message): RouterNotice(message).map { .notice($0) } ?? .noise
      case .other(let type): type == .newNetconf ? .settings : .noise
      }
  }

  private static func link(_ message: LinkMessage) -> KernelMessage {
    if message.family == .bridge { return .bridgePort(message.index) }
    // Messages of wireless extensions and the like repeat the name and leave out the state.
    guard let link = LinkState(message) else { return .noise }
    return .link(link)
  }

  private static func neighbour(
    _ message: NeighbourMessage, _ state: NextHopState
  ) -> KernelMessage {
    guard let address = message.destination else { return .noise }
    return .neighbour(NeighbourKey(interfaceIndex: message.index, address: address), state)
  }
}

extension LinkState {
  /// The state that a message tells; nil for one that does not tell it.
  public init?(_ message: LinkMessage) {
    guard message.family != .bridge, let state = message.state, !message.name.isEmpty else {
      return nil
    }
    self.init(
      index: message.index, name: message.name, flags: message.flags, operational: state,
      mode: message.mode ?? .normal, hardware: message.hardware)
    isLowerForeign = message.lowerNamespace != nil
    if let below = message.lower, below != 0, below != message.index, !isLowerForeign {
      lower = below
    }
    master = message.master.flatMap { $0 == 0 ? nil : $0 }
    kind = message.kind.isEmpty ? nil : message.kind
    activeMember = message.activeMember.flatMap { $0 == 0 ? nil : $0 }
    isTap = message.tunType == 2
    isProtocolDown = message.isProtocolDown ?? false
    parentBus = message.parentBus.isEmpty ? nil : message.parentBus
  }
}

extension InterfaceAddress {
  /// The address that a message tells; nil for one without, or of another family.
  public init?(_ message: AddressMessage) {
    guard let address = message.local else { return nil }
    let flags = message.flags
    let standing: Standing =
      if flags.contains(.duplicated) {
        .failed
      } else if flags.contains(.tentative) {
        flags.contains(.optimistic) ? .optimistic : .tentative
      } else if flags.contains(.deprecated) || message.preferredLifetime == 0 {
        // Some routers announce a preferred lifetime of 0 again and again: two messages, one state.
        .deprecated
      } else {
        .preferred
      }
    self.init(
      address, prefixLength: message.prefixLength, interfaceIndex: message.index,
      standing: standing)
    peer = message.peer == address ? nil : message.peer
    preferredSeconds = message.preferredLifetime
    validSeconds = message.validLifetime
  }
}

extension RouteChange {
  /// The route that a message tells; nil for one of another family, such as multicast routing.
  ///
  /// Next hops are kept only for what may be a default route: nothing else asks for them, and
  /// there may be many such messages.
  public init?(_ message: RouteMessage, _ flags: NetlinkFlags = []) {
    guard message.family == .ipv4 || message.family == .ipv6 else { return nil }
    let everything = IPPrefix.all(isIPv6: message.family == .ipv6).address
    guard message.destinationLength == 0 || message.destination != nil else { return nil }
    self.init(
      IPPrefix(message.destination ?? everything, message.destinationLength),
      kind: RouteKind(message.type), table: message.table, priority: message.priority ?? 0,
      legs: message.destinationLength <= 3 ? message.ways.map(RouteLeg.init) : [],
      isReplacement: flags.rawValue & 0x100 != 0)
  }
}

extension RouterNotice {
  /// What a message announces; nil for an option that means nothing here.
  public init?(_ message: RouterOptionMessage) {
    let content: Content
    var lifetime: UInt32?
    if let portal = message.portal {
      content = .portal(portal)
    } else if let translation = message.translation {
      content = .nat64(IPPrefix(.v6(translation.prefix), translation.length))
      lifetime = translation.lifetime
    } else {
      return nil
    }
    self.init(
      interfaceIndex: message.index, content: content, router: message.router.map { .v6($0) },
      lifetimeSeconds: lifetime)
  }
}

extension PolicyRule {
  /// The rule of a message; nil for another family.
  public init?(_ message: RuleMessage) {
    guard message.family == .ipv4 || message.family == .ipv6 else { return nil }
    self.init(
      isIPv6: message.family == .ipv6, priority: message.priority,
      table: message.action == .table ? message.table : nil, mark: message.mark)
    mask = message.markMask ?? .max
    isInverted = message.isInverted
  }
}

extension WirelessFacts {
  /// What an answer about a wireless interface says.
  public init(_ message: WirelessMessage) {
    let role: Role =
      if message.type?.isClient == true {
        .station
      } else {
        message.type == .accessPoint ? .accessPoint : .other
      }
    self.init(
      role: role, network: message.ssid.map { String(decoding: $0, as: UTF8.self) },
      isAuthorized: message.isAuthorized)
  }
}

extension KernelMessage {
  /// What an event of the rfkill device means.
  public init(_ event: RfkillEvent) {
    switch event.operation {
    case .removed: self = .radioRemoved(event.index)
    case .added, .changed:
      let kind: RadioSwitch.Kind =
        event.radio == .wifi ? .wlan : event.radio == .cellular ? .wwan : .other
      self = .radio(
        RadioSwitch(
          index: event.index, kind: kind, isSoftBlocked: event.isSoftBlocked,
          isHardBlocked: event.isHardBlocked))
    default: self = .noise
    }
  }
}
