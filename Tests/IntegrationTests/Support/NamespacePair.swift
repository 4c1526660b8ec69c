import Foundation
import Synchronization
import Testing

/// Two network namespaces, which go with this object.
///
/// The names hold the process id and a counter, so that labs that run at the same time cannot
/// collide.
final class NamespacePair: Sendable {
  private static let last = Atomic<Int>(0)

  let own: String
  let peer: String

  init() async throws {
    let number = Self.last.add(1, ordering: .relaxed).newValue
    let stem = "lt\(ProcessInfo.processInfo.processIdentifier)n\(number)"
    own = stem + "a"
    peer = stem + "b"
    for name in [own, peer] {
      let run = try await runCommand(["ip", "netns", "add", name])
      try #require(run.status == 0, "ip netns add: \(run.errors)")
    }
  }

  deinit {
    for name in [own, peer] {
      let removal = Process()
      removal.executableURL = URL(filePath: "/usr/bin/env")
      removal.arguments = ["ip", "netns", "del", name]
      try? removal.run()
      removal.waitUntilExit()
    }
  }
}
