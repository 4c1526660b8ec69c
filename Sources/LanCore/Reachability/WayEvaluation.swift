import LanWire

/// The judgement of the way to one destination.
struct WayEvaluation {
  let evaluator: ReachabilityEvaluator
  let question: ReachabilityQuestion
  let destination: IPAddress

  var way = WayVerdict()
  var why: [WhyFact] = []
  var missing: [KernelLookup] = []
  var dependencies = Dependencies()
  var expiresTicks: Int32?

  init(
    _ evaluator: ReachabilityEvaluator, _ question: ReachabilityQuestion,
    _ destination: IPAddress
  ) {
    self.evaluator = evaluator
    self.question = question
    self.destination = destination
  }

  var facts: ReachabilityFacts { evaluator.facts }
  var isPath: Bool { question.target == .defaultPath }
  var isIPv6: Bool { destination.isIPv6 }

  /// The local address of the pair; a loopback one with a target elsewhere is a mistake that is
  /// forgiven.
  var local: IPAddress? {
    guard let local = question.options.local?.unmapped else { return nil }
    return local.isLoopback && !destination.isLoopback ? nil : local
  }

  /// The two questions for the way; nil if the answer is clear without.
  var routeLookups: [KernelLookup]? {
    guard obstacle == nil else { return nil }
    return [false, true].map { matchesFIB in
      var lookup = RouteLookup(destination, matchesFIB: matchesFIB)
      lookup.outputIndex = question.interface.flatMap { facts.links[$0]?.index } ?? 0
      lookup.source = local
      lookup.mark = question.options.mark ?? 0
      lookup.user = question.options.uid
      if let port = question.options.port {
        lookup.ipProtocol = question.options.transport
        lookup.destinationPort = port
      }
      return .route(lookup)
    }
  }

  /// What stands in the way before the kernel is asked.
  private var obstacle: VerdictReason? {
    if let name = question.interface, facts.links[name] == nil { return .noSuchInterface }
    if destination.needsZone, question.interface == nil { return .ambiguousScope }
    guard let local else { return nil }
    if local.isIPv6 != isIPv6 { return .sourceFamily }
    if !local.isLoopback, facts.addresses.holding(local).isEmpty { return .sourceForeign }
    return nil
  }

  /// Judges the way by the answers.
  mutating func run(_ replies: KernelReplies) {
    if let name = question.interface, let link = facts.links[name] {
      dependencies.links.insert(link.index)
    }
    if let local {
      for holder in facts.addresses.holding(local) {
        dependencies.links.insert(holder.interfaceIndex)
      }
    }
    if let obstacle { return stop(atObstacle: obstacle) }
    let lookups = routeLookups ?? []
    missing = lookups.filter { replies[$0] == nil }
    guard missing.isEmpty, lookups.count == 2, let plain = replies[lookups[0]],
      let match = replies[lookups[1]]
    else {
      way.status = .unknown
      way.reason = .pending
      return
    }
    guard let (chosen, entry) = route(plain, match) else { return }
    noteRoute(chosen, entry)
    if chosen.kind == .local {
      judgeLocal(chosen)
    } else {
      judgeRemote(chosen, entry, replies)
    }
  }

  private mutating func stop(atObstacle reason: VerdictReason) {
    way.reason = reason
    dependencies.anyLink = reason == .noSuchInterface
    dependencies.anyAddress = reason == .sourceForeign
    let values: [WhyFact.Value] = [.init("reason", .text(reason.rawValue))]
    switch reason {
    case .noSuchInterface: note(.link, .decides, .interface(question.interface ?? ""), values)
    case .ambiguousScope: note(.noRoute, .decides, .address(destination), values)
    default: note(.localAddress, .decides, local.map { .address($0) } ?? .none, values)
    }
  }

  /// The chosen route and the table's entry; nil if packets are refused.
  private mutating func route(
    _ plain: KernelReply, _ match: KernelReply
  ) -> (chosen: RouteAnswer, entry: RouteAnswer)? {
    switch (plain, match) {
    case (.route(let chosen), .route(let entry)):
      guard let refusal = chosen.kind.refusal ?? entry.kind.refusal else {
        return (chosen, entry)
      }
      refuse(refusal, table: entry.table, prefix: entry.prefix)
    case (.route(let chosen), .failure(.unreachable)):
      // Group addresses need no entry; for all else the plain answer was a courtesy to an
      // interface that was asked for (IPv4 succeeds then without any route).
      if chosen.kind == .broadcast || chosen.kind == .multicast { return (chosen, chosen) }
      refuse(.noRoute)
    case (.failure(let failure), _), (_, .failure(let failure)):
      refuse(failure.reason, error: failure)
    default:
      refuse(.lookupFailed)
    }
    return nil
  }

  private mutating func refuse(
    _ reason: VerdictReason, table: UInt32? = nil, prefix: IPPrefix? = nil,
    error: LookupFailure? = nil
  ) {
    way.reason = reason
    if reason == .lookupFailed { way.status = .unknown }
    dependencies.anyLink = true
    var values: [WhyFact.Value] = [.init("reason", .text(reason.rawValue))]
    if let table { values.append(.init("table", .number(Int64(table)))) }
    if case .other(let number, let text)? = error {
      values.append(.init("errorNumber", .number(Int64(number))))
      if let text { values.append(.init("error", .text(text))) }
    }
    let subject = prefix.map { WhyFact.Subject.prefix($0) } ?? .address(destination)
    note(.noRoute, .decides, isPath && prefix == nil ? .none : subject, values)
  }

  private mutating func noteRoute(_ chosen: RouteAnswer, _ entry: RouteAnswer) {
    noteRule(entry.table)
    if entry.nextHopID != nil { dependencies.usesNextHopObjects = true }
    var values: [WhyFact.Value] = [
      .init("kind", .text(entry.kind.rawValue)), .init("table", .number(Int64(entry.table))),
      .init("protocol", .number(Int64(entry.originProtocol))),
    ]
    if let priority = entry.priority { values.append(.init("metric", .number(Int64(priority)))) }
    if let id = entry.nextHopID { values.append(.init("nextHopID", .number(Int64(id)))) }
    note(.route, .supports, .prefix(entry.prefix), values)
    if let ticks = entry.expiresTicks, ticks > 0 {
      expiresTicks = ticks
      note(
        .expires, .notes, .prefix(entry.prefix),
        [.init("milliseconds", .number(Int64(ticks) * 10))])
    }
    if chosen.kind == .broadcast || chosen.kind == .multicast {
      note(
        .groupAddress, .notes, .address(destination), [.init("kind", .text(chosen.kind.rawValue))])
    }
  }

  /// Names the first rule that leads to the table; the usual three rules go without saying.
  private mutating func noteRule(_ table: UInt32) {
    let mark = question.options.mark ?? 0
    let isIPv6 = isIPv6
    let rule = facts.rules.filter { rule in
      guard rule.isIPv6 == isIPv6, rule.table == table else { return false }
      guard let wanted = rule.mark else { return true }
      return (mark & rule.mask == wanted) != rule.isInverted
    }.min { $0.priority < $1.priority }
    guard let rule, ![0, 32_766, 32_767].contains(rule.priority) else { return }
    var values: [WhyFact.Value] = [
      .init("priority", .number(Int64(rule.priority))), .init("table", .number(Int64(table))),
    ]
    if let mark = rule.mark { values.append(.init("mark", .number(Int64(mark)))) }
    note(.rule, .supports, .none, values)
  }

  /// Own addresses are only heard while the loopback is up.
  private mutating func judgeLocal(_ chosen: RouteAnswer) {
    let loopback = facts.links.loopback
    way.source = chosen.source ?? local
    way.medium = .loopback
    guard let loopback else {
      dependencies.anyLink = true
      return stop(.loopbackDown)
    }
    dependencies.links.insert(loopback.index)
    way.interface = InterfaceName(index: loopback.index, name: loopback.name)
    noteLink(loopback, depth: 0, loopback.isUp ? .supports : .decides)
    guard loopback.isUp else { return stop(.loopbackDown) }
    finish(isPath ? [.reachable] : [.reachable, .isLocalAddress])
  }

  mutating func stop(_ reason: VerdictReason) {
    way.reason = reason
    way.flags = []
    way.status = .notReachable
  }

  mutating func finish(_ flags: ReachabilityFlags) {
    way.flags = flags
    way.status = ReachabilityStatus(flags)
  }

  mutating func note(
    _ word: WhyFact.Word, _ bearing: WhyFact.Bearing, _ subject: WhyFact.Subject,
    _ values: [WhyFact.Value]
  ) {
    why.append(WhyFact(word, bearing, isIPv6: isIPv6, subject: subject, values: values))
  }

  mutating func noteLink(_ link: LinkState, depth: Int, _ bearing: WhyFact.Bearing) {
    var values: [WhyFact.Value] = [
      .init("medium", .text(LinkClassifier(facts: facts).medium(link).rawValue)),
      .init("up", .flag(link.isUp)), .init("carrier", .flag(link.hasCarrier)),
      .init("operState", .text(link.operational.word)),
    ]
    if depth > 0 { values.append(.init("below", .number(Int64(depth)))) }
    if link.isProtocolDown { values.append(.init("protoDown", .flag(true))) }
    if link.isLowerForeign { values.append(.init("lowerInOtherNamespace", .flag(true))) }
    note(.link, bearing, .interface(link.name), values)
  }
}
