import LanCore
import LanSystem
import LanWire

/// Which time stands at the front of a line.
enum SniffTimeFormat: String, CaseIterable, Sendable {
  /// Date and time in the local zone.
  case local
  /// Date and time in UTC.
  case utc
  /// Seconds since the first message.
  case relative
  /// Seconds since the message before.
  case delta
  /// No time.
  case none
}

/// Writes messages for people: a headline, then one aligned line for each question and record.
///
/// One renderer belongs to one thread. Names from the network are made safe to print.
struct SniffText: MessageRenderer {
  private var time = TimeText()
  private var zone = LocalTime()
  var names = NameWriter(.textLabel)
  let format: SniffTimeFormat
  let style: TerminalStyle
  /// One line a message, for grep.
  let isOneLine: Bool
  /// Names of interfaces by the kernel's index; empty for a file.
  var interfaces: InterfaceNames

  init(
    format: SniffTimeFormat, style: TerminalStyle, isOneLine: Bool, interfaces: InterfaceNames
  ) {
    self.format = format
    self.style = style
    self.isOneLine = isOneLine
    self.interfaces = interfaces
  }

  /// Writes one message.
  ///
  /// `payload` is exactly the bytes of the DNS message.
  mutating func append(
    _ message: SniffedMessage, _ payload: Span<UInt8>, _ batch: borrowing SniffBatch,
    to out: inout OutputBuffer
  ) {
    names.begin()
    appendTime(message, to: &out)
    appendHeadline(message, batch, to: &out)
    if isOneLine {
      appendOneLine(message, payload, batch.index, to: &out)
    } else {
      out.append("\n")
      appendEntries(message, payload, batch.index, to: &out)
    }
    if let problem = SniffProblem(message), !isOneLine {
      out.append("    ")
      style.begin(.red, to: &out)
      out.append("malformed")
      style.end(to: &out)
      out.append("  ")
      out.append(text: problem.reason)
      out.append(", at byte ")
      out.append(problem.offset)
      out.append("\n")
    }
    for index in message.findings { append(batch.findings[index], to: &out) }
  }

  private mutating func appendTime(_ message: SniffedMessage, to out: inout OutputBuffer) {
    guard format != .none else { return }
    style.begin(.dim, to: &out)
    let digits = message.fractionDigits
    if digits == 0 {
      out.append("(no time)                 ")
    } else {
      switch format {
      case .local:
        time.appendLocal(message.envelope.nanoseconds, digits: digits, &zone, to: &out)
      case .utc: time.appendUTC(message.envelope.nanoseconds, digits: digits, to: &out)
      case .relative: TimeText.appendSpan(message.sinceFirst, digits: digits, to: &out)
      case .delta: TimeText.appendSpan(message.sinceLast, digits: digits, to: &out)
      case .none: break
      }
    }
    style.end(to: &out)
    out.append("  ")
  }

  private func appendHeadline(
    _ message: SniffedMessage, _ batch: borrowing SniffBatch, to out: inout OutputBuffer
  ) {
    let envelope = message.envelope
    appendKind(message, to: &out)
    if let name = interfaces[Int(envelope.interface)] {
      out.append(text: name, escape: .text)
      out.append(" ")
    }
    if message.sourceName >= 0 {
      let name = batch.names[Int(message.sourceName)]
      style.begin(.bold, to: &out)
      // In presentation form already; what could steer a terminal is still in it.
      out.append(name.span, 0..<name.count, escape: .shown)
      style.end(to: &out)
      out.append(" (")
    }
    append(envelope.source, envelope.sourcePort, to: &out)
    if message.sourceName >= 0 { out.append(")") }
    out.append(" > ")
    append(envelope.destination, envelope.destinationPort, to: &out)
    appendRemarks(message, batch, to: &out)
  }

  private func appendKind(_ message: SniffedMessage, to out: inout OutputBuffer) {
    let start: Int
    if message.isMalformed, !message.view.hasHeader {
      style.begin(.red, to: &out)
      start = out.count
      out.append("malformed")
    } else {
      style.begin(message.isMalformed ? .red : message.kind.tone, to: &out)
      start = out.count
      out.append(message.kind.word)
    }
    let end = out.count
    style.end(to: &out)
    // The colour's end has no width.
    out.pad(from: start + (out.count - end), to: 14)
  }

  private func append(_ address: IPAddress, _ port: UInt16, to out: inout OutputBuffer) {
    out.append(AddressText(address))
    if port != 5353 {
      out.append(address.isIPv6 ? "." : ":")
      out.append(port)
    }
  }

  private func appendRemarks(
    _ message: SniffedMessage, _ batch: borrowing SniffBatch, to out: inout OutputBuffer
  ) {
    let envelope = message.envelope
    let header = message.view.header
    style.begin(.dim, to: &out)
    out.append("  frame ")
    out.append(envelope.frame)
    if message.nameProtocol != .mdns {
      out.append(" ")
      out.append(message.nameProtocol.word)
    }
    for index in 0..<Int(message.vlan.count) {
      out.append(" vlan ")
      out.append(message.vlan[index])
    }
    for index in message.tunnels {
      out.append(" in ")
      out.append(text: batch.tunnels[index].kind.rawValue)
      out.append(" ")
      out.append(AddressText(batch.tunnels[index].source))
      out.append(" > ")
      out.append(AddressText(batch.tunnels[index].destination))
    }
    if envelope.hopLimit != 255 {
      out.append(" ttl ")
      out.append(envelope.hopLimit)
    }
    if header.id != 0 {
      out.append(" id ")
      out.append(header.id)
    }
    if header.opcode != 0 {
      out.append(" opcode ")
      out.append(header.opcode)
    }
    if header.rcode != 0 {
      out.append(" rcode ")
      out.append(header.rcode)
    }
    if header.isTruncated { out.append(" truncated") }
    if envelope.isFragmented { out.append(" fragmented") }
    if envelope.isCut { out.append(" cut") }
    out.append(" ")
    out.append(message.payload.count)
    out.append(" B")
    style.end(to: &out)
  }

  private func append(_ finding: Finding, to out: inout OutputBuffer) {
    if isOneLine { return }
    out.append("    ")
    style.begin(finding.severity.tone, to: &out)
    out.append(finding.severity.word)
    out.append(" ")
    out.append(text: finding.rule.id)
    style.end(to: &out)
    out.append(": ")
    out.append(text: finding.text, escape: .shown)
    style.begin(.dim, to: &out)
    out.append(" (")
    out.append(text: finding.rule.section)
    out.append(")")
    style.end(to: &out)
    out.append("\n")
  }
}

extension MessageKind {
  /// The colour of the kind's word.
  var tone: TerminalStyle.Tone {
    switch self {
    case .query: .cyan
    case .probe: .yellow
    case .response: .green
    case .announcement: .blue
    case .goodbye: .magenta
    }
  }
}

extension FindingSeverity {
  /// The colour of the severity's word.
  var tone: TerminalStyle.Tone {
    switch self {
    case .info: .cyan
    case .warning: .yellow
    case .error: .red
    }
  }
}
