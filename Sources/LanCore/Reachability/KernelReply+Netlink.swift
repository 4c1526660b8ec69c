public import LanWire

extension KernelReply {
  /// The answer to a route look-up.
  public init(_ message: RouteMessage) { self = .route(RouteAnswer(message)) }

  /// The answer to a question about a neighbour.
  public init(_ message: NeighbourMessage) { self = .neighbour(NextHopState(message.state)) }

  /// The answer to a question about a next hop object.
  public init(_ message: NextHopMessage) {
    let isLeg = message.index != nil && !message.isBlackhole
    let leg = RouteLeg(
      interfaceIndex: message.index ?? 0, gateway: message.gateway,
      isDead: message.flags.contains(.dead), isLinkDown: message.flags.contains(.linkDown),
      isEncapsulated: message.encapsulation != nil)
    self = .nextHop(
      NextHopObject(
        leg: isLeg ? leg : nil, members: message.group.map(\.id),
        isBlackhole: message.isBlackhole))
  }

  /// A refusal; a neighbour without an entry is no refusal but not known.
  public init(_ error: NetlinkErrorMessage, to lookup: KernelLookup) {
    let failure = LookupFailure(
      number: error.errno, text: error.text.isEmpty ? nil : error.text)
    if case .neighbour = lookup {
      self = .neighbour(.unknown)
    } else {
      self = .failure(failure)
    }
  }
}

extension RouteAnswer {
  /// The route of a message.
  public init(_ message: RouteMessage) {
    let everything = IPPrefix.all(isIPv6: message.family == .ipv6).address
    self.init(
      kind: RouteKind(message.type), table: message.table,
      prefix: IPPrefix(message.destination ?? everything, message.destinationLength),
      originProtocol: message.origin, legs: message.ways.map(RouteLeg.init),
      source: message.preferredSource)
    priority = message.priority
    expiresTicks = message.expires
    nextHopID = message.nextHopID
  }
}

extension RouteLeg {
  /// The next hop of a message.
  public init(_ hop: RouteNextHop) {
    self.init(
      interfaceIndex: hop.index, gateway: hop.gateway, isDead: hop.flags.contains(.dead),
      isLinkDown: hop.flags.contains(.linkDown), isEncapsulated: hop.encapsulation != nil)
  }
}

extension RouteKind {
  /// The kind of a type.
  public init(_ type: RouteType) {
    self =
      switch type {
      case .unicast: .unicast
      case .local: .local
      case .broadcast: .broadcast
      case .anycast: .anycast
      case .multicast: .multicast
      case .blackhole: .blackhole
      case .unreachable: .unreachable
      case .prohibit: .prohibit
      case .throw: .throwAway
      default: .other
      }
  }
}

extension NextHopState {
  /// What a neighbour's state says about it.
  public init(_ state: NeighbourState) {
    self =
      if state.contains(.failed) {
        .failed
      } else if !state.isDisjoint(with: [.reachable, .permanent, .noARP]) {
        .reachable
      } else if !state.isDisjoint(with: [.stale, .delay, .probe]) {
        .stale
      } else {
        .unknown
      }
  }
}
