import Foundation
import Glibc
import LanCore
import LanWire
import Synchronization
import TestKit
import Testing

@testable import LanSystem

@Suite("Peer probe that taps", .timeLimit(.minutes(1))) struct PeerProbeTapTests {
  @Test(
    "down and up for each tile in turn, each acknowledged by the peer's kernel",
    arguments: [
      TapDialect.witap2, .witap1,
    ])
  func taps(_ dialect: TapDialect) throws {
    let seen = Mutex<[UInt8]>([])
    let peer = try ScriptedPeer { connection in
      while true {
        let bytes = connection.read()
        if bytes.isEmpty { return }
        seen.withLock { $0 += bytes }
      }
    }
    let trial = try ProbeTrial([peer.endpoint()]) {
      ($0.mode, $0.count, $0.wait) = (.tap(dialect), 20, .seconds(5))
    }
    #expect(trial.isConsistent)
    #expect(trial.summary.received == 20)
    let expected = (0..<20).map { turn in
      TapByte(tile: turn / 2 % 9, isDown: turn % 2 == 0).byte(dialect)
    }
    for _ in 0..<100 where seen.withLock({ $0.count }) < 20 { usleep(10_000) }
    #expect(seen.withLock { $0 } == expected)
    let acknowledged = trial.events.compactMap { event -> TapByte? in
      if case .tapAcknowledged(_, let tap, _) = event { tap } else { nil }
    }
    #expect(acknowledged.map { $0.byte(dialect) } == expected)
  }

  @Test("without stamps the queue tells what was acknowledged") func withoutStamps() throws {
    let peer = try ScriptedPeer { while !$0.read().isEmpty {} }
    let trial = try ProbeTrial([peer.endpoint()]) {
      ($0.mode, $0.count, $0.usesStamps, $0.wait) = (.tap(.witap2), 6, false, .seconds(5))
    }
    #expect(trial.isConsistent)
    #expect(trial.summary.received == 6)
  }

  @Test("the peer's taps are told, and noise is ignored") func received() throws {
    let peer = try ScriptedPeer { connection in
      _ = connection.read()
      connection.write([0x42, 0x0D, 0x0A, 0x62, 0xFF])
      while !connection.read().isEmpty {}
    }
    let trial = try ProbeTrial([peer.endpoint()]) {
      ($0.mode, $0.count, $0.interval) = (.tap(.witap2), 4, .milliseconds(100))
    }
    let taps = trial.events.compactMap { event -> TapByte? in
      if case .tapReceived(let tap) = event { tap } else { nil }
    }
    #expect(taps == [TapByte(tile: 1, isDown: true), TapByte(tile: 1, isDown: false)])
    #expect(trial.summary.bytesIn == 5)
  }

  @Test(
    "first bytes that are none are told: TLS, HTTP, a banner",
    arguments: [
      [0x16, 0x03, 0x01, 0x00], Array("HTTP/1.1 400".utf8), Array("220 ready\r\n".utf8),
    ] as [[UInt8]])
  func notPlain(_ bytes: [UInt8]) throws {
    let peer = try ScriptedPeer { connection in
      connection.write(bytes)
      while !connection.read().isEmpty {}
    }
    let trial = try ProbeTrial([peer.endpoint()]) {
      ($0.mode, $0.count, $0.interval) = (.tap(.witap2), 4, .milliseconds(100))
    }
    #expect(trial.events.contains(.notPlainWiTap(bytes)))
  }

  @Test("a peer that plays with somebody else closes, and that is told") func busy() throws {
    let peer = try ScriptedPeer { _ in }
    let trial = try ProbeTrial([peer.endpoint()]) {
      ($0.mode, $0.count, $0.interval) = (.tap(.witap2), 2, .milliseconds(100))
    }
    #expect(trial.isConsistent)
    #expect(trial.ends.first == .closed || trial.ends.first?.number == ECONNRESET)
  }

  @Test("the peer's delayed-ACK timer is suspected where it shows") func delayedAck() throws {
    let peer = try ScriptedPeer { connection in
      while true {
        // A receiver that talks back a lot has its acknowledgements wait.
        var no: Int32 = 0
        setsockopt(connection.descriptor, Int32(IPPROTO_TCP), TCP_QUICKACK, &no, 4)
        if connection.read().isEmpty { return }
      }
    }
    let trial = try ProbeTrial([peer.endpoint()]) {
      ($0.mode, $0.count, $0.interval, $0.wait) =
        (.tap(.witap2), 10, .milliseconds(70), .seconds(5))
    }
    #expect(trial.isConsistent)
    #expect(trial.summary.received == 10)
    #expect(trial.summary.delayedAckSuspected)
  }

  @Test("stamps split a round trip into parts that add up", .enabled(if: Self.hasStamps))
  func split() throws {
    let peer = try ScriptedPeer { connection in
      while let bytes = connection.read(exactly: 64) {
        connection.pause(0.02)
        connection.write(bytes)
      }
    }
    let trial = try ProbeTrial([peer.endpoint()]) {
      ($0.count, $0.interval, $0.wait) = (8, .milliseconds(50), .seconds(5))
    }
    #expect(trial.isConsistent)
    let splits = trial.events.compactMap { event -> (PeerProbeSummary.Split, Int64)? in
      if case .reply(_, _, let rtt, let split?) = event { (split, rtt) } else { nil }
    }
    #expect(splits.count >= 6)
    for (split, rtt) in splits {
      #expect(split.localStack + split.wire + split.application == rtt)
    }
    // The 20 ms are the application's, whether the acknowledgement came before or with the answer.
    #expect(trial.summary.split?.application ?? 0 > 15_000_000)
    #expect(trial.summary.split?.wire ?? .max < 15_000_000)
  }

  static let hasStamps: Bool = {
    guard let peer = try? ScriptedPeer(),
      let trial = try? ProbeTrial([peer.endpoint()], { $0.count = 1 })
    else { return false }
    return trial.summary.split != nil
  }()
}
