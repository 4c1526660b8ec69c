import Foundation
import TestKit
import Testing

/// All tests of `lantool watch` in namespaces, one at a time.
@Suite("watch in namespaces", .serialized, .enabled(if: RecipeLab.isPossible, RecipeLab.missing))
enum WatchInNamespaces {}

/// What the tests of `watch` do with a lab.
extension Lab {
  /// Runs `ip` on the own side, each word list in turn.
  func ip(_ lines: String...) async throws { try await run(lines, in: own) }

  /// Runs `ip` on the peer's side.
  func peerIP(_ lines: String...) async throws { try await run(lines, in: peer) }

  /// By one shell, so that no time passes between the lines, however busy the tests are.
  private func run(_ lines: [String], in namespace: String) async throws {
    // Each word in quotes: names of interfaces may hold what a shell would obey.
    let commands = lines.map { line in
      line.split(separator: " ").reduce("ip -n \(namespace)") { command, word in
        command + " '" + word.replacing("'", with: "'\\''") + "'"
      }
    }
    let run = try await runCommand(["sh", "-ec", commands.joined(separator: "\n")])
    try #require(run.status == 0, "\(commands): \(run.errors)")
  }

  /// Gives the kernel's link watch its time: until `name` is up and operational.
  func settle(_ name: String = "v0") async throws {
    for _ in 0..<300 {
      let run = try await runCommand(["ip", "-n", own, "-j", "link", "show", name])
      if run.output.contains("\"operstate\":\"UP\"") { return }
      try await Task.sleep(for: .milliseconds(10))
    }
    Issue.record("\(name) does not come up")
  }

  /// Runs `lantool watch` on the own side to its end.
  func watch(_ arguments: [String], timeout: Double = 20) async throws -> Run {
    try await start(["watch"] + arguments).finish(timeout: timeout)
  }

  /// The verdict of `lantool watch --once` now, with its exit status.
  func once(_ arguments: String...) async throws -> (verdict: JSON, status: Int32) {
    let run = try await watch(["--once", "--json"] + arguments)
    let events = try run.objects()
    return (try #require(events.first, "\(run.errors)"), run.status)
  }
}

/// A running `lantool watch --json` whose lines are looked at while it runs.
final class Watching {
  let child: Child

  /// Starts it and waits for the first verdict.
  init(_ lab: Lab, _ arguments: String...) async throws {
    child = try lab.start(["watch", "--json"] + arguments)
    _ = try await event("snapshot") { _ in true }
  }

  /// The whole lines so far.
  var events: [JSON] {
    let text = child.outputSoFar
    guard let end = text.lastIndex(of: "\n") else { return [] }
    return text[..<end].split(separator: "\n").compactMap { try? JSON(Data($0.utf8)) }
  }

  /// The first event of a kind for which `condition` holds; waits for it.
  @discardableResult
  func event(
    _ name: String, timeout: Double = 5, where condition: (JSON) -> Bool
  ) async throws -> JSON {
    let isThere = try await child.wait(timeout: timeout) { _ in
      events.contains { $0.event == name && condition($0) }
    }
    try #require(isThere, "no \(name) came: \(child.outputSoFar) \(child.errorsSoFar)")
    return try #require(events.first { $0.event == name && condition($0) })
  }

  /// Waits until the last verdict is of this status.
  func settled(_ status: String, timeout: Double = 5) async throws {
    let isThere = try await child.wait(timeout: timeout) { _ in
      verdicts.last?["status"]?.text == status
    }
    #expect(isThere, "not \(status): \(child.outputSoFar) \(child.errorsSoFar)")
  }

  var verdicts: [JSON] { events.filter { $0.event == "snapshot" || $0.event == "change" } }

  /// Ends it by SIGINT and checks what every run promises.
  func end() async throws -> (events: [JSON], status: Int32) {
    child.signal(SIGINT)
    let run = try await child.finish(timeout: 10)
    let events = try run.objects()
    #expect(events.compactMap { $0["seq"]?.integer } == Array(1...max(events.count, 1)))
    #expect(events.first?.event == "snapshot" && events.last?.event == "summary")
    try await expectSchema(run.stdout)
    return (events, run.status)
  }
}

/// Checks lines against the schema of `watch`.
func expectSchema(_ lines: Data) async throws {
  let schema = Repository.top.appending(path: "schema/lantool.watch.schema.json").path
  let checker = Repository.top.appending(path: "schema/check.py").path
  let check = try await runCommand(["python3", checker, schema], stdin: lines, timeout: 60)
  #expect(check.status == 0, "\(check.errors)\(check.output.prefix(2_000))")
}
