import Foundation
import LanCore
import LanSystem
import LanWire
import TestKit
import Testing

@testable import LanCLI

private let wall: Int64 = 1_764_464_000_123_456_789

private func endpoint(_ text: String, scope: UInt32 = 0) throws -> SocketEndpoint {
  SocketEndpoint(try #require(IPAddress(parsing: text)), port: 7, scope: scope)
}

private func subject(
  _ mode: PeerMode = .echo, isOneOfMany: Bool = false
) throws -> PingPeerSubject {
  var subject = PingPeerSubject(target: "tv.local:7", mode: mode, wait: .seconds(1))
  subject.endpoint = try endpoint("192.0.2.20")
  subject.connectTime = 213_000
  subject.isOneOfMany = isOneOfMany
  return subject
}

private func attempts() throws -> [PeerConnectAttempt] {
  [
    PeerConnectAttempt(
      endpoint: try endpoint("2001:db8::20"), begun: 0, elapsed: 251_000_000, outcome: .abandoned),
    PeerConnectAttempt(
      endpoint: try endpoint("192.0.2.20"), begun: 250_000_000, elapsed: 213_000,
      outcome: .connected),
  ]
}

private func summary() -> PeerProbeSummary {
  var summary = PeerProbeSummary()
  (summary.sent, summary.received, summary.lost, summary.inFlight) = (1_000, 231, 768, 1)
  summary.times.count = 231
  (summary.times.minimum, summary.times.mean, summary.times.maximum) = (100_000, 123_456.7, 999_999)
  (summary.times.p50, summary.times.p90) = (120_000, 130_000)
  (summary.times.p99, summary.times.p999) = (140_000, 150_000)
  (summary.times.deviation, summary.jitter) = (10_000, 5_000)
  summary.recent = [100_000, 200_000, 800_000]
  summary.connections = 2
  (summary.connectTime, summary.totalConnectTime) = (213_000, 250_213_000)
  summary.split = .init(localStack: 10_000, wire: 80_000, application: 30_000)
  summary.kernel = .init(
    rtt: 120_000, rttDeviation: 30_000, minimumRTT: 90_000, retransmits: 1, segmentSize: 1_448,
    congestionWindow: 10)
  summary.histogram = [
    .init(lowest: 100_000, end: 200_000, count: 230),
    .init(lowest: 200_000, end: 400_000, count: 0),
    .init(lowest: 400_000, end: 1_000_000, count: 1),
  ]
  (summary.bytesOut, summary.bytesIn, summary.elapsed) = (64_000, 14_784, 10_000_000_000)
  return summary
}

private func report(isOneOfMany: Bool = false) throws -> PingPeerReport {
  PingPeerReport(subject: try subject(isOneOfMany: isOneOfMany), summary: summary())
}

private func string(_ write: (inout OutputBuffer) throws -> Void) rethrows -> String {
  var out = OutputBuffer(capacity: 64)
  try write(&out)
  return out.withBytes { bytes in
    String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
  }
}

private func json(_ event: PeerProbeEvent, _ mode: PeerMode = .echo) throws -> String {
  try string { out in
    var json = PingPeerJSON(showsHistogram: true)
    json.append(event, try subject(mode), at: wall, to: &out)
  }
}

private func text(
  _ event: PeerProbeEvent, _ mode: PeerMode = .echo, isOneOfMany: Bool = false
) throws -> String {
  try string { out in
    var text = PingPeerText(style: TerminalStyle(isOn: false), showsTime: false)
    text.append(event, try subject(mode, isOneOfMany: isOneOfMany), at: wall, to: &out)
  }
}

private let failures: [PeerFailure] = [
  .timeout, .halfOpen, .closed, .shortReply(received: 10, expected: 64),
  .corrupted(offset: 3, expected: 0x41, received: 0x0A), .selfConnected,
  .system(SystemError(call: "read", errno: 104)), .notConnected([]),
]

/// A line of every kind, for the schema.
private func everyLine() throws -> String {
  let tap = TapByte(tile: 8, isDown: true)
  var events: [PeerProbeEvent] = [
    .connected(
      try endpoint("192.0.2.20"), local: try endpoint("fe80::1", scope: 77), connectTime: 213_000,
      attempts: try attempts()),
    .reply(probe: 1, bytes: 64, rtt: 123_456, split: nil),
    .reply(
      probe: 2, bytes: 64, rtt: 123_456,
      split: .init(localStack: 1, wire: 2_000, application: 3_000)),
    .late(probe: 3, rtt: 1_500_000_000), .tapSent(probe: 4, tap),
    .tapAcknowledged(probe: 4, tap, elapsed: 41_000_000), .tapReceived(tap),
    .notPlainWiTap([0x16, 3]), .finished,
    .disconnected(.notConnected(try attempts())),
  ]
  events += failures.map { .lost(probe: 5, $0) } + failures.map { .disconnected($0) }
  return try string { out in
    var json = PingPeerJSON(showsHistogram: true)
    for event in events { json.append(event, try subject(), at: wall, to: &out) }
    json.appendFailure("noAnswer", "nobody answered", of: "tv.local", at: wall, to: &out)
    json.appendFailure("notFound", "", of: nil, at: wall, to: &out)
    for outcome in [.announced, .gone, .moved([try endpoint("192.0.2.20")])]
      as [PingPeerReconfirmation]
    {
      json.append(outcome, of: "tv.local", at: wall, to: &out)
    }
    let nothing = PingPeerReport(subject: try subject(.tap(.witap2)), summary: .init())
    for reports in [[], [nothing], [try report()], [nothing, try report()]] {
      json.append(reports, isEnd: true, at: wall, to: &out)
      json.append(reports, isEnd: false, at: wall, to: &out)
    }
  }
}

@Suite("What ping-peer writes") struct PingPeerOutputTests {
  @Test("an answer: what the contract names, times to the nanosecond") func reply() throws {
    #expect(
      try json(.reply(probe: 1, bytes: 64, rtt: 123_456, split: nil)) == """
        {"schema":"lantool.ping-peer/1","event":"reply","time":"2025-11-30T00:53:20.123456Z",\
        "seq":1,"target":"tv.local:7","probe":1,"bytes":64,"rttMicroseconds":123.456}

        """)
    #expect(
      try text(.reply(probe: 1, bytes: 64, rtt: 123_456, split: nil))
        == "64 bytes from 192.0.2.20:7: probe=1 time=0.123 ms\n")
    #expect(
      try text(.reply(probe: 1, bytes: 0, rtt: 123_456, split: nil), .connect, isOneOfMany: true)
        == "tv.local:7: handshake with 192.0.2.20:7: probe=1 time=0.123 ms\n")
  }

  @Test("a connection names the winner, and what was tried beside it (PP-15)")
  func connected() throws {
    let event = PeerProbeEvent.connected(
      try endpoint("192.0.2.20"), local: try endpoint("192.0.2.10"), connectTime: 213_000,
      attempts: try attempts())
    #expect(
      try text(event) == """
        connected to 192.0.2.20:7 from 192.0.2.10:7 in 0.213 ms \
        (tried too: [2001:db8::20]:7 given up for another after 251.000 ms)

        """)
    let line = try json(event)
    #expect(line.contains(#""address":"192.0.2.20","port":7,"#))
    #expect(line.contains(#""connectMicroseconds":213.000,"#))
    #expect(
      line.contains(
        """
        "attempts":[{"address":"2001:db8::20","port":7,"outcome":"abandoned",\
        "beginMicroseconds":0.000,"elapsedMicroseconds":251000.000}
        """))
  }

  @Test("each kind of loss has a reason for people and a word for programs") func lost() throws {
    let words = try failures.map { failure in
      let line = try json(.lost(probe: 1, failure))
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      return try #require(object?["reason"] as? String)
    }
    #expect(
      words == [
        "timeout", "halfOpen", "closed", "shortReply", "corrupted", "selfConnected", "reset",
        "notConnected",
      ])
    #expect(try text(.lost(probe: 9, .timeout)) == "probe=9 lost: no answer within 1s\n")
    #expect(
      try text(.lost(probe: 9, failures[4]))
        == "probe=9 lost: wrong bytes: byte 3 is 0x0a, 0x41 was sent\n")
    #expect(
      try text(.disconnected(failures[6])) == "connection lost: connection reset by peer\n")
  }

  @Test("a tap has its tile, state and acknowledgement, with the handshake beside it")
  func tap() throws {
    let event = PeerProbeEvent.tapAcknowledged(
      probe: 1, TapByte(tile: 3, isDown: false), elapsed: 41_000_000)
    let line = try json(event, .tap(.witap2))
    #expect(
      line.hasSuffix(
        """
        "probe":1,"tile":3,"state":"up","direction":"sent","ackMicroseconds":41000.000,\
        "connectMicroseconds":213.000,"delayedAckSuspected":true}

        """))
    #expect(
      try text(event, .tap(.witap2)) == "tile 3 up: probe=1 acknowledged after 41.000 ms\n")
    #expect(try text(.tapReceived(TapByte(tile: 0, isDown: true))) == "tile 0 down from the peer\n")
    #expect(
      try text(.notPlainWiTap([0x16, 0x03, 0x01]))
        == "connected, but not plain WiTap: the peer began with 160301\n")
  }

  @Test("the figures at the end, in the order of ping (PP-03)") func figures() throws {
    let lines = PingPeerFigures.lines(try report())
    #expect(
      lines == [
        "1000 sent, 231 received, 768 lost, 76.8 % loss, in flight: 1, time 10000 ms",
        """
        rtt min/mean/p50/p90/p99/p99.9/max/stddev = \
        0.100/0.123/0.120/0.130/0.140/0.150/1.000/0.010 ms, jitter 0.005 ms
        """,
        """
        connect 0.213 ms (the last of 2), 250.213 ms with the tries before it; kernel rtt \
        0.120/0.030 ms, min 0.090 ms; 1 retransmit, mss 1448, cwnd 10
        """,
        """
        spent (medians): local stack 0.010 ms, wire and peer's kernel 0.080 ms, peer's \
        application 0.030 ms
        """,
      ])
    #expect(
      PingPeerFigures.lines(PingPeerReport(subject: try subject(), summary: .init())).count == 1)
  }

  @Test("a histogram has a bar for each range, and never more lines than a screen")
  func histogram() {
    #expect(
      PeerHistogram.lines(summary().histogram) == [
        "0.100 to 0.200 ms  230   99.6 %  " + String(repeating: "#", count: 40),
        "0.200 to 0.400 ms    0    0.0 %  ",
        "0.400 to 1.000 ms    1    0.4 %  #",
      ])
    let many = (0..<200).map {
      PeerProbeSummary.Bar(lowest: Int64($0) * 1_000, end: Int64($0 + 1) * 1_000, count: 1)
    }
    let lines = PeerHistogram.lines(many)
    #expect(lines.count <= 30 && lines.allSatisfy { $0.count < 100 })
    #expect(PeerHistogram.lines([]).isEmpty)
  }

  @Test("the curve spans its values, and small differences stay small") func sparkline() {
    #expect(Sparkline.text([0, 50, 100], width: 10) == "▁▅█")
    #expect(Sparkline.text([1_000, 1_001, 1_002], width: 10) == "▁▁▁")
    #expect(Sparkline.text([1, 2, 3], width: 2).count == 2)
    #expect(Sparkline.text([], width: 10) == "" && Sparkline.text([1], width: -3) == "")
  }

  @Test("several targets have one summary: sums, exact means, each target in a list")
  func several() throws {
    let line = try string { out in
      var json = PingPeerJSON(showsHistogram: false)
      json.append([try report(), try report()], isEnd: true, at: wall, to: &out)
    }
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    #expect(object["sent"] as? Int == 2_000 && object["lossPercent"] as? Double == 76.8)
    let rtt = try #require(object["rtt"] as? [String: Double])
    #expect(rtt["meanMicroseconds"] == 123.457 && rtt["stddevMicroseconds"] == 10)
    #expect((object["targets"] as? [Any])?.count == 2 && object["target"] == nil)
  }

  @Test("names from the network do not drive the terminal") func hostile() throws {
    let line = string { out in
      var text = PingPeerText(style: TerminalStyle(isOn: false), showsTime: false)
      let subject = PingPeerSubject(
        target: "\u{1B}]0;x\u{7}\u{202E}", mode: .echo, wait: .seconds(1))
      text.appendHead(subject, PeerProbe.Configuration(), at: wall, to: &out)
    }
    #expect(!line.contains("\u{1B}") && !line.contains("\u{7}") && !line.contains("\u{202E}"))
  }

  @Test("every line fits the schema") func schema() throws {
    #expect(try SchemaCheck.faults(try everyLine(), of: "ping-peer") == "")
  }
}
