import LanCore
import LanWire
import Testing

@Suite("Following reachability")
struct ReachabilityMachineTests {
  @Test("the first report is the present state, and comes at once")
  func snapshot() throws {
    let watch = VirtualWatch(.home(), [question("default"), question("203.0.113.1")])
    #expect(watch.reports.count == 2)
    #expect(watch.reports.allSatisfy { $0.isSnapshot && $0.cause == .start })
    #expect(watch.reports.first?.verdict.flags == [.reachable])
  }

  @Test("losing the carrier is told at once, with its cause and what was before")
  func carrierLoss() throws {
    var watch = VirtualWatch(.home(), [question("default")], timing: .quietPoll)
    watch.advance(milliseconds(5_000))
    let began = watch.now
    watch.tell(watch.kernel.set(LinkState.noCarrier(2, "v0")))
    let report = try #require(watch.reports.last)
    #expect(!report.isSnapshot)
    #expect(report.time == began)
    #expect(report.cause == .link("v0"))
    #expect(report.verdict.reason == .noCarrier)
    #expect(report.previous?.status == .reachableViaWiFi)
    watch.advance(milliseconds(1_000))
    watch.tell(watch.kernel.set(FakeKernel.link(2, "v0")))
    #expect(watch.reports.last?.verdict.flags == [.reachable])
    #expect(watch.reports.count == 3)
  }

  @Test("while nothing changes nothing is due but the safety poll, and without it nothing")
  func idle() {
    var silent = VirtualWatch(.home(), [question("default")], timing: .quietPoll)
    #expect(silent.machine.nextDeadline == nil)
    let lookups = silent.kernel.lookupCount
    silent.advance(milliseconds(3_600_000))
    #expect(silent.kernel.lookupCount == lookups)

    var polling = VirtualWatch(.home(), [question("default")])
    let evaluations = polling.machine.evaluationCount
    let rounds = polling.roundSizes.count
    polling.advance(milliseconds(10_000))
    #expect(polling.roundSizes.count - rounds == 5)
    #expect(polling.machine.evaluationCount == evaluations)
    #expect(polling.reports.count == 1)
  }

  @Test("the safety poll finds what no message told")
  func silentChange() throws {
    var watch = VirtualWatch(.home(), [question("default")])
    watch.kernel.routes.removeAll { $0.prefix.length == 0 }
    watch.advance(milliseconds(2_000))
    let report = try #require(watch.reports.last)
    #expect(report.cause == .poll)
    #expect(report.verdict.reason == .noRoute)
  }

  @Test("routes that vanish silently with their link or last address are noticed without a poll")
  func silentRoutes() {
    var watch = VirtualWatch(.home(), [question("default")], timing: .quietPoll)
    var down = FakeKernel.link(2, "v0")
    down.flags = []
    watch.tell(watch.kernel.set(down))
    #expect(watch.reports.last?.verdict.status == .notReachable)

    var other = VirtualWatch(.home(), [question("203.0.113.1")], timing: .quietPoll)
    other.tell(other.kernel.remove(own("192.0.2.10/24", on: 2)))
    other.advance(milliseconds(300))
    #expect(other.reports.last?.verdict.reason == .noRoute)
  }

  @Test("a route that ends by itself is looked up again when it does")
  func expiry() throws {
    var kernel = FakeKernel.home()
    kernel.routes = kernel.routes.map {
      var route = $0
      if route.prefix.length == 0 { route.expiresTicks = 300 }
      return route
    }
    var watch = VirtualWatch(kernel, [question("default")], timing: .quietPoll)
    let began = watch.now
    #expect(watch.machine.nextDeadline == began + milliseconds(3_020))
    watch.kernel.routes.removeAll { $0.prefix.length == 0 }
    watch.advance(milliseconds(4_000))
    let report = try #require(watch.reports.last)
    #expect(report.cause == .timer)
    #expect(report.time == began + milliseconds(3_020))
    #expect(watch.machine.nextDeadline == nil)
  }

  @Test("the first change after a calm is judged at once, a storm four times a second")
  func coalescing() {
    var watch = VirtualWatch(.home(), [question("default")], timing: .quietPoll)
    watch.advance(milliseconds(1_000))
    let before = watch.machine.evaluationCount
    for step in 0..<1_000 {
      let gateway = address(step % 2 == 0 ? "192.0.2.2" : "192.0.2.1").description
      watch.tell(watch.kernel.add(defaultRoute(gateway, on: 2)))
      watch.advance(milliseconds(1))
    }
    let judged = watch.machine.evaluationCount - before
    // One at once and one in 250 ms each, twice where the new first hop has to be asked for.
    #expect((4...12).contains(judged))
    watch.advance(milliseconds(300))
    #expect(watch.reports.last?.verdict.best.gateway == address("192.0.2.1"))
  }

  @Test("changes that touch no target cost no look-up")
  func untouched() {
    var watch = VirtualWatch(.home(), [question("192.0.2.77")], timing: .quietPoll)
    let lookups = watch.kernel.lookupCount
    for third in 0..<200 {
      let prefix = prefix("10.0.\(third).0/24")
      watch.machine.handle(.route(RouteChange(prefix)), at: watch.now)
      watch.machine.handle(.routeRemoved(RouteChange(prefix)), at: watch.now)
      watch.machine.handle(.address(own("10.9.\(third).1/32", on: 9)), at: watch.now)
    }
    watch.settle()
    watch.advance(milliseconds(1_000))
    #expect(watch.kernel.lookupCount == lookups)
  }

  @Test("a change is judged for the targets that it touches and no others")
  func touchedOnly() {
    var kernel = FakeKernel.home()
    let questions = (0..<1_000).map { question("10.\($0 / 250).\($0 % 250).1") }
    _ = kernel.add(defaultRoute("192.0.2.1", on: 2))
    var watch = VirtualWatch(kernel, questions, timing: .quietPoll)
    #expect(watch.reports.count == 1_000)
    let before = watch.machine.evaluationCount
    for round in 0..<50 {
      let route = FakeKernel.Route(prefix: prefix("10.2.7.0/24"), kind: .blackhole)
      watch.tell(
        round % 2 == 0
          ? watch.kernel.add(route)
          : watch.kernel.removeRoutes { $0.prefix == prefix("10.2.7.0/24") })
      watch.advance(milliseconds(500))
    }
    #expect(watch.machine.evaluationCount - before == 50)
    #expect(watch.reports.count == 1_050)
    #expect(Set(watch.reports.dropFirst(1_000).map(\.target)) == [507])
  }

  @Test("a thousand targets share their look-ups of neighbours, and each is judged once")
  func shared() {
    let questions = (0..<1_000).map { question("10.\($0 / 250).\($0 % 250).1") }
    var watch = VirtualWatch(.home(), questions, timing: .quietPoll)
    #expect(watch.roundSizes == [2_000, 1])
    let before = watch.machine.evaluationCount
    watch.tell(watch.kernel.add(defaultRoute("192.0.2.2", on: 2)))
    // Each is judged again when the new first hop has been asked for: once for all.
    #expect(watch.roundSizes == [2_000, 1, 2_000, 1])
    #expect(watch.machine.evaluationCount - before == 2_000)
    #expect(watch.reports.count == 2_000)
  }

  @Test("lost messages are told once, the state is read anew and only differences are events")
  func overrun() {
    var watch = VirtualWatch(.home(), [question("default")], timing: .quietPoll)
    for third in 0..<4 {
      for fourth in 0..<250 {
        let address = own("10.0.\(third).\(fourth)/32", on: 2)
        let messages = watch.kernel.set(address)
        if third == 0 { watch.tell(messages) }
      }
    }
    watch.kernel.addresses.removeAll {
      $0.address != address("10.0.0.1") && $0.address != address("10.0.3.9")
        && $0.address != address("192.0.2.10")
    }
    watch.events = []
    watch.machine.overrun(at: watch.now)
    watch.machine.overrun(at: watch.now)
    watch.settle()
    watch.advance(milliseconds(2_000))
    #expect(watch.resyncs == [2])
    #expect(
      watch.machine.facts.addresses.of(2).map(\.address) == [
        address("10.0.0.1"), address("10.0.3.9"), address("192.0.2.10"),
      ])
    #expect(watch.events.count { $0.action == .removed } == 249)
    #expect(watch.events.count { $0.action == .added } == 1)
    #expect(watch.events.count == 250)
  }

  @Test("while losses repeat the state is read less and less often")
  func backOff() {
    var watch = VirtualWatch(.home(), [question("default")], timing: .quietPoll)
    for _ in 0..<600 {
      watch.machine.overrun(at: watch.now)
      watch.settle()
      watch.advance(milliseconds(10))
    }
    #expect((5...12).contains(watch.resyncs.count))
    #expect(watch.machine.overrunCount == 600)
  }

  @Test("an address counts when duplicate detection is over, and never when it failed")
  func duplicateDetection() {
    for (end, status) in [
      (InterfaceAddress.Standing.preferred, ReachabilityStatus.reachableViaWiFi),
      (.failed, .notReachable),
    ] {
      var kernel = FakeKernel()
      _ = kernel.set(FakeKernel.link(2, "v0"))
      _ = kernel.set(own("fe80::2/64", on: 2))
      _ = kernel.add(defaultRoute("fe80::1", on: 2, isIPv6: true))
      var watch = VirtualWatch(kernel, [question("default")], timing: .quietPoll)
      watch.tell(watch.kernel.set(own("2001:db8:1::6/64", on: 2, .tentative)))
      watch.advance(milliseconds(800))
      #expect(watch.reports.last?.verdict.reason == .sourceTentative)
      watch.tell(watch.kernel.set(own("2001:db8:1::6/64", on: 2, end)))
      watch.advance(milliseconds(300))
      #expect(watch.reports.last?.verdict.status == status)
      if end == .failed {
        #expect(watch.reports.last?.verdict.reason == .sourceFailed)
        #expect(watch.events.contains { $0.action == .failed })
      }
    }
  }

  @Test("a container bridge keeps nobody online")
  func containerBridge() {
    var kernel = FakeKernel.home()
    var bridge = FakeKernel.link(9, "br9")
    bridge.kind = "bridge"
    var port = FakeKernel.link(10, "p9")
    port.master = 9
    _ = kernel.set(bridge)
    _ = kernel.set(port)
    _ = kernel.set(own("172.17.0.1/16", on: 9))
    var watch = VirtualWatch(kernel, [question("default")], timing: .quietPoll)
    var down = FakeKernel.link(2, "v0")
    down.flags = []
    watch.tell(watch.kernel.set(down))
    #expect(watch.reports.last?.verdict.status == .notReachable)
    #expect(watch.reports.last?.verdict.reason == .noRoute)
  }

  @Test("a first hop that fails and comes back is told; its ordinary breath is not")
  func neighbour() {
    var watch = VirtualWatch(.home(), [question("default")], timing: .quietPoll)
    let key = NeighbourKey(interfaceIndex: 2, address: address("192.0.2.1"))
    let stranger = NeighbourKey(interfaceIndex: 2, address: address("192.0.2.50"))
    watch.tell([.neighbour(stranger, .failed), .neighbour(stranger, .reachable)])
    #expect(watch.events.isEmpty)
    watch.tell([.neighbour(key, .reachable), .neighbour(key, .stale), .neighbour(key, .reachable)])
    #expect(watch.events.map(\.action) == [.added])
    watch.tell([.neighbour(key, .failed)])
    #expect(watch.reports.last?.verdict.best.nextHop == .failed)
    #expect(watch.reports.last?.verdict.flags == [.reachable])
    #expect(watch.reports.last?.cause == .neighbour(address("192.0.2.1")))
    watch.advance(milliseconds(1_000))
    watch.tell([.neighbour(key, .reachable)])
    #expect(watch.reports.last?.verdict.best.nextHop == .reachable)
    #expect(watch.events.map(\.action) == [.added, .failed, .changed])
    #expect(watch.machine.facts.neighbours.count == 1)
  }

  @Test("lost answers are asked for again")
  func lostAnswers() {
    var watch = VirtualWatch(.home(), [question("default")], timing: .quietPoll)
    watch.machine.handle(.rule(isIPv6: false), at: watch.now)
    watch.now += milliseconds(100)
    watch.machine.deadlineReached(at: watch.now)
    #expect(!watch.machine.takeOutput().isEmpty)
    #expect(watch.machine.nextDeadline == watch.now + milliseconds(1_000))
    let before = watch.roundSizes.count
    watch.advance(milliseconds(1_000))
    #expect(watch.roundSizes.count == before + 1)
    #expect(watch.machine.nextDeadline == nil)
  }

  @Test("a flap shorter than the settling time is counted and not told")
  func settle() throws {
    var timing = ReachabilityTiming.quietPoll
    timing.settle = milliseconds(500)
    var watch = VirtualWatch(.home(), [question("default")], timing: timing)
    for _ in 0..<3 {
      watch.tell(watch.kernel.set(LinkState.noCarrier(2, "v0")))
      watch.advance(milliseconds(100))
      watch.tell(watch.kernel.set(FakeKernel.link(2, "v0")))
      watch.advance(milliseconds(1_000))
    }
    #expect(watch.reports.count == 1)
    watch.tell(watch.kernel.set(LinkState.noCarrier(2, "v0")))
    let began = watch.now
    watch.advance(milliseconds(1_000))
    let report = try #require(watch.reports.last)
    #expect(watch.reports.count == 2)
    #expect(report.time == began + milliseconds(500))
    #expect(report.suppressedChanges == 3)
    #expect(report.cause == .link("v0"))
  }

  @Test("targets come and go while the watch runs")
  func targets() {
    var watch = VirtualWatch(.home(), [question("default")], timing: .quietPoll)
    let id = watch.machine.add(question("192.0.2.77"), at: watch.now)
    watch.advance(milliseconds(100))
    #expect(watch.reports.last?.target == id)
    watch.machine.remove(id)
    #expect(watch.machine.facts.neighbours.count == 1)
    watch.tell(watch.kernel.set(LinkState.noCarrier(2, "v0")))
    watch.advance(milliseconds(300))
    #expect(watch.reports.last?.target == 0)
  }

  @Test("a target bound to an interface that comes later is found when it comes")
  func laterInterface() {
    var watch = VirtualWatch(
      .home(), [question("198.51.100.7") { $0.interface = "w0" }], timing: .quietPoll)
    #expect(watch.reports.last?.verdict.reason == .noSuchInterface)
    watch.tell(watch.kernel.set(FakeKernel.link(5, "w0")))
    watch.tell(watch.kernel.set(own("198.51.100.2/24", on: 5)))
    watch.advance(milliseconds(300))
    #expect(watch.reports.last?.verdict.flags == [.reachable, .isDirect])
  }

  @Test("the destination of a route is enough, unless it may be a default route")
  func routePrefix() throws {
    var watch = VirtualWatch(.home(), [question("10.1.2.3")], timing: .quietPoll)
    func message(_ length: UInt8, _ destination: [UInt8]) -> [UInt8] {
      let attribute: [UInt8] = destination.isEmpty ? [] : [8, 0, 1, 0] + destination
      let header: [UInt8] = [2, length, 0, 0, 254, 3, 0, 1, 0, 0, 0, 0]
      let total = UInt8(16 + header.count + attribute.count)
      return [total, 0, 0, 0, 24, 0, 0, 0] + [UInt8](repeating: 0, count: 8) + header + attribute
    }
    func touch(_ bytes: [UInt8]) throws -> Bool {
      let span = bytes.span
      var messages = NetlinkMessages(span)
      let message = try #require(try messages.next(span))
      return watch.machine.routeTouched(try RoutePrefix(message, in: span), at: watch.now)
    }
    #expect(try touch(message(0, [])))
    #expect(try touch(message(1, [128, 0, 0, 0])))
    #expect(watch.machine.nextDeadline == nil)
    #expect(try !touch(message(16, [10, 2, 0, 0])))
    #expect(watch.machine.nextDeadline == nil)
    #expect(try !touch(message(16, [10, 1, 0, 0])))
    #expect(watch.machine.nextDeadline == watch.now)
  }

  @Test("policy rules are read once for many changes of them")
  func rules() {
    var watch = VirtualWatch(.home(), [question("default")], timing: .quietPoll)
    for _ in 0..<100 { watch.machine.handle(.rule(isIPv6: false), at: watch.now) }
    watch.machine.deadlineReached(at: watch.now)
    #expect(watch.machine.takeOutput().count { $0 == .readRules } == 1)
  }

  @Test("an announced NAT64 prefix ends with its lifetime")
  func noticeEnds() {
    var watch = VirtualWatch(.home(), [question("default")], timing: .quietPoll)
    let notice = RouterNotice(
      interfaceIndex: 2, content: .nat64(prefix("64:ff9b::/96")), lifetimeSeconds: 8)
    watch.tell([.notice(notice)])
    #expect(watch.machine.facts.notices == [notice])
    watch.advance(milliseconds(9_000))
    #expect(watch.machine.facts.notices.isEmpty)
    #expect(watch.reports.count == 1)
  }
}
