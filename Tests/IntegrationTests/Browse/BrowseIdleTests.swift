import Foundation
import TestKit
import Testing

/// Beside the other tests: it waits long, and nothing that they do wakes it.
@Suite("an idle browse", .enabled(if: RecipeLab.isPossible, RecipeLab.missing))
struct BrowseIdleTests {
  @Test("with a hundred known services nothing wakes it but what a time to live asks for")
  func idle() async throws {
    let lab = try await RecipeLab("wired")
    let farm = try await Peer.farm(
      lab, "--count 100 --hosts 10 --no-announce --ttl 4500 --ttl-host 4500")
    let start = ContinuousClock.now
    let follower = try lab.browsing("_http._tcp")
    try await follower.await("the first list", timeout: 15) { $0.event == "settled" }
    // Questions go out at 0, 1, 3, 7, 15 and 31 seconds, each a tenth later at most.
    try await Task.sleep(until: start + .seconds(19), clock: .continuous)
    let before = try wakeUps(follower.child)
    try await Task.sleep(for: .seconds(10))
    let count = try wakeUps(follower.child) - before
    #expect(count == 0)
    let list = BrowsedList(try await follower.end().objects())
    #expect(list.services.count == 100 && list.faults == [])
    withExtendedLifetime((lab, farm)) {}
  }

  /// How often the threads of a process gave up the CPU of their own accord.
  private func wakeUps(_ child: Child) throws -> Int {
    let tasks = "/proc/\(child.processID)/task"
    return try FileManager.default.contentsOfDirectory(atPath: tasks).reduce(0) { sum, task in
      let status = try String(contentsOfFile: "\(tasks)/\(task)/status", encoding: .utf8)
      let line = status.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches") }
      return sum + (line?.split(separator: "\t").last.flatMap { Int($0) } ?? 0)
    }
  }
}
