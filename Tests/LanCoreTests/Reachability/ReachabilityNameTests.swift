import LanCore
import LanWire
import Testing

@Suite("Following the reachability of names")
struct ReachabilityNameTests {
  @Test("a name is unknown until resolved, then as its addresses are")
  func name() {
    var watch = VirtualWatch(.home(), [question("host.example")], timing: .quietPoll)
    #expect(watch.asked == ["host.example"])
    #expect(watch.reports.isEmpty)
    watch.machine.resolved(
      "host.example", .addresses([address("192.0.2.77")]), at: watch.now + milliseconds(20))
    watch.advance(milliseconds(30))
    #expect(watch.reports.count == 1)
    #expect(watch.reports.last?.verdict.flags == [.reachable, .isDirect])
  }

  @Test("a slow resolver leaves the first report unknown after a second")
  func slowResolver() {
    var watch = VirtualWatch(.home(), [question("host.example")], timing: .quietPoll)
    watch.advance(milliseconds(1_500))
    #expect(watch.reports.map(\.verdict.status) == [.unknown])
    watch.machine.resolved("host.example", .addresses([address("192.0.2.77")]), at: watch.now)
    watch.settle()
    #expect(watch.reports.map(\.verdict.status) == [.unknown, .reachableViaWiFi])
    #expect(watch.reports.last?.cause == .resolver)
  }

  @Test("a name that failed is asked for again soon after the network returns")
  func nameReturns() {
    var kernel = FakeKernel.home()
    kernel.links[2] = LinkState.noCarrier(2, "v0")
    var watch = VirtualWatch(kernel, [question("host.example")], timing: .quietPoll)
    for _ in 0..<10 {
      watch.machine.resolved("host.example", .failed("timed out"), at: watch.now)
      watch.advance(milliseconds(60_000))
    }
    #expect(watch.asked.count == 11)
    watch.machine.resolved("host.example", .failed("timed out"), at: watch.now)
    watch.settle()
    watch.tell(watch.kernel.set(FakeKernel.link(2, "v0")))
    watch.advance(milliseconds(1_000))
    #expect(watch.asked.count == 12)
    watch.machine.resolved("host.example", .addresses([address("203.0.113.1")]), at: watch.now)
    watch.settle()
    #expect(watch.reports.last?.verdict.status == .reachableViaWiFi)
  }

  @Test("the addresses that matter are known, those of names once they are resolved")
  func destinations() {
    var watch = VirtualWatch(
      .home(), [question("host.example"), question("192.0.2.77")],
      timing: .quietPoll)
    #expect(watch.machine.destinations == [address("192.0.2.77")])
    watch.machine.resolved(
      "host.example", .addresses([address("2001:db8::1"), address("10.0.0.1")]), at: watch.now)
    #expect(
      watch.machine.destinations == [
        address("10.0.0.1"), address("192.0.2.77"), address("2001:db8::1"),
      ])
  }

  @Test("a name's link-local address without an interface is no target")
  func unscopedName() {
    var watch = VirtualWatch(.home(), [question("host.example")], timing: .quietPoll)
    watch.machine.resolved("host.example", .addresses([address("fe80::1")]), at: watch.now)
    watch.settle()
    #expect(watch.reports.last?.verdict.reason == .ambiguousScope)
  }
}
