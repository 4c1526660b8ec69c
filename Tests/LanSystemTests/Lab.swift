import Foundation
import Glibc
import Synchronization
import TestKit

@testable import LanSystem

/// Two network namespaces of one test, joined by cables: `near` is looked at, `far` sends.
///
/// Interface `v0` of both is one cable, `v1` another one; `near` has 10.77.N.1, `far` 10.77.N.2.
final class Lab {
  /// Why lab tests cannot run here; nil where they can.
  ///
  /// Printed with the skip.
  static let obstacle: String? = {
    guard geteuid() == 0 else { return "lab tests need root to make network namespaces" }
    let name = "lt-try\(getpid())"
    guard shell("ip netns add \(name)") else { return "cannot make a network namespace here" }
    _ = shell("ip netns del \(name)")
    return nil
  }()
  static var isPossible: Bool { obstacle == nil }
  /// The words for a skip.
  static let skipped = "\(obstacle ?? "")"

  private static let counter = Atomic<Int>(0)

  let near: String
  let far: String

  init(cables: Int = 1) throws {
    let number = Self.counter.add(1, ordering: .relaxed).newValue
    near = "lt\(getpid())n\(number)"
    far = "lt\(getpid())f\(number)"
    var script = "set -e; ip netns add \(near); ip netns add \(far)\n"
    for side in [near, far] {
      script += "ip netns exec \(side) sysctl -qw net.ipv6.conf.default.accept_dad=0\n"
      script += "ip -n \(side) link set lo up\n"
    }
    for cable in 0..<cables {
      // Where both ends have the same index the kernel's link watch waits for up to a second.
      script += "ip -n \(near) link add v\(cable) index \(101 + cable) type veth "
      script += "peer name v\(cable) index \(201 + cable) netns \(far)\n"
      for (side, host) in [(near, 1), (far, 2)] {
        script += "ip -n \(side) addr add 10.77.\(cable).\(host)/24 dev v\(cable)\n"
        script += "ip -n \(side) link set v\(cable) up\n"
      }
    }
    guard Self.shell(script) else { throw LabError(what: script) }
    // Addresses of IPv6 are there only once the carrier is.
    guard
      Self.shell(
        """
        for i in $(seq 100); do
          [ $(ip -n \(far) -6 addr show scope link | grep -c inet6) -ge \(cables) ] && \
          [ $(ip -n \(near) -6 addr show scope link | grep -c inet6) -ge \(cables) ] && exit 0
          sleep 0.05
        done; exit 1
        """)
    else { throw LabError(what: "no link-local addresses") }
  }

  deinit { _ = Self.shell("ip netns del \(near); ip netns del \(far)") }

  /// Runs `body` on a thread of its own inside the namespace `near`.
  func inside(_ body: @escaping @Sendable () throws -> Void) throws {
    try Self.inside(near, body)
  }

  /// Runs `body` on a thread of its own inside a namespace.
  static func inside(
    _ name: String, _ body: @escaping @Sendable () throws -> Void
  ) throws {
    let failure = Mutex<(any Error)?>(nil)
    let thread = try WorkerThread {
      do {
        try NetworkNamespace.enter(name)
        try body()
      } catch {
        failure.withLock { $0 = error }
      }
    }
    thread.join()
    if let error = failure.withLock({ $0 }) { throw error }
  }

  /// What `send` sends.
  enum Family: String {
    case v4 = "4"
    case v6 = "6"
    case vlan
  }

  /// Sends one query from `far`, without waiting for the sender to end.
  static func send(from far: String, _ interface: String, _ family: Family) {
    let script = Repository.top.appending(path: "Tests/Lab/send_mdns.py").path
    _ = shell("ip netns exec \(far) python3 \(script) \(interface) \(family.rawValue) &")
  }

  /// Runs a script and tells whether it succeeded.
  @discardableResult static func shell(_ script: String) -> Bool {
    guard let child = try? ChildProcess.spawn("/bin/sh", ["-c", "{ \(script)\n} 2>/dev/null"])
    else { return false }
    return (try? ChildProcess.wait(for: child)) == 0
  }
}

struct LabError: Error { var what: String }
