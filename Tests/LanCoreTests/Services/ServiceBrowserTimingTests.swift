import LanCore
import LanWire
import Testing

@Suite("The service browser: waiting and settling")
struct ServiceBrowserTimingTests {
  @Test("added waits a second for what is missing, then is told without; the rest is an update")
  func completion() {
    var script = BrowserScript()
    script.start()
    script.wait(40)
    script.hear(script.pointer(), script.service())
    script.endBatch()
    script.wait(999)
    #expect(script.story == [])
    script.wait(1)
    #expect(script.story == ["added Deck _witap2._tcp@v2 tv.local:4242", "end"])
    #expect(script.told.first?.time == 1_040)
    #expect(script.machine.services.first?.isComplete == false)
    _ = script.takeStory()
    script.hear(script.address())
    script.endBatch()
    script.hear(script.text())
    script.endBatch()
    #expect(
      script.story == [
        "updated Deck _witap2._tcp@v2 tv.local:4242 192.0.2.20", "end",
        "updated Deck _witap2._tcp@v2 tv.local:4242 192.0.2.20 [v=2]", "end",
      ])
  }

  @Test("a service that goes before it was told is not told at all")
  func goneBefore() {
    var script = BrowserScript()
    script.start()
    script.hear(script.pointer())
    script.endBatch()
    script.lose(.goodbye) { _ in true }
    script.endBatch()
    script.wait(3_000)
    #expect(script.story == ["settled"])
    #expect(script.interests.count == 1)
  }

  @Test("a service that goes and comes in one batch is removed and added")
  func goneAndBack() {
    var script = BrowserScript()
    script.start()
    script.hear(script.deck())
    script.endBatch()
    _ = script.takeStory()
    script.lose(.goodbye) { _ in true }
    script.hear(script.deck())
    script.endBatch()
    #expect(script.story.map { $0.prefix(7) } == ["removed", "added D", "end"])
  }

  @Test("settled comes after the second round of questions and its answers' time")
  func settles() {
    var script = BrowserScript()
    script.start()
    script.wait(60_000)
    #expect(script.story == ["settled"])
    #expect(script.told.first?.time == 1_250)
    #expect(script.machine.nextDeadline == nil)
  }

  @Test("settled comes without any link too")
  func settlesWithoutLink() {
    var script = BrowserScript()
    script.start(links: [])
    script.wait(2_000)
    #expect(script.story == ["settled"])
  }

  @Test("settled waits for half a second without news, and for what is still being resolved")
  func settlesLate() {
    var script = BrowserScript()
    script.start()
    script.wait(1_000)
    script.hear(script.deck())
    script.endBatch()
    script.wait(400)
    #expect(script.takeStory().count == 2)
    script.hear(script.pointer("Slow"))
    script.endBatch()
    script.wait(999)
    #expect(script.story == [])
    script.wait(1)
    #expect(script.takeStory() == ["added Slow _witap2._tcp@v2", "end"])
    script.wait(499)
    #expect(script.story == [])
    script.wait(1)
    #expect(script.takeStory() == ["settled"])
    script.hear(script.pointer("Later"))
    script.endBatch()
    script.wait(10_000)
    #expect(script.takeStory() == ["added Later _witap2._tcp@v2", "end"], "settled is told once")
  }

  @Test("types and links that come early begin a round of their own, late ones do not")
  func rounds() {
    var script = BrowserScript([])
    script.start()
    script.wait(900)
    script.hear(
      script.answer(
        "_services._dns-sd._udp.local", .ptr(BrowserScript.named("_http._tcp.local"))))
    script.endBatch()
    script.wait(5_000)
    #expect(script.story == ["settled"])
    #expect(script.told.first?.time == 2_150)
    // A network that never rests does not hold it back for ever once it is quiet in between.
    var busy = BrowserScript([])
    busy.start()
    for number in 0..<40 {
      busy.wait(200)
      busy.hear(
        busy.answer(
          "_services._dns-sd._udp.local", .ptr(BrowserScript.named("_t\(number)._tcp.local"))))
      busy.endBatch()
    }
    busy.wait(600)
    #expect(busy.story == ["settled"])
  }

  @Test("a changed address is told with the old one's end, as one change (RFC 6762 section 10.2)")
  func changedAddress() {
    var script = BrowserScript.knowingDeck()
    script.hear(script.address("192.0.2.21"))
    script.endBatch()
    script.wait(1_000)
    #expect(script.story == [])
    script.lose(.flushed, script.address())
    script.endBatch()
    script.wait(5_000)
    #expect(
      script.story == ["updated Deck _witap2._tcp@v2 tv.local:4242 192.0.2.21 [v=2]", "end"])
  }

  @Test(
    "a second address is told after 1.1 s if the first one stays, at once without the flush bit")
  func secondAddress() {
    var script = BrowserScript.knowingDeck()
    script.hear(script.address("192.0.2.21"))
    script.endBatch()
    script.wait(5_000)
    #expect(
      script.story
        == ["updated Deck _witap2._tcp@v2 tv.local:4242 192.0.2.20 192.0.2.21 [v=2]", "end"])
    #expect(script.told.first?.time == 4_100)
    _ = script.takeStory()
    script.hear(script.address("192.0.2.22", unique: false))
    script.endBatch()
    #expect(script.story.count == 2)
    _ = script.takeStory()
    script.hear(script.address("2001:db8::1"))
    script.endBatch()
    #expect(script.story.count == 2, "the first one of its family")
  }

  @Test("a changed TXT record is told at once, and the end of the old one is no news")
  func changedText() {
    var script = BrowserScript.knowingDeck()
    script.hear(script.text("Deck", ["v=3"]))
    script.endBatch()
    #expect(
      script.takeStory()
        == ["updated Deck _witap2._tcp@v2 tv.local:4242 192.0.2.20 [v=3]", "end"])
    script.wait(1_000)
    script.lose(.flushed, script.text())
    script.endBatch()
    #expect(script.story == [])
  }

  @Test("a second SRV record holds at once, and the better one again if both stay")
  func secondTarget() {
    var script = BrowserScript.knowingDeck()
    script.hear(script.service(port: 9, priority: 10))
    script.endBatch()
    #expect(script.takeStory().first?.contains("tv.local:9 ") == true)
    script.wait(1_100)
    #expect(
      script.story == ["updated Deck _witap2._tcp@v2 tv.local:4242 192.0.2.20 [v=2]", "end"])
    script.wait(60_000)
    #expect(script.machine.nextDeadline == nil)
  }

  @Test("a host of which nothing is heard is asked for in two series, and no more")
  func silentHost() {
    var script = BrowserScript()
    script.start()
    script.hear(script.pointer(), script.service(), script.text())
    script.endBatch()
    let before = script.starts
    script.exhaust("tv.local", .a)
    #expect(script.starts == before)
    script.exhaust("tv.local", .aaaa)
    #expect(script.starts == before + 2)
    script.exhaust("tv.local", .a)
    script.exhaust("tv.local", .aaaa)
    #expect(script.starts == before + 2)
    let question = MDNSQuestion(BrowserScript.named("tv.local"), .a, interfaceIndex: 2)
    #expect(script.interests[question] == 1)
  }

  @Test("a removal on a link that went still names the link")
  func goneLink() {
    var script = BrowserScript()
    script.start()
    script.hear(script.deck())
    script.endBatch()
    _ = script.takeStory()
    script.machine.removeLink(2, at: script.now)
    script.lose(.interfaceDown) { _ in true }
    script.endBatch()
    #expect(
      script.story == [
        "removed Deck _witap2._tcp@v2 tv.local:4242 192.0.2.20 [v=2] interfaceDown", "end",
      ])
  }
}
