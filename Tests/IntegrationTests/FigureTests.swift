import Foundation
import TestKit
import Testing

@Suite("figures of the README") struct FigureTests {
  /// The short tables of a page by name.
  private func blocks(_ path: String) throws -> [String: String] {
    let text = String(decoding: try Repository.bytes(path), as: UTF8.self)
    let found = text.matches(of: /<!-- bench (\w+) -->\n([\s\S]*?)\n<!-- \/bench -->/)
    return Dictionary(found.map { (String($0.1), String($0.2)) }) { first, _ in first }
  }

  @Test("they are those that `make bench` wrote, each of them, with its date") func same() throws {
    let measured = try blocks("Benchmarks/results.md")
    let shown = try blocks("README.md")
    #expect(measured.keys.sorted() == ["browse", "date", "peer", "resolve", "sniff", "watch"])
    #expect(shown.keys.sorted() == measured.keys.sorted())
    for (name, text) in shown { #expect(text == measured[name], "\(name)") }
    #expect(measured["date"]?.contains(/\d{4}-\d{2}-\d{2}/) == true)
  }
}
