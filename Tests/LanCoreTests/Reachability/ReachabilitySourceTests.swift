import LanCore
import LanWire
import Testing

@Suite("Verdicts by the address that is sent from")
struct ReachabilitySourceTests {
  @Test("a tentative address is no source, an optimistic or deprecated one is")
  func standings() {
    for (standing, reason) in [
      (InterfaceAddress.Standing.tentative, VerdictReason.sourceTentative as VerdictReason?),
      (.failed, .sourceFailed), (.optimistic, nil), (.deprecated, nil), (.preferred, nil),
    ] {
      var kernel = FakeKernel()
      _ = kernel.set(FakeKernel.link(2, "v0"))
      _ = kernel.set(own("fe80::2/64", on: 2))
      _ = kernel.set(own("2001:db8:1::6/64", on: 2, standing))
      _ = kernel.add(defaultRoute("fe80::1", on: 2, isIPv6: true))
      let verdict = kernel.verdict(question("default"))
      #expect(verdict.reason == reason)
      #expect(verdict.status == (reason == nil ? .reachableViaWiFi : .notReachable))
    }
  }

  @Test("a link-local source reaches no global target, only its own link")
  func linkLocalSource() {
    var kernel = FakeKernel()
    _ = kernel.set(FakeKernel.link(2, "v0"))
    _ = kernel.set(own("fe80::2/64", on: 2))
    _ = kernel.add(defaultRoute("fe80::1", on: 2, isIPv6: true))
    #expect(kernel.verdict(question("2001:db8::1")).reason == .sourceLinkLocal)
    #expect(kernel.verdict(question("fe80::77%v0")).flags == [.reachable, .isDirect])
  }

  @Test("a route without any address to send from is not reachable")
  func noSource() {
    var kernel = FakeKernel()
    _ = kernel.set(FakeKernel.link(2, "v0"))
    _ = kernel.add(defaultRoute(nil, on: 2))
    _ = kernel.add(defaultRoute(nil, on: 2, isIPv6: true))
    #expect(kernel.verdict(question("198.51.100.1")).reason == .noSource)
    // The kernel offers ::1 where it has nothing better.
    #expect(kernel.verdict(question("2001:db8::1")).reason == .noSource)
  }

  @Test("the local address of a pair must be an own one of the same family")
  func pair() {
    let kernel = FakeKernel.home()
    func reason(_ local: String) -> VerdictReason? {
      kernel.verdict(question("203.0.113.9") { $0.local = address(local) }).reason
    }
    #expect(reason("192.0.2.10") == nil)
    #expect(reason("192.0.2.99") == .sourceForeign)
    #expect(reason("2001:db8::1") == .sourceFamily)
    #expect(reason("127.0.0.1") == nil)
  }
}
