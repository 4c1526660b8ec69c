import LanCore
import LanSystem
import LanWire

extension SniffJSON {
  /// Writes the four sections.
  mutating func appendEntries(
    _ message: SniffedMessage, _ payload: Span<UInt8>, _ index: DNSMessageIndex,
    to out: inout OutputBuffer
  ) {
    let isLLMNR = message.nameProtocol == .llmnr
    out.append(",\"questions\":[")
    for place in message.view.questions {
      let question = index.questions[place]
      out.append(place > message.view.questions.lowerBound ? ",{\"name\":" : "{\"name\":")
      appendName(Int(question.name), payload, to: &out)
      out.append(",\"type\":\"")
      out.append(question.type)
      out.append("\",\"class\":\"")
      if isLLMNR {
        out.append(DNSClass(rawValue: question.rawClass))
        out.append("\"}")
      } else {
        out.append(question.dnsClass)
        out.append("\",\"unicastResponse\":")
        out.append(bool: question.wantsUnicastResponse)
        out.append("}")
      }
    }
    out.append("],\"answers\":[")
    appendSection(message.view.records(in: .answer), payload, index, isLLMNR, to: &out)
    out.append("],\"authorities\":[")
    appendSection(message.view.records(in: .authority), payload, index, isLLMNR, to: &out)
    out.append("],\"additionals\":[")
    appendSection(message.view.records(in: .additional), payload, index, isLLMNR, to: &out)
    out.append("]")
  }

  @inline(__always) private mutating func appendName(
    _ offset: Int, _ payload: Span<UInt8>, to out: inout OutputBuffer
  ) {
    out.append("\"")
    names.append(offset, payload, to: &out)
    out.append("\"")
  }

  private mutating func appendSection(
    _ places: Range<Int>, _ payload: Span<UInt8>, _ index: DNSMessageIndex, _ isLLMNR: Bool,
    to out: inout OutputBuffer
  ) {
    for place in places {
      out.append(place > places.lowerBound ? ",{\"name\":" : "{\"name\":")
      appendRecord(index.records[place], payload, isLLMNR, to: &out)
    }
  }

  private mutating func appendRecord(
    _ record: DNSRecordView, _ payload: Span<UInt8>, _ isLLMNR: Bool,
    to out: inout OutputBuffer
  ) {
    appendName(Int(record.name), payload, to: &out)
    out.append(",\"type\":\"")
    out.append(record.type)
    if record.type == .opt {
      // OPT's class and TTL are no class and TTL (RFC 6891 section 6.1.2): they go into `data`.
      out.append("\",\"data\":{")
      appendOPT(record, payload, to: &out)
    } else {
      out.append("\",\"class\":\"")
      if isLLMNR {
        out.append(DNSClass(rawValue: record.rawClass))
        out.append("\",\"ttlSeconds\":")
      } else {
        out.append(record.dnsClass)
        out.append("\",\"cacheFlush\":")
        out.append(bool: record.cacheFlush)
        out.append(",\"ttlSeconds\":")
      }
      out.append(decimal: UInt64(record.ttl))
      out.append(",\"data\":{")
      appendData(record, payload, to: &out)
    }
    out.append("}")
    if let problem = record.problem {
      out.append(",\"problem\":")
      out.appendJSON(string: problem.rawValue)
    }
    out.append("}")
  }

  mutating func appendData(
    _ record: DNSRecordView, _ payload: Span<UInt8>, to out: inout OutputBuffer
  ) {
    switch record.data(payload) {
    case .name(let name):
      out.append("\"name\":")
      appendName(name, payload, to: &out)
    case .srv(let priority, let weight, let port, let target):
      out.append("\"priority\":")
      out.append(decimal: UInt64(priority))
      out.append(",\"weight\":")
      out.append(decimal: UInt64(weight))
      out.append(",\"port\":")
      out.append(decimal: UInt64(port))
      out.append(",\"target\":")
      appendName(target, payload, to: &out)
    case .txt(let strings): JSONText.append(strings, payload, to: &out)
    case .a(let address):
      out.append("\"address\":\"")
      out.append(AddressText(address))
      out.append("\"")
    case .aaaa(let address):
      out.append("\"address\":\"")
      out.append(AddressText(address))
      out.append("\"")
    case .nsec(let next, let bitmaps):
      out.append("\"next\":")
      appendName(next, payload, to: &out)
      out.append(",\"types\":[")
      var types = NSECTypeIterator(bitmaps)
      var isFirst = true
      while let type = types.next(payload) {
        out.append(isFirst ? "\"" : ",\"")
        isFirst = false
        out.append(type)
        out.append("\"")
      }
      out.append("]")
    case .hinfo(let cpu, let os):
      out.append("\"cpu\":\"")
      out.append(payload, cpu, escape: .jsonText)
      out.append("\",\"os\":\"")
      out.append(payload, os, escape: .jsonText)
      out.append("\"")
    case .opt, .soa, .mx, .svcb, .opaque:
      out.append("\"hex\":\"")
      out.append(hex: payload, record.rdataRange)
      out.append("\"")
    }
  }

  private func appendOPT(
    _ record: DNSRecordView, _ payload: Span<UInt8>, to out: inout OutputBuffer
  ) {
    out.append("\"udpPayloadSize\":")
    out.append(record.rawClass)
    out.append(",\"extendedRcode\":")
    out.append(record.ttl >> 24)
    out.append(",\"version\":")
    out.append(record.ttl >> 16 & 0xFF)
    out.append(",\"dnssecOk\":")
    out.append(bool: record.ttl & 0x8000 != 0)
    out.append(",\"options\":[")
    var options = EDNSOptionIterator(record.rdataRange)
    var isFirst = true
    while let option = options.next(payload) {
      out.append(isFirst ? "{\"code\":" : ",{\"code\":")
      isFirst = false
      out.append(option.code)
      if let name = EDNSOptionName.word(option.code) {
        out.append(",\"name\":\"")
        out.append(name)
        out.append("\"")
      }
      out.append(",\"hex\":\"")
      out.append(hex: payload, option.range)
      out.append("\"}")
    }
    out.append("]")
    if record.problem != nil {
      out.append(",\"hex\":\"")
      out.append(hex: payload, record.rdataRange)
      out.append("\"")
    }
  }
}

/// Names of EDNS options that are met on a local network (IANA "DNS EDNS0 Option Codes").
enum EDNSOptionName {
  static func word(_ code: UInt16) -> StaticString? {
    switch code {
    case 1: "LLQ"
    case 2: "UL"
    case 3: "NSID"
    case 4: "Owner"
    case 8: "Client Subnet"
    case 10: "Cookie"
    case 11: "Keepalive"
    case 12: "Padding"
    case 15: "Extended Error"
    default: nil
    }
  }
}
