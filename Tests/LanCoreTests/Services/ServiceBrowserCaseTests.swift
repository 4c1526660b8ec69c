import LanCore
import LanWire
import Testing

/// A browser and a querier on links that are hand-fed, with a clock of their own.
private struct HandFed {
  var browsing: MDNSBrowsing
  /// Milliseconds since the start.
  var clock: Int64 = 0
  var told: [(time: Int64, story: String)] = []
  var services: [DiscoveredService] { browsing.browser.services }

  init(
    _ types: [String] = ["_witap2._tcp"], links: [UInt32] = [2],
    _ change: (inout ServiceBrowserMachine.Configuration) -> Void = { _ in }
  ) throws {
    var configuration = ServiceBrowserMachine.Configuration(domain: .local)
    configuration.types = try types.map { try ServiceType(parsing: $0) }
    change(&configuration)
    browsing = MDNSBrowsing(configuration, seed: 1)
    browsing.start(at: 0)
    for link in links {
      let own = link == 2 ? "192.0.2.10" : "198.51.100.10"
      browsing.setLink(
        MDNSLink(
          index: link, name: "v\(link)", families: .both,
          prefixes: [IPPrefix(BrowserScript.address(own), 24)]), at: 0)
    }
  }

  mutating func wait(_ milliseconds: Int64) {
    let end = clock + milliseconds
    while let due = browsing.nextDeadline, due <= end * 1_000_000 {
      clock = max(clock, due / 1_000_000)
      browsing.deadlineReached(at: due)
      take()
    }
    clock = end
  }

  mutating func send(_ hex: String, link: UInt32 = 2) {
    let bytes = stride(from: 0, to: hex.utf8.count, by: 2).compactMap { offset in
      let start = hex.index(hex.startIndex, offsetBy: offset)
      return UInt8(hex[start..<hex.index(start, offsetBy: 2)], radix: 16)
    }
    let source = BrowserScript.address(link == 2 ? "192.0.2.20" : "198.51.100.20")
    let now = clock * 1_000_000
    browsing.handle(
      bytes.span, MDNSArrival(interfaceIndex: link, source: source, hopLimit: 255), at: now)
    browsing.batchEnded(at: now)
    take()
  }

  private mutating func take() {
    told += browsing.events.map { (clock, BrowserScript.brief($0)) }
    browsing.events = []
  }

  mutating func takeStory() -> [String] {
    defer { told = [] }
    return told.map(\.story)
  }
}

/// Public faults of other tools, as tests of the browser on top of the querier.
@Suite("The service browser: cases")
struct ServiceBrowserCaseTests {
  @Test("names that differ in ASCII case only are one service, as first spelled (BR-05)")
  func spelling() throws {
    var network = try HandFed()
    network.wait(200)
    network.send(
      "000084000000000100000000075f576954617032045f544350056c6f63616c00000c000100001194001d084465636b204f6e65075f776974617032045f746370056c6f63616c00"
    )
    network.send(
      "000084000000000100000000084445434b206f6e65075f776974617032045f746370054c4f43414c0000218001000000780010000000001092027476056c6f63616c00"
    )
    network.send("000084000000000100000000025456054c4f43414c0000018001000000780004c0000214")
    network.wait(3_000)
    let added = network.takeStory().filter { !["end", "settled"].contains($0) }
    #expect(added == ["added Deck One _witap2._tcp@v2 tv.local:4242 192.0.2.20"])
  }

  @Test("answers to the query for types are types and never instances (BR-09)")
  func metaAnswers() throws {
    let hex =
      "000084000000000100000000095f7365727669636573075f646e732d7364045f756470056c6f63616c00000c0001000011940014075f776974617032045f746370056c6f63616c00"
    var browse = try HandFed()
    browse.wait(200)
    browse.send(hex)
    browse.wait(3_000)
    #expect(browse.takeStory() == ["settled"])
    var list = try HandFed([]) { $0.listsTypes = true }
    list.wait(200)
    list.send(hex)
    list.send(hex)
    list.wait(3_000)
    #expect(list.takeStory() == ["type _witap2._tcp 2", "end", "settled"])
  }

  private let deck =
    "000084000000000400000000075f776974617032045f746370056c6f63616c00000c0001000011940019044465636b075f776974617032045f746370056c6f63616c00044465636b075f776974617032045f746370056c6f63616c0000218001000000780010000000001092027476056c6f63616c00044465636b075f776974617032045f746370056c6f63616c000010800100001194000403763d32027476056c6f63616c0000018001000000780004a9fe0709"

  @Test("an address that replaces another is one change (BR-11)")
  func changedAddress() throws {
    var network = try HandFed()
    network.wait(200)
    network.send(deck)
    network.wait(3_000)
    #expect(
      network.takeStory()
        == ["added Deck _witap2._tcp@v2 tv.local:4242 169.254.7.9 [v=2]", "end", "settled"])
    let began = network.clock
    network.send("000084000000000100000000027476056c6f63616c0000018001000000780004c0000214")
    network.wait(3_000)
    let changes = network.told
    #expect(
      network.takeStory()
        == ["updated Deck _witap2._tcp@v2 tv.local:4242 192.0.2.20 [v=2]", "end"])
    #expect(changes.first.map { $0.time - began <= 2_000 } == true)
    // Without the flush bit both stay.
    network.send("000084000000000100000000027476056c6f63616c0000010001000000780004a9fe0709")
    network.wait(3_000)
    #expect(
      network.takeStory()
        == ["updated Deck _witap2._tcp@v2 tv.local:4242 192.0.2.20 169.254.7.9 [v=2]", "end"])
  }

  @Test("a cache flush on one link leaves what another one taught (BR-13)")
  func flushOnOneLink() throws {
    var network = try HandFed(links: [2, 3])
    network.wait(200)
    let here = "\(deck.dropLast(8))c0000214"
    let there = "\(deck.dropLast(8))c6336414"
    for _ in 0..<3 {
      network.send(here)
      network.wait(5_000)
      network.send(there, link: 3)
      network.wait(5_000)
    }
    #expect(
      network.takeStory().filter { !["end", "settled"].contains($0) } == [
        "added Deck _witap2._tcp@v2 tv.local:4242 192.0.2.20 [v=2]",
        "added Deck _witap2._tcp@v3 tv.local:4242 198.51.100.20 [v=2]",
      ])
  }

  @Test("a service with only an IPv6 address is resolved, on its link (BR-15)")
  func onlyIPv6() throws {
    var network = try HandFed()
    network.wait(200)
    network.send(
      "000084000000000400000000075f776974617032045f746370056c6f63616c00000c0001000011940019044465636b075f776974617032045f746370056c6f63616c00044465636b075f776974617032045f746370056c6f63616c0000218001000000780010000000001092027476056c6f63616c00044465636b075f776974617032045f746370056c6f63616c000010800100001194000403763d32027476056c6f63616c00001c8001000000780010fe800000000000000000000000000020"
    )
    #expect(
      network.takeStory() == ["added Deck _witap2._tcp@v2 tv.local:4242 fe80::20 [v=2]", "end"])
    #expect(network.services.first?.interfaceIndex == 2)
  }

  @Test("a host that falls silent is gone when its host records have passed, not its PTR record")
  func powerLoss() throws {
    var network = try HandFed()
    network.wait(200)
    network.send(deck)
    network.wait(119_000)
    _ = network.takeStory()
    network.wait(15_000)
    let story = network.takeStory().filter { $0 != "end" }
    #expect(story.last == "removed Deck _witap2._tcp@v2 [v=2] noResponse")
    network.wait(60_000)
    #expect(network.takeStory() == [])
  }

  @Test("a link that goes takes its services, and brings them when it comes back")
  func linkDown() throws {
    var network = try HandFed()
    network.wait(200)
    network.send(deck)
    network.wait(3_000)
    _ = network.takeStory()
    network.browsing.removeLink(2, at: network.clock * 1_000_000)
    network.browsing.batchEnded(at: network.clock * 1_000_000)
    network.wait(1)
    let removed = network.browsing.events.map { BrowserScript.brief($0) } + network.takeStory()
    #expect(
      removed == [
        "removed Deck _witap2._tcp@v2 tv.local:4242 169.254.7.9 [v=2] interfaceDown", "end",
      ])
    network.browsing.events = []
    network.browsing.setLink(
      MDNSLink(index: 2, name: "v2", families: .both), at: network.clock * 1_000_000)
    network.send(deck)
    #expect(network.takeStory().first?.hasPrefix("added Deck") == true)
    #expect(network.browsing.startCount - network.browsing.stopCount == 5)
  }

  @Test("without sending anything, time alone takes away what nobody repeats")
  func passive() throws {
    var network = try HandFed { $0.isPassive = true }
    network.wait(200)
    network.send(deck)
    #expect(network.takeStory().count == 2)
    network.browsing.advance(to: 5_000 * 1_000_000_000)
    #expect(
      network.browsing.events.map { BrowserScript.brief($0) } == [
        "settled", "updated Deck _witap2._tcp@v2 [v=2]", "end",
        "removed Deck _witap2._tcp@v2 [v=2] expired", "end",
      ])
    #expect(network.browsing.packets.isEmpty)
    #expect(network.browsing.nextDeadline == nil)
  }
}
