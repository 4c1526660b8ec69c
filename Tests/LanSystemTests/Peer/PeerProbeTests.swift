import Foundation
import Glibc
import LanCore
import LanWire
import Synchronization
import TestKit
import Testing

@testable import LanSystem

@Suite("Peer probe", .timeLimit(.minutes(1))) struct PeerProbeTests {
  @Test("each probe comes back whole, and all is told") func echo() throws {
    let peer = try ScriptedPeer()
    let trial = try ProbeTrial([peer.endpoint()]) { $0.count = 200 }
    #expect(trial.isConsistent)
    #expect(trial.summary.received == 200)
    #expect(trial.summary.corrupted == 0 && trial.summary.unaskedBytes == 0)
    #expect(trial.summary.connections == 1)
    #expect(trial.summary.bytesOut == 200 * 64 && trial.summary.bytesIn == 200 * 64)
    #expect(trial.summary.times.minimum > 0)
    #expect(trial.summary.kernel?.segmentSize ?? 0 > 0)
    #expect(trial.attempts.map(\.outcome) == [.connected])
    #expect(trial.summary.connectTime == trial.attempts.last?.elapsed)
    let numbers = trial.events.compactMap {
      if case .reply(let number, let bytes, _, _) = $0, bytes == 64 { number } else { nil }
    }
    #expect(numbers == Array(1...200))
  }

  @Test("a megabyte and a single byte, with a pattern and without", arguments: [1, 1_048_576])
  func sizes(_ size: Int) throws {
    let peer = try ScriptedPeer()
    for pattern in [[], [0xA5, 0x5A, 0x00]] as [[UInt8]] {
      let trial = try ProbeTrial([peer.endpoint()]) {
        ($0.count, $0.size, $0.pattern, $0.wait) = (5, size, pattern, .seconds(10))
      }
      #expect(trial.isConsistent)
      #expect(trial.summary.received == 5)
    }
  }

  @Test("the bytes on the wire are the pattern") func pattern() throws {
    let seen = Mutex<[UInt8]>([])
    let peer = try ScriptedPeer { connection in
      guard let bytes = connection.read(exactly: 10) else { return }
      seen.withLock { $0 = bytes }
      connection.write(bytes)
    }
    let trial = try ProbeTrial([peer.endpoint()]) {
      ($0.count, $0.size, $0.pattern) = (2, 5, [1, 2])
    }
    #expect(trial.isConsistent)
    #expect(seen.withLock { $0 } == [1, 2, 1, 2, 1, 1, 2, 1, 2, 1] || trial.summary.received == 0)
  }

  @Test("a flood keeps its window, and all of it is answered") func flood() throws {
    let peer = try ScriptedPeer()
    let trial = try ProbeTrial([peer.endpoint()]) {
      ($0.count, $0.flood, $0.size, $0.wait) = (5_000, 32, 1_000, .seconds(10))
    }
    #expect(trial.isConsistent)
    #expect(trial.summary.received == 5_000)
  }

  @Test("at a rate, a peer that stands still shows in all probes that were due") func rate() throws
  {
    let peer = try ScriptedPeer { connection in
      guard let first = connection.read(exactly: 64) else { return }
      connection.write(first)
      connection.pause(0.3)
      connection.echo()
    }
    let trial = try ProbeTrial([peer.endpoint()]) {
      ($0.count, $0.rate, $0.wait) = (60, 100, .seconds(10))
    }
    #expect(trial.isConsistent)
    #expect(trial.summary.received == 60)
    // Some thirty probes were due in these 300 ms.
    #expect(trial.summary.times.p90 > 150_000_000)
  }

  @Test("a rate that nobody can keep is bounded, and loses nothing") func overload() throws {
    let peer = try ScriptedPeer()
    let trial = try ProbeTrial([peer.endpoint()]) {
      ($0.count, $0.rate, $0.size, $0.wait) = (70_000, 1e9, 1, .seconds(25))
    }
    #expect(trial.isConsistent)
    #expect(trial.ends.isEmpty)
    #expect(trial.summary.received == 70_000)
  }

  @Test("a peer that takes all and gives nothing back cannot grow the memory") func sink() throws {
    let peer = try ScriptedPeer { while !$0.read().isEmpty {} }
    let trial = try ProbeTrial([peer.endpoint()]) {
      ($0.count, $0.rate, $0.size, $0.wait) = (150_000, 1e9, 1, .milliseconds(300))
    }
    #expect(trial.isConsistent)
    #expect(trial.summary.lost == 150_000)
    #expect(trial.ends.allSatisfy { $0 == .timeout })
  }

  @Test("PP-05: probes under way at the end are in flight") func inFlight() throws {
    let peer = try ScriptedPeer { connection in
      while true {
        let bytes = connection.read(64)
        if bytes.isEmpty { return }
        connection.pause(0.03)
        connection.write(bytes)
      }
    }
    let trial = try ProbeTrial([peer.endpoint()]) {
      ($0.interval, $0.duration, $0.wait) = (.milliseconds(10), .milliseconds(400), .seconds(20))
    }
    #expect(trial.isConsistent)
    #expect(trial.summary.lost == 0)
    #expect(trial.summary.inFlight > 0)
    #expect(trial.summary.received > 0)
  }

  @Test("stop ends the run at once, also from within an event") func stop() throws {
    let peer = try ScriptedPeer()
    let trial = try ProbeTrial([peer.endpoint()], { $0.count = nil }) { event, probe in
      if case .reply(probe: 10, _, _, _) = event { probe.stop() }
    }
    #expect(trial.isConsistent)
    #expect(trial.summary.received == 10)
    #expect(trial.events.filter { $0 == .finished }.count == 1)
  }

  @Test("handshakes alone, and the time is the handshake's", arguments: [0, 20])
  func connect(_ interval: Int) throws {
    let peer = try ScriptedPeer { _ = $0.read() }
    let trial = try ProbeTrial([peer.endpoint()]) {
      ($0.mode, $0.count, $0.interval) = (.connect, 20, .milliseconds(interval))
    }
    #expect(trial.isConsistent)
    #expect(trial.summary.received == 20 && trial.summary.connections == 20)
    #expect(trial.summary.bytesOut == 0)
    #expect(trial.summary.times.p50 < 20_000_000)
  }

  @Test("until-reply goes on until somebody listens") func untilReply() throws {
    let port = try ScriptedPeer.closedPort()
    var peer: ScriptedPeer?
    let endpoint = SocketEndpoint(ScriptedPeer.address(false), port: port)
    let trial = try ProbeTrial(
      [endpoint], { ($0.endsWhenAnswered, $0.interval) = (true, .milliseconds(50)) }
    ) { event, _ in
      if case .lost(probe: 3, _) = event { peer = try? ScriptedPeer(port: port) }
    }
    #expect(trial.isConsistent)
    #expect(trial.summary.received == 1)
    #expect(trial.summary.lost >= 3)
    #expect(peer != nil)
  }

  @Test("while nothing happens, nothing wakes up") func idle() throws {
    let peer = try ScriptedPeer()
    var before = rusage()
    getrusage(__rusage_who_t(1), &before)
    let trial = try ProbeTrial([peer.endpoint()]) {
      ($0.count, $0.interval, $0.wait) = (2, .milliseconds(1_500), .milliseconds(500))
    }
    var after = rusage()
    getrusage(__rusage_who_t(1), &after)
    #expect(trial.summary.received == 2)
    // Connecting, two answers with their stamps, the time limit of the first, the next probe.
    #expect(after.ru_nvcsw - before.ru_nvcsw < 25)
  }

  @Test("two hundred probes share one reactor") func many() throws {
    let peer = try ScriptedPeer(backlog: 256)
    let reactor = try Reactor()
    var configuration = PeerProbe.Configuration()
    (configuration.count, configuration.interval) = (5, .milliseconds(20))
    configuration.wait = .seconds(10)
    let probes = (0..<200).map { _ in PeerProbe([peer.endpoint()], configuration, on: reactor) }
    var left = probes.count
    for probe in probes {
      probe.onEvent = { event in
        if event == .finished { left -= 1 }
        if left == 0 { reactor.stop() }
      }
      probe.start()
    }
    reactor.schedule(after: .seconds(40)) { reactor.stop() }
    try reactor.run()
    #expect(probes.allSatisfy { $0.summary.received == 5 })
  }

  @Test("probes of many peers can take turns: each begins after its delay") func startDelay() throws
  {
    let peer = try ScriptedPeer()
    let before = MonotonicClock.now
    let trial = try ProbeTrial([peer.endpoint()]) {
      ($0.count, $0.startDelay) = (1, .milliseconds(150))
    }
    #expect(trial.summary.received == 1)
    #expect(MonotonicClock.now - before >= 150_000_000)
    #expect(trial.summary.elapsed < MonotonicClock.now - before - 140_000_000)
  }

  @Test("the stream of events ends with the run") func stream() async throws {
    let peer = try ScriptedPeer()
    let reactor = try Reactor()
    var configuration = PeerProbe.Configuration()
    (configuration.count, configuration.interval) = (3, .zero)
    let probe = PeerProbe([peer.endpoint()], configuration, on: reactor)
    let events = probe.events
    probe.start()
    reactor.schedule(after: .seconds(20)) { reactor.stop() }
    probe.onEvent = { if $0 == .finished { reactor.stop() } }
    try reactor.run()
    var seen: [PeerProbeEvent] = []
    for await event in events { seen.append(event) }
    #expect(seen.count == 5)
    #expect(seen.last == .finished)
  }
}
