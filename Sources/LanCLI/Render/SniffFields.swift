import LanCore
import LanSystem
import LanWire

/// The columns that `--fields` prints, separated by tabs.
struct SniffFields: Sendable {
  enum Field: String, CaseIterable, Sendable {
    case frame, time, interface, vlan, sourceMac, source, sourcePort, destination,
      destinationPort, hopLimit, tunnel, `protocol`, length, id, kind, goodbyes, opcode,
      authoritative, truncated, rcode, questions, answers, authorities, additionals, findings
  }

  let fields: [Field]

  /// The columns of these names.
  init(_ names: [String], _ arguments: ParsedArguments) throws(UsageError) {
    var fields: [Field] = []
    for name in names {
      guard let field = Field(rawValue: name) else {
        var error = arguments.usageError("unknown field '\(printable(Array(name.utf8)))'")
        error.suggestion = Suggestion.closest(to: name, among: Field.allCases.map(\.rawValue))
        throw error
      }
      fields.append(field)
    }
    self.fields = fields
  }
}

/// Writes one line of columns a message.
struct SniffColumns: MessageRenderer {
  private var time = TimeText()
  private let fields: SniffFields
  private var text: SniffText
  var interfaces: InterfaceNames

  init(_ fields: SniffFields, interfaces: InterfaceNames) {
    self.fields = fields
    self.interfaces = interfaces
    text = SniffText(
      format: .none, style: TerminalStyle(isOn: false), isOneLine: true, interfaces: interfaces)
  }

  mutating func append(
    _ message: SniffedMessage, _ payload: Span<UInt8>, _ batch: borrowing SniffBatch,
    to out: inout OutputBuffer
  ) {
    text.names.begin()
    var isFirst = true
    for field in fields.fields {
      if !isFirst { out.append("\t") }
      isFirst = false
      append(field, message, payload, batch, to: &out)
    }
    out.append("\n")
  }

  private mutating func append(
    _ field: SniffFields.Field, _ message: SniffedMessage, _ payload: Span<UInt8>,
    _ batch: borrowing SniffBatch, to out: inout OutputBuffer
  ) {
    let envelope = message.envelope
    switch field {
    case .frame: out.append(envelope.frame)
    case .time:
      guard message.fractionDigits > 0 else { return }
      time.appendUTC(envelope.nanoseconds, digits: message.fractionDigits, to: &out)
    case .interface:
      if let name = interfaces[Int(envelope.interface)] { out.append(text: name, escape: .text) }
    case .vlan:
      for index in 0..<Int(message.vlan.count) {
        if index > 0 { out.append(",") }
        out.append(message.vlan[index])
      }
    case .sourceMac: if let mac = envelope.sourceMAC { out.append(AddressText(mac)) }
    case .source: out.append(AddressText(envelope.source))
    case .sourcePort: out.append(envelope.sourcePort)
    case .destination: out.append(AddressText(envelope.destination))
    case .destinationPort: out.append(envelope.destinationPort)
    case .hopLimit: out.append(envelope.hopLimit)
    case .tunnel:
      for index in message.tunnels {
        if index > message.tunnels.lowerBound { out.append(",") }
        out.append(text: batch.tunnels[index].kind.rawValue)
      }
    case .protocol: out.append(message.nameProtocol.word)
    case .length: out.append(message.payload.count)
    case .questions: appendQuestions(message, payload, batch.index, to: &out)
    case .answers: appendRecords(.answer, message, payload, batch.index, to: &out)
    case .authorities: appendRecords(.authority, message, payload, batch.index, to: &out)
    case .additionals: appendRecords(.additional, message, payload, batch.index, to: &out)
    case .findings:
      for index in message.findings {
        if index > message.findings.lowerBound { out.append(",") }
        out.append(text: batch.findings[index].rule.id)
      }
    case .id, .kind, .goodbyes, .opcode, .authoritative, .truncated, .rcode:
      appendHeader(field, message, to: &out)
    }
  }

  private func appendHeader(
    _ field: SniffFields.Field, _ message: SniffedMessage, to out: inout OutputBuffer
  ) {
    guard message.view.hasHeader else { return }
    let header = message.view.header
    switch field {
    case .id: out.append(header.id)
    case .kind: out.append(message.kind.word)
    case .goodbyes: out.append(message.goodbyes)
    case .opcode: out.append(header.opcode)
    case .authoritative:
      // LLMNR has its conflict bit there.
      if message.nameProtocol != .llmnr { out.append(bool: header.isAuthoritative) }
    case .truncated: out.append(bool: header.isTruncated)
    case .rcode: out.append(header.rcode)
    default: break
    }
  }

  private mutating func appendQuestions(
    _ message: SniffedMessage, _ payload: Span<UInt8>, _ index: DNSMessageIndex,
    to out: inout OutputBuffer
  ) {
    for place in message.view.questions {
      if place > message.view.questions.lowerBound { out.append("; ") }
      out.append(index.questions[place].type)
      out.append(" ")
      text.names.append(Int(index.questions[place].name), payload, to: &out)
    }
  }

  private mutating func appendRecords(
    _ section: DNSSection, _ message: SniffedMessage, _ payload: Span<UInt8>,
    _ index: DNSMessageIndex, to out: inout OutputBuffer
  ) {
    let places = message.view.records(in: section)
    for place in places {
      let record = index.records[place]
      if place > places.lowerBound { out.append("; ") }
      out.append(record.type)
      out.append(" ")
      text.names.append(Int(record.name), payload, to: &out)
      out.append(" ")
      out.append(record.ttl)
      out.append(" ")
      text.appendData(record, payload, to: &out)
    }
  }
}
