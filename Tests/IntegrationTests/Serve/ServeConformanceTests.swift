import Foundation
import TestKit
import Testing

@Suite("serve and RFC 6762", .enabled(if: RecipeLab.isPossible, RecipeLab.missing))
struct ServeConformanceTests {
  @Test("every MUST and every SHOULD of the conformance tests passes, the slow ones aside")
  func conformance() async throws {
    let script = Repository.top.appending(path: "Tests/Lab/conformance.py").path
    let run = try await runCommand(
      ["python3", script, "--jobs", "8", "--skip-slow"], environment: ["LANTOOL": lantoolPath],
      timeout: 240)
    let tests = try run.objects()
    let failed = tests.filter { $0["result"] == .text("fail") && $0["level"] != .text("INFO") }
    for test in failed { Issue.record("\(test["test"]?.text ?? ""): \(test["evidence"] ?? .null)") }
    let summary = try #require(tests.last { $0["summary"] != nil }, "\(run.errors)")
    #expect(summary["must"] == .text("67/67") && summary["should"] == .text("25/25"))
    print("conformance: \(summary)")
    #expect(run.status == 0, "\(run.errors)")
  }
}
