import Foundation
import Synchronization
import TestKit
import Testing

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
