import LanCore
import LanWire
import Testing

@Suite("Verdicts about dormant links")
struct ReachabilityDormancyTests {
  private func dormant(_ change: (inout LinkState) -> Void) -> FakeKernel {
    var kernel = FakeKernel.home()
    var link = FakeKernel.link(2, "v0")
    link.operational = .dormant
    change(&link)
    kernel.links[2] = link
    return kernel
  }

  @Test("dormancy of kernel or driver is a connection on demand")
  func onDemand() {
    let verdict = dormant { _ in }.verdict(question("default"))
    #expect(verdict.flags == [.reachable, .connectionRequired, .connectionOnDemand])
    #expect(verdict.status == .reachableViaWiFi)
    #expect(verdict.connection == .onDemand)
    let driver = dormant {
      $0.operational = .up
      $0.flags.insert(.dormant)
    }
    #expect(driver.verdict(question("default")).connection == .onDemand)
  }

  @Test("dormancy that user space gates is no connection: a supplicant has yet to authenticate")
  func gated() {
    let verdict = dormant { $0.mode = .dormant }.verdict(question("default"))
    #expect(verdict.flags == [.reachable, .connectionRequired])
    #expect(verdict.status == .notReachable)
    #expect(verdict.connection == .required)
    #expect(verdict.reason == .linkDormant)
  }

  @Test("an access point that has not authorised the station gates it too")
  func unauthorized() {
    let verdict = dormant { _ in }.verdict(question("default")) {
      $0.wireless[2] = WirelessFacts(network: "lan", isAuthorized: false)
    }
    #expect(verdict.connection == .required)
    #expect(verdict.best.medium == .wifi)
    #expect(fact(verdict, .wireless)?.value("network") == .text("lan"))
  }

  @Test("link mode dormant with state up is just up")
  func modeOnly() {
    var kernel = FakeKernel.home()
    kernel.links[2]?.mode = .dormant
    #expect(kernel.verdict(question("default")).flags == [.reachable])
  }

  @Test("a dialled link that waits comes up with traffic", arguments: [512, 256, 519])
  func onTraffic(_ hardware: Int) {
    let verdict = dormant {
      $0.hardware = HardwareType(rawValue: UInt16(hardware))
      $0.mode = .dormant
      $0.flags.insert(.pointToPoint)
      $0.kind = "tun"
    }.verdict(question("default"))
    #expect(verdict.flags.contains([.connectionRequired, .connectionOnTraffic]))
    #expect(verdict.flags.contains(.transientConnection))
    #expect(verdict.connection == .onTraffic)
    #expect(verdict.status == (hardware == 519 ? .reachableViaWWAN : .reachableViaWiFi))
  }

  @Test("the kernel's link-down mark on a dormant link with a carrier is disregarded")
  func dormantMark() {
    var facts = ReachabilityFacts()
    var link = FakeKernel.link(2, "v0")
    link.operational = .dormant
    _ = facts.links.apply(link)
    _ = facts.addresses.apply(own("2001:db8::2/64", on: 2))
    let evaluator = ReachabilityEvaluator(facts: facts)
    let question = question("2001:db8:1::1")
    let leg = RouteLeg(interfaceIndex: 2, gateway: address("fe80::1"), isLinkDown: true)
    var replies: KernelReplies = [:]
    for lookup in evaluator.initialLookups(question) {
      replies[lookup] = .route(
        RouteAnswer(prefix: prefix("::/0"), legs: [leg], source: address("2001:db8::2")))
    }
    #expect(evaluator.evaluate(question, replies).verdict.connection == .onDemand)
  }

  @Test("a macvlan over a link that a supplicant gates is gated")
  func lowestDormant() {
    var kernel = FakeKernel.home()
    var lower = FakeKernel.link(3, "w0")
    lower.operational = .dormant
    lower.mode = .dormant
    kernel.links[3] = lower
    kernel.links[2]?.kind = "macvlan"
    kernel.links[2]?.lower = 3
    kernel.links[2]?.operational = .dormant
    kernel.links[2]?.flags.insert(.dormant)
    let verdict = kernel.verdict(question("default")) { $0.devices[3] = DeviceFacts(type: "wlan") }
    #expect(verdict.connection == .required)
    #expect(verdict.best.medium == .wifi)
  }

  @Test("a blocked radio behind a dormant link needs a person")
  func radio() {
    let kernel = dormant { $0.name = "wwan0" }
    let blocked = RadioSwitch(index: 0, kind: .wwan, isSoftBlocked: true, isHardBlocked: false)
    let verdict = kernel.verdict(question("default")) { $0.radios = [blocked] }
    #expect(verdict.flags.contains(.interventionRequired))
    #expect(verdict.connection == .intervention)
    #expect(verdict.status == .notReachable)
    #expect(verdict.reason == .radioBlocked)
    let other = RadioSwitch(index: 1, kind: .wwan, isSoftBlocked: false, isHardBlocked: false)
    let open = kernel.verdict(question("default")) { $0.radios = [blocked, other] }
    #expect(open.connection == .onTraffic)
    let known = kernel.verdict(question("default")) {
      $0.radios = [blocked, other]
      $0.devices[2] = DeviceFacts(type: "wwan", radio: 0)
    }
    #expect(known.connection == .intervention)
  }
}
