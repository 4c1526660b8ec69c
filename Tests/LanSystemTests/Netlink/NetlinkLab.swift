import Foundation
import Glibc
import Synchronization
import TestKit

@testable import LanSystem

/// One network namespace of one test, made by a script of `ip` commands with `$ns` for its name.
final class NetlinkLab {
  private static let counter = Atomic<Int>(0)
  let name: String

  init(_ script: String) throws {
    name = "ltnl\(getpid())x\(Self.counter.add(1, ordering: .relaxed).newValue)"
    try run("ip netns add $ns; ip -n $ns link set lo up\n\(script)")
  }

  deinit { Lab.shell("ip netns del \(name)") }

  func run(_ script: String) throws {
    guard Lab.shell("set -e; ns=\(name)\n\(script)") else { throw LabError(what: script) }
  }

  /// Runs `body` on a thread of its own inside the namespace.
  func inside(_ body: @escaping @Sendable () throws -> Void) throws {
    try Lab.inside(name, body)
  }

  /// What `ip -j` prints, as objects.
  func ip(_ arguments: String) throws -> [[String: Any]] {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", "ip -n \(name) -j -d \(arguments)"]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let objects = try JSONSerialization.jsonObject(with: data) as? [[String: Any]]
    return (objects ?? []).filter { !$0.isEmpty }
  }
}
