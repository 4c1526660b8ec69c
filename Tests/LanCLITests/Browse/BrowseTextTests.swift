import LanCore
import LanSystem
import LanWire
import Testing

@testable import LanCLI

private typealias Samples = BrowseSamples

private func line(
  _ service: DiscoveredService, _ change: ServiceChange = .added, resolves: Bool = true,
  isColoured: Bool = false
) -> String {
  var text = BrowseText(
    style: TerminalStyle(isOn: isColoured), showsTime: false, resolves: resolves)
  return Samples.written { text.append(service, change, at: 0, to: &$0) }
}

@Suite("browse as lines for people") struct BrowseTextTests {
  @Test("a line has sign, instance, type with meaning, domain, interface, host, addresses, TXT")
  func whole() {
    #expect(
      line(Samples.resolved())
        == "+ Deck                        _witap2._tcp (WiTap game, version 2)  local  v0  "
        + "tv.local:4242  192.0.2.20,fe80::20%v0  \"v=2\"\n")
  }

  @Test("a removal says why, and only one that is there can be incomplete") func removed() {
    let bare = Samples.named(Array("Deck".utf8))
    #expect(line(bare, .removed(.noResponse)).hasPrefix("- Deck "))
    #expect(line(bare, .removed(.noResponse)).hasSuffix("  v0  no response\n"))
    #expect(line(bare).hasSuffix("  v0  incomplete\n"))
    #expect(line(bare, resolves: false).hasSuffix("  v0\n"))
    #expect(line(Samples.resolved(), .updated).hasPrefix("~ Deck "))
  }

  @Test("an own service and a placeholder are marked") func marks() {
    var service = Samples.resolved()
    service.isOwn = true
    service.port = 0
    #expect(line(service).hasSuffix("\"v=2\"  own  placeholder\n"))
  }

  @Test("an empty TXT record is not shown", arguments: [[], [""], ["\0"]])
  func emptyText(_ text: [String]) {
    #expect(line(Samples.resolved(text: text)).hasSuffix("fe80::20%v0\n"))
  }

  @Test("BR-01: line breaks, tabs, quotes and escapes of a stranger are never raw")
  func hostile() {
    let forged = "note=\"\n+ Ghost\t\u{1B}[2J\\"
    let service = Samples.resolved("a\n+ b\u{1B}]0;x\u{7}\u{202E}", text: [forged])
    let text = line(service)
    #expect(text.split(separator: "\n").count == 1)
    #expect(!text.dropLast().unicodeScalars.contains { $0.value < 0x20 || $0 == "\u{202E}" })
    #expect(text.contains(#""note=\"\010+ Ghost\009\027[2J\\""#))
    #expect(text.contains(#"+ a\010+ b\027]0;x\007"#))
  }

  @Test("wide characters and colours do not shift the columns") func columns() {
    let plain = line(Samples.resolved("Drucker"))
    let wide = line(Samples.resolved("打印机"))
    let place = "_witap2._tcp"
    func column(_ text: String) -> Int {
      String(text[..<(text.firstRange(of: place)?.lowerBound ?? text.startIndex)]).columns
    }
    #expect(column(plain) == 30 && column(wide) == 30)
    let coloured = Samples.written { out in
      let start = out.count
      TerminalStyle(isOn: true).begin(.bold, to: &out)
      out.append("abc")
      TerminalStyle(isOn: true).end(to: &out)
      #expect(out.columns(from: start) == 3)
    }
    #expect(coloured.hasPrefix("\u{1B}[1mabc"))
  }

  @Test("types and domains have their lines") func others() {
    var text = BrowseText(style: TerminalStyle(isOn: false), showsTime: false, resolves: true)
    let lines = Samples.written { out in
      text.append(
        Samples.http, isAdded: true, domain: Samples.local, interface: "v0", at: 0, to: &out)
      text.append(
        Samples.local, .defaultBrowse, isAdded: false, interface: nil, at: 0, to: &out)
    }
    #expect(
      lines == """
        + _http._tcp (Web site)           local  v0
        - local                       browsing by default

        """)
  }

  @Test("the summary counts a service on two interfaces once") func summary() throws {
    var ledger = BrowseLedger(try Samples.configure([]))
    _ = ledger.take(Samples.resolved(on: 2, "v0"), .added)
    _ = ledger.take(Samples.resolved(on: 3, "w0"), .added)
    #expect(ledger.summary(duration: 1_500_000_000).line == "1 service on 2 interfaces; 1.5 s")
    _ = ledger.take(Samples.resolved(on: 3, "w0"), .removed(.goodbye))
    #expect(
      ledger.summary(duration: 350_000_000).line == "1 service; 2 came, 1 went; 350 ms")
    _ = ledger.take(Samples.resolved(on: 2, "v0"), .removed(.goodbye))
    #expect(ledger.summary(duration: 0).line == "no service; 2 came, 2 went; 0 ms")
  }
}
