public import LanCore

extension ReachabilityStatus {
  /// The status in the words of AFNetworking, in the user's language.
  public var localizedText: String {
    switch self {
    case .unknown: MessageCatalog.text("Unknown")
    case .notReachable: MessageCatalog.text("Not Reachable")
    case .reachableViaWWAN: MessageCatalog.text("Reachable via WWAN")
    case .reachableViaWiFi: MessageCatalog.text("Reachable via WiFi")
    }
  }
}

extension Verdict {
  /// The verdict in a few words, in the user's language.
  public var localizedText: String {
    switch connection {
    case _ where status == .unknown: MessageCatalog.text("unknown")
    case .intervention: MessageCatalog.text("needs a person")
    case .required: MessageCatalog.text("needs a connection")
    case .onDemand, .onTraffic: MessageCatalog.text("reachable on demand")
    case .notNeeded:
      status.isReachable
        ? MessageCatalog.text("reachable") : MessageCatalog.text("not reachable")
    }
  }
}

extension Medium {
  /// The medium in the user's language.
  public var localizedText: String {
    switch self {
    case .loopback: MessageCatalog.text("loopback")
    case .ethernet: MessageCatalog.text("ethernet")
    case .wifi: MessageCatalog.text("wifi")
    case .cellular: MessageCatalog.text("cellular")
    case .tunnel: MessageCatalog.text("tunnel")
    case .bridge: MessageCatalog.text("bridge")
    case .bond: MessageCatalog.text("bond")
    case .ppp: MessageCatalog.text("ppp")
    case .other: MessageCatalog.text("other medium")
    case .unknown: MessageCatalog.text("unknown medium")
    }
  }
}

extension VerdictReason {
  /// Why not, in the user's language.
  public var localizedText: String {
    switch self {
    case .pending: MessageCatalog.text("not known yet")
    case .noRoute: MessageCatalog.text("no route")
    case .routeUnreachable: MessageCatalog.text("an 'unreachable' route covers it")
    case .routeProhibited: MessageCatalog.text("a 'prohibit' route or rule covers it")
    case .routeBlackhole: MessageCatalog.text("a 'blackhole' route covers it")
    case .noSuchInterface: MessageCatalog.text("no such interface")
    case .ambiguousScope: MessageCatalog.text("a link-local address without its interface")
    case .familyUnavailable: MessageCatalog.text("the kernel lacks this address family")
    case .lookupFailed: MessageCatalog.text("the kernel refused the question")
    case .linkDown: MessageCatalog.text("the link is switched off")
    case .noCarrier: MessageCatalog.text("no carrier")
    case .linkNotOperational: MessageCatalog.text("the link is not operational")
    case .protocolDown: MessageCatalog.text("a protocol holds the link down")
    case .linkDormant: MessageCatalog.text("the link waits for its connection")
    case .radioBlocked: MessageCatalog.text("the radio is blocked")
    case .noMembers: MessageCatalog.text("it has no members")
    case .nextHopsDead: MessageCatalog.text("all next hops are dead")
    case .loopbackDown: MessageCatalog.text("the loopback is switched off")
    case .noSource: MessageCatalog.text("no address to send from")
    case .sourceTentative: MessageCatalog.text("the source address is still being checked")
    case .sourceFailed: MessageCatalog.text("the source address is a duplicate")
    case .sourceLinkLocal: MessageCatalog.text("only a link-local address to send from")
    case .sourceForeign: MessageCatalog.text("the local address is not of this host")
    case .sourceFamily: MessageCatalog.text("the local address is of another family")
    case .nameNotFound: MessageCatalog.text("no such name")
    case .resolverFailed: MessageCatalog.text("the resolver failed")
    }
  }
}
