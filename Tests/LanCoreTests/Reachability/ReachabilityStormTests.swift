import LanCore
import LanWire
import TestKit
import Testing

/// Random changes of a fake kernel; one seed, one storm.
private struct Storm {
  private var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  mutating func next(_ bound: Int) -> Int {
    Int(random.next() % UInt64(bound))
  }

  mutating func change(_ kernel: inout FakeKernel) -> [KernelMessage] {
    let index = UInt32(2 + next(5))
    switch next(12) {
    case 0, 1: return kernel.set(link(index))
    case 2: return kernel.removeLink(index)
    case 3, 4:
      guard kernel.links[index] != nil else { return [] }
      return kernel.set(own(index))
    case 5:
      guard !kernel.addresses.isEmpty else { return [] }
      return kernel.remove(kernel.addresses[next(kernel.addresses.count)])
    case 6, 7, 8: return kernel.add(route(index))
    case 9:
      guard !kernel.routes.isEmpty else { return [] }
      let route = kernel.routes[next(kernel.routes.count)]
      return kernel.removeRoutes { $0 == route }
    case 10: return neighbour(index, &kernel)
    default:
      return [.bridgePort(index), .noise, .address(own(99))]
    }
  }

  private mutating func link(_ index: UInt32) -> LinkState {
    var link = LinkState(
      index: index, name: next(8) == 0 ? "renamed\(index)" : "v\(index)",
      flags: [[.up, .lowerUp], [.up, .lowerUp], [.up], []][next(4)],
      operational: [.up, .up, .down, .dormant, .unknown][next(5)])
    if next(4) == 0 { link.mode = .dormant }
    if index == 6 {
      link.kind = "bridge"
    } else if next(3) == 0 {
      link.master = 6
    }
    return link
  }

  private mutating func own(_ index: UInt32) -> InterfaceAddress {
    let standings: [InterfaceAddress.Standing] = [
      .preferred, .preferred, .tentative, .failed, .deprecated,
    ]
    if next(2) == 0 {
      return LanCoreTests.own("10.\(index).0.\(1 + next(3))/24", on: index)
    }
    let text = next(3) == 0 ? "fe80::\(index)/64" : "2001:db8:\(index)::\(1 + next(3))/64"
    return LanCoreTests.own(text, on: index, standings[next(5)])
  }

  private mutating func route(_ index: UInt32) -> FakeKernel.Route {
    let kinds: [RouteKind] = [.unicast, .unicast, .unicast, .unicast, .blackhole, .unreachable]
    let kind = kinds[next(6)]
    let prefixes = [
      "0.0.0.0/0", "::/0", "0.0.0.0/1", "128.0.0.0/1", "10.\(next(8)).0.0/16",
      "10.\(next(8)).\(next(4)).0/24", "2001:db8:\(next(8))::/48", "2000::/3",
    ]
    let prefix = prefix(prefixes[next(prefixes.count)])
    let gateway =
      next(2) == 0 ? nil : address(prefix.address.isIPv6 ? "fe80::99" : "10.\(index).0.9")
    var legs = [RouteLeg(interfaceIndex: index, gateway: gateway)]
    if next(4) == 0 { legs.append(RouteLeg(interfaceIndex: UInt32(2 + next(5)))) }
    return FakeKernel.Route(
      prefix: prefix, kind: kind, priority: UInt32(next(3)), legs: kind == .unicast ? legs : [])
  }

  private mutating func neighbour(_ index: UInt32, _ kernel: inout FakeKernel) -> [KernelMessage] {
    let key = NeighbourKey(
      interfaceIndex: index, address: address(next(2) == 0 ? "fe80::99" : "10.\(index).0.9"))
    let state: NextHopState = [.reachable, .stale, .failed, .unknown][next(4)]
    kernel.neighbours[key] = state
    return [.neighbour(key, state)]
  }
}

@Suite("Reachability in storms")
struct ReachabilityStormTests {
  private static func questions(_ count: Int) -> [ReachabilityQuestion] {
    let fixed = [
      question("default"), question("10.2.0.77"), question("2001:db8:3::77"),
      question("fe80::77%v4"), question("198.51.100.1"), question("10.3.0.1"),
      question("203.0.113.5") { $0.interface = "v3" },
      question("10.4.1.1") { $0.local = address("10.2.0.1") },
      question("default") { $0.usesIPv4 = false },
    ]
    return (0..<count).map { number in
      number < fixed.count ? fixed[number] : question("10.\(number % 8).\(number / 8 % 250).9")
    }
  }

  /// What a fresh look at the kernel's state says, without the fast-changing neighbours.
  private func isFresh(_ watch: VirtualWatch, _ id: Int, _ question: ReachabilityQuestion) -> Bool {
    guard let last = watch.machine.verdict(of: id) else { return false }
    return last.means(sameAs: watch.kernel.verdict(question))
  }

  @Test(
    "after any storm the last verdict is what a fresh look says, without polls",
    arguments: Array(UInt64(1)...24))
  func oneTarget(_ seed: UInt64) throws {
    var storm = Storm(seed: seed)
    var timing = ReachabilityTiming()
    timing.stopPolling()
    let questions = Self.questions(9)
    var watch = VirtualWatch(FakeKernel(), questions, timing: timing)
    for step in 0..<400 {
      watch.tell(storm.change(&watch.kernel))
      if storm.next(4) == 0 { watch.advance(Int64(storm.next(100)) * 1_000_000) }
      guard step % 40 == 39 else { continue }
      watch.advance(milliseconds(500))
      for (id, question) in questions.enumerated() {
        let isFresh = isFresh(watch, id, question)
        #expect(
          isFresh,
          "seed \(seed), step \(step), target \(id): \(String(describing: watch.machine.verdict(of: id)?.best)) is not \(watch.kernel.verdict(question).best)"
        )
      }
    }
    // What was told last is what holds.
    for id in questions.indices {
      let told = try #require(watch.reports.last { $0.target == id })
      #expect(watch.machine.verdict(of: id)?.means(sameAs: told.verdict) == true)
    }
  }

  @Test(
    "lost messages change nothing about the end", arguments: Array(UInt64(1000)...1007))
  func losses(_ seed: UInt64) {
    var storm = Storm(seed: seed)
    let questions = Self.questions(9)
    var watch = VirtualWatch(FakeKernel(), questions)
    for _ in 0..<400 {
      let messages = storm.change(&watch.kernel)
      if storm.next(10) < 7 {
        watch.tell(messages)
      } else {
        watch.machine.overrun(at: watch.now)
      }
      watch.advance(Int64(storm.next(20)) * 1_000_000)
    }
    watch.machine.overrun(at: watch.now)
    watch.advance(milliseconds(5_000))
    for (id, question) in questions.enumerated() {
      let isFresh = isFresh(watch, id, question)
      #expect(isFresh, "seed \(seed), target \(id)")
    }
    #expect(
      watch.machine.facts.links.all == watch.kernel.links.values.sorted { $0.index < $1.index })
    #expect(Set(watch.machine.facts.addresses.all) == Set(watch.kernel.addresses))
    #expect(watch.resyncs.reduce(0, +) == watch.machine.overrunCount)
  }

  @Test("a thousand targets end as a fresh look says")
  func thousandTargets() {
    var storm = Storm(seed: 7)
    var timing = ReachabilityTiming()
    timing.stopPolling()
    let questions = Self.questions(1_000)
    var watch = VirtualWatch(FakeKernel(), questions, timing: timing)
    for _ in 0..<150 {
      watch.tell(storm.change(&watch.kernel))
      watch.advance(milliseconds(5))
    }
    watch.advance(milliseconds(1_000))
    for (id, question) in questions.enumerated() where id % 7 == 0 || id < 20 {
      let isFresh = isFresh(watch, id, question)
      #expect(isFresh, "target \(id)")
    }
  }

  @Test(
    "a hundred thousand route changes beside a thousand targets are judged for those they touch")
  func routeStorm() {
    var timing = ReachabilityTiming()
    timing.stopPolling()
    var kernel = FakeKernel.home()
    _ = kernel.add(defaultRoute("192.0.2.1", on: 2))
    var watch = VirtualWatch(
      kernel, (0..<1_000).map { question("10.\($0 / 250).\($0 % 250).1") }, timing: timing)
    watch.advance(milliseconds(1_000))
    let before = watch.machine.evaluationCount
    for step in 0..<50_000 {
      // 172.16/12 leads to no target, 10.0.7/24 to one of them.
      let route =
        step % 100 == 0
        ? RouteChange(prefix("10.0.7.0/24"))
        : RouteChange(
          IPPrefix(.v4(IPv4Address(bits: 0xAC10_0000 | UInt32(step) << 8)), 24))
      watch.machine.handle(.route(route), at: watch.now)
      watch.machine.handle(.routeRemoved(route), at: watch.now)
      watch.now += 20_000
      if let deadline = watch.machine.nextDeadline, deadline <= watch.now { watch.settle() }
    }
    watch.advance(milliseconds(1_000))
    // One second of storm: one judgement at once, then at most one in 250 ms.
    #expect((1...7).contains(watch.machine.evaluationCount - before))
  }
}
