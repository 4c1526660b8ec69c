import Foundation
import TestKit
import Testing

/// Every block of README.md does what it shows, in a network of its own.
///
/// `Tests/Lab/readme.py` runs them all, side by side, when the first of these tests asks.
@Suite("the README", .enabled(if: RecipeLab.isPossible, RecipeLab.missing))
struct ReadmeTests {
  @Test("a block does what it shows", arguments: ReadmeBlock.all)
  func holds(_ block: ReadmeBlock) async throws {
    let results = try await ReadmeRun.results.value
    let result = try #require(results[block.number], "it was not run")
    #expect(result["name"]?.text == block.testDescription, "both readers see the same block")
    for note in result["notes"]?.list ?? [] { print("README: \(note.text ?? "")") }
    if let fault = result["fault"]?.text { Issue.record("\(fault)") }
  }

  @Test("every file that the README points to is there") func links() throws {
    let text = String(decoding: try Repository.bytes("README.md"), as: UTF8.self)
    let paths = text.matches(of: /\]\((?<path>[^)#:]+)\)/).map(\.output.path)
    #expect(!paths.isEmpty)
    for path in paths {
      let file = Repository.top.appending(path: String(path)).path
      #expect(FileManager.default.fileExists(atPath: file), "\(path)")
    }
  }

  @Test("the README has a block for each subcommand") func complete() {
    let headings = Set(ReadmeBlock.all.map(\.heading))
    #expect(headings.isSuperset(of: ["Browse", "Resolve", "Watch", "Sniff", "Serve", "Ping-peer"]))
  }
}

/// A fenced block of README.md.
struct ReadmeBlock: Sendable, CustomTestStringConvertible {
  var number: Int
  var language: Substring
  var heading: String
  var line: Int

  var testDescription: String {
    "\(number): \(language.isEmpty ? "no language" : language), \(heading), line \(line)"
  }

  /// All of them in their order; none where the file cannot be read.
  static let all: [ReadmeBlock] = {
    guard let bytes = try? Repository.bytes("README.md") else { return [] }
    let lines = String(decoding: bytes, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false)
    var blocks: [ReadmeBlock] = []
    var heading = ""
    var isInside = false
    for (line, text) in zip(1..., lines) {
      if text.hasPrefix("```") {
        if !isInside {
          let language = text.trimmingPrefix("```")
          blocks.append(
            .init(number: blocks.count + 1, language: language, heading: heading, line: line))
        }
        isInside.toggle()
      } else if !isInside, text.hasPrefix("#") {
        heading = String(text.drop { $0 == "#" || $0 == " " })
      }
    }
    return blocks
  }()
}

/// The one run of `Tests/Lab/readme.py` that all blocks share.
private enum ReadmeRun {
  static let results = Task {
    let runner = Repository.top.appending(path: "Tests/Lab/readme.py").path
    let run = try await runCommand(
      ["python3", runner, "--json"], environment: ["LANTOOL": lantoolPath], timeout: 240)
    var results: [Int: JSON] = [:]
    for result in try run.objects() {
      if let number = result["block"]?.integer { results[number] = result }
    }
    try #require(!results.isEmpty, "status \(run.status): \(run.errors)")
    return results
  }
}
