import Foundation
import TestKit
import Testing

@Suite("public fault reports") struct CaseCoverageTests {
  @Test(
    "each case has a test whose title names its id",
    .enabled(if: Repository.shared != nil, "\(Repository.sharedMissing)"))
  func everyCase() throws {
    let shared = try #require(Repository.shared)
    let cases = try String(
      contentsOf: shared.appending(path: "cases/README.md"), encoding: .utf8)
    let ids = cases.matches(of: /(?m)^### ([A-Z]{2}-\d{2})\b/).map { String($0.1) }
    #expect(ids.count >= 40)
    var titles: Set<String> = []
    let tests = Repository.top.appending(path: "Tests")
    let files = try #require(
      FileManager.default.enumerator(at: tests, includingPropertiesForKeys: nil))
    for case let file as URL in files where file.pathExtension == "swift" {
      let text = try String(contentsOf: file, encoding: .utf8)
      for title in text.matches(of: /@Test\(\s*"((?:[^"\\]|\\.)*)"/) {
        for id in title.1.matches(of: /[A-Z]{2}-\d{2}/) { titles.insert(String(id.0)) }
      }
    }
    #expect(ids.filter { !titles.contains($0) } == [])
  }
}
