import LanCore
import LanWire
import Testing

@Suite("The service browser: finding and resolving")
struct ServiceBrowserTests {
  let deck = "Deck _witap2._tcp@v2 tv.local:4242 192.0.2.20 [v=2]"

  /// A browser that has told the complete "Deck".
  private func browser(
    _ change: (inout ServiceBrowserMachine.Configuration) -> Void = { _ in }
  ) -> BrowserScript {
    var script = BrowserScript(["_witap2._tcp"], change)
    script.start()
    script.hear(script.deck())
    script.endBatch()
    #expect(script.takeStory() == ["added \(deck)", "end"])
    script.wait(5_000)
    _ = script.takeStory()
    return script
  }

  @Test("a service that announces everything is told once, complete (RFC 6763 section 12)")
  func complete() {
    var script = BrowserScript()
    script.start()
    script.hear(script.deck())
    #expect(script.story == [])
    script.endBatch()
    #expect(script.takeStory() == ["added \(deck)", "end"])
    script.wait(60_000)
    #expect(script.takeStory() == ["settled"])
    #expect(script.machine.nextDeadline == nil, "nothing wakes an idle browser")
  }

  @Test("without additional records SRV and TXT are asked for, then the addresses (S1)")
  func withoutAdditionals() {
    var script = BrowserScript()
    script.start()
    script.hear(script.pointer())
    script.endBatch()
    let name = BrowserScript.named("Deck._witap2._tcp.local")
    #expect(script.interests[MDNSQuestion(name, .srv, interfaceIndex: 2)] == 1)
    #expect(script.interests[MDNSQuestion(name, .txt, interfaceIndex: 2)] == 1)
    script.wait(100)
    script.hear(script.service(), script.text())
    script.endBatch()
    let host = BrowserScript.named("tv.local")
    #expect(script.interests[MDNSQuestion(host, .a, interfaceIndex: 2)] == 1)
    #expect(script.interests[MDNSQuestion(host, .aaaa, interfaceIndex: 2)] == 1)
    #expect(script.story == [])
    script.wait(100)
    script.hear(script.address("2001:db8::20"))
    script.endBatch()
    #expect(
      script.story
        == ["added Deck _witap2._tcp@v2 tv.local:4242 2001:db8::20 [v=2]", "end"])
  }

  @Test("no question about a service goes on for ever (idle is silent)")
  func efforts() {
    let script = browser()
    let endless = script.efforts.filter { $0.value == .unlimited }
    #expect(endless.map { "\($0.key.name)" } == ["_witap2._tcp.local"])
  }

  @Test("a passive browser asks nothing and doubts nothing")
  func passive() {
    var script = browser { $0.isPassive = true }
    script.lose(.expired) { $0.type != .ptr }
    script.endBatch()
    #expect(script.efforts.values.allSatisfy { $0 == .passive })
    #expect(script.doubts.isEmpty)
  }

  @Test("a goodbye removes the service as it was, and ends every question about it")
  func goodbye() {
    var script = browser()
    // SRV and address go first, in the same batch.
    script.lose(.goodbye) { $0.type != .ptr }
    script.lose(.goodbye) { $0.type == .ptr }
    script.endBatch()
    #expect(script.story == ["removed \(deck) goodbye", "end"])
    #expect(script.interests.count == 1)
    #expect(script.machine.services.isEmpty)
  }

  @Test(
    "a removal says why",
    arguments: [
      MDNSRemovalCause.goodbye, .expired, .flushed, .interfaceDown, .noResponse,
    ])
  func causes(_ cause: MDNSRemovalCause) {
    var script = browser()
    script.lose(cause) { $0.type == .ptr }
    script.endBatch()
    #expect(script.story == ["removed \(deck) \(cause)", "end"])
  }

  @Test("a service whose SRV record goes stays listed, without what it said")
  func lostTarget() {
    var script = browser()
    script.lose(.goodbye) { $0.type == .srv }
    script.endBatch()
    #expect(script.takeStory() == ["updated Deck _witap2._tcp@v2 [v=2]", "end"])
    #expect(script.machine.services.count == 1)
    script.hear(script.service(port: 4_243))
    script.endBatch()
    #expect(
      script.story == ["updated Deck _witap2._tcp@v2 tv.local:4243 192.0.2.20 [v=2]", "end"])
  }

  @Test("several changes in a batch are one event, and none if nothing came of them")
  func oneUpdate() {
    var script = browser()
    script.lose(.flushed) { $0.type == .srv || $0.type == .txt }
    script.hear(script.service(port: 1), script.text("Deck", ["v=3"]), script.address("192.0.2.21"))
    script.hear(script.service(port: 2))
    script.lose(.flushed, script.service(port: 1))
    script.lose(.flushed, script.address())
    script.endBatch()
    #expect(
      script.takeStory() == ["updated Deck _witap2._tcp@v2 tv.local:2 192.0.2.21 [v=3]", "end"])
    script.lose(.flushed) { $0.type == .srv }
    script.hear(script.service(port: 2))
    script.endBatch()
    #expect(script.story == [])
  }

  @Test("what is told again is no news")
  func toldAgain() {
    var script = browser()
    for record in script.records { script.machine.handle(.added(record), at: script.now) }
    script.endBatch()
    #expect(script.story == [])
    #expect(script.machine.services.count == 1)
  }

  @Test("a new host is followed and the old one no longer asked for")
  func newHost() {
    var script = browser()
    script.hear(script.service(host: "new.local"), script.address("192.0.2.30", host: "new.local"))
    script.endBatch()
    // At once, though the old SRV record lives on for a second (RFC 6762 section 10.2).
    #expect(
      script.takeStory()
        == ["updated Deck _witap2._tcp@v2 new.local:4242 192.0.2.30 [v=2]", "end"])
    script.wait(1_000)
    script.lose(.flushed, script.service())
    script.endBatch()
    script.wait(5_000)
    #expect(script.story == [])
    let old = BrowserScript.named("tv.local")
    #expect(script.interests.keys.allSatisfy { $0.name != old })
  }

  @Test("the SRV record of the lowest priority holds, then the one of the greatest weight (S2)")
  func severalTargets() {
    var script = BrowserScript()
    script.start()
    script.hear(
      script.pointer(), script.text(), script.service(port: 1, priority: 20, weight: 9),
      script.service(port: 2, priority: 10, weight: 1),
      script.service(port: 3, priority: 10, weight: 5), script.address())
    script.endBatch()
    script.wait(3_000)
    #expect(
      script.takeStory()
        == ["added Deck _witap2._tcp@v2 tv.local:3 192.0.2.20 [v=2]", "end", "settled"])
    #expect(script.machine.services.first?.priority == 10)
    #expect(script.machine.services.first?.weight == 5)
    script.lose(.goodbye, script.service(port: 3, priority: 10, weight: 5))
    script.endBatch()
    #expect(
      script.story == ["updated Deck _witap2._tcp@v2 tv.local:2 192.0.2.20 [v=2]", "end"])
  }

  @Test(
    "a TXT record that is missing, empty or of one empty string says the same (S3)",
    arguments: [nil, [], [""], ["", ""]] as [[String]?])
  func emptyText(_ strings: [String]?) {
    var script = BrowserScript()
    script.start()
    script.hear(script.pointer(), script.service(), script.address())
    if let strings {
      script.hear(script.text("Deck", strings))
    } else {
      script.deny("Deck._witap2._tcp.local", .txt)
    }
    script.endBatch()
    #expect(script.story == ["added Deck _witap2._tcp@v2 tv.local:4242 192.0.2.20 []", "end"])
    #expect(script.machine.services.first?.isComplete == true)
  }

  @Test("TXT strings are opaque bytes (S5)")
  func opaqueText() {
    var script = BrowserScript()
    script.start()
    let strings: [[UInt8]] = [[0x61, 0x3D, 0, 0xFF, 0x3D], [0x3D, 0x62]]
    script.hear(
      script.pointer(), script.service(), script.address(),
      script.answer("Deck._witap2._tcp.local", .txt(strings)))
    script.endBatch()
    #expect(script.machine.services.first?.text == strings)
  }

  @Test("an address that the host says it has not is not waited for (S9)")
  func deniedAddresses() {
    var script = BrowserScript()
    script.start()
    script.hear(script.pointer(), script.service(), script.text())
    script.deny("tv.local", .aaaa)
    script.endBatch()
    #expect(script.story == [], "there may be an IPv4 address")
    script.deny("tv.local", .a)
    script.endBatch()
    #expect(script.story == ["added Deck _witap2._tcp@v2 tv.local:4242 [v=2]", "end"])
  }

  @Test("an unanswered SRV question is a reason to doubt the PTR record (S10)")
  func doubts() {
    var script = BrowserScript()
    script.start()
    script.hear(script.pointer())
    script.exhaust("Deck._witap2._tcp.local", .srv)
    script.exhaust("Deck._witap2._tcp.local", .srv)
    #expect(script.doubts == ["_witap2._tcp.local \(DNSRecordType.ptr) 2"])
    var expiring = browser()
    expiring.lose(.expired) { $0.type == .srv }
    #expect(expiring.doubts == ["_witap2._tcp.local \(DNSRecordType.ptr) 2"])
    var deaf = browser()
    deaf.lose(.expired) { $0.type == .a }
    #expect(deaf.doubts == ["Deck._witap2._tcp.local \(DNSRecordType.srv) 2"])
  }

  @Test("port 0 and the root as host are placeholders, which are told without addresses (S12)")
  func placeholders() {
    var script = BrowserScript()
    script.start()
    script.hear(script.pointer(), script.service(port: 0))
    script.hear(script.pointer("Root"), script.service("Root", port: 9, host: "."))
    script.endBatch()
    #expect(
      script.story == [
        "added Deck _witap2._tcp@v2 tv.local:0 placeholder",
        "added Root _witap2._tcp@v2 .:9 placeholder", "end",
      ])
  }

  @Test("the same name on two links is two services (Q27)")
  func twoLinks() {
    var script = BrowserScript()
    script.start(links: [2, 3])
    script.hear(script.deck())
    script.hear(
      script.deck(link: 3).map { answer in
        var answer = answer
        if answer.type == .a { answer.data = script.address("198.51.100.20").data }
        return answer
      })
    script.endBatch()
    #expect(
      script.takeStory() == [
        "added \(deck)", "added Deck _witap2._tcp@v3 tv.local:4242 198.51.100.20 [v=2]", "end",
      ])
    script.lose(.interfaceDown) { $0.interfaceIndex == 3 }
    script.endBatch()
    #expect(
      script.story == [
        "removed Deck _witap2._tcp@v3 tv.local:4242 198.51.100.20 [v=2] interfaceDown", "end",
      ])
  }

  @Test("what is heard on other links than the chosen ones is passed over")
  func chosenLinks() {
    var script = BrowserScript(["_witap2._tcp"]) { $0.interfaces = [3] }
    script.start(links: [2, 3])
    script.hear(script.deck())
    for record in script.deck() { script.machine.handle(.added(record), at: 0) }
    script.hear(script.deck(link: 3))
    script.endBatch()
    #expect(script.story == ["added Deck _witap2._tcp@v3 tv.local:4242 192.0.2.20 [v=2]", "end"])
  }

  @Test("a service of our own is marked, and not one of another host")
  func own() {
    var script = BrowserScript()
    script.start(links: [])
    script.setLink(2, own: ["192.0.2.20/24"])
    script.hear(script.deck())
    script.endBatch()
    #expect(script.takeStory() == ["added \(deck) own", "end"])
    script.setLink(2, own: ["192.0.2.11/24"])
    script.endBatch()
    #expect(script.story == ["updated \(deck)", "end"])
  }

  @Test("hosts that many services share are asked for once, until the last one goes")
  func sharedHost() {
    var script = BrowserScript()
    script.start()
    for number in 0..<50 {
      script.hear(script.pointer("I\(number)"), script.service("I\(number)"))
    }
    let question = MDNSQuestion(BrowserScript.named("tv.local"), .a, interfaceIndex: 2)
    let last = script.pointer("I7").data
    #expect(script.interests[question] == 1)
    script.lose(.goodbye) { $0.type == .ptr && $0.data != last }
    #expect(script.interests[question] == 1)
    script.lose(.goodbye) { $0.type == .ptr }
    #expect(script.interests[question] == nil)
  }

  @Test("without resolving, names are told at once and nothing is asked about them")
  func names() {
    var script = BrowserScript(["_witap2._tcp"]) { $0.resolves = false }
    script.start()
    script.hear(script.deck())
    script.endBatch()
    #expect(script.story == ["added Deck _witap2._tcp@v2", "end"])
    #expect(script.starts == 1)
  }

  @Test("only addresses of the families asked for are told")
  func families() {
    var script = BrowserScript(["_witap2._tcp"]) { $0.families = .ipv6 }
    script.start()
    script.hear(script.deck())
    script.hear(script.address("fe80::20"))
    script.endBatch()
    #expect(script.story == ["added Deck _witap2._tcp@v2 tv.local:4242 fe80::20 [v=2]", "end"])
  }

  @Test("IPv4 addresses come first, each family in the order of arrival")
  func order() {
    var script = BrowserScript()
    script.start()
    script.hear(script.pointer(), script.service(), script.text())
    script.hear(
      script.address("fe80::20"), script.address("192.0.2.21"), script.address("2001:db8::1"),
      script.address("192.0.2.20"))
    script.endBatch()
    #expect(
      script.story == [
        "added Deck _witap2._tcp@v2 tv.local:4242 192.0.2.21 192.0.2.20 fe80::20 2001:db8::1 [v=2]",
        "end",
      ])
  }

  @Test("another version of IP that a service is heard over is shown, but is no news by itself")
  func heardOver() {
    var script = browser()
    #expect(script.machine.services.first?.heardOver == .ipv4)
    let answer = script.pointer(families: .both)
    script.machine.handle(.heardOver(answer), at: script.now)
    script.endBatch()
    #expect(script.story == [])
    #expect(script.machine.services.first?.heardOver == .both)
  }

  @Test("a PTR record to the name of a type, or to a host, names no instance")
  func notAnInstance() {
    var script = BrowserScript()
    script.start()
    for target in ["_witap2._tcp.local", "tv.local", "_a._sub._witap2._tcp.local", "."] {
      script.hear(script.answer("_witap2._tcp.local", .ptr(BrowserScript.named(target))))
    }
    script.endBatch()
    script.wait(2_000)
    #expect(script.story == ["settled"])
  }

  @Test("stopping ends every question")
  func stop() {
    var script = browser()
    script.machine.stop(at: script.now)
    script.perform()
    #expect(script.interests.isEmpty)
    #expect(script.machine.services.isEmpty)
    #expect(script.machine.nextDeadline == nil)
  }
}
