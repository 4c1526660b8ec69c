public import LanWire

/// Judges the reachability of a target from facts alone: same facts, same verdict.
///
/// Use: send `initialLookups`, collect the answers, call `evaluate`; while the result names
/// missing look-ups, answer those too and call it again.
public struct ReachabilityEvaluator: Sendable {
  /// How many addresses of one name are judged.
  public static let addressLimit = 32

  /// What is known of the host.
  public var facts: ReachabilityFacts
  /// The destinations that stand for "anywhere".
  public var probes: PathProbes

  /// An evaluator over facts.
  public init(facts: ReachabilityFacts, probes: PathProbes = PathProbes()) {
    self.facts = facts
    self.probes = probes
  }

  /// The destinations that the question leads to: those of IPv4 first for the default path, the
  /// resolver's order for a name.
  public func destinations(_ question: ReachabilityQuestion) -> [IPAddress] {
    let options = question.options
    let all: [IPAddress] =
      switch question.target {
      case .defaultPath: probes.ipv4 + probes.ipv6
      case .address(let address, _): [address.unmapped]
      case .host(let name):
        if case .addresses(let addresses)? = facts.names[name] {
          Array(addresses.lazy.map(\.unmapped).prefix(Self.addressLimit))
        } else {
          []
        }
      }
    return all.filter { $0.isIPv6 ? options.usesIPv6 : options.usesIPv4 }
  }

  /// The look-ups to begin with: two for each destination.
  public func initialLookups(_ question: ReachabilityQuestion) -> [KernelLookup] {
    destinations(question).flatMap { destination in
      WayEvaluation(self, question, destination).routeLookups ?? []
    }
  }

  /// Judges the target by the facts and the answers to its look-ups.
  public func evaluate(_ question: ReachabilityQuestion, _ replies: KernelReplies) -> Evaluation {
    var evaluation = Evaluation(
      verdict: Verdict(best: WayVerdict()), missing: [], dependencies: Dependencies())
    if case .host(let name) = question.target, unresolved(name, &evaluation) { return evaluation }
    var ways: [(address: IPAddress, way: WayVerdict)] = []
    for destination in destinations(question) {
      var way = WayEvaluation(self, question, destination)
      way.run(replies)
      ways.append((destination, way.way))
      collect(way, into: &evaluation)
    }
    conclude(question, ways, &evaluation)
    appendNotices(&evaluation)
    return evaluation
  }

  private func collect(_ way: WayEvaluation, into evaluation: inout Evaluation) {
    for fact in way.why where !evaluation.verdict.why.contains(fact) {
      evaluation.verdict.why.append(fact)
    }
    for lookup in way.missing where !evaluation.missing.contains(lookup) {
      evaluation.missing.append(lookup)
    }
    evaluation.dependencies.formUnion(way.dependencies)
    if let ticks = way.expiresTicks {
      evaluation.expiresTicks = min(evaluation.expiresTicks ?? .max, ticks)
    }
  }

  /// Judges a name without addresses; false if there are some.
  private func unresolved(_ name: String, _ evaluation: inout Evaluation) -> Bool {
    var way = WayVerdict()
    var values: [WhyFact.Value] = []
    switch facts.names[name] ?? .pending {
    case .addresses(let addresses) where !addresses.isEmpty:
      let list = addresses.prefix(Self.addressLimit).map(\.description)
      evaluation.verdict.why.append(
        WhyFact(
          .name, .supports, subject: .name(name),
          values: [.init("addresses", .list(Array(list)))]))
      return false
    case .pending:
      way.status = .unknown
      way.reason = .pending
    case .notFound, .addresses:
      way.reason = .nameNotFound
    case .failed(let text):
      way.status = .unknown
      way.reason = .resolverFailed
      values = [.init("error", .text(text))]
    }
    evaluation.verdict.best = way
    let reason = way.reason ?? .pending
    evaluation.verdict.why.append(
      WhyFact(
        .name, .decides, subject: .name(name),
        values: [.init("reason", .text(reason.rawValue))] + values))
    return true
  }

  private func conclude(
    _ question: ReachabilityQuestion, _ ways: [(address: IPAddress, way: WayVerdict)],
    _ evaluation: inout Evaluation
  ) {
    let isPath = question.target == .defaultPath
    func family(_ isIPv6: Bool) -> WayVerdict? {
      let some = ways.lazy.filter { $0.address.isIPv6 == isIPv6 }.map(\.way)
      return isPath ? Self.worst(Array(some)) : Self.best(Array(some))
    }
    evaluation.verdict.ipv4 = family(false)
    evaluation.verdict.ipv6 = family(true)
    if case .host = question.target {
      evaluation.verdict.addresses = ways.map {
        Verdict.AddressVerdict(address: $0.address, way: $0.way)
      }
    }
    let candidates = [evaluation.verdict.ipv4, evaluation.verdict.ipv6].compactMap { $0 }
    if let best = Self.best(candidates) {
      evaluation.verdict.best = best
    } else {
      evaluation.verdict.best.reason = .familyUnavailable
    }
  }

  /// The best of several ways; the first of equals, but a telling reason before a bare "no route".
  private static func best(_ ways: [WayVerdict]) -> WayVerdict? {
    guard var best = ways.first else { return nil }
    for way in ways.dropFirst() {
      let tellsMore = way.rank == 0 && best.isBare && !way.isBare
      if way.rank > best.rank || way.rank == best.rank && tellsMore { best = way }
    }
    return best
  }

  /// The worse of two halves; marked as partial where they disagree.
  private static func worst(_ ways: [WayVerdict]) -> WayVerdict? {
    guard var worst = ways.first else { return nil }
    for way in ways.dropFirst() where way.rank < worst.rank { worst = way }
    if ways.contains(where: { $0.rank != worst.rank || $0.isPartial }) { worst.isPartial = true }
    return worst
  }

  private func appendNotices(_ evaluation: inout Evaluation) {
    guard evaluation.missing.isEmpty, let interface = evaluation.verdict.best.interface else {
      return
    }
    for notice in facts.notices where notice.interfaceIndex == interface.index {
      let fact: WhyFact =
        switch notice.content {
        case .portal(let uri):
          WhyFact(
            .portal, .notes, subject: .interface(interface.name),
            values: [.init("uri", .text(uri))])
        case .nat64(let prefix):
          WhyFact(
            .nat64, .notes, isIPv6: true, subject: .prefix(prefix),
            values: [.init("interface", .text(interface.name))])
        }
      evaluation.verdict.why.append(fact)
    }
    guard evaluation.verdict.status.isReachable else { return }
    let isLikely = evaluation.verdict.flags.contains(.isWWAN)
    evaluation.verdict.why.append(
      WhyFact(
        .metered, .notes, subject: .interface(interface.name),
        values: [.init("metered", .text(isLikely ? "likely" : "unknown"))]))
  }
}

extension WayVerdict {
  /// Not reachable for want of a route, which tells least.
  fileprivate var isBare: Bool { reason == .noRoute || reason == .familyUnavailable }
}
