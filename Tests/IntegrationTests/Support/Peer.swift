import Foundation
import Synchronization
import TestKit
import Testing

/// A program of the tests that plays another host; it is killed with this object.
///
/// It says `ready` on its standard output once it answers, and takes lines on its standard input.
final class Peer: Sendable {
  let child: Child

  /// Starts `command` in a namespace and waits until it is ready.
  init(in namespace: String, _ command: [String]) async throws {
    let tools = Repository.top.appending(path: "Tests/Lab").path
    child = try Child(
      ["ip", "netns", "exec", namespace, "env", "-C", tools] + command, isInteractive: true)
    try await expect("ready")
  }

  /// Without `ip netns exec`, for a program that enters the namespace itself.
  init(_ command: [String]) async throws {
    child = try Child(command, isInteractive: true)
    try await expect("ready")
  }

  deinit { child.signal(SIGKILL) }

  private func expect(_ word: String) async throws {
    let came = try await child.wait(timeout: 30) { $0.outputSoFar.contains(word) }
    try #require(came, "\(child.command) is not ready: \(child.errorsSoFar)")
  }

  /// Writes a line and waits until the program has answered with a line that holds `word`.
  @discardableResult
  func say(_ line: String, until word: String) async throws -> String {
    let before = child.outputSoFar.utf8.count
    child.send(line)
    let came = try await child.wait(timeout: 30) { child in
      child.outputSoFar.utf8.dropFirst(before).split(separator: UInt8(ascii: "\n"))
        .contains { String($0)?.contains(word) == true }
        && child.outputSoFar.hasSuffix("\n")
    }
    try #require(came, "no answer to \(line): \(child.outputSoFar) \(child.errorsSoFar)")
    return String(child.outputSoFar.utf8.dropFirst(before)) ?? ""
  }
}

extension Peer {
  /// `zeroconf_farm.py` on v1 of the lab's peer, silent until it is asked.
  static func farm(_ lab: RecipeLab, _ options: String...) async throws -> Peer {
    let words = options.joined(separator: " ").split(separator: " ").map(String.init)
    return try await Peer(
      in: lab.peer, ["python3", "zeroconf_farm.py", "--control", "--duration", "120"] + words)
  }

  /// Gives the farm an order.
  func order(_ order: [String: Any]) throws {
    child.send(String(decoding: try JSONSerialization.data(withJSONObject: order), as: UTF8.self))
  }

  /// Sends messages of hexadecimal digits by an interface of the lab's peer.
  static func speaker(
    _ lab: RecipeLab, by interface: String = "v1", from address: String = "192.0.2.20"
  ) async throws -> Peer {
    try await Peer(in: lab.peer, ["python3", "mdns_say.py", interface, address])
  }

  /// Sends one message.
  func speak(_ digits: String) async throws { try await say(digits, until: "sent") }

  /// A Python interpreter that finds the package: the distribution's may be another one.
  static func pythonWithZeroconf() async throws -> String {
    for python in ["python3", "/usr/bin/python3"] {
      let run = try await runCommand([python, "-c", "import zeroconf"])
      if run.status == 0 { return python }
    }
    try #require(Bool(false), "python-zeroconf is missing; make setup-test installs it")
    return ""
  }
}

/// A real avahi-daemon and a shell beside it.
final class AvahiHost: Sendable {
  let peer: Peer
  private let folder: TemporaryFolder

  /// Starts the daemon in a namespace.
  init(in namespace: String, name: String, _ settings: String...) async throws {
    folder = try TemporaryFolder()
    let script = Repository.top.appending(path: "Tests/Lab/avahi_host.sh").path
    peer = try await Peer([script, namespace, folder.path("avahi"), name] + settings)
  }

  /// Runs a shell command there to its end and returns its output.
  @discardableResult
  func run(_ command: String) async throws -> String {
    try await peer.say(command, until: "done ")
  }

  /// Publishes by `avahi-publish -s ARGUMENTS` until the host ends or `withdraw` is called.
  func publish(_ arguments: String) async throws {
    try await run("avahi-publish -s \(arguments) 2>$folder/published & published=$!")
    try await run(
      "for i in {1..250}; do grep -q Established $folder/published && break; sleep 0.02; done")
  }

  /// Withdraws what was published last; the daemon says goodbye for its client.
  ///
  /// By SIGKILL: a program that is started here may have other signals blocked.
  func withdraw() async throws { try await run("kill -KILL $published") }

  /// What the daemon has logged.
  var log: String {
    (try? String(contentsOfFile: folder.path("avahi/avahi.log"), encoding: .utf8)) ?? ""
  }
}
