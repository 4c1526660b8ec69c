import Foundation
import TestKit
import Testing

extension WatchInNamespaces {
  /// What a run does while nothing changes.
  @Suite("idle") struct WatchIdleTests {
    @Test("without the poll an idle run makes no system call", arguments: [1, 50])
    func noPoll(targets: Int) async throws {
      let lab = try await RecipeLab("routed")
      let addresses = (1...targets).map { "198.51.100.\($0)" }
      let follower = try await lab.follow(["--no-poll"] + addresses)
      let calls = try await systemCalls(follower.child, seconds: 5)
      #expect(calls.isEmpty, "\(calls.prefix(5))")
      #expect(follower.child.isRunning)
      _ = try await follower.end()
    }

    @Test("with the poll an idle run wakes up once in two seconds") func poll() async throws {
      let lab = try await RecipeLab("routed")
      let follower = try await lab.follow(["default"])
      try await Task.sleep(for: .seconds(1))
      let before = try switches(follower.child)
      try await Task.sleep(for: .seconds(8))
      let wakeUps = try switches(follower.child) - before
      print("idle: \(wakeUps) wake-ups in 8 s")
      #expect((1...8).contains(wakeUps))
      #expect(follower.records.count == 1)
      _ = try await follower.end()
    }

    /// The system calls of all threads; where there is no strace, how often they gave up the CPU.
    private func systemCalls(_ child: Child, seconds: Int) async throws -> [String] {
      // The first state's neighbours and timers may still be under way.
      try await Task.sleep(for: .seconds(1))
      guard try await runCommand(["sh", "-c", "command -v strace"]).status == 0 else {
        let before = try switches(child)
        try await Task.sleep(for: .seconds(seconds))
        let count = try switches(child) - before
        print("idle: no strace here; \(count) wake-ups in \(seconds) s")
        return count == 0 ? [] : ["\(count) wake-ups"]
      }
      let tracer = try Child(["strace", "-f", "-p", "\(child.processID)"])
      try await Task.sleep(for: .seconds(seconds))
      // No other signal: a program that is started here may have them blocked.
      tracer.signal(SIGKILL)
      let run = try await tracer.finish(timeout: 10)
      try #require(run.errors.contains("attached"), "strace: \(run.errors)")
      // Attaching shows the call that each thread waits in, which begins and never returns.
      return run.errorLines.filter { line in
        let isCall = line.contains("(") && line.contains(" = ")
        return isCall || line.contains("resumed>")
      }
    }

    /// How often the threads of a process gave up the CPU of their own accord.
    private func switches(_ child: Child) throws -> Int {
      let tasks = "/proc/\(child.processID)/task"
      return try FileManager.default.contentsOfDirectory(atPath: tasks).reduce(0) { sum, task in
        let status = try String(contentsOfFile: "\(tasks)/\(task)/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches") }
        return sum + (line?.split(separator: "\t").last.flatMap { Int($0) } ?? 0)
      }
    }
  }
}
