import Foundation
import Glibc
import LanCore
import LanWire
import Synchronization
import TestKit
import Testing

@testable import LanSystem

@Suite("Peer probe beside faults", .timeLimit(.minutes(1))) struct PeerProbeFaultTests {
  private static let four = ScriptedPeer.address(false)
  private static let six = ScriptedPeer.address(true)

  @Test("PP-01: refused is a failure with its reason, and no time", arguments: [true, false])
  func refused(_ isConnectMode: Bool) throws {
    let port = try ScriptedPeer.closedPort()
    let trial = try ProbeTrial([SocketEndpoint(Self.four, port: port)]) {
      ($0.count, $0.interval) = (3, .milliseconds(20))
      if isConnectMode { $0.mode = .connect }
    }
    #expect(trial.isConsistent)
    #expect(trial.summary.sent == 3 && trial.summary.lost == 3)
    #expect(trial.summary.times.count == 0 && trial.summary.connectTime == nil)
    #expect(trial.failures.allSatisfy { $0.outcomes == [.failed(ECONNREFUSED)] })
  }

  @Test("filtered: each probe times out by itself", arguments: [true, false])
  func filtered(_ isConnectMode: Bool) throws {
    let peer = try FilteredPeer()
    let trial = try ProbeTrial([peer.endpoint]) {
      ($0.count, $0.interval, $0.wait) = (4, .milliseconds(100), .milliseconds(300))
      if isConnectMode { $0.mode = .connect }
    }
    #expect(trial.isConsistent)
    #expect(trial.summary.lost == 4)
    #expect(trial.failures.first?.outcomes == [.timedOut])
    // Not one after the other.
    #expect(trial.summary.elapsed < 3_000_000_000)
  }

  @Test("reset in the middle: what was under way is lost, and the run goes on") func reset() throws
  {
    let peer = try ScriptedPeer { connection in
      guard connection.number == 1 else { return connection.echo() }
      for _ in 0..<5 { connection.read(exactly: 64).map(connection.write) }
      _ = connection.read(exactly: 64)
      connection.reset()
    }
    let trial = try ProbeTrial([peer.endpoint()]) {
      ($0.count, $0.interval, $0.wait) = (30, .milliseconds(10), .seconds(5))
    }
    #expect(trial.isConsistent)
    #expect(trial.summary.sent == 30)
    #expect(trial.summary.lost >= 1 && trial.summary.received >= 12)
    #expect(trial.summary.connections == 2)
    #expect(trial.failures.first?.number == ECONNRESET)
    #expect(trial.ends.map(\.number) == [ECONNRESET])
  }

  @Test("PP-03: a peer that goes for good costs all further probes, and their share is right")
  func gone() throws {
    let peer = Mutex<ScriptedPeer?>(nil)
    let first = try ScriptedPeer { connection in
      for _ in 0..<23 { connection.read(exactly: 64).map(connection.write) }
      peer.withLock { $0?.stop() }
    }
    peer.withLock { $0 = first }
    let trial = try ProbeTrial([first.endpoint()]) {
      ($0.count, $0.interval) = (100, .milliseconds(5))
    }
    #expect(trial.isConsistent)
    #expect(trial.summary.sent == 100)
    #expect(trial.summary.received == 23 && trial.summary.lost == 77)
    #expect(trial.summary.lossPercent == 77)
    #expect(trial.ends.first == .closed)
  }

  @Test("short bytes and an early end are told as such") func short() throws {
    let peer = try ScriptedPeer { connection in
      connection.read(exactly: 64).map { connection.write(Array($0.prefix(10))) }
    }
    let trial = try ProbeTrial([peer.endpoint()]) { ($0.count, $0.interval) = (1, .zero) }
    #expect(trial.isConsistent)
    #expect(trial.failures == [.shortReply(received: 10, expected: 64)])
    #expect(trial.ends == [.closed])
  }

  @Test("a wrong byte is found where it is, and the probes after it are intact") func wrong() throws
  {
    let peer = try ScriptedPeer { connection in
      var number = 0
      while var bytes = connection.read(exactly: 64) {
        number += 1
        if number == 3 { bytes[17] ^= 0x40 }
        connection.write(bytes)
      }
    }
    let trial = try ProbeTrial([peer.endpoint()]) {
      ($0.count, $0.pattern) = (5, Array("abcdefgh".utf8))
    }
    #expect(trial.isConsistent)
    #expect(trial.summary.received == 4 && trial.summary.corrupted == 1)
    #expect(trial.failures == [.corrupted(offset: 17, expected: 0x62, received: 0x22)])
  }

  @Test("a peer that answers with something else is corrupted, however little it says")
  func otherProtocol() throws {
    let peer = try ScriptedPeer { connection in
      _ = connection.read(exactly: 64)
      connection.write(Array("HTTP/1.0 400\r\n".utf8))
    }
    let trial = try ProbeTrial([peer.endpoint()]) { $0.count = 1 }
    #expect(trial.isConsistent)
    #expect(trial.summary.corrupted == 1)
    guard case .corrupted(offset: 0, _, received: 0x48) = trial.failures.first else {
      Issue.record("\(trial.failures)")
      return
    }
  }

  @Test("late answers belong to the probes that were given up") func slow() throws {
    let peer = try ScriptedPeer { connection in
      while let bytes = connection.read(exactly: 64) {
        connection.pause(bytes[0] == 0 ? 0 : 0.25)
        connection.write(bytes)
      }
    }
    let trial = try ProbeTrial([peer.endpoint()]) {
      ($0.count, $0.interval, $0.wait) = (4, .milliseconds(300), .milliseconds(60))
      $0.pattern = [1]
    }
    #expect(trial.isConsistent)
    #expect(trial.summary.lost == 4 && trial.summary.corrupted == 0)
    #expect(trial.failures.allSatisfy { $0 == .timeout })
    let late = trial.events.compactMap { event -> Int? in
      if case .late(let number, let rtt) = event, rtt > 240_000_000 { number } else { nil }
    }
    #expect(late == [1, 2, 3])
    // A peer that is slow is not gone.
    #expect(trial.ends.isEmpty)
  }

  @Test("a reader that stands still stops the flow, and nothing is mixed up after it")
  func stalled() throws {
    let peer = try ScriptedPeer { connection in
      connection.pause(0.8)
      connection.echo()
    }
    let trial = try ProbeTrial([peer.endpoint()]) {
      ($0.count, $0.interval, $0.wait) = (150, .milliseconds(10), .milliseconds(200))
      $0.size = 262_144
    }
    #expect(trial.isConsistent)
    #expect(trial.summary.sent == 150)
    #expect(trial.summary.lost > 20)
    #expect(trial.summary.received > 0)
    #expect(trial.summary.corrupted == 0)
    // What was given up before it left was never sent.
    #expect(trial.summary.bytesOut < 150 * 262_144)
  }

  @Test("bytes that nobody asked for are counted, and do not spoil the probes") func banner() throws
  {
    let peer = try ScriptedPeer { connection in
      for _ in 0..<2 { connection.read(exactly: 64).map(connection.write) }
      connection.write([1, 2, 3])
      connection.echo()
    }
    let trial = try ProbeTrial([peer.endpoint()]) {
      ($0.count, $0.interval) = (4, .milliseconds(100))
    }
    #expect(trial.isConsistent)
    #expect(trial.summary.unaskedBytes == 3 || trial.summary.corrupted > 0)
  }

  @Test("PP-15: IPv6 refused with IPv4 fine connects at once") func ipv6Refused() throws {
    let peer = try ScriptedPeer()
    let closed = try ScriptedPeer.closedPort(isIPv6: true)
    let trial = try ProbeTrial([SocketEndpoint(Self.six, port: closed), peer.endpoint()]) {
      $0.count = 1
    }
    #expect(trial.summary.received == 1)
    #expect(trial.attempts.map(\.outcome) == [.failed(ECONNREFUSED), .connected])
    #expect(trial.attempts.last?.begun ?? .max < 200_000_000)
  }

  @Test("PP-15: IPv6 dropped with IPv4 fine connects after 250 ms, which are not the connection's")
  func ipv6Dropped() throws {
    let peer = try ScriptedPeer()
    let filtered = try FilteredPeer(isIPv6: true)
    let trial = try ProbeTrial([filtered.endpoint, peer.endpoint()]) {
      ($0.count, $0.wait) = (1, .seconds(5))
    }
    #expect(trial.summary.received == 1)
    #expect(trial.attempts.map(\.outcome) == [.abandoned, .connected])
    #expect(trial.attempts.last?.begun ?? 0 >= 250_000_000)
    #expect(trial.summary.connectTime ?? .max < 250_000_000)
    #expect(trial.summary.totalConnectTime ?? 0 >= 250_000_000)
  }

  @Test("a source address that this host does not have ends the run with that reason")
  func badSource() throws {
    let peer = try ScriptedPeer()
    let trial = try ProbeTrial([peer.endpoint()]) {
      ($0.count, $0.source) = (3, .v4(IPv4Address(bits: 0xC000_0263)))
    }
    #expect(trial.summary.sent == 0)
    #expect(trial.ends.map(\.number) == [EADDRNOTAVAIL])
    #expect(trial.events.last == .finished)
  }

  @Test("a self-connection is none", .enabled(if: Lab.isPossible, "\(Lab.skipped)"))
  func selfConnection() throws {
    let lab = try NetlinkLab(
      "ip netns exec $ns sysctl -qw net.ipv4.ip_local_port_range='41001 41002'")
    try lab.inside {
      let trial = try ProbeTrial([SocketEndpoint(Self.four, port: 41_001)]) {
        ($0.count, $0.interval) = (8, .milliseconds(1))
        $0.mode = .connect
      }
      #expect(trial.isConsistent)
      #expect(trial.summary.received == 0 && trial.summary.lost == 8)
      #expect(trial.failures.contains { $0.outcomes == [.selfConnected] })
    }
  }

  @Test(
    "PP-11: a peer that vanishes is called half open, and the run ends at the count",
    .enabled(if: Lab.isPossible, "\(Lab.skipped)"))
  func halfOpen() throws {
    let lab = try NetlinkLab("")
    try lab.inside {
      let peer = try ScriptedPeer()
      let trial = try ProbeTrial(
        [peer.endpoint()],
        { ($0.count, $0.interval, $0.wait) = (20, .milliseconds(100), .milliseconds(400)) }
      ) { event, _ in
        guard case .reply(probe: 3, _, _, _) = event else { return }
        // This thread is inside the namespace, and its children are too.
        Lab.shell(
          """
          nft add table inet f
          nft add chain inet f i '{ type filter hook input priority 0; }'
          nft add rule inet f i tcp dport \(peer.port) drop
          """)
      }
      #expect(trial.isConsistent)
      #expect(trial.summary.sent == 20 && trial.summary.received == 3)
      #expect(trial.summary.lost == 17)
      #expect(trial.failures.contains(.timeout) && trial.failures.contains(.halfOpen))
      #expect(trial.ends.first == .halfOpen)
    }
  }
}

/// A listener of loopback that drops SYNs, as a filter does: its queue is full.
final class FilteredPeer {
  private let peer: ScriptedPeer
  let endpoint: SocketEndpoint

  init(isIPv6: Bool = false) throws {
    peer = try ScriptedPeer(isIPv6: isIPv6, backlog: 0, nil)
    endpoint = peer.endpoint(isIPv6: isIPv6)
    for _ in 0..<3 {
      let link = try PeerLink(to: endpoint, PeerProbe.Configuration())
      _ = link.connect()
      links.append(link)
    }
    usleep(50_000)
  }

  private var links: [PeerLink] = []
}
