import TestKit
import Testing

@testable import LanCLI

private let files = [
  ("man/lantool.1", "man lantool"), ("man/lantool-sniff.1", "man lantool-sniff"),
  ("man/lantool-watch.1", "man lantool-watch"), ("man/lantool-browse.1", "man lantool-browse"),
  ("man/lantool-resolve.1", "man lantool-resolve"), ("man/lantool-serve.1", "man lantool-serve"),
  ("man/lantool-ping-peer.1", "man lantool-ping-peer"),
  ("completions/lantool.bash", "bash"), ("completions/_lantool", "zsh"),
  ("completions/lantool.fish", "fish"),
]

/// Every manual page: those above, and the one that is written by hand.
private let pages = files.map(\.0).filter { $0.hasPrefix("man/") } + ["man/lantool-json.5"]

@Suite("Generated files") struct GeneratedFileTests {
  @Test("the committed file is what the declarations give", arguments: files)
  func upToDate(_ path: String, _ what: String) throws {
    let words = ["--generate"] + what.split(separator: " ").map(String.init)
    guard case .print(let text) = Invocation(words.map { Array($0.utf8) }) else {
      Issue.record("lantool refuses --generate \(what)")
      return
    }
    let committed = String(decoding: try Repository.bytes(path), as: UTF8.self)
    #expect(committed == text, "to record it anew: lantool --generate \(what) > \(path)")
  }

  @Test("every command has its manual page in the list above") func everyPage() {
    let declared = ([.lantool] + Command.all.map(\.declaration)).map { "man/\($0.page).1" }
    #expect(Set(declared + ["man/lantool-json.5"]) == Set(pages))
  }

  @Test("a page of a command has the sections that people look for", arguments: pages)
  func sections(_ path: String) throws {
    let text = String(decoding: try Repository.bytes(path), as: UTF8.self)
    let titles = text.split(separator: "\n").filter { $0.hasPrefix(".SH ") }.map { $0.dropFirst(4) }
    var wanted: [Substring] = ["NAME", "DESCRIPTION", "FILES", "EXAMPLES", "SEE ALSO"]
    if path.hasSuffix(".1") { wanted += ["SYNOPSIS", "OPTIONS", "EXIT STATUS", "ENVIRONMENT"] }
    #expect(Set(titles).isSuperset(of: wanted))
    #expect(titles.first == "NAME" && titles.last == "SEE ALSO")
  }

  @Test("a page names only pages of ours that exist, and every page leads to the format")
  func references() throws {
    for path in pages {
      let text = String(decoding: try Repository.bytes(path), as: UTF8.self)
        .replacing("\\-", with: "-").replacing("\\fR", with: "").replacing("\\fB", with: "")
      let named = text.matches(of: /\b(lantool[a-z-]*)\(([1-9])\)/)
        .map { "man/\($0.output.1).\($0.output.2)" }
      #expect(Set(pages).isSuperset(of: named), "\(path)")
      let others = Set(named).subtracting([path])
      #expect(others.contains("man/lantool-json.5") || path.hasSuffix(".5"), "\(path)")
      #expect(others.contains("man/lantool.1") || path == "man/lantool.1", "\(path)")
    }
  }

  @Test(
    "mandoc finds nothing to complain about",
    .enabled(if: Shell.has("mandoc"), "\(Shell.missing("mandoc"))"),
    arguments: pages)
  func mandoc(_ path: String) throws {
    let result = try Shell.run("mandoc", ["-T", "lint", "-W", "all", path])
    #expect(result.text == "")
  }

  @Test(
    "man formats the page without a warning",
    .enabled(if: Shell.has("man"), "\(Shell.missing("man"))"),
    arguments: pages)
  func man(_ path: String) throws {
    let result = try Shell.run(
      "sh", ["-c", "man --warnings -E UTF-8 -l \"$1\" 2>&1 >/dev/null", "sh", path])
    #expect(result.text == "" && result.status == 0)
  }

  @Test("text in a manual page cannot turn into a request or an escape") func roff() {
    #expect(Roff.prose(".so /etc/passwd") == "\\&.so /etc/passwd")
    #expect(Roff.prose("'br") == "\\(aqbr")
    #expect(Roff.prose("a\\fBb") == "a\\efBb")
    #expect(Roff.prose("see --json, or (-4)") == "see \\fB\\-\\-json\\fR, or (\\fB\\-4\\fR)")
  }
}
