import Glibc
import Testing

@testable import LanSystem

// Each in a process of its own, as masks and signals belong to a whole one.
@Suite("Signals") struct SignalTests {
  @Test("a signal arrives as an event of the loop and does not end the process") func event() async
  {
    await #expect(processExitsWith: .exitCode(7)) {
      let reactor = try Reactor()
      let source = try SignalSource([SIGTERM, SIGINT], on: reactor) { number in
        exit(number == SIGTERM ? 7 : 1)
      }
      raise(SIGTERM)
      try reactor.run()
      source.cancel()
    }
  }

  @Test("after cancel a signal has its old effect") func restored() async {
    await #expect(processExitsWith: .signal(SIGTERM)) {
      // The threads of the pool that tests run on have every signal blocked.
      var none = sigset_t()
      pthread_sigmask(SIG_SETMASK, &none, nil)
      let reactor = try Reactor()
      let source = try SignalSource([SIGTERM], on: reactor) { _ in }
      source.cancel()
      raise(SIGTERM)
      exit(0)
    }
  }

  @Test("a watched signal can still end the process the way it would have") func die() async {
    await #expect(processExitsWith: .signal(SIGINT)) {
      let reactor = try Reactor()
      let source = try SignalSource([SIGINT], on: reactor) { SignalSource.die(by: $0) }
      raise(SIGINT)
      try reactor.run()
      source.cancel()
    }
  }

  @Test("a child process inherits no blocked signal") func child() async {
    await #expect(processExitsWith: .exitCode(0)) {
      let reactor = try Reactor()
      let source = try SignalSource([SIGINT, SIGTERM], on: reactor) { _ in }
      let child = try ChildProcess.spawn("/bin/sh", ["-c", "kill -TERM $$; exit 0"])
      let status = try ChildProcess.wait(for: child)
      source.cancel()
      exit(status & 0x7F == SIGTERM ? 0 : 1)
    }
  }
}
