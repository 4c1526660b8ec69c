import Foundation
import TestKit
import Testing

/// Two empty network namespaces, set up by a shell script.
///
/// No packet leaves them.
final class RecipeLab: Sendable {
  static let isPossible = Lab.isPossible
  static let missing = Lab.missing

  private let namespaces: NamespacePair
  private let folder: TemporaryFolder
  var own: String { namespaces.own }
  var peer: String { namespaces.peer }

  init(_ setup: String = "") async throws {
    namespaces = try await NamespacePair()
    folder = try TemporaryFolder()
    if !setup.isEmpty { try await sh(setup) }
  }

  deinit {
    let pids = (try? String(contentsOfFile: folder.path("pids"), encoding: .utf8)) ?? ""
    for pid in pids.split(separator: "\n").compactMap({ Int32($0) }) { kill(pid, SIGKILL) }
  }

  /// Runs a script with the functions of `watch_lab.sh` in the own namespace.
  @discardableResult
  func sh(_ script: String, timeout: Double = 60) async throws -> Run {
    let tools = Repository.top.appending(path: "Tests/Lab").path
    let run = try await runCommand(
      ["ip", "netns", "exec", own, "sh", "-c", ". \"$LAB/watch_lab.sh\"\n" + script],
      environment: ["OWN": own, "PEER": peer, "LAB": tools, "PIDS": folder.path("pids")],
      timeout: timeout)
    try #require(run.status == 0, "\(script): \(run.errors)")
    return run
  }

  /// Runs `lantool watch` in the own namespace to its end.
  func watch(_ arguments: [String], stdin: Data? = nil) async throws -> Run {
    try await runLantool(["watch", "--netns", own] + arguments, stdin: stdin)
  }

  /// The records of `watch --once --json` without the summary.
  func once(_ arguments: [String], stdin: Data? = nil) async throws -> [JSON] {
    let run = try await watch(["--once", "--json"] + arguments, stdin: stdin)
    let records = try run.objects().events("snapshot")
    try #require(!records.isEmpty, "status \(run.status): \(run.errors)")
    return records
  }

  /// Starts `lantool watch --json`, following, and waits for the first record.
  func follow(_ arguments: [String], stdin: Data? = nil) async throws -> Follower {
    let child = try Child(
      [lantoolPath, "watch", "--netns", own, "--json"] + arguments, stdin: stdin)
    let follower = Follower(child)
    try await follower.await("a first record") { $0.event == "snapshot" }
    return follower
  }
}
