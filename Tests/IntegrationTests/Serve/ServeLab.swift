import Foundation
import TestKit
import Testing

/// All tests of `lantool serve` in namespaces, one at a time.
@Suite("serve in namespaces", .serialized, .enabled(if: RecipeLab.isPossible, RecipeLab.missing))
enum ServeInNamespaces {}

/// Those with programs of others, beside them.
@Suite(
  "serve and its peers in namespaces", .serialized,
  .enabled(if: RecipeLab.isPossible, RecipeLab.missing))
enum ServeAndPeersInNamespaces {}

extension RecipeLab {
  /// A place where nothing can be remembered.
  static let noState = "/proc/lantool"

  /// Starts `lantool serve --json` in the own namespace.
  func serve(_ arguments: [String], state: String = noState) throws -> Follower {
    Follower(
      try Child(
        [lantoolPath, "serve", "--netns", own, "--json"] + arguments,
        environment: ["XDG_STATE_HOME": state]), in: self)
  }

  /// Starts it with `Deck` of WiTap's type, which somebody else serves on port 4242, and waits until
  /// it is published.
  func serving(_ arguments: String..., name: String = "Deck") async throws -> Follower {
    let follower = try serve(
      ["--publish-only", "--port", "4242", "--type", "_witap2._tcp", "--name", name] + arguments)
    try await follower.await("publication") { $0.event == "published" }
    return follower
  }

  /// Starts a trial of `serve_peer.py` on the peer's side.
  func begin(_ trial: String...) async throws -> Child {
    let tools = Repository.top.appending(path: "Tests/Lab").path
    let child = try Child(
      ["ip", "netns", "exec", peer, "python3", "\(tools)/serve_peer.py"] + trial)
    let isReady = try await child.wait(timeout: 10) {
      $0.errorsSoFar.contains("ready") || !$0.isRunning
    }
    try #require(isReady, "\(trial): \(child.errorsSoFar)")
    return child
  }

  /// What a trial that was begun has seen.
  func result(of trial: Child, timeout: Double = 30) async throws -> JSON {
    let run = try await trial.finish(timeout: timeout)
    return try #require(try run.objects().first, "\(trial.command): \(run.errors)")
  }

  /// Runs a trial to its end.
  func trial(_ words: String...) async throws -> JSON {
    let tools = Repository.top.appending(path: "Tests/Lab").path
    let run = try await runCommand(
      ["ip", "netns", "exec", peer, "python3", "\(tools)/serve_peer.py"] + words)
    return try #require(try run.objects().first, "\(words): \(run.errors)")
  }

  /// Runs `serve_clients.py` against a port of the own side.
  func clients(_ port: Int, _ words: String..., timeout: Double = 40) async throws -> JSON {
    let tools = Repository.top.appending(path: "Tests/Lab").path
    let run = try await runCommand(
      [
        "ip", "netns", "exec", peer, "python3", "\(tools)/serve_clients.py", "192.0.2.10",
        "\(port)",
      ]
        + words, timeout: timeout)
    return try #require(try run.objects().first, "\(words): \(run.errors)")
  }

  /// Starts `lantool browse --json _witap2._tcp` on the peer's side.
  func browsingBeyond(_ arguments: String...) throws -> Follower {
    Follower(
      try Child(
        [lantoolPath, "browse", "--netns", peer, "--json"] + arguments + ["_witap2._tcp"]),
      in: self)
  }
}

extension Follower {
  /// Ends `serve` by SIGTERM, as a service manager does.
  func terminate() async throws -> Run {
    child.signal(SIGTERM)
    return try await child.finish(timeout: 10)
  }

  /// The events so far.
  var events: [String] { records.compactMap(\.event) }
}

extension JSON {
  /// A number with or without a fraction.
  var amount: Double? {
    switch self {
    case .number(let value): value
    case .integer(let value): Double(value)
    default: nil
    }
  }
}
