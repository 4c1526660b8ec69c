import LanCore
import LanWire
import Testing

@Suite("What the kernel tells, as events")
struct ReachabilityEventTests {
  private func links(_ watch: VirtualWatch) -> [String] {
    watch.events.compactMap {
      if case .link(let link, _) = $0.subject { "\($0.action.rawValue) \(link.name)" } else { nil }
    }
  }

  @Test("a port that leaves its bridge is neither removed nor added")
  func bridgePort() {
    var kernel = FakeKernel()
    var port = FakeKernel.link(2, "v0")
    port.master = 3
    _ = kernel.set(port)
    var bridge = FakeKernel.link(3, "br0")
    bridge.kind = "bridge"
    _ = kernel.set(bridge)
    var watch = VirtualWatch(kernel, [question("default")])
    port.master = nil
    watch.tell([.bridgePort(2)] + watch.kernel.set(port) + [.bridgePort(2)])
    #expect(links(watch) == ["changed v0"])
    #expect(watch.machine.facts.links[2]?.index == 2)
  }

  @Test("a link that is renamed keeps its number; one that comes anew with it is another")
  func renamed() {
    var watch = VirtualWatch(.home(), [question("default")])
    watch.tell(watch.kernel.set(FakeKernel.link(2, "wan0")))
    #expect(links(watch) == ["renamed wan0"])
    #expect(watch.reports.last?.verdict.best.interface?.name == "wan0")
    watch.tell(watch.kernel.removeLink(2) + watch.kernel.set(FakeKernel.link(2, "x0")))
    #expect(links(watch).suffix(2) == ["removed wan0", "added x0"])
    #expect(watch.machine.facts.links["wan0"] == nil)
  }

  @Test("an address that comes, goes and comes again is three events; a refresh is none")
  func addressAgain() {
    var watch = VirtualWatch(.home(), [question("default")])
    var global = own("2001:db8:7::1/64", on: 2)
    global.validSeconds = 100
    watch.tell(watch.kernel.set(global))
    global.validSeconds = 200
    watch.tell([.address(global), .address(global)])
    watch.kernel.addresses = watch.kernel.addresses.map { $0.means(sameAs: global) ? global : $0 }
    watch.tell(watch.kernel.remove(global))
    watch.tell(watch.kernel.set(global))
    let told = watch.events.filter {
      if case .address(let address) = $0.subject { address.address.isIPv6 } else { false }
    }
    #expect(told.map(\.action) == [.added, .removed, .added])
    #expect(told.allSatisfy { $0.interface == "v0" })
    #expect(!watch.machine.facts.addresses.holding(address("2001:db8:7::1")).isEmpty)
  }

  @Test("default routes of every shape are told with family and gateway, and nothing else is")
  func defaultRoutes() {
    var watch = VirtualWatch(.home(), [question("default")])
    func told() -> [String] {
      defer { watch.events = [] }
      return watch.events.compactMap { event in
        guard case .route(let route, _) = event.subject else { return nil }
        let gateway = route.legs.first?.gateway?.description ?? "-"
        return "\(event.action.rawValue) \(route.destination) \(gateway)"
      }
    }
    let leg = RouteLeg(interfaceIndex: 2, gateway: address("192.0.2.1"))
    let everything = prefix("0.0.0.0/0")
    // The route that was there at the start is known: the same again is no event.
    watch.tell([.route(RouteChange(everything, legs: [leg]))])
    #expect(told() == [])
    watch.tell([.routeRemoved(RouteChange(everything, legs: [leg]))])
    #expect(told() == ["removed 0.0.0.0/0 192.0.2.1"])
    watch.tell([.route(RouteChange(everything, legs: [leg]))])
    #expect(told() == ["added 0.0.0.0/0 192.0.2.1"])
    watch.tell([.route(RouteChange(everything, legs: [leg]))])
    #expect(told() == [])
    let other = RouteLeg(interfaceIndex: 2, gateway: address("192.0.2.2"))
    watch.tell([.route(RouteChange(everything, legs: [other], isReplacement: true))])
    #expect(told() == ["changed 0.0.0.0/0 192.0.2.2"])
    watch.tell([.routeRemoved(RouteChange(everything, legs: [other]))])
    #expect(told() == ["removed 0.0.0.0/0 192.0.2.2"])
    let six = RouteLeg(interfaceIndex: 2, gateway: address("fe80::1"))
    watch.tell([.route(RouteChange(prefix("::/0"), legs: [six]))])
    #expect(told() == ["added ::/0 fe80::1"])
    watch.tell([
      .route(RouteChange(prefix("0.0.0.0/32"), legs: [leg])),
      .route(RouteChange(everything, kind: .unreachable, priority: 4_278_198_272)),
      .routeRemoved(RouteChange(everything, kind: .unreachable, priority: 4_278_198_272)),
    ])
    #expect(told() == [])
    let direct = [RouteLeg(interfaceIndex: 2)]
    watch.tell([
      .route(RouteChange(prefix("0.0.0.0/1"), legs: direct)),
      .route(RouteChange(prefix("128.0.0.0/1"), legs: direct)),
    ])
    #expect(told() == ["added 0.0.0.0/1 -", "added 128.0.0.0/1 -"])
    // Switching the link off takes IPv4 routes without a message.
    var down = FakeKernel.link(2, "v0")
    down.flags = []
    watch.tell(watch.kernel.set(down))
    #expect(told() == ["removed 0.0.0.0/1 -", "removed 128.0.0.0/1 -"])
  }
}
