import LanCore
import LanSystem
import LanWire

extension SniffText {
  /// Writes one line for each question and record.
  mutating func appendEntries(
    _ message: SniffedMessage, _ payload: Span<UInt8>, _ index: DNSMessageIndex,
    to out: inout OutputBuffer
  ) {
    for place in message.view.questions {
      let question = index.questions[place]
      let start = out.count
      out.append("    question    ")
      out.append(question.type)
      out.pad(from: start, to: 24)
      out.append(question.wantsUnicastResponse ? "      QU    " : "      QM    ")
      names.append(Int(question.name), payload, to: &out)
      appendClass(question.dnsClass, to: &out)
      out.append("\n")
    }
    for place in message.view.records {
      let record = index.records[place]
      appendRecord(record, message.kind, payload, to: &out)
      out.append("\n")
    }
    if message.view.trailingBytes > 0 {
      out.append("    ")
      out.append(message.view.trailingBytes)
      out.append(" bytes behind the last record\n")
    }
  }

  private mutating func appendRecord(
    _ record: DNSRecordView, _ kind: MessageKind, _ payload: Span<UInt8>,
    to out: inout OutputBuffer
  ) {
    let start = out.count
    switch record.section {
    case .answer:
      out.append(kind == .query || kind == .probe ? "    known       " : "    answer      ")
    case .authority: out.append(kind == .probe ? "    proposed    " : "    authority   ")
    case .additional: out.append("    additional  ")
    }
    out.append(record.type)
    out.pad(from: start, to: 24)
    if record.type == .opt {
      out.append("            ")
      appendOPT(record, payload, to: &out)
      return
    }
    appendTTL(record.ttl, to: &out)
    out.append(record.cacheFlush ? " !  " : "    ")
    names.append(Int(record.name), payload, to: &out)
    appendClass(record.dnsClass, to: &out)
    out.append(" = ")
    appendData(record, payload, to: &out)
    if let problem = record.problem {
      style.begin(.red, to: &out)
      out.append("  (")
      out.append(text: problem.rawValue)
      out.append(")")
      style.end(to: &out)
    }
  }

  private func appendTTL(_ ttl: UInt32, to out: inout OutputBuffer) {
    var bound: UInt32 = 10
    for _ in 0..<7 {
      if ttl < bound { out.append(" ") }
      bound &*= 10
    }
    style.begin(ttl == 0 ? .magenta : .plain, to: &out)
    out.append(decimal: UInt64(ttl))
    style.end(to: &out)
  }

  private func appendClass(_ dnsClass: DNSClass, to out: inout OutputBuffer) {
    guard dnsClass != .in else { return }
    out.append(" ")
    out.append(dnsClass)
  }

  mutating func appendData(
    _ record: DNSRecordView, _ payload: Span<UInt8>, to out: inout OutputBuffer
  ) {
    switch record.data(payload) {
    case .name(let name): names.append(name, payload, to: &out)
    case .srv(let priority, let weight, let port, let target):
      names.append(target, payload, to: &out)
      out.append(":")
      out.append(decimal: UInt64(port))
      if priority != 0 || weight != 0 {
        out.append(" priority ")
        out.append(decimal: UInt64(priority))
        out.append(" weight ")
        out.append(decimal: UInt64(weight))
      }
    case .txt(let strings): appendStrings(strings, payload, to: &out)
    case .a(let address): out.append(AddressText(address))
    case .aaaa(let address): out.append(AddressText(address))
    case .nsec(let next, let bitmaps):
      var types = NSECTypeIterator(bitmaps)
      var isFirst = true
      while let type = types.next(payload) {
        if !isFirst { out.append(" ") }
        isFirst = false
        out.append(type)
      }
      if isFirst { out.append("nothing") }
      if !DNSNameView.equal(payload, at: next, payload, at: Int(record.name)) {
        out.append(" next ")
        names.append(next, payload, to: &out)
      }
    case .hinfo(let cpu, let os):
      out.append("\"")
      out.append(payload, cpu, escape: .text)
      out.append("\" \"")
      out.append(payload, os, escape: .text)
      out.append("\"")
    case .soa(let primary, let mailbox, let numbers):
      names.append(primary, payload, to: &out)
      out.append(" ")
      names.append(mailbox, payload, to: &out)
      for index in 0..<5 {
        out.append(" ")
        out.append(payload.uint32(at: numbers + index * 4))
      }
    case .mx(let preference, let exchange):
      out.append(preference)
      out.append(" ")
      names.append(exchange, payload, to: &out)
    case .svcb(let priority, let target, let parameters):
      out.append(priority)
      out.append(" ")
      names.append(target, payload, to: &out)
      if !parameters.isEmpty {
        out.append(" ")
        appendUnknown(parameters, payload, to: &out)
      }
    case .opt(let range), .opaque(let range): appendUnknown(range, payload, to: &out)
    }
  }

  /// The form of RFC 3597 section 5, cut after 64 bytes.
  private func appendUnknown(
    _ range: Range<Int>, _ payload: Span<UInt8>, to out: inout OutputBuffer
  ) {
    out.append("\\# ")
    out.append(range.count)
    if range.isEmpty { return }
    out.append(" ")
    out.append(hex: payload, range.prefix(64))
    if range.count > 64 { out.append("...") }
  }

  private func appendStrings(
    _ strings: Range<Int>, _ payload: Span<UInt8>, to out: inout OutputBuffer
  ) {
    var iterator = DNSStringIterator(strings)
    var isFirst = true
    while let string = iterator.next(payload) {
      out.append(isFirst ? "\"" : " \"")
      isFirst = false
      out.append(payload, string, escape: .text)
      out.append("\"")
    }
  }

  private func appendOPT(
    _ record: DNSRecordView, _ payload: Span<UInt8>, to out: inout OutputBuffer
  ) {
    out.append("size ")
    out.append(record.rawClass)
    if record.ttl != 0 {
      out.append(" extended rcode ")
      out.append(record.ttl >> 24)
      out.append(" version ")
      out.append(record.ttl >> 16 & 0xFF)
      if record.ttl & 0x8000 != 0 { out.append(" DNSSEC OK") }
    }
    var options = EDNSOptionIterator(record.rdataRange)
    while let option = options.next(payload) {
      out.append(" option ")
      if let name = EDNSOptionName.word(option.code) {
        out.append(name)
      } else {
        out.append(option.code)
      }
      out.append(" ")
      out.append(hex: payload, option.range.prefix(64))
    }
  }

  /// Writes questions and records behind the headline, for grep.
  mutating func appendOneLine(
    _ message: SniffedMessage, _ payload: Span<UInt8>, _ index: DNSMessageIndex,
    to out: inout OutputBuffer
  ) {
    if let problem = SniffProblem(message) {
      out.append(" malformed: ")
      out.append(text: problem.reason)
      out.append(", at byte ")
      out.append(problem.offset)
    }
    var separator: StaticString = ": "
    for place in message.view.questions {
      let question = index.questions[place]
      out.append(separator)
      separator = ", "
      out.append(question.wantsUnicastResponse ? "QU " : "QM ")
      out.append(question.type)
      out.append(" ")
      names.append(Int(question.name), payload, to: &out)
    }
    for place in message.view.records where index.records[place].type != .opt {
      let record = index.records[place]
      out.append(separator)
      separator = ", "
      out.append(record.type)
      out.append(" ")
      names.append(Int(record.name), payload, to: &out)
      out.append(" = ")
      appendData(record, payload, to: &out)
      out.append(" ttl ")
      out.append(record.ttl)
    }
    out.append("\n")
  }
}
