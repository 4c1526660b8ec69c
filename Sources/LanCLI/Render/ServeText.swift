import LanCore
import LanSystem
import LanWire

/// Writes what happens for people: a line for each event.
struct ServeText {
  let style: TerminalStyle
  /// Whether somebody watches, to whom the beginning of a connection is news too.
  ///
  /// In a log its end says it all.
  var showsBeginnings = false
  private var time = TimeText()
  private var zone = LocalTime()

  init(style: TerminalStyle, showsBeginnings: Bool = false) {
    self.style = style
    self.showsBeginnings = showsBeginnings
  }

  /// Writes an event.
  mutating func append(_ event: ServeEvent, at wall: Int64, to out: inout OutputBuffer) {
    switch event {
    case .connection where !showsBeginnings: return
    // These are told on standard error.
    case .cannotAccept, .notPublished: return
    default: break
    }
    appendTime(wall, to: &out)
    switch event {
    case .listening(let port, _, let mode): out.append(text: "listening on port \(port), \(mode)")
    case .published(let service, _): append(service, to: &out)
    case .renamed(let from, let to, let rival): append("name", from, to, rival, to: &out)
    case .hostRenamed(let from, let to, let rival): append("host name", from, to, rival, to: &out)
    case .updated(let text):
      out.append("new TXT record:")
      for string in text {
        out.append(" ")
        out.append(string.span, 0..<string.count, escape: .text)
      }
    case .withdrawn(let name):
      out.append("withdrawn")
      if let name {
        out.append(" ")
        append(name.instance, to: &out)
      }
    case .connection(let peer):
      append(peer, to: &out)
      out.append("connected")
    case .closed(let peer, let bytesIn, let bytesOut, let reason):
      append(peer, to: &out)
      if !reason.isRefusal {
        out.append(text: "\(Self.count(bytesIn, "byte")) in, \(bytesOut) out; ")
      }
      out.append(text: reason.text, escape: .shown)
    case .tap(let tap, let isSent, let peer):
      append(peer, to: &out)
      out.append(text: "tile \(tap.tile + 1) \(tap.isDown ? "down" : "up")")
      out.append(isSent ? " sent" : " received")
    case .cannotAccept, .notPublished: break
    }
    out.append("\n")
  }

  private mutating func appendTime(_ wall: Int64, to out: inout OutputBuffer) {
    style.begin(.dim, to: &out)
    var whole = OutputBuffer(capacity: 64)
    time.appendLocal(wall, digits: 3, &zone, to: &whole)
    // The day is on nobody's mind; what stands there is `2026-11-30 16:04:05.123`.
    whole.withBytes { out.append($0, min(11, $0.count)..<min(23, $0.count)) }
    style.end(to: &out)
    out.append("  ")
  }

  private func append(_ label: [UInt8], to out: inout OutputBuffer) {
    out.append("'")
    out.append(label.span, 0..<label.count, escape: .text)
    out.append("'")
  }

  private func append(
    _ what: StaticString, _ from: [UInt8], _ to: [UInt8], _ rival: IPAddress?,
    to out: inout OutputBuffer
  ) {
    out.append("the ")
    out.append(what)
    out.append(" ")
    append(from, to: &out)
    out.append(text: " is taken\(rival.map { " by \($0)" } ?? ""), now ")
    append(to, to: &out)
  }

  private func append(_ service: PublishedService, to out: inout OutputBuffer) {
    out.append("published ")
    style.begin(.bold, to: &out)
    append(service.name.instance, to: &out)
    style.end(to: &out)
    out.append(text: "  \(service.name.type)  ", escape: .shown)
    out.append(name: service.host, escape: .textLabel)
    out.append(text: ":\(service.port)")
    if !service.interfaces.isEmpty {
      out.append(text: "  on \(service.interfaces.joined(separator: ", "))", escape: .shown)
    }
  }

  private func append(_ peer: SocketEndpoint, to out: inout OutputBuffer) {
    out.append(text: peer.shown, escape: .shown)
    out.append("  ")
  }

  // MARK: Summary

  /// The run in one sentence.
  static func summary(_ ledger: ServeLedger, serves: Bool, isGame: Bool) -> String? {
    guard serves else { return nil }
    var parts = [
      isGame
        ? count(ledger.games, "game") + ", "
          + count(ledger.tapsReceived, "tap") + " received, \(ledger.tapsSent) sent"
        : count(ledger.connections, "connection")
          + ", \(count(ledger.bytesIn, "byte")) in, \(ledger.bytesOut) out"
    ]
    if ledger.refused > 0 { parts.append("\(ledger.refused) turned away") }
    return parts.joined(separator: "; ")
  }

  private static func count(_ number: Int, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
  }
}
