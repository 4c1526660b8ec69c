import LanCore
import LanSystem
import LanWire

/// Writes messages as JSON Lines, as the contract's chapter on `sniff` says.
///
/// One renderer belongs to one thread; it remembers the last second's text.
struct SniffJSON: MessageRenderer {
  private var time = TimeText()
  var names = NameWriter(.jsonLabel)
  /// Names of interfaces by the kernel's index; empty for a file.
  var interfaces: InterfaceNames
  /// Columns wanted; nil for all.
  let fields: SniffFields?

  init(interfaces: InterfaceNames, fields: SniffFields? = nil) {
    self.interfaces = interfaces
    self.fields = fields
  }

  /// Writes one line.
  ///
  /// `payload` is exactly the bytes of the DNS message.
  mutating func append(
    _ message: SniffedMessage, _ payload: Span<UInt8>, _ batch: borrowing SniffBatch,
    to out: inout OutputBuffer
  ) {
    names.begin()
    out.append("{\"schema\":\"lantool.sniff/1\",\"event\":\"")
    if message.isMalformed { out.append("malformed") } else { out.append("message") }
    out.append("\",")
    appendTime(message, to: &out)
    out.append("\"seq\":")
    out.append(message.sequence)
    appendEnvelope(message, batch, to: &out)
    if let problem = SniffProblem(message) {
      out.append(",\"reason\":")
      out.appendJSON(string: problem.reason)
      out.append(",\"offset\":")
      out.append(problem.offset)
    }
    if message.view.hasHeader {
      appendHeader(message, to: &out)
      appendEntries(message, payload, batch.index, to: &out)
    }
    if !message.findings.isEmpty { appendFindings(message, batch, to: &out) }
    out.append("}\n")
  }

  private mutating func appendTime(_ message: SniffedMessage, to out: inout OutputBuffer) {
    guard message.fractionDigits > 0 else { return }
    out.append("\"time\":\"")
    time.appendUTC(message.envelope.nanoseconds, digits: message.fractionDigits, to: &out)
    out.append("\",")
  }

  private func appendEnvelope(
    _ message: SniffedMessage, _ batch: borrowing SniffBatch, to out: inout OutputBuffer
  ) {
    let envelope = message.envelope
    out.append(",\"frame\":")
    out.append(envelope.frame)
    if let name = interfaces[Int(envelope.interface)] {
      out.append(",\"interface\":")
      out.appendJSON(string: name)
    }
    if message.vlan.count > 0 {
      out.append(",\"vlan\":[")
      for index in 0..<Int(message.vlan.count) {
        if index > 0 { out.append(",") }
        out.append(message.vlan[index])
      }
      out.append("]")
    }
    if let mac = envelope.sourceMAC {
      out.append(",\"sourceMac\":\"")
      out.append(AddressText(mac))
      out.append("\"")
    }
    out.append(",\"source\":\"")
    appendAddress(envelope.source, envelope, to: &out)
    out.append("\",\"sourcePort\":")
    out.append(envelope.sourcePort)
    out.append(",\"destination\":\"")
    appendAddress(envelope.destination, envelope, to: &out)
    out.append("\",\"destinationPort\":")
    out.append(envelope.destinationPort)
    out.append(",\"hopLimit\":")
    out.append(envelope.hopLimit)
    if !message.tunnels.isEmpty { appendTunnels(message, batch, to: &out) }
    out.append(",\"protocol\":\"")
    out.append(message.nameProtocol.word)
    out.append("\",\"length\":")
    out.append(message.payload.count)
    if envelope.isFragmented { out.append(",\"fragmented\":true") }
    if envelope.isCut { out.append(",\"cut\":true") }
  }

  private func appendAddress(
    _ address: IPAddress, _ envelope: MessageEnvelope, to out: inout OutputBuffer
  ) {
    if address.isMDNSGroup {
      // Every other message goes there.
      if address.isIPv6 { out.append("ff02::fb") } else { out.append("224.0.0.251") }
    } else {
      out.append(AddressText(address))
    }
    // Inside a tunnel the zone is one of the inner network.
    if address.isLinkLocal, address.isIPv6, !envelope.isTunnelled,
      let name = interfaces[Int(envelope.interface)]
    {
      out.append("%")
      out.append(text: name, escape: .jsonText)
    }
  }

  private func appendTunnels(
    _ message: SniffedMessage, _ batch: borrowing SniffBatch, to out: inout OutputBuffer
  ) {
    out.append(",\"tunnel\":[")
    for index in message.tunnels {
      if index > message.tunnels.lowerBound { out.append(",") }
      out.append("{\"kind\":\"")
      out.append(text: batch.tunnels[index].kind.rawValue)
      out.append("\",\"source\":\"")
      out.append(AddressText(batch.tunnels[index].source))
      out.append("\",\"destination\":\"")
      out.append(AddressText(batch.tunnels[index].destination))
      out.append("\"}")
    }
    out.append("]")
  }

  private func appendHeader(_ message: SniffedMessage, to out: inout OutputBuffer) {
    let header = message.view.header
    out.append(",\"id\":")
    out.append(header.id)
    out.append(",\"kind\":\"")
    out.append(message.kind.word)
    out.append("\",\"goodbyes\":")
    out.append(message.goodbyes)
    out.append(",\"opcode\":")
    out.append(header.opcode)
    if message.nameProtocol == .llmnr {
      out.append(",\"conflict\":")
      out.append(bool: header.isAuthoritative)
      out.append(",\"tentative\":")
      out.append(bool: header.recursionDesired)
    } else {
      out.append(",\"authoritative\":")
      out.append(bool: header.isAuthoritative)
    }
    out.append(",\"truncated\":")
    out.append(bool: header.isTruncated)
    out.append(",\"rcode\":")
    out.append(header.rcode)
  }

  private func appendFindings(
    _ message: SniffedMessage, _ batch: borrowing SniffBatch, to out: inout OutputBuffer
  ) {
    out.append(",\"findings\":[")
    for index in message.findings {
      let finding = batch.findings[index]
      out.append(index > message.findings.lowerBound ? ",{\"rule\":" : "{\"rule\":")
      out.appendJSON(string: finding.rule.id)
      out.append(",\"severity\":\"")
      out.append(finding.severity.word)
      out.append("\",\"section\":")
      out.appendJSON(string: finding.rule.section)
      out.append(",\"text\":")
      out.appendJSON(string: finding.text)
      out.append("}")
    }
    out.append("]")
  }
}
