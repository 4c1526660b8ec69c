import LanCore
import LanWire
import Testing

@Suite("The service browser: finding and resolving")
struct ServiceBrowserTests {
  let deck = "Deck _witap2._tcp@v2 tv.local:4242 192.0.2.20 [v=2]"

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

  @Test("a goodbye removes the service as it was, and ends every question about it")
  func goodbye() {
    var script = BrowserScript()
    script.start()
    script.hear(script.deck())
    script.endBatch()
    _ = script.takeStory()
    // SRV and address go first, in the same batch.
    script.lose(.goodbye) { $0.type != .ptr }
    script.lose(.goodbye) { $0.type == .ptr }
    script.endBatch()
    #expect(script.story == ["removed \(deck) goodbye", "end"])
    #expect(script.interests.count == 1)
    #expect(script.machine.services.isEmpty)
  }
}
