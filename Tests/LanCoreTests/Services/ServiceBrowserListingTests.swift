import LanCore
import LanWire
import Testing

@Suite("The service browser: types, subtypes and domains")
struct ServiceBrowserListingTests {
  private let meta = "_services._dns-sd._udp.local"

  private func type(_ script: BrowserScript, _ text: String, link: UInt32 = 2) -> MDNSAnswer {
    script.answer(meta, .ptr(BrowserScript.named(text)), link: link, unique: false)
  }

  @Test("of a type's announcement only the first two labels matter (Q29)")
  func metaQuery() {
    var script = BrowserScript([]) { $0.listsTypes = true }
    script.start(links: [2, 3])
    script.hear(
      type(script, "_ipp._tcp.local"), type(script, "_ipp._tcp.example.org"),
      type(script, "_IPP._tcp"), type(script, "_ipp._tcp.local", link: 3),
      type(script, "_ntp._udp.local"), type(script, "local"), type(script, "a.b.local"))
    script.endBatch()
    #expect(
      script.takeStory()
        == ["type _ipp._tcp 2", "type _ipp._tcp 3", "type _ntp._udp 2", "end"])
    script.lose(.goodbye, type(script, "_ipp._tcp.local"))
    script.endBatch()
    #expect(script.takeStory() == [], "it is announced by other names still")
    script.lose(.expired) { $0.interfaceIndex == 2 }
    script.endBatch()
    #expect(script.story == ["no type _ipp._tcp 2", "no type _ntp._udp 2", "end"])
    #expect(script.starts == 1, "nothing but types is asked for")
  }

  @Test("without a type, every type that is heard of is browsed for, as long as there is one")
  func everything() {
    var script = BrowserScript([])
    script.start()
    script.hear(type(script, "_witap2._tcp.local"))
    script.hear(script.deck())
    script.endBatch()
    let found = "Deck _witap2._tcp@v2 tv.local:4242 192.0.2.20 [v=2]"
    #expect(script.takeStory() == ["added \(found)", "end"])
    script.lose(.goodbye) { $0.name == BrowserScript.named(meta) }
    script.endBatch()
    #expect(script.story == [], "its service is there still")
    script.lose(.goodbye) { _ in true }
    script.endBatch()
    #expect(script.story == ["removed \(found) goodbye", "end"])
    #expect(script.interests.keys.map { "\($0.name)" } == [meta])
  }

  @Test("a type of which only an instance is heard is browsed for, as long as it has one")
  func heard() {
    var script = BrowserScript([])
    script.start()
    script.overhear(script.pointer(), script.service(), script.text(), script.address())
    script.endBatch()
    let found = "Deck _witap2._tcp@v2 tv.local:4242 192.0.2.20 [v=2]"
    #expect(script.takeStory() == ["added \(found)", "end"])
    #expect(
      script.efforts[MDNSQuestion(BrowserScript.named("_witap2._tcp.local"), .ptr)] == .unlimited)
    script.lose(.goodbye) { _ in true }
    script.endBatch()
    #expect(script.story == ["removed \(found) goodbye", "end"])
    #expect(script.interests.keys.map { "\($0.name)" } == [meta])
  }

  @Test("a heard subtype has its type browsed for, which is given up when nobody answers")
  func heardSubtype() {
    var script = BrowserScript([])
    script.start()
    script.overhear(
      script.pointer("Laser", type: "_color._sub._ipp._tcp.local", base: "_ipp._tcp.local"))
    let asked = MDNSQuestion(BrowserScript.named("_ipp._tcp.local"), .ptr)
    #expect(script.interests[asked] == 1 && script.interests.count == 2)
    script.exhaust("_ipp._tcp.local", .ptr)
    #expect(script.interests[asked] == nil)
  }

  @Test("heard names of other domains, and those of no type, have nothing browsed for")
  func heardOther() {
    var script = BrowserScript([])
    script.start()
    for name in [
      "_ipp._tcp.example.org", "printers.local", "Laser._ipp._tcp.local", "_ipp._sctp.local",
      "_dns-sd._udp.local", "_a._tcp._b._tcp.local", "lb._dns-sd._udp.local",
    ] {
      script.overhear(script.pointer("X", type: name))
    }
    #expect(script.interests.keys.map { "\($0.name)" } == [meta])
    var named = BrowserScript(["_ipp._tcp"])
    named.start()
    named.overhear(named.pointer())
    #expect(named.interests.count == 1, "one type was wanted")
  }

  @Test("heard types are limited as announced ones are") func heardLimit() {
    var script = BrowserScript([]) { $0.typeLimit = 2 }
    script.start()
    for name in ["_a._tcp.local", "_b._tcp.local", "_c._tcp.local"] {
      script.overhear(script.pointer("X", type: name))
    }
    script.hear(type(script, "_d._tcp.local"), type(script, "_a._tcp.local"))
    #expect(
      script.interests.keys.filter { $0.type == .ptr }.map { "\($0.name)" }.sorted()
        == ["_a._tcp.local", "_b._tcp.local", meta])
    #expect(script.story == ["more than 2 services; others are left out"])
  }

  @Test("where types are listed a heard one is too, without a question, until its records are gone")
  func heardListing() {
    var script = BrowserScript([]) { $0.listsTypes = true }
    script.start()
    let color = script.pointer(
      "Laser", type: "_color._sub._ipp._tcp.local", base: "_ipp._tcp.local")
    script.overhear(script.pointer("A"), script.pointer("B"))
    script.overhear(color)
    script.endBatch()
    #expect(script.takeStory() == ["type _witap2._tcp 2", "type _ipp._tcp 2", "end"])
    #expect(
      script.efforts.filter { $0.key.name != BrowserScript.named(meta) }.values
        .allSatisfy { $0 == .passive })
    script.lose(.goodbye, script.pointer("A"))
    script.lose(.expired, color)
    script.endBatch()
    #expect(script.takeStory() == ["no type _ipp._tcp 2", "end"])
    script.lose(.goodbye, script.pointer("B"))
    script.endBatch()
    #expect(script.story == ["no type _witap2._tcp 2", "end"])
    #expect(script.interests.keys.map { "\($0.name)" } == [meta])
  }

  @Test("the same instance by its type and by subtypes is one service (Q30)")
  func subtypes() {
    var script = BrowserScript(["_ipp._tcp", "_ipp._tcp,_color", "_duplex._sub._ipp._tcp"])
    script.start()
    let base = "_ipp._tcp.local"
    script.hear(
      script.pointer("Laser", type: base), script.service("Laser", type: base),
      script.text("Laser", type: base), script.address())
    script.hear(script.pointer("Laser", type: "_color._sub.\(base)", base: base))
    script.endBatch()
    let laser = "Laser _ipp._tcp@v2 tv.local:4242 192.0.2.20 [v=2]"
    #expect(script.takeStory() == ["added \(laser) +_color", "end"])
    script.hear(script.pointer("Laser", type: "_DUPLEX._sub.\(base)", base: base))
    script.endBatch()
    #expect(script.takeStory() == ["updated \(laser) +_color +_duplex", "end"])
    script.lose(.goodbye) { $0.type == .ptr && "\($0.name)".lowercased() != "_duplex._sub.\(base)" }
    script.endBatch()
    #expect(script.takeStory() == ["updated \(laser) +_duplex", "end"])
    script.lose(.goodbye) { $0.type == .ptr }
    script.endBatch()
    #expect(script.story == ["removed \(laser) +_duplex goodbye", "end"])
  }

  @Test("the browsed subtype alone is asked for, and the service has the base type (Q30)")
  func subtypeAlone() {
    var script = BrowserScript(["_printer,_universal"])
    script.start()
    #expect(script.interests.keys.map { "\($0.name)" } == ["_universal._sub._printer._tcp.local"])
    script.hear(
      script.pointer(
        "Laser", type: "_universal._sub._printer._tcp.local", base: "_printer._tcp.local"))
    script.endBatch()
    script.wait(1_000)
    #expect(script.story == ["added Laser _printer._tcp@v2 +_universal", "end"])
  }

  @Test("several types are browsed for at once")
  func severalTypes() {
    var script = BrowserScript(["_http._tcp", "_ipp._tcp", "_HTTP._tcp"])
    script.start()
    #expect(script.starts == 2)
    script.hear(script.pointer("A", type: "_http._tcp.local"))
    script.hear(script.pointer("A", type: "_ipp._tcp.local"))
    script.endBatch()
    script.wait(1_000)
    #expect(script.story == ["added A _http._tcp@v2", "added A _ipp._tcp@v2", "end"])
  }

  @Test("domains are listed by what they are recommended for (Q31)")
  func domains() {
    var script = BrowserScript([]) { $0.listsDomains = true }
    script.start(links: [])
    #expect(
      Set(script.interests.keys.map { "\($0.name)" })
        == Set(["b", "db", "lb", "r", "dr"].map { "\($0)._dns-sd._udp.local" }))
    script.setLink(2, own: ["192.0.2.10/24", "169.254.3.4/16", "fe80::1/64", "127.0.0.1/8"])
    let reverse = "0.2.0.192.in-addr.arpa"
    let onLink = script.interests.keys.filter { $0.interfaceIndex == 2 }.map { "\($0.name)" }
    #expect(
      Set(onLink) == Set(["b", "db", "lb", "r", "dr"].map { "\($0)._dns-sd._udp.\(reverse)" }),
      "link-local and loopback networks recommend nothing")
    let example = DNSRecordData.ptr(BrowserScript.named("example.org"))
    script.hear(script.answer("b._dns-sd._udp.local", example))
    script.hear(script.answer("b._dns-sd._udp.\(reverse)", example))
    script.hear(script.answer("lb._dns-sd._udp.\(reverse)", example))
    script.endBatch()
    #expect(script.takeStory() == ["b example.org 2", "lb example.org 2", "end"])
    script.setLink(2, own: ["198.51.100.10/24"])
    script.endBatch()
    #expect(script.takeStory() == ["no lb example.org 2", "end"])
    #expect(script.interests.keys.filter { $0.interfaceIndex == 2 }.count == 5)
    script.machine.stop(at: script.now)
    script.perform()
    #expect(script.interests.isEmpty)
  }

  @Test("a network's domains are found by its first address (RFC 6763 section 11)")
  func reverseDomains() throws {
    func domain(_ address: String, _ length: UInt8) -> String? {
      BrowsingDomainKind.reverseDomain(of: IPPrefix(BrowserScript.address(address), length))
        .map(\.description)
    }
    #expect(domain("192.0.2.130", 25) == "128.2.0.192.in-addr.arpa")
    #expect(
      domain("2001:db8::1", 64)
        == "0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa")
    #expect(domain("169.254.1.1", 16) == nil)
    #expect(domain("::1", 128) == nil)
    #expect(domain("0.0.0.0", 0) == nil)
  }
}
