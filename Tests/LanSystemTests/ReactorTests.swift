import Foundation
import Glibc
import Synchronization
import Testing

@testable import LanSystem

/// Two connected sockets that close with their owner.
final class SocketPair {
  var near: Int32
  var far: Int32
  init() {
    var pair: [Int32] = [0, 0]
    socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair)
    (near, far) = (pair[0], pair[1])
  }
  deinit {
    close(near)
    close(far)
  }
  func poke() { write(far, "x", 1) }
}

@Suite("Reactor", .timeLimit(.minutes(1))) struct ReactorTests {
  @Test("a handler runs when its descriptor becomes readable") func readable() throws {
    let reactor = try Reactor()
    let pair = SocketPair()
    var seen: Readiness = []
    _ = try reactor.watch(pair.near) { ready in
      seen = ready
      reactor.stop()
    }
    pair.poke()
    try reactor.run()
    #expect(seen.contains(.readable))
  }

  @Test("a descriptor that was closed and reused in a batch does not get its predecessor's event")
  func reusedDescriptor() throws {
    let reactor = try Reactor()
    let pairs = [SocketPair(), SocketPair()]
    var tokens: [WatchToken?] = [nil, nil]
    var newcomers: [Int32] = []
    var strayEvents = 0
    for index in 0...1 {
      tokens[index] = try reactor.watch(pairs[index].near) { _ in
        // Whichever comes first puts an idle socket in the place of the other one's.
        let victim = 1 - index
        guard newcomers.isEmpty, let token = tokens[victim] else { return }
        reactor.unwatch(token)
        let idle = SocketPair()
        dup2(idle.near, pairs[victim].near)
        newcomers = [dup(idle.far)]
        _ = try? reactor.watch(pairs[victim].near) { _ in strayEvents += 1 }
        reactor.schedule(after: .milliseconds(5)) { reactor.stop() }
        if let own = tokens[index] { reactor.unwatch(own) }
      }
    }
    pairs.forEach { $0.poke() }
    try reactor.run()
    newcomers.forEach { close($0) }
    #expect(newcomers.count == 1)
    // A hang-up of the idle pair's own is possible only after its far end was closed above.
    #expect(strayEvents == 0)
  }

  @Test("an unwatched handler is not called for an event that was at hand") func unwatched() throws
  {
    let reactor = try Reactor()
    let pairs = [SocketPair(), SocketPair()]
    var tokens: [WatchToken] = []
    var calls = 0
    for pair in pairs {
      tokens.append(
        try reactor.watch(pair.near) { _ in
          calls += 1
          tokens.forEach { reactor.unwatch($0) }
          reactor.schedule(after: .zero) { reactor.stop() }
        })
    }
    pairs.forEach { $0.poke() }
    try reactor.run()
    #expect(calls == 1)
  }

  @Test("stop before run is not lost, and the loop can run again") func stopFirst() throws {
    let reactor = try Reactor()
    reactor.stop()
    try reactor.run()
    var ran = false
    reactor.schedule(after: .zero) {
      ran = true
      reactor.stop()
    }
    try reactor.run()
    #expect(ran)
  }

  @Test("stop ends the batch at hand") func stopInsideBatch() throws {
    let reactor = try Reactor()
    let pairs = [SocketPair(), SocketPair()]
    var calls = 0
    for pair in pairs {
      _ = try reactor.watch(pair.near) { _ in
        calls += 1
        reactor.stop()
      }
    }
    pairs.forEach { $0.poke() }
    try reactor.run()
    #expect(calls == 1)
  }

  @Test("stop from another thread wakes a sleeping loop") func stopFromElsewhere() throws {
    let reactor = try Reactor()
    let thread = try WorkerThread { reactor.stop() }
    try reactor.run()
    thread.join()
  }

  @Test("timers fire in the order of their deadlines, equal ones in the order of their making")
  func timerOrder() throws {
    let reactor = try Reactor()
    var order: [Int] = []
    let base = MonotonicClock.now
    for (name, offset) in [(3, 300), (1, 100), (2, 200), (4, 300)] {
      reactor.schedule(at: base + Int64(offset)) { order.append(name) }
    }
    reactor.schedule(at: base + 2_000_000) { reactor.stop() }
    try reactor.run()
    #expect(order == [1, 2, 3, 4])
    #expect(MonotonicClock.now >= base + 2_000_000)
  }

  @Test("a cancelled timer does not fire, and its token stays harmless") func cancelTimer() throws {
    let reactor = try Reactor()
    var fired = false
    let token = reactor.schedule(after: .zero) { fired = true }
    #expect(reactor.cancel(token))
    #expect(!reactor.cancel(token))
    // Takes over the slot of the cancelled one.
    reactor.schedule(after: .milliseconds(2)) { reactor.stop() }
    #expect(!reactor.cancel(token))
    try reactor.run()
    #expect(!fired)
  }

  @Test("a timer that schedules itself in the past leaves descriptors their turn")
  func greedyTimer() throws {
    let reactor = try Reactor()
    let pair = SocketPair()
    func again() { reactor.schedule(at: 1) { again() } }
    again()
    _ = try reactor.watch(pair.near) { _ in reactor.stop() }
    pair.poke()
    try reactor.run()
  }

  @Test("a task that prefers the loop runs on it and sleeps on its timer") func sleeping() throws {
    let reactor = try Reactor()
    let onLoop = Mutex<[Bool]>([])
    let start = MonotonicClock.now
    Task(executorPreference: reactor) {
      onLoop.withLock { $0.append(reactor.isOnLoop) }
      try? await reactor.sleep(for: .milliseconds(3))
      onLoop.withLock { $0.append(reactor.isOnLoop) }
      reactor.stop()
    }
    try reactor.run()
    #expect(onLoop.withLock { $0 } == [true, true])
    #expect(MonotonicClock.now - start >= 3_000_000)
  }

  @Test("cancelling a task ends its sleep at once") func cancelledSleep() throws {
    let reactor = try Reactor()
    let outcome = Mutex("")
    let sleeper = Task(executorPreference: reactor) {
      do {
        try await reactor.sleep(for: .seconds(3600))
        outcome.withLock { $0 = "slept" }
      } catch {
        outcome.withLock { $0 = "\(type(of: error))" }
      }
      reactor.stop()
    }
    reactor.schedule(after: .milliseconds(1)) { sleeper.cancel() }
    try reactor.run()
    #expect(outcome.withLock { $0 } == "CancellationError")
  }

  @Test("an actor on the loop is isolated to it") func actorOnLoop() throws {
    let reactor = try Reactor()
    let counter = Counter(reactor)
    let total = Mutex(0)
    Task(executorPreference: reactor) {
      for _ in 0..<1000 { await counter.add() }
      let value = await counter.value
      total.withLock { $0 = value }
      reactor.stop()
    }
    try reactor.run()
    #expect(total.withLock { $0 } == 1000)
  }

  @Test("work submitted by other threads all arrives") func submitted() throws {
    let reactor = try Reactor()
    let count = Mutex(0)
    let threads = try (0..<2).map { _ in
      try WorkerThread {
        for _ in 0..<1000 {
          reactor.submit {
            let done = count.withLock { count in
              count += 1
              return count == 2000
            }
            if done { reactor.stop() }
          }
        }
      }
    }
    try reactor.run()
    threads.forEach { $0.join() }
    #expect(count.withLock { $0 } == 2000)
  }

  @Test("a regular file cannot be watched, and the error says so") func regularFile() throws {
    let reactor = try Reactor()
    let file = open("/proc/self/exe", O_RDONLY)
    defer { close(file) }
    let error = #expect(throws: SystemError.self) { _ = try reactor.watch(file) { _ in } }
    #expect(error?.errno == EPERM)
    #expect(error?.description.contains("epoll_ctl") == true)
  }

  @Test("an idle loop makes no system call") func idle() throws {
    let reactor = try Reactor()
    let switches = Mutex<[Int]>([])
    let pair = SocketPair()
    _ = try reactor.watch(pair.near) { _ in }
    let id = Mutex<Int32>(0)
    let thread = try WorkerThread {
      let link = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")
      id.withLock { $0 = link?.split(separator: "/").last.flatMap { Int32($0) } ?? -1 }
      try? reactor.run()
    }
    while id.withLock({ $0 }) == 0 { usleep(1000) }
    for _ in 0..<2 {
      usleep(60_000)
      let count = voluntarySwitches(of: id.withLock { $0 })
      switches.withLock { $0.append(count) }
    }
    reactor.stop()
    thread.join()
    let seen = switches.withLock { $0 }
    #expect(seen[0] > 0 && seen[0] == seen[1], "woke up while idle: \(seen)")
  }
}

private actor Counter {
  private let reactor: Reactor
  private(set) var value = 0
  nonisolated var unownedExecutor: UnownedSerialExecutor { reactor.asUnownedSerialExecutor() }
  init(_ reactor: Reactor) { self.reactor = reactor }
  func add() { value += 1 }
}

/// How often a thread of this process went to sleep by itself.
private func voluntarySwitches(of thread: Int32) -> Int {
  guard let file = fopen("/proc/self/task/\(thread)/status", "r") else { return -1 }
  defer { fclose(file) }
  var line = [CChar](repeating: 0, count: 256)
  while fgets(&line, 256, file) != nil {
    let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
    if text.hasPrefix("voluntary_ctxt_switches:") {
      return Int(text.filter(\.isNumber)) ?? -1
    }
  }
  return -1
}
