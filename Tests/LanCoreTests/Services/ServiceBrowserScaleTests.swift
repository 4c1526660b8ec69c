import LanCore
import LanWire
import Testing

@Suite("The service browser: many services, and long runs")
struct ServiceBrowserScaleTests {
  @Test("ten thousand services are told in one batch, and go without a trace")
  func tenThousand() {
    var script = BrowserScript()
    script.start()
    let count = 10_000
    let pointers = (0..<count).map { script.pointer("I\($0)") }
    for pointer in pointers { script.machine.handle(.added(pointer), at: script.now) }
    let demands = script.machine.demands.count
    #expect(demands == 2 * count)
    script.machine.demands = []
    for number in 0..<count {
      let host = "h\(number % 100).local"
      var records = [script.service("I\(number)", host: host), script.text("I\(number)")]
      if number < 100 { records.append(script.address("192.0.2.20", host: host)) }
      for record in records { script.machine.handle(.added(record), at: script.now) }
    }
    script.machine.batchEnded(at: script.now)
    #expect(script.machine.events.count == count + 1)
    script.machine.events = []
    let asked = script.machine.demands.count
    script.machine.demands = []
    for pointer in pointers { script.machine.handle(.removed(pointer, .goodbye), at: script.now) }
    script.machine.batchEnded(at: script.now)
    #expect(script.machine.events.count == count + 1)
    #expect(script.machine.demands.count == demands + asked, "every question is stopped")
    #expect(script.machine.services.isEmpty)
  }

  @Test("services that come and go for long leave nothing behind")
  func churn() {
    var script = BrowserScript([])
    script.start()
    for round in 0..<300 {
      script.hear(
        script.answer(
          "_services._dns-sd._udp.local",
          .ptr(BrowserScript.named("_t\(round % 7)._tcp.local")), unique: false))
      let type = "_t\(round % 7)._tcp.local"
      script.hear(
        script.pointer("I\(round)", type: type),
        script.service("I\(round)", host: "h\(round % 11).local", type: type),
        script.text("I\(round)", type: type),
        script.address("192.0.2.20", host: "h\(round % 11).local"))
      script.endBatch()
      script.wait(1_500)
      script.hear(script.service("I\(round)", host: "other.local", type: type))
      script.wait(200)
      script.lose(.goodbye) { _ in true }
      script.endBatch()
      #expect(script.interests.count == 1)
      #expect(script.starts == script.stops + 1)
      script.told = []
    }
    script.wait(5_000)
    #expect(script.machine.nextDeadline == nil)
    #expect(script.machine.services.isEmpty)
  }

  @Test("more services than are followed are told of once")
  func limit() {
    var script = BrowserScript(["_witap2._tcp"]) { $0.instanceLimit = 3 }
    script.start()
    for number in 0..<9 { script.hear(script.pointer("I\(number)")) }
    script.endBatch()
    script.wait(1_000)
    #expect(script.story.filter { $0.hasPrefix("added") }.count == 3)
    #expect(script.story.filter { $0 == "more than 3 services; others are left out" }.count == 1)
    #expect(script.interests.count == 7)
  }

  @Test("more types than are browsed for are told of once")
  func typeLimit() {
    var script = BrowserScript([]) { $0.typeLimit = 2 }
    script.start()
    for number in 0..<9 {
      script.hear(
        script.answer(
          "_services._dns-sd._udp.local", .ptr(BrowserScript.named("_t\(number)._tcp.local"))))
    }
    #expect(script.story.count == 1)
    #expect(script.interests.count == 3)
  }

  @Test("a flood of records about one service costs no more than a few of them")
  func recordFlood() {
    var script = BrowserScript()
    script.start()
    script.hear(script.deck())
    for number in 0..<2_000 {
      let port = UInt16(truncatingIfNeeded: number)
      for record in [
        script.service(port: port), script.text("Deck", ["\(number)"]),
        script.answer("tv.local", .a(IPv4Address(bits: UInt32(number)))),
      ] {
        script.machine.handle(.added(record), at: script.now)
      }
    }
    script.endBatch()
    #expect(script.machine.services.first.map { $0.addresses.count } == 64)
    #expect(script.story.count == 2)
  }

  @Test("waits without end are possible")
  func endlessWaits() {
    var script = BrowserScript(["_witap2._tcp"]) {
      $0.completion = .max
      $0.settle = .max
    }
    script.clock = 1_000
    script.start()
    script.hear(script.pointer())
    script.endBatch()
    #expect(script.machine.nextDeadline == nil)
  }
}
