import LanCore
import LanSystem
import LanWire
import Testing

@testable import LanCLI

private typealias Samples = BrowseSamples

private func rows(_ services: [DiscoveredService], resolves: Bool = true) -> [BrowseTable.Row] {
  var table = BrowseTable(resolves: resolves)
  return table.rows(services)
}

@Suite("the table of browse") struct BrowseTableTests {
  @Test("rows are sorted by name without regard to case") func order() {
    let names = ["beta", "Alpha", "gamma", "ALPHA 2"]
    #expect(
      rows(names.map { Samples.resolved($0) }).map(\.name) == ["Alpha", "ALPHA 2", "beta", "gamma"])
  }

  @Test("the same service on two interfaces is one row with all its addresses") func merged() {
    var other = Samples.resolved(on: 3, "w0")
    other.addresses = [Samples.address("192.0.2.20"), Samples.address("fe80::20")]
    let table = rows([other, Samples.resolved()])
    #expect(table.count == 1)
    #expect(
      table.first?.cells == [
        "WiTap game, version 2", "v0,w0", "tv.local:4242", "192.0.2.20, fe80::20%v0, fe80::20%w0",
      ])
  }

  @Test("the link that knows more says where it is") func bestLink() {
    let table = rows([Samples.named(Array("Deck".utf8), on: 1, "a0"), Samples.resolved(on: 2)])
    #expect(table.first?.cells[2] == "tv.local:4242")
  }

  @Test("own, unresolved and reserved services are told apart") func marks() {
    var own = Samples.resolved("A")
    own.isOwn = true
    var reserved = Samples.resolved("C")
    reserved.port = 0
    let table = rows([own, Samples.named([0x42]), reserved])
    #expect(table.map(\.name) == ["A (own)", "B", "C"] && table[0].isOwn)
    #expect(table.map { $0.cells[2] } == ["tv.local:4242", "...", "(nothing runs there)"])
    #expect(rows([Samples.named([0x42])], resolves: false).first?.cells[2] == "")
  }

  @Test("an unknown type is shown as it is, and nothing steers the terminal") func hostile() {
    let type = ServiceType(service: "x\u{1B}[2J", transport: "tcp")
    let row = rows([Samples.named(Array("\u{1B}]0;x\u{7}".utf8), type, on: 1, "v\u{1B}")]).first
    let cells = ([row?.name ?? ""] + (row?.cells ?? [])).joined()
    #expect(!cells.unicodeScalars.contains { $0.value < 0x20 })
    #expect(cells.contains("_x\\027[2J._tcp"))
  }

  @Test("lines are never wider than the terminal", arguments: 1...120) func width(_ width: Int) {
    let services = [
      "Deck", "打印机打印机打印机打印机打印机", "e\u{301}e\u{301}", String(repeating: "x", count: 63),
    ]
    let table = BrowseTable.lines(rows(services.map { Samples.resolved($0) }), width: width)
    for line in [table.title] + table.lines { #expect(line.text.columns <= width, "\(line.text)") }
  }

  @Test("columns line up, and those at the right go first where there is no room") func narrow() {
    let table = rows([Samples.resolved("Deck"), Samples.resolved("打印机")])
    let wide = BrowseTable.lines(table, width: 120)
    #expect(
      wide.title.text == "NAME    SERVICE                INTERFACE  HOST           ADDRESS")
    #expect(
      wide.lines[0].text
        == "Deck    WiTap game, version 2  v0         tv.local:4242  192.0.2.20, fe80::20%v0")
    #expect(wide.lines[1].text.hasPrefix("打印机  WiTap game"))
    let narrow = BrowseTable.lines(table, width: 30)
    #expect(narrow.title.text == "NAME    SERVICE      INTERFACE")
    #expect(narrow.lines[0].text == "Deck    WiTap game~  v0")
  }

  @Test("a host that is cut keeps its port") func port() {
    let table = BrowseTable.lines(rows([Samples.resolved("Deck")]), width: 58)
    #expect(table.lines[0].text == "Deck  WiTap gam~  v0         tv.loc~:4242  192.0.2.20, fe~")
  }

  @Test("a column that nothing stands in is left out") func emptyColumns() {
    let table = BrowseTable.lines(
      rows([Samples.named([0x42], on: nil, nil)], resolves: false), width: 80)
    #expect(table.title.text == "NAME  SERVICE")
  }
}

@Suite("a table that is drawn in its place") struct TableViewTests {
  /// A view that can be drawn inside of an expectation.
  private final class View { var view = TableView(style: TerminalStyle(isOn: false)) }

  private func row(_ name: String) -> BrowseTable.Row { .init(name: name, cells: []) }

  private func drawn(
    _ view: View, _ names: [String], isSearching: Bool = false, width: Int = 80,
    height: Int = 24
  ) -> String {
    Samples.written {
      view.view.draw(
        names.map(row), isSearching: isSearching, width: width, height: height, to: &$0)
    }
  }

  @Test("an empty list is called so only when it is time") func searching() {
    let view = View()
    #expect(drawn(view, []).isEmpty)
    #expect(plainLines(drawn(view, [], isSearching: true)) == ["searching ..."])
    #expect(plainLines(drawn(view, ["A"], isSearching: true)) == ["NAME", "A"])
    #expect(drawn(view, []) == "\r\u{1B}[J")
  }

  @Test("rows beyond the terminal are counted, and all are printed at the end") func tall() {
    let view = View()
    let names = (1...9).map { "n\($0)" }
    #expect(
      plainLines(drawn(view, names, height: 6)) == ["NAME", "n1", "n2", "n3", "... and 6 more"])
    // It is drawn from where the cursor rests, the first line.
    let again = drawn(view, names + ["o"], height: 6)
    #expect(again.hasPrefix("\r\u{1B}[?7l\u{1B}[KNAME\r\n") && again.hasSuffix("\r\u{1B}[4A"))
    let whole = Samples.written { view.view.print(names.map(row), width: 80, to: &$0) }
    #expect(whole.split(separator: "\n").count == 10)
  }

  @Test(
    "whatever the window, no line is wider and there are no more of them",
    arguments: [(1, 1), (3, 2), (20, 3), (20, 4), (9, 5), (200, 1), (80, 24)])
  func small(_ width: Int, _ height: Int) {
    let names = (1...9).map { "printer \($0)" }
    let lines = plainLines(drawn(View(), names, width: width, height: height))
    #expect(lines.count <= max(height - 1, 1) || height > 10 && lines.count == 10)
    #expect(lines.allSatisfy { $0.columns <= max(width - 1, 1) }, "\(lines)")
    if width > 9, height < 4 {
      #expect(lines.last == (height < 3 ? "9 services" : "... and 8 more"))
    }
  }

  @Test("a cell behind characters that terminals differ in starts where it is to") func placed() {
    let row = BrowseTable.Row(name: "👩\u{200D}🚀", cells: ["Web Site", "v0", "", ""])
    let view = View()
    let text = Samples.written {
      view.view.draw([row], isSearching: false, width: 80, height: 9, to: &$0)
    }
    #expect(text.contains("NAME  SERVICE   INTERFACE"))
    #expect(text.contains("👩\u{200D}🚀\u{1B}[7GWeb Site  v0"))
  }

  @Test("left standing it is drawn below, and from where it is once others have written")
  func left() {
    let view = View()
    _ = drawn(view, ["A", "B"])
    #expect(Samples.written { view.view.leave(to: &$0) } == "\u{1B}[2B\r\n")
    #expect(Samples.written { view.view.leave(to: &$0) }.isEmpty)
    _ = drawn(view, ["A"])
    view.view.forget()
    #expect(Samples.written { view.view.clear(to: &$0) }.isEmpty)
  }
}

@Suite("the order of names for people") struct CollationTests {
  @Test("case does not matter, and a prefix comes first") func order() {
    let words = ["b", "A", "B2", "a1"]
    let sorted = words.sorted { Collation.key($0).lexicographicallyPrecedes(Collation.key($1)) }
    #expect(sorted == ["A", "a1", "b", "B2"])
    #expect(Collation.key("Deck") == Collation.key("DECK"))
  }

  @Test("a zero byte and an empty text do no harm") func odd() {
    #expect(Collation.key("a\0b") == Collation.key("ab"))
    _ = Collation.key("")
  }
}
