import LanCore
import LanWire
import Testing

/// The recipes of what makes a flag, a medium and a reason, on facts built by hand.
@Suite("Reachability verdicts")
struct ReachabilityEvaluatorTests {
  @Test("a default route over a live link is reachable by Ethernet through its gateway")
  func home() {
    let verdict = FakeKernel.home().verdict(question("default"))
    #expect(verdict.flags == [.reachable])
    #expect(verdict.status == .reachableViaWiFi)
    #expect(verdict.connection == .notNeeded)
    #expect(verdict.best.medium == .ethernet)
    #expect(verdict.best.interface?.name == "v0")
    #expect(verdict.best.source == address("192.0.2.10"))
    #expect(verdict.best.gateway == address("192.0.2.1"))
    #expect(verdict.ipv6?.reason == .noRoute)
    #expect(verdict.reason == nil)
    #expect(fact(verdict, .route)?.subject == .prefix(prefix("0.0.0.0/0")))
    #expect(fact(verdict, .metered)?.value("metered") == .text("unknown"))
  }

  @Test("without any route nothing is reachable")
  func empty() {
    let verdict = FakeKernel().verdict(question("default"))
    #expect(verdict.flags == [])
    #expect(verdict.status == .notReachable)
    #expect(verdict.reason == .noRoute)
    #expect(verdict.why.first?.bearing == .decides)
  }

  @Test("a neighbour on the link is direct")
  func direct() {
    let verdict = FakeKernel.home().verdict(question("192.0.2.77"))
    #expect(verdict.flags == [.reachable, .isDirect])
    #expect(verdict.best.gateway == nil)
    #expect(verdict.ipv6 == nil)
  }

  @Test("an own address is local, and not direct")
  func local() {
    let verdict = FakeKernel.home().verdict(question("192.0.2.10"))
    #expect(verdict.flags == [.reachable, .isLocalAddress])
    #expect(verdict.best.medium == .loopback)
    #expect(FakeKernel().verdict(question("127.0.0.1")).flags == [.reachable, .isLocalAddress])
  }

  @Test("own addresses are deaf while the loopback is down")
  func loopbackDown() {
    var kernel = FakeKernel.home()
    kernel.links[1]?.flags.remove(.up)
    let verdict = kernel.verdict(question("192.0.2.10"))
    #expect(verdict.flags == [])
    #expect(verdict.reason == .loopbackDown)
  }

  @Test(
    "routes that refuse have a reason of their own",
    arguments: [
      (RouteKind.blackhole, VerdictReason.routeBlackhole), (.unreachable, .routeUnreachable),
      (.prohibit, .routeProhibited),
    ])
  func refusing(_ kind: RouteKind, _ reason: VerdictReason) {
    var kernel = FakeKernel.home()
    _ = kernel.add(FakeKernel.Route(prefix: prefix("198.51.100.0/24"), kind: kind))
    let verdict = kernel.verdict(question("198.51.100.7"))
    #expect(verdict.status == .notReachable)
    #expect(verdict.reason == reason)
  }

  @Test(
    "older kernels tell a refusing route by its type",
    arguments: [
      (RouteKind.blackhole, VerdictReason.routeBlackhole), (.unreachable, .routeUnreachable),
      (.prohibit, .routeProhibited), (.throwAway, .noRoute),
    ])
  func refusingType(_ kind: RouteKind, _ reason: VerdictReason) {
    let evaluator = ReachabilityEvaluator(facts: ReachabilityFacts())
    let question = question("198.51.100.7")
    var replies: KernelReplies = [:]
    for lookup in evaluator.initialLookups(question) {
      replies[lookup] = .route(RouteAnswer(kind: kind, prefix: prefix("198.51.100.0/24")))
    }
    #expect(evaluator.evaluate(question, replies).verdict.reason == reason)
  }

  @Test(
    "error numbers mean what Linux means by them",
    arguments: [
      (101, nil, VerdictReason.noRoute), (113, nil, .routeUnreachable), (13, nil, .routeProhibited),
      (22, nil, .routeBlackhole), (22, "Invalid header", .lookupFailed),
      (19, nil, .noSuchInterface),
      (95, nil, .familyUnavailable), (97, nil, .familyUnavailable), (1, nil, .lookupFailed),
    ] as [(Int32, String?, VerdictReason)])
  func errors(_ number: Int32, _ text: String?, _ reason: VerdictReason) {
    #expect(LookupFailure(number: number, text: text).reason == reason)
  }

  @Test("a question that the kernel refuses leaves the status unknown")
  func refusedQuestion() {
    let evaluator = ReachabilityEvaluator(facts: ReachabilityFacts())
    let question = question("192.0.2.7")
    var replies: KernelReplies = [:]
    for lookup in evaluator.initialLookups(question) {
      replies[lookup] = .failure(.other(number: 22, text: "bad"))
    }
    let verdict = evaluator.evaluate(question, replies).verdict
    #expect(verdict.status == .unknown)
    #expect(verdict.reason == .lookupFailed)
  }

  @Test("IPv4 answers a question for an interface without a route; the table tells the truth")
  func outputInterface() {
    var facts = ReachabilityFacts()
    _ = facts.links.apply(FakeKernel.link(2, "v0"))
    let evaluator = ReachabilityEvaluator(facts: facts)
    let question = question("203.0.113.9") { $0.interface = "v0" }
    var replies: KernelReplies = [:]
    for lookup in evaluator.initialLookups(question) {
      guard case .route(let route) = lookup else { continue }
      #expect(route.outputIndex == 2)
      replies[lookup] =
        route.matchesFIB
        ? .failure(.unreachable)
        : .route(
          RouteAnswer(prefix: prefix("203.0.113.9/32"), legs: [RouteLeg(interfaceIndex: 2)]))
    }
    #expect(evaluator.evaluate(question, replies).verdict.reason == .noRoute)
  }

  @Test("mark, user, port and interface go with both look-ups")
  func options() {
    let question = question("192.0.2.7") {
      $0.mark = 7
      $0.uid = 1000
      $0.port = 443
    }
    let lookups = ReachabilityEvaluator(facts: ReachabilityFacts()).initialLookups(question)
    #expect(lookups.count == 2)
    for case .route(let lookup) in lookups {
      #expect(lookup.mark == 7)
      #expect(lookup.user == 1000)
      #expect(lookup.destinationPort == 443)
      #expect(lookup.ipProtocol == 6)
    }
  }

  @Test("an interface that does not exist is the reason, and nobody is asked")
  func noInterface() {
    let question = question("192.0.2.7") { $0.interface = "nope0" }
    let evaluator = ReachabilityEvaluator(facts: ReachabilityFacts())
    #expect(evaluator.initialLookups(question).isEmpty)
    #expect(evaluator.evaluate(question, [:]).verdict.reason == .noSuchInterface)
  }

  // Link health

  @Test(
    "the link's state decides, never the route alone",
    arguments: [
      (LinkFlags.up, OperationalState.down, VerdictReason.noCarrier),
      (.up, .lowerLayerDown, .noCarrier),
      (.lowerUp, .down, .linkDown),
      ([.up, .lowerUp], .testing, .linkNotOperational),
      ([.up, .lowerUp], .lowerLayerDown, .linkNotOperational),
    ] as [(LinkFlags, OperationalState, VerdictReason)])
  func linkHealth(_ flags: LinkFlags, _ state: OperationalState, _ reason: VerdictReason) {
    var kernel = FakeKernel.home()
    kernel.links[2]?.flags = flags
    kernel.links[2]?.operational = state
    let verdict = kernel.verdict(question("default"))
    #expect(verdict.status == .notReachable)
    #expect(verdict.flags == [])
    #expect(verdict.reason == reason)
    #expect(verdict.best.interface?.name == "v0")
    #expect(fact(verdict, .link)?.bearing == .decides)
  }

  @Test("an unknown operational state with a carrier is up")
  func unknownState() {
    var kernel = FakeKernel.home()
    kernel.links[2]?.operational = .unknown
    #expect(kernel.verdict(question("default")).flags == [.reachable])
  }

  @Test("a link that a protocol daemon holds down says so")
  func protocolDown() {
    var kernel = FakeKernel.home()
    kernel.links[2]?.flags = [.up]
    kernel.links[2]?.isProtocolDown = true
    #expect(kernel.verdict(question("default")).reason == .protocolDown)
  }

  @Test("several next hops of which one is dead are partial")
  func partial() {
    var kernel = FakeKernel.home()
    kernel.links[3] = FakeKernel.link(3, "v1")
    _ = kernel.add(
      FakeKernel.Route(
        prefix: .all(isIPv6: false),
        legs: [
          RouteLeg(interfaceIndex: 2, gateway: address("192.0.2.1")),
          RouteLeg(interfaceIndex: 3, gateway: address("198.51.100.1")),
        ]))
    #expect(!kernel.verdict(question("default")).best.isPartial)
    kernel.links[3]?.flags = [.up]
    kernel.links[3]?.operational = .down
    let verdict = kernel.verdict(question("default"))
    #expect(verdict.flags == [.reachable])
    #expect(verdict.best.isPartial)
    #expect(verdict.why.filter { $0.word == .leg }.count == 2)
    kernel.links[2]?.flags = [.up]
    #expect(kernel.verdict(question("default")).reason == .noCarrier)
  }

  @Test("next hops known by number only are asked for, with a group's members")
  func nextHopObjects() {
    var facts = ReachabilityFacts()
    _ = facts.links.apply(FakeKernel.link(2, "v0"))
    var dead = FakeKernel.link(3, "v1")
    dead.flags = [.up]
    _ = facts.links.apply(dead)
    _ = facts.addresses.apply(own("192.0.2.10/24", on: 2))
    let evaluator = ReachabilityEvaluator(facts: facts)
    let question = question("203.0.113.9")
    var replies: KernelReplies = [:]
    for case .route(let lookup) in evaluator.initialLookups(question) {
      var answer = RouteAnswer(prefix: prefix("0.0.0.0/0"), source: address("192.0.2.10"))
      answer.nextHopID = 9
      if !lookup.matchesFIB { answer.legs = [RouteLeg(interfaceIndex: 2)] }
      replies[.route(lookup)] = .route(answer)
    }
    #expect(evaluator.evaluate(question, replies).missing == [.nextHop(9)])
    replies[.nextHop(9)] = .nextHop(NextHopObject(members: [1, 2]))
    #expect(evaluator.evaluate(question, replies).missing == [.nextHop(1), .nextHop(2)])
    replies[.nextHop(1)] = .nextHop(NextHopObject(leg: RouteLeg(interfaceIndex: 2)))
    replies[.nextHop(2)] = .nextHop(NextHopObject(leg: RouteLeg(interfaceIndex: 3)))
    let evaluation = evaluator.evaluate(question, replies)
    #expect(evaluation.verdict.flags.contains(.reachable))
    #expect(evaluation.verdict.best.isPartial)
    #expect(evaluation.dependencies.usesNextHopObjects)
  }

  // Sources

  @Test("a default route in two halves is one; a half alone is partial and not reachable")
  func halves() {
    var kernel = FakeKernel.home()
    _ = kernel.removeRoutes { $0.prefix.length == 0 }
    let leg = [RouteLeg(interfaceIndex: 2)]
    _ = kernel.add(FakeKernel.Route(prefix: prefix("0.0.0.0/1"), legs: leg))
    let half = kernel.verdict(question("default"))
    #expect(half.status == .notReachable)
    #expect(half.best.isPartial)
    _ = kernel.add(FakeKernel.Route(prefix: prefix("128.0.0.0/1"), legs: leg))
    let both = kernel.verdict(question("default"))
    #expect(both.flags == [.reachable, .isDirect])
    #expect(!both.best.isPartial)
  }

  @Test("the better family wins and both are shown")
  func families() {
    var kernel = FakeKernel()
    _ = kernel.set(FakeKernel.link(2, "v0"))
    _ = kernel.set(own("2001:db8:1::6/64", on: 2))
    _ = kernel.add(defaultRoute("fe80::1", on: 2, isIPv6: true))
    let verdict = kernel.verdict(question("default"))
    #expect(verdict.best.source == address("2001:db8:1::6"))
    #expect(verdict.ipv6?.isReachable == true)
    #expect(verdict.ipv4?.reason == .noRoute)
    let only = kernel.verdict(question("default") { $0.usesIPv6 = false })
    #expect(only.status == .notReachable)
    #expect(only.ipv6 == nil)
  }

  // Neighbours, names, notices

  @Test("a silent gateway is a fact and takes nothing away")
  func failedGateway() {
    var kernel = FakeKernel.home()
    kernel.neighbours[NeighbourKey(interfaceIndex: 2, address: address("192.0.2.1"))] = .failed
    let verdict = kernel.verdict(question("default"))
    #expect(verdict.flags == [.reachable])
    #expect(verdict.best.nextHop == .failed)
    #expect(fact(verdict, .nextHopFailed)?.subject == .address(address("192.0.2.1")))
  }

  @Test("a name is as reachable as its best address, and every address is told")
  func name() {
    let kernel = FakeKernel.home()
    func verdict(_ resolution: NameResolution) -> Verdict {
      kernel.verdict(question("host.example")) { $0.names["host.example"] = resolution }
    }
    let mixed = verdict(.addresses([address("2001:db8::1"), address("192.0.2.77")]))
    #expect(mixed.flags == [.reachable, .isDirect])
    #expect(mixed.addresses.map(\.way.isReachable) == [false, true])
    #expect(verdict(.pending).status == .unknown)
    #expect(verdict(.notFound).status == .notReachable)
    #expect(verdict(.notFound).reason == .nameNotFound)
    #expect(verdict(.addresses([])).reason == .nameNotFound)
    #expect(verdict(.failed("timed out")).status == .unknown)
    #expect(verdict(.failed("timed out")).reason == .resolverFailed)
  }

  @Test("a portal and a NAT64 prefix that routers announced are told, for their link alone")
  func notices() {
    let kernel = FakeKernel.home()
    let portal = RouterNotice(interfaceIndex: 2, content: .portal("https://p.example"))
    let elsewhere = RouterNotice(interfaceIndex: 3, content: .portal("https://q.example"))
    let nat64 = RouterNotice(interfaceIndex: 2, content: .nat64(prefix("64:ff9b::/96")))
    let verdict = kernel.verdict(question("default")) { $0.notices = [portal, elsewhere, nat64] }
    #expect(verdict.why.filter { $0.word == .portal }.count == 1)
    #expect(fact(verdict, .portal)?.value("uri") == .text("https://p.example"))
    #expect(fact(verdict, .nat64)?.subject == .prefix(prefix("64:ff9b::/96")))
    #expect(verdict.flags == [.reachable])
  }

  @Test("the rule that leads to the route's table is told where it is not one of the usual three")
  func rule() {
    let rules = [
      PolicyRule(isIPv6: false, priority: 32_766, table: 254),
      PolicyRule(isIPv6: false, priority: 100, table: 254, mark: 7),
    ]
    let kernel = FakeKernel.home()
    #expect(fact(kernel.verdict(question("default")) { $0.rules = rules }, .rule) == nil)
    let marked = question("default") { $0.mark = 7 }
    let told = fact(kernel.verdict(marked) { $0.rules = rules }, .rule)
    #expect(told?.value("priority") == .number(100))
  }

  @Test("group addresses are reachable, not direct, and marked")
  func groups() {
    var facts = ReachabilityFacts()
    _ = facts.links.apply(FakeKernel.link(2, "v0"))
    _ = facts.addresses.apply(own("192.0.2.10/24", on: 2))
    let evaluator = ReachabilityEvaluator(facts: facts)
    let question = question("224.0.0.251")
    var replies: KernelReplies = [:]
    for case .route(let lookup) in evaluator.initialLookups(question) {
      replies[.route(lookup)] =
        lookup.matchesFIB
        ? .failure(.unreachable)
        : .route(
          RouteAnswer(
            kind: .multicast, prefix: prefix("224.0.0.251/32"),
            legs: [RouteLeg(interfaceIndex: 2)], source: address("192.0.2.10")))
    }
    let verdict = evaluator.evaluate(question, replies).verdict
    #expect(verdict.flags == [.reachable])
    #expect(fact(verdict, .groupAddress) != nil)
  }
}
