import LanCore
import LanSystem
import LanWire

/// Writes results as JSON Lines, as the contract's chapter on `ping-peer` says.
struct PingPeerJSON {
  private var head = JSONLineHead("lantool.ping-peer/1")
  /// Writes the bars of the distribution into summaries.
  let showsHistogram: Bool

  init(showsHistogram: Bool) { self.showsHistogram = showsHistogram }

  /// Writes an event; taps that were sent wait for their acknowledgement.
  mutating func append(
    _ event: PeerProbeEvent, _ subject: PingPeerSubject, at wall: Int64, to out: inout OutputBuffer
  ) {
    switch event {
    case .connected(let endpoint, let local, let connectTime, let attempts):
      begin("connected", subject.target, at: wall, to: &out)
      append("address", endpoint, to: &out)
      out.appendJSON("port", endpoint.port)
      append("localAddress", local, to: &out)
      out.appendJSON("localPort", local.port)
      out.appendMicroseconds("connectMicroseconds", connectTime)
      out.appendJSON("mode", PingPeerWords.word(subject.mode))
      append(attempts, to: &out)
    case .reply(let probe, let bytes, let rtt, let split):
      begin("reply", subject.target, at: wall, to: &out)
      append(probe: probe, to: &out)
      out.appendJSON("bytes", bytes)
      out.appendMicroseconds("rttMicroseconds", rtt)
      if let split { append(split, to: &out) }
    case .lost(let probe, let failure):
      begin("lost", subject.target, at: wall, to: &out)
      append(probe: probe, to: &out)
      append(failure, subject, to: &out)
    case .late(let probe, let rtt):
      begin("late", subject.target, at: wall, to: &out)
      append(probe: probe, to: &out)
      out.appendMicroseconds("rttMicroseconds", rtt)
    case .tapSent(let probe, let tap):
      begin(tap, "sent", probe, subject, at: wall, to: &out)
    case .tapAcknowledged(let probe, let tap, let elapsed):
      begin(tap, "sent", probe, subject, at: wall, to: &out)
      out.appendMicroseconds("ackMicroseconds", elapsed)
      if let handshake = subject.connectTime {
        out.appendMicroseconds("connectMicroseconds", handshake)
        if PingPeerDelayedAck.isSuspected(elapsed, handshake: handshake) {
          out.appendJSON("delayedAckSuspected", true)
        }
      }
    case .tapReceived(let tap):
      begin(tap, "received", nil, subject, at: wall, to: &out)
    case .notPlainWiTap(let bytes):
      begin("notPlainWiTap", subject.target, at: wall, to: &out)
      out.append(",\"bytes\":\"")
      out.append(hex: bytes.span, 0..<min(bytes.count, 64))
      out.append("\"")
      out.appendJSON("text", "connected, but not plain WiTap")
    case .disconnected(let failure):
      begin("disconnected", subject.target, at: wall, to: &out)
      append(failure, subject, to: &out)
      if case .notConnected(let attempts) = failure { append(attempts, to: &out) }
    case .finished: return
    }
    out.append("}\n")
  }

  /// Writes that a target cannot be tested.
  mutating func appendFailure(
    _ reason: String, _ text: String, of target: String?, at wall: Int64,
    to out: inout OutputBuffer
  ) {
    begin("failure", target, at: wall, to: &out)
    out.appendJSON("reason", reason)
    if !text.isEmpty { out.appendJSON("text", text) }
    out.append("}\n")
  }

  /// Writes what became of a service's records.
  mutating func append(
    _ outcome: PingPeerReconfirmation, of target: String, at wall: Int64,
    to out: inout OutputBuffer
  ) {
    begin("reconfirm", target, at: wall, to: &out)
    out.appendJSON("outcome", outcome.word)
    if case .moved(let endpoints) = outcome {
      out.append(",\"endpoints\":[")
      for (index, endpoint) in endpoints.enumerated() {
        out.append(index > 0 ? ",{\"address\":" : "{\"address\":")
        out.appendJSON(string: PingPeerWords.address(endpoint))
        out.appendJSON("port", endpoint.port)
        out.append("}")
      }
      out.append("]")
    }
    out.append("}\n")
  }

  /// Writes the figures so far, or the `summary` at the end: of the one target, or of all and then
  /// each.
  mutating func append(
    _ reports: [PingPeerReport], isEnd: Bool, at wall: Int64, to out: inout OutputBuffer
  ) {
    let alone = reports.count == 1 ? reports.first : nil
    begin(isEnd ? "summary" : "interim", alone?.subject.target, at: wall, to: &out)
    if let alone {
      append(members: alone, to: &out)
    } else {
      PingPeerTotals(reports).append(to: &out)
      out.append(",\"targets\":[")
      for (index, report) in reports.enumerated() {
        // The first member's comma belongs to the object before it.
        out.append(index > 0 ? ",{\"target\":" : "{\"target\":")
        out.appendJSON(string: report.subject.target)
        append(members: report, to: &out)
        out.append("}")
      }
      out.append("]")
    }
    out.append("}\n")
  }

  // MARK: Parts

  private mutating func begin(
    _ event: StaticString, _ target: String?, at wall: Int64, to out: inout OutputBuffer
  ) {
    head.append(event, at: wall, to: &out)
    if let target { out.appendJSON("target", target) }
  }

  private mutating func begin(
    _ tap: TapByte, _ direction: String, _ probe: Int?, _ subject: PingPeerSubject,
    at wall: Int64, to out: inout OutputBuffer
  ) {
    begin("tap", subject.target, at: wall, to: &out)
    if let probe { append(probe: probe, to: &out) }
    out.appendJSON("tile", tap.tile)
    out.appendJSON("state", tap.isDown ? "down" : "up")
    out.appendJSON("direction", direction)
  }

  private func append(probe: Int, to out: inout OutputBuffer) {
    out.appendJSON("probe", probe)
  }

  private func append(_ key: StaticString, _ endpoint: SocketEndpoint, to out: inout OutputBuffer) {
    out.appendJSON(key, PingPeerWords.address(endpoint))
  }

  private func append(
    _ failure: PeerFailure, _ subject: PingPeerSubject, to out: inout OutputBuffer
  ) {
    out.appendJSON("reason", PingPeerWords.word(failure))
    out.appendJSON("text", PingPeerWords.text(failure, wait: subject.wait))
    switch failure {
    case .shortReply(let received, let expected):
      out.appendJSON("receivedBytes", received)
      out.appendJSON("expectedBytes", expected)
    case .corrupted(let offset, let expected, let received):
      out.appendJSON("offset", offset)
      out.appendJSON("expectedByte", expected)
      out.appendJSON("receivedByte", received)
    default: break
    }
  }

  private func append(_ attempts: [PeerConnectAttempt], to out: inout OutputBuffer) {
    if attempts.isEmpty { return }
    out.append(",\"attempts\":[")
    for (index, attempt) in attempts.enumerated() {
      out.append(index > 0 ? ",{\"address\":" : "{\"address\":")
      out.appendJSON(string: PingPeerWords.address(attempt.endpoint))
      out.appendJSON("port", attempt.endpoint.port)
      out.appendJSON("outcome", PingPeerWords.word(attempt.outcome))
      out.appendMicroseconds("beginMicroseconds", attempt.begun)
      out.appendMicroseconds("elapsedMicroseconds", attempt.elapsed)
      out.append("}")
    }
    out.append("]")
  }
}
