import LanCore
import LanSystem
import LanWire

/// Writes results as lines for people, in the manner of ping.
struct PingPeerText {
  let style: TerminalStyle
  let showsTime: Bool
  private var times = TimeText()
  private var zone = LocalTime()

  init(style: TerminalStyle, showsTime: Bool) {
    self.style = style
    self.showsTime = showsTime
  }

  /// Writes the line that a test begins with.
  mutating func appendHead(
    _ subject: PingPeerSubject, _ probe: PeerProbe.Configuration, at wall: Int64,
    to out: inout OutputBuffer
  ) {
    line(nil, .plain, at: wall, to: &out) { out in
      out.append("PING-PEER ")
      out.append(text: subject.target, escape: .shown)
      out.append(text: ": \(Self.words(subject.mode, probe))")
    }
  }

  /// Writes an event; what has no line of its own writes none.
  mutating func append(
    _ event: PeerProbeEvent, _ subject: PingPeerSubject, at wall: Int64, to out: inout OutputBuffer
  ) {
    switch event {
    case .connected(let endpoint, let local, let time, let attempts):
      line(subject, .plain, at: wall, to: &out) { out in
        out.append(text: Self.connected(endpoint, local, time, attempts, subject.wait))
      }
    case .reply(let probe, let bytes, let rtt, _):
      line(subject, .plain, at: wall, to: &out) { out in
        if case .connect = subject.mode {
          out.append("handshake with ")
        } else {
          out.append(bytes)
          out.append(bytes == 1 ? " byte from " : " bytes from ")
        }
        Self.append(subject.endpoint, to: &out)
        out.append(": probe=")
        out.append(probe)
        out.append(" time=")
        out.append(text: PingPeerWords.milliseconds(rtt))
        out.append(" ms")
      }
    case .lost(let probe, let failure):
      line(subject, .red, at: wall, to: &out) { out in
        out.append("probe=")
        out.append(probe)
        out.append(text: " lost: \(PingPeerWords.lossText(failure, wait: subject.wait))")
      }
    case .late(let probe, let rtt):
      line(subject, .yellow, at: wall, to: &out) { out in
        out.append("probe=")
        out.append(probe)
        out.append(text: " answered late, after \(PingPeerWords.milliseconds(rtt)) ms")
      }
    case .tapAcknowledged(let probe, let tap, let elapsed):
      line(subject, .plain, at: wall, to: &out) { out in
        out.append(text: "\(Self.words(tap)): probe=\(probe) acknowledged after ")
        out.append(text: "\(PingPeerWords.milliseconds(elapsed)) ms")
      }
    case .tapReceived(let tap):
      line(subject, .cyan, at: wall, to: &out) { out in
        out.append(text: "\(Self.words(tap)) from the peer")
      }
    case .notPlainWiTap(let bytes):
      line(subject, .red, at: wall, to: &out) { out in
        out.append("connected, but not plain WiTap: the peer began with ")
        out.append(hex: bytes.span, 0..<min(bytes.count, 16))
      }
    case .disconnected(let failure):
      // Why there is no connection stands in the line of each probe that is lost by it.
      if case .notConnected = failure { return }
      if failure.localError != nil { return }
      line(subject, .yellow, at: wall, to: &out) { out in
        out.append(text: "connection lost: \(PingPeerWords.text(failure, wait: subject.wait))")
      }
    case .tapSent, .finished: break
    }
  }

  /// Writes what a test came to.
  func append(
    _ report: PingPeerReport, showsHistogram: Bool, to out: inout OutputBuffer
  ) {
    out.append("\n--- ")
    out.append(text: report.subject.target, escape: .shown)
    out.append(" ping-peer statistics ---\n")
    for line in PingPeerFigures.lines(report) { out.append(text: "\(line)\n") }
    guard showsHistogram else { return }
    for line in PeerHistogram.lines(report.summary.histogram) { out.append(text: "\(line)\n") }
  }

  // MARK: Words

  /// `echo, 64 bytes, every 1s`.
  static func words(_ mode: PeerMode, _ probe: PeerProbe.Configuration) -> String {
    let kind =
      switch mode {
      case .echo: "echo, \(probe.size) \(probe.size == 1 ? "byte" : "bytes")"
      case .tap(.witap2): "taps of WiTap 2"
      case .tap(.witap1): "taps of WiTap 1"
      case .connect, .discard: "handshakes"
      }
    if let window = probe.flood { return "\(kind), flood with \(window) under way" }
    if let rate = probe.rate {
      let text = rate == rate.rounded() ? "\(Int(rate))" : "\(rate)"
      return "\(kind), \(text) a second"
    }
    if probe.interval == .zero { return "\(kind), each at the answer before" }
    return "\(kind), every \(PingPeerWords.span(probe.interval))"
  }

  private static func words(_ tap: TapByte) -> String {
    "tile \(tap.tile) \(tap.isDown ? "down" : "up")"
  }

  private static func connected(
    _ endpoint: SocketEndpoint, _ local: SocketEndpoint, _ time: Int64,
    _ attempts: [PeerConnectAttempt], _ wait: Duration
  ) -> String {
    var text =
      "connected to \(PingPeerWords.text(endpoint)) from \(PingPeerWords.text(local)) in "
      + "\(PingPeerWords.milliseconds(time)) ms"
    let others = attempts.filter { $0.outcome != .connected }.map { attempt in
      let after = PingPeerWords.milliseconds(attempt.elapsed)
      return "\(PingPeerWords.text(attempt.endpoint)) "
        + "\(PingPeerWords.text(attempt.outcome, wait: wait)) after \(after) ms"
    }
    if !others.isEmpty { text += " (tried too: \(others.joined(separator: "; ")))" }
    return text
  }

  private static func append(_ endpoint: SocketEndpoint?, to out: inout OutputBuffer) {
    out.append(text: endpoint.map(PingPeerWords.text) ?? "the peer")
  }

  private mutating func line(
    _ subject: PingPeerSubject?, _ tone: TerminalStyle.Tone, at wall: Int64,
    to out: inout OutputBuffer, _ body: (inout OutputBuffer) -> Void
  ) {
    if showsTime {
      times.appendLocal(wall, digits: 6, &zone, to: &out)
      out.append("  ")
    }
    if let subject, subject.isOneOfMany {
      out.append(text: subject.target, escape: .shown)
      out.append(": ")
    }
    if tone != .plain { style.begin(tone, to: &out) }
    body(&out)
    if tone != .plain { style.end(to: &out) }
    out.append("\n")
  }
}
