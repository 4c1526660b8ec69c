import Foundation
import TestKit
import Testing

/// All tests of `lantool ping-peer` in namespaces; each has its own.
@Suite("ping-peer in namespaces", .enabled(if: RecipeLab.isPossible, RecipeLab.missing))
enum PingPeerInNamespaces {}

extension RecipeLab {
  /// Runs `lantool ping-peer` in the own namespace to its end.
  func ping(
    _ arguments: String..., stdin: Data? = nil, timeout: Double = 60
  ) async throws -> Run {
    try await runLantool(
      ["ping-peer", "--netns", own] + arguments, stdin: stdin, timeout: timeout)
  }

  /// Starts `lantool ping-peer --json`.
  func pinging(_ arguments: String...) throws -> Follower {
    Follower(try Child([lantoolPath, "ping-peer", "--netns", own, "--json"] + arguments), in: self)
  }
}

extension Peer {
  /// `peer_faults.py` on a port of the lab's peer.
  static func faulty(_ lab: RecipeLab, _ port: Int = 7, _ options: String...) async throws -> Peer {
    try await Peer(in: lab.peer, ["python3", "peer_faults.py", "\(port)"] + options)
  }

  /// The same in the own namespace, for the loopback interface.
  static func atHome(_ lab: RecipeLab, _ port: Int = 7, _ options: String...) async throws -> Peer {
    try await Peer(in: lab.own, ["python3", "peer_faults.py", "\(port)"] + options)
  }

  /// A responder in the lab's peer that announces these records every second.
  static func announcer(_ lab: RecipeLab, _ records: [[Any]], every period: Int = 1) async throws
    -> Peer
  {
    let spec = try JSONSerialization.data(
      withJSONObject: ["records": records, "announce": period] as [String: Any])
    return try await Peer(
      in: lab.peer, ["python3", "resolve_peer.py", "v1", String(decoding: spec, as: UTF8.self)])
  }

  /// The records of a service on `tv.local`.
  static func service(
    _ instance: String = "Deck", type: String = "_witap2._tcp", port: Int, text: [String] = [],
    v6: Bool = false
  ) -> [[Any]] {
    let name = "\(instance).\(type).local"
    let strings = text.map { string in
      string.utf8.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
    var records: [[Any]] = [
      ["\(type).local", "PTR", name], [name, "SRV", [0, 0, port, "tv.local"] as [Any]],
      [name, "TXT", strings], ["tv.local", "A", "192.0.2.20"],
    ]
    if v6 { records.append(["tv.local", "AAAA", "2001:db8::20"]) }
    return records
  }
}

extension Run {
  /// The last line of a JSON run.
  func summary(sourceLocation: SourceLocation = #_sourceLocation) throws -> JSON {
    try #require(
      try objects().last { $0.event == "summary" }, "\(status): \(errors)",
      sourceLocation: sourceLocation)
  }

  /// The words of `reason` of the probes that were lost, each once.
  func reasons() throws -> Set<String> {
    Set(try objects().events("lost").compactMap { $0["reason"]?.text })
  }
}

extension JSON {
  /// A number, whole or not.
  var double: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .number(let value): value
    default: nil
    }
  }

  /// The counts of a summary: sent, received, lost, in flight.
  var counts: [Int?] {
    ["sent", "received", "lost", "inFlight"].map { self[$0]?.integer }
  }
}

/// Checks lines against the schema of `ping-peer`.
func expectPingPeerSchema(
  _ run: Run, sourceLocation: SourceLocation = #_sourceLocation
) async throws {
  let schema = Repository.top.appending(path: "schema/lantool.ping-peer.schema.json").path
  let checker = Repository.top.appending(path: "schema/check.py").path
  let check = try await runCommand(
    ["python3", checker, schema], stdin: run.stdout, timeout: 60)
  #expect(
    check.status == 0, "\(check.errors)\(check.output.prefix(2_000))",
    sourceLocation: sourceLocation)
  let sequence = try run.objects().compactMap { $0["seq"]?.integer }
  #expect(sequence == Array(1...max(sequence.count, 1)), sourceLocation: sourceLocation)
}
