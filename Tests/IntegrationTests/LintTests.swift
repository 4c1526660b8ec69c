import Foundation
import TestKit
import Testing

/// The staged local network in which each proven fault is marked by a comment on its frame.
@Suite("rules of --lint")
struct LintTests {
  static let faults: [Int: String] = {
    let comments = (try? pcapngComments(fixture("syn-rfc6762-faults.pcapng"))) ?? [:]
    return comments.compactMapValues { comment in
      comment.hasPrefix("fault:")
        ? String(comment.dropFirst("fault:".count).prefix { !$0.isWhitespace }) : nil
    }
  }()

  private static let events = Task {
    try await runLantool(["sniff", "-r", fixture("syn-rfc6762-faults.pcapng"), "--lint", "--json"])
      .objects()
  }

  @Test("the staged network holds faults of 61 rules") func staging() {
    #expect(Set(Self.faults.values).count == 61)
  }

  @Test("a staged fault is found on the frame that proves it", arguments: faults.keys.sorted())
  func fault(frame: Int) async throws {
    let rule = try #require(Self.faults[frame])
    let events = try await Self.events.value
    let onMessage = rules(of: events.messages.filter { $0["frame"]?.integer == frame })
    let overall = events.events("finding").filter { finding in
      finding["rule"]?.text == rule && finding["frames"]?.list.contains(.integer(frame)) == true
    }
    #expect(
      onMessage.contains(rule) || !overall.isEmpty,
      "frame \(frame) shows \(rule); found on it: \(onMessage.sorted())")
  }

  @Test("a frame without a fault shows no error by itself") func cleanFrames() async throws {
    let comments = try pcapngComments(fixture("syn-rfc6762-faults.pcapng"))
    let clean = Set(comments.filter { $0.value.hasPrefix("ok") }.keys)
    #expect(clean.count > 50)
    for message in try await Self.events.value.messages {
      guard let frame = message["frame"]?.integer, clean.contains(frame) else { continue }
      let errors = (message["findings"]?.list ?? []).filter { $0["severity"]?.text == "error" }
      #expect(errors.isEmpty, "frame \(frame): \(errors.compactMap { $0["rule"]?.text })")
    }
  }

  @Test("a finding names its rule, severity, section and evidence") func form() async throws {
    let events = try await Self.events.value
    let severities: Set = ["error", "warning", "info"]
    for finding in events.events("finding") {
      #expect(finding["rule"]?.text?.isEmpty == false)
      #expect(severities.contains(finding["severity"]?.text ?? ""))
      #expect(finding["section"]?.text?.isEmpty == false)
      #expect(finding["text"]?.text?.isEmpty == false)
      #expect(finding["source"]?.text?.isEmpty == false)
      let frames = finding["frames"]?.list.count ?? 0
      #expect(frames > 0 && (finding["count"]?.integer ?? 0) > 0)
    }
    let pairs = events.events("finding").map { [$0["rule"], $0["source"]] }
    #expect(Set(pairs).count == pairs.count, "each rule once per source")
  }

  @Test("without --lint there are no findings") func off() async throws {
    let run = try await runLantool(["sniff", "-r", fixture("syn-rfc6762-faults.pcapng"), "--json"])
    let events = try run.objects()
    #expect(events.events("finding").isEmpty)
    #expect(events.allSatisfy { $0["findings"] == nil })
  }

  @Test(
    "--explain tells what a rule means and captures nothing", arguments: Set(faults.values).sorted()
  )
  func explanation(rule: String) async throws {
    let run = try await runLantool(["sniff", "--explain", rule])
    #expect(run.status == 0)
    #expect(run.output.contains(rule))
  }

  private func rules(of messages: [JSON]) -> Set<String> {
    Set(messages.flatMap { $0["findings"]?.list ?? [] }.compactMap { $0["rule"]?.text })
  }
}
