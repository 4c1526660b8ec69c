import LanCore
import LanWire

/// Links, addresses and routes that answer look-ups as Linux does, for tests without a kernel.
struct FakeKernel {
  struct Route: Equatable {
    var prefix: IPPrefix
    var kind = RouteKind.unicast
    var priority: UInt32 = 0
    var legs: [RouteLeg] = []
    var expiresTicks: Int32?
  }

  var links: [UInt32: LinkState] = [:]
  var addresses: [InterfaceAddress] = []
  var routes: [Route] = []
  var neighbours: [NeighbourKey: NextHopState] = [:]
  var lookupCount = 0

  init() { links[1] = loopback() }

  private func loopback() -> LinkState {
    var link = LinkState(index: 1, name: "lo", flags: [.up, .loopback, .lowerUp])
    link.hardware = .loopback
    return link
  }

  /// A link that is up and has a carrier.
  static func link(_ index: UInt32, _ name: String) -> LinkState {
    LinkState(index: index, name: name, flags: [.up, .lowerUp], operational: .up)
  }

  mutating func answer(_ lookup: KernelLookup) -> KernelReply {
    lookupCount += 1
    switch lookup {
    case .neighbour(let key): return .neighbour(neighbours[key] ?? .unknown)
    case .nextHop: return .failure(.notFound)
    case .route(let lookup): return route(lookup)
    }
  }

  private func route(_ lookup: RouteLookup) -> KernelReply {
    let target = lookup.destination
    if addresses.contains(where: { $0.address == target && $0.standing.isUsable })
      || target.isLoopback
    {
      return .route(
        RouteAnswer(
          kind: .local, table: 255, prefix: IPPrefix(target, 128),
          legs: [RouteLeg(interfaceIndex: 1)], source: target))
    }
    let oif = lookup.outputIndex
    let found = routes.filter { route in
      route.prefix.address.isIPv6 == target.isIPv6 && route.prefix.contains(target)
        && (oif == 0 || route.legs.contains { $0.interfaceIndex == oif })
    }.min {
      $0.prefix.length != $1.prefix.length
        ? $0.prefix.length > $1.prefix.length : $0.priority < $1.priority
    }
    guard let found else { return .failure(.noRoute) }
    switch found.kind {
    case .blackhole: return .failure(.blackhole)
    case .unreachable: return .failure(.unreachable)
    case .prohibit: return .failure(.prohibited)
    default: break
    }
    let legs = found.legs.map { leg in
      var leg = leg
      leg.isLinkDown = links[leg.interfaceIndex]?.hasCarrier != true
      return leg
    }
    let first = legs.first { oif == 0 || $0.interfaceIndex == oif }
    var answer = RouteAnswer(
      prefix: lookup.matchesFIB ? found.prefix : IPPrefix(target, 128),
      legs: lookup.matchesFIB ? legs : first.map { [$0] } ?? [])
    answer.priority = found.priority
    if lookup.matchesFIB {
      answer.expiresTicks = found.expiresTicks
    } else {
      answer.source = first.flatMap { source($0.interfaceIndex, isIPv6: target.isIPv6) }
    }
    return .route(answer)
  }

  private func source(_ index: UInt32, isIPv6: Bool) -> IPAddress? {
    let usable = addresses.filter {
      $0.address.isIPv6 == isIPv6 && $0.standing.isUsable
        && links[$0.interfaceIndex]?.isUp == true
    }
    let own = usable.filter { $0.interfaceIndex == index }
    if isIPv6 {
      let global = (own + usable).first { !$0.address.isLinkLocal }
      return global?.address ?? own.first?.address ?? IPAddress(parsing: "::1")
    }
    return (own.first ?? usable.first)?.address
  }

  // Changes; each gives the messages that Linux sends for it.

  mutating func set(_ link: LinkState) -> [KernelMessage] {
    links[link.index] = link
    // IPv4 routes go with the link, silently; IPv6 ones are told.
    guard !link.isUp else { return [.link(link)] }
    let gone = routes.filter { $0.legs.contains { $0.interfaceIndex == link.index } }
    routes.removeAll { gone.contains($0) }
    return [.link(link)] + gone.filter { $0.prefix.address.isIPv6 }.map { .routeRemoved(told($0)) }
  }

  mutating func removeLink(_ index: UInt32) -> [KernelMessage] {
    guard var link = links[index] else { return [] }
    link.flags.remove(.up)
    var messages = set(link)
    for address in addresses.filter({ $0.interfaceIndex == index }) {
      messages.append(.addressRemoved(address))
    }
    addresses.removeAll { $0.interfaceIndex == index }
    links[index] = nil
    return messages + [.linkRemoved(index)]
  }

  mutating func set(_ address: InterfaceAddress) -> [KernelMessage] {
    let place = addresses.firstIndex {
      $0.address == address.address && $0.interfaceIndex == address.interfaceIndex
    }
    if let place { addresses[place] = address } else { addresses.append(address) }
    let connected = Route(
      prefix: IPPrefix(address.prefix.first, address.prefixLength),
      legs: [RouteLeg(interfaceIndex: address.interfaceIndex)])
    let local = RouteChange(
      IPPrefix(address.address, 128), kind: .local, table: 255,
      legs: [RouteLeg(interfaceIndex: address.interfaceIndex)])
    guard links[address.interfaceIndex]?.isUp == true else { return [.address(address)] }
    return [.address(address), .route(local)] + add(connected)
  }

  mutating func remove(_ address: InterfaceAddress) -> [KernelMessage] {
    addresses.removeAll { $0 == address }
    let local = RouteChange(IPPrefix(address.address, 128), kind: .local, table: 255)
    let prefix = IPPrefix(address.prefix.first, address.prefixLength)
    var messages: [KernelMessage] = [.addressRemoved(address), .routeRemoved(local)]
    messages += removeRoutes { $0.prefix == prefix && $0.legs.first?.gateway == nil }
    let isLast = !addresses.contains {
      $0.interfaceIndex == address.interfaceIndex && !$0.address.isIPv6
    }
    if !address.address.isIPv6, isLast {
      // Silent as well: what went through the link's last IPv4 address.
      routes.removeAll { route in
        !route.prefix.address.isIPv6
          && route.legs.contains { $0.interfaceIndex == address.interfaceIndex }
      }
    }
    return messages
  }

  mutating func add(_ route: Route) -> [KernelMessage] {
    guard route.legs.allSatisfy({ links[$0.interfaceIndex]?.isUp == true }) else { return [] }
    guard !routes.contains(route) else { return [] }
    routes.removeAll { $0.prefix == route.prefix && $0.priority == route.priority }
    routes.append(route)
    return [.route(told(route))]
  }

  mutating func removeRoutes(_ isGone: (Route) -> Bool) -> [KernelMessage] {
    let gone = routes.filter(isGone)
    routes.removeAll { gone.contains($0) }
    return gone.map { .routeRemoved(told($0)) }
  }

  func told(_ route: Route) -> RouteChange {
    RouteChange(route.prefix, kind: route.kind, priority: route.priority, legs: route.legs)
  }
}

/// A machine on a virtual clock with a fake kernel behind it.
struct VirtualWatch {
  var kernel: FakeKernel
  var machine: ReachabilityMachine
  var now: Int64 = 1_000_000_000_000
  var reports: [ReachabilityReport] = []
  var events: [KernelEvent] = []
  var resyncs: [Int] = []
  var asked: [String] = []
  var roundSizes: [Int] = []

  init(
    _ kernel: FakeKernel, _ questions: [ReachabilityQuestion],
    timing: ReachabilityTiming = ReachabilityTiming(), rules: [PolicyRule] = []
  ) {
    self.kernel = kernel
    machine = ReachabilityMachine(timing: timing, tellsEvents: true)
    for question in questions { _ = machine.add(question, at: now) }
    machine.start(
      links: kernel.links.values.sorted { $0.index < $1.index }, addresses: kernel.addresses,
      rules: rules, at: now)
    settle()
  }

  /// Performs what is due now, until nothing is.
  mutating func settle() {
    perform()
    while let deadline = machine.nextDeadline, deadline <= now {
      machine.deadlineReached(at: now)
      perform()
    }
  }

  private mutating func perform() {
    var outputs = machine.takeOutput()
    while !outputs.isEmpty {
      for output in outputs {
        switch output {
        case .lookups(let lookups):
          roundSizes.append(lookups.count)
          for lookup in lookups { machine.handle(kernel.answer(lookup), to: lookup, at: now) }
        case .report(let report): reports.append(report)
        case .event(let event): events.append(event)
        case .resolve(let name): asked.append(name)
        case .resync(let count): resyncs.append(count)
        case .readState:
          machine.resynchronised(
            links: Array(kernel.links.values), addresses: kernel.addresses, at: now)
        case .inspect, .readRules: break
        }
      }
      outputs = machine.takeOutput()
    }
  }

  /// Hands in messages and does what is due.
  mutating func tell(_ messages: [KernelMessage]) {
    for message in messages { machine.handle(message, at: now) }
    settle()
  }

  /// Lets time pass, stopping at each deadline.
  mutating func advance(_ nanoseconds: Int64) {
    let end = now + nanoseconds
    while let deadline = machine.nextDeadline, deadline <= end {
      now = max(now, deadline)
      settle()
    }
    now = end
  }
}

func milliseconds(_ count: Int64) -> Int64 { count * 1_000_000 }

func address(_ text: String) -> IPAddress {
  IPAddress(parsing: text) ?? .v4(IPv4Address(bits: 0))
}

func prefix(_ text: String) -> IPPrefix {
  let parts = text.split(separator: "/")
  return IPPrefix(address(String(parts[0])), UInt8(parts[1]) ?? 0)
}

func own(_ text: String, on index: UInt32, _ standing: InterfaceAddress.Standing = .preferred)
  -> InterfaceAddress
{
  let prefix = prefix(text)
  return InterfaceAddress(
    prefix.address, prefixLength: prefix.length, interfaceIndex: index, standing: standing)
}

func defaultRoute(_ gateway: String?, on index: UInt32, isIPv6: Bool = false) -> FakeKernel.Route {
  FakeKernel.Route(
    prefix: .all(isIPv6: isIPv6),
    legs: [RouteLeg(interfaceIndex: index, gateway: gateway.map(address))])
}

func question(_ text: String, _ change: (inout ReachabilityOptions) -> Void = { _ in })
  -> ReachabilityQuestion
{
  var options = ReachabilityOptions()
  change(&options)
  let target = (try? ReachabilityTarget.parse(text, isScoped: options.interface != nil))
  return ReachabilityQuestion(target ?? .defaultPath, options: options)
}

extension FakeKernel {
  /// v0 with 192.0.2.10/24 and a default route.
  static func home() -> FakeKernel {
    var kernel = FakeKernel()
    _ = kernel.set(link(2, "v0"))
    _ = kernel.set(own("192.0.2.10/24", on: 2))
    _ = kernel.add(defaultRoute("192.0.2.1", on: 2))
    return kernel
  }

  /// The verdict of a fresh evaluation of these facts.
  func verdict(
    _ question: ReachabilityQuestion, _ change: (inout ReachabilityFacts) -> Void = { _ in }
  )
    -> Verdict
  {
    var facts = ReachabilityFacts()
    _ = facts.links.replace(with: Array(links.values))
    _ = facts.addresses.replace(with: addresses)
    change(&facts)
    var kernel = self
    var evaluator = ReachabilityEvaluator(facts: facts)
    var replies: KernelReplies = [:]
    var lookups = evaluator.initialLookups(question)
    while true {
      for lookup in lookups {
        let reply = kernel.answer(lookup)
        replies[lookup] = reply
        if case .neighbour(let key) = lookup, case .neighbour(let state) = reply {
          evaluator.facts.neighbours.learn(key, state)
        }
      }
      let evaluation = evaluator.evaluate(question, replies)
      if evaluation.missing.isEmpty { return evaluation.verdict }
      lookups = evaluation.missing
    }
  }
}

/// The fact of a verdict with this word.
func fact(_ verdict: Verdict, _ word: WhyFact.Word) -> WhyFact? {
  verdict.why.first { $0.word == word }
}

extension LinkState {
  /// A link that is up and has no carrier.
  static func noCarrier(_ index: UInt32, _ name: String) -> LinkState {
    LinkState(index: index, name: name, flags: [.up], operational: .down)
  }
}

extension ReachabilityTiming {
  /// The usual waiting times without the safety poll.
  static var quietPoll: ReachabilityTiming {
    var timing = ReachabilityTiming()
    timing.stopPolling()
    return timing
  }
}
