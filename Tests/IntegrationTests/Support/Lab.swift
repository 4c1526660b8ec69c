import Foundation
import Testing

/// Two network namespaces joined by a veth pair: the program's side with v0, the peer's with v1.
///
/// No packet leaves them.
final class Lab: Sendable {
  /// Whether namespaces can be made here.
  static let isPossible: Bool = geteuid() == 0 && canMakeNamespace
  static let missing: Comment = "a lab test needs root and network namespaces"

  private let namespaces: NamespacePair
  var own: String { namespaces.own }
  var peer: String { namespaces.peer }

  /// Makes the pair with 192.0.2.10/24 on v0 and 192.0.2.20/24 on v1 and waits until it is up.
  init() async throws {
    namespaces = try await NamespacePair()
    for step in [
      // Where both ends have the same index the kernel's link watch waits for up to a second.
      "-n \(own) link add v0 index 101 type veth peer name v1 index 201 netns \(peer)"
        .split(separator: " ").map(String.init),
      ["-n", own, "addr", "add", "192.0.2.10/24", "dev", "v0"],
      ["-n", peer, "addr", "add", "192.0.2.20/24", "dev", "v1"],
      ["-n", peer, "link", "set", "v1", "up"], ["-n", own, "link", "set", "v0", "up"],
    ] {
      let run = try await runCommand(["ip"] + step)
      try #require(run.status == 0, "ip \(step.joined(separator: " ")): \(run.errors)")
    }
  }

  /// Starts the program on the own side.
  func start(_ arguments: [String]) throws -> Child {
    try Child(["ip", "netns", "exec", own, lantoolPath] + arguments)
  }

  /// Starts `command` on the own side.
  func start(command: [String]) throws -> Child {
    try Child(["ip", "netns", "exec", own] + command)
  }

  /// Sends `payload` from the peer's 192.0.2.20:5353 to 224.0.0.251:5353 with TTL 255, once.
  func send(_ payload: [UInt8]) async throws {
    let program = """
      import socket, sys
      s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
      s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
      s.bind(("192.0.2.20", 5353))
      s.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton("192.0.2.20"))
      s.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_TTL, 255)
      s.sendto(bytes.fromhex(sys.argv[1]), ("224.0.0.251", 5353))
      """
    let digits = payload.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    let run = try await runCommand(
      ["ip", "netns", "exec", peer, "python3", "-c", program, digits])
    try #require(run.status == 0, "sending: \(run.errors)")
  }

  /// Sends a question until the program has shown one, so that a test begins with it listening.
  func warmUp(_ child: Child) async throws {
    for _ in 0..<50 {
      try await send(question(0))
      if try await child.wait(timeout: 0.3, until: { $0.outputSoFar.contains("warm-0") }) { return }
    }
    Issue.record("the program shows nothing: \(child.errorsSoFar)")
  }

  /// A question for `warm-N.local`, type A.
  func question(_ number: Int) -> [UInt8] {
    let label = Array("warm-\(number)".utf8)
    return [0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, UInt8(label.count)] + label
      + [5] + Array("local".utf8) + [0, 0, 1, 0, 1]
  }

  private static let canMakeNamespace: Bool = {
    let probe = Process()
    probe.executableURL = URL(filePath: "/usr/bin/env")
    probe.arguments = ["unshare", "-n", "true"]
    guard (try? probe.run()) != nil else { return false }
    probe.waitUntilExit()
    return probe.terminationStatus == 0
  }()
}
