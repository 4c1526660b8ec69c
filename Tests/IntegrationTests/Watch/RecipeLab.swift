import Foundation
import Synchronization
import TestKit
import Testing

/// Two empty network namespaces for `lantool watch`, set up by a shell script.
///
/// The names hold the process id and a counter; no packet leaves them.
final class RecipeLab: Sendable {
  static let isPossible = Lab.isPossible
  static let missing = Lab.missing

  let own: String
  let peer: String
  private let folder: TemporaryFolder

  init(_ setup: String = "") async throws {
    let id = RecipeLabCounter.next()
    let process = ProcessInfo.processInfo.processIdentifier
    own = "lw\(process)n\(id)a"
    peer = "lw\(process)n\(id)b"
    folder = try TemporaryFolder()
    for name in [own, peer] {
      let run = try await runCommand(["ip", "netns", "add", name])
      try #require(run.status == 0, "ip netns add: \(run.errors)")
    }
    if !setup.isEmpty { try await sh(setup) }
  }

  deinit {
    let pids = (try? String(contentsOfFile: folder.path("pids"), encoding: .utf8)) ?? ""
    for pid in pids.split(separator: "\n").compactMap({ Int32($0) }) { kill(pid, SIGKILL) }
    for name in [own, peer] {
      let removal = Process()
      removal.executableURL = URL(filePath: "/usr/bin/env")
      removal.arguments = ["ip", "netns", "del", name]
      try? removal.run()
      removal.waitUntilExit()
    }
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

/// A following run of `lantool watch --json` or `lantool browse --json`.
final class Follower: Sendable {
  let child: Child
  /// The run's namespaces last as long as it does.
  private let lab: RecipeLab?
  private let read = Mutex((bytes: 0, records: [JSON]()))

  init(_ child: Child, in lab: RecipeLab? = nil) {
    self.child = child
    self.lab = lab
  }

  deinit { if child.isRunning { child.signal(SIGKILL) } }

  /// The complete lines so far; each is read once.
  var records: [JSON] {
    let bytes = child.outputSoFar.utf8
    return read.withLock { state in
      let rest = bytes.dropFirst(state.bytes)
      guard let end = rest.lastIndex(of: UInt8(ascii: "\n")) else { return state.records }
      state.records += rest[..<end].split(separator: UInt8(ascii: "\n"))
        .compactMap { try? JSON(Data($0)) }
      state.bytes += rest[...end].count
      return state.records
    }
  }

  /// The latest snapshot or change of each target.
  var latest: [String: JSON] {
    var latest: [String: JSON] = [:]
    for record in records where record.event == "snapshot" || record.event == "change" {
      if let target = record["target"]?.text { latest[target] = record }
    }
    return latest
  }

  /// The latest snapshot or change of the only target.
  var last: JSON? { records.last { $0.event == "snapshot" || $0.event == "change" } }

  /// Waits for a record that fits behind the first `skipped` ones, and returns it.
  @discardableResult
  func await(
    _ what: String, after skipped: Int = 0, timeout: Double = 10,
    where fits: @escaping @Sendable (JSON) -> Bool
  ) async throws -> JSON {
    let came = try await child.wait(timeout: timeout) { _ in
      self.records.dropFirst(skipped).contains(where: fits)
    }
    let told = records.dropFirst(skipped).suffix(4).map(brief)
    try #require(came, "no \(what); told: \(told) \(child.errorsSoFar)")
    return try #require(records.dropFirst(skipped).first(where: fits))
  }

  /// Ends the run by SIGINT and returns all of it.
  func end(timeout: Double = 20) async throws -> Run {
    child.signal(SIGINT)
    return try await child.finish(timeout: timeout)
  }
}

/// What a record says, in a line for a report.
func brief(_ record: JSON) -> String {
  let keys = [
    "event", "status", "connection", "medium", "flagsValue", "reason", "interface", "source",
    "gateway", "nextHop", "partial", "cause",
  ]
  return keys.compactMap { key in
    switch record[key] {
    case nil: nil
    case .text(let text)?: "\(key)=\(text)"
    case .integer(let number)?: "\(key)=\(number)"
    case .bool(let flag)?: "\(key)=\(flag)"
    default: nil
    }
  }.joined(separator: " ")
}

/// Numbers for the labs of this process.
private enum RecipeLabCounter {
  private static let last = Mutex(0)

  static func next() -> Int {
    last.withLock { value in
      value += 1
      return value
    }
  }
}

/// All tests of `lantool watch` in namespaces, one at a time.
@Suite("watch in namespaces", .serialized, .enabled(if: RecipeLab.isPossible, RecipeLab.missing))
enum WatchInNamespaces {}
