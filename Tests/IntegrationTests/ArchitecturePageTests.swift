import Foundation
import TestKit
import Testing

@Suite("the architecture page") struct ArchitecturePageTests {
  private let page: String
  private let manifest: String

  init() throws {
    page = String(decoding: try Repository.bytes("Documentation/architecture.md"), as: UTF8.self)
    manifest = String(decoding: try Repository.bytes("Package.swift"), as: UTF8.self)
  }

  @Test("its picture has the arrows of the package, and no others") func arrows() throws {
    var drawn: Set<String> = []
    for match in page.matches(of: /(?m)^ *(\w+) --> (\w+)$/) {
      drawn.insert("\(match.1) -> \(match.2)")
    }
    var declared: Set<String> = []
    let target = /\.(?:target|executableTarget)\(\s*name: "(\w+)", dependencies: \[([^\]]*)\]/
    for match in manifest.matches(of: target) where match.1 != "TestKit" {
      for name in match.2.matches(of: /"(\w+)"/) { declared.insert("\(match.1) -> \(name.1)") }
    }
    #expect(declared.count >= 9)
    #expect(drawn == declared)
  }

  @Test("every file and folder that it names is there") func paths() throws {
    let named = page.matches(of: /`((?:Lan(?:Wire|Core|System|CLI)|Tests|Fuzz)(?:\/[\w.]+)*)`/)
      .map { String($0.1) }
    #expect(named.count >= 10)
    for name in named where !["LanWire", "LanCore", "LanSystem", "LanCLI"].contains(name) {
      let path = name.hasPrefix("Lan") ? "Sources/\(name)" : name
      let file = Repository.top.appending(path: path)
      #expect(FileManager.default.fileExists(atPath: file.path), "\(path)")
    }
    for match in page.matches(of: /(?m)^\| ([A-Z][A-Za-z, ]+) \|/) {
      for topic in match.1.split(separator: ", ") {
        let found = ["LanWire", "LanCore", "LanSystem"].contains {
          FileManager.default.fileExists(
            atPath: Repository.top.appending(path: "Sources/\($0)/\(topic)").path)
        }
        #expect(found, "a folder \(topic)")
      }
    }
  }
}
