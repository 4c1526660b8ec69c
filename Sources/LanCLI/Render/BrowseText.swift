import LanCore
import LanSystem
import LanWire

/// Writes what a browser tells for people, one line an event.
struct BrowseText {
  private var time = TimeText()
  private var zone = LocalTime()
  private let style: TerminalStyle
  /// Each line begins with the local time.
  private let showsTime: Bool
  private let resolves: Bool

  init(style: TerminalStyle, showsTime: Bool, resolves: Bool) {
    self.style = style
    self.showsTime = showsTime
    self.resolves = resolves
  }

  /// Writes what happened to a service.
  mutating func append(
    _ service: DiscoveredService, _ change: ServiceChange, at moment: Int64?,
    to out: inout OutputBuffer
  ) {
    begin(change.sign, change.tone, at: moment, to: &out)
    let start = out.count
    style.begin(.bold, to: &out)
    out.append(instance: service)
    style.end(to: &out)
    out.padColumns(from: start, to: 28)
    append(service.type, domain: service.domain, service.interface, to: &out)
    if let host = service.host, let port = service.port {
      out.append("  ")
      out.append(name: host, escape: .textLabel)
      out.append(":")
      out.append(port)
    }
    for (index, address) in service.addresses.enumerated() {
      out.append(index > 0 ? "," : "  ")
      out.append(text: address.text(zone: service.interface), escape: .shown)
    }
    if let text = service.text, !text.saysNothing { append(strings: text, to: &out) }
    append(words: service, change, to: &out)
    out.append("\n")
  }

  /// Writes type, meaning, domain and interface.
  private func append(
    _ type: ServiceType, domain: DNSName, _ interface: String?, to out: inout OutputBuffer
  ) {
    var start = out.count
    out.append(type: type)
    if let meaning = ServiceTypeDatabase.meaning(type) { out.append(text: " (\(meaning))") }
    out.padColumns(from: start, to: 32)
    start = out.count
    out.append(name: domain, escape: .textLabel)
    if let interface {
      out.padColumns(from: start, to: 7)
      out.append(text: interface, escape: .text)
    }
  }

  private func append(strings: [[UInt8]], to out: inout OutputBuffer) {
    out.append(" ")
    for string in strings where !string.isEmpty {
      out.append(" ")
      out.append(quoted: string)
    }
  }

  private func append(
    words service: DiscoveredService, _ change: ServiceChange, to out: inout OutputBuffer
  ) {
    style.begin(.dim, to: &out)
    if service.isOwn { out.append("  own") }
    if resolves, service.isPlaceholder { out.append("  placeholder") }
    switch change {
    case .removed(let cause): out.append(text: "  \(cause.text)")
    case .added, .updated: if resolves, !service.isComplete { out.append("  incomplete") }
    }
    style.end(to: &out)
  }

  /// Writes that a service type came or went.
  mutating func append(
    _ type: ServiceType, isAdded: Bool, domain: DNSName, interface: String?, at moment: Int64?,
    to out: inout OutputBuffer
  ) {
    begin(isAdded ? "+" : "-", isAdded ? .green : .red, at: moment, to: &out)
    append(type, domain: domain, interface, to: &out)
    out.append("\n")
  }

  /// Writes that a domain came or went.
  mutating func append(
    _ domain: DNSName, _ kind: BrowsingDomainKind, isAdded: Bool, interface: String?,
    at moment: Int64?, to out: inout OutputBuffer
  ) {
    begin(isAdded ? "+" : "-", isAdded ? .green : .red, at: moment, to: &out)
    let start = out.count
    out.append(name: domain, escape: .textLabel)
    out.padColumns(from: start, to: 28)
    out.append(text: "\(kind.text)")
    if let interface {
      out.append("  ")
      out.append(text: interface, escape: .text)
    }
    out.append("\n")
  }

  private mutating func begin(
    _ sign: StaticString, _ tone: TerminalStyle.Tone, at moment: Int64?,
    to out: inout OutputBuffer
  ) {
    if showsTime, let moment {
      style.begin(.dim, to: &out)
      time.appendLocal(moment, digits: 6, &zone, to: &out)
      style.end(to: &out)
      out.append("  ")
    }
    style.begin(tone, to: &out)
    out.append(sign)
    style.end(to: &out)
    out.append(" ")
  }
}

extension ServiceChange {
  fileprivate var sign: StaticString {
    switch self {
    case .added: "+"
    case .updated: "~"
    case .removed: "-"
    }
  }

  fileprivate var tone: TerminalStyle.Tone {
    switch self {
    case .added: .green
    case .updated: .yellow
    case .removed: .red
    }
  }
}

extension OutputBuffer {
  /// Writes an instance as it is called, made safe.
  mutating func append(instance service: DiscoveredService) {
    let wire = service.name.wire.span
    if wire.count > 1 { append(wire, 1..<(1 + Int(wire[0])), escape: .text) }
  }

  /// Writes a type without its subtype, made safe.
  mutating func append(type: ServiceType) {
    append("_")
    append(text: type.service, escape: .text)
    append("._")
    append(text: type.transport, escape: .text)
  }

  /// Writes a TXT string in quotes, made safe; quotes inside get a backslash.
  mutating func append(quoted string: [UInt8]) {
    append("\"")
    var start = 0
    for index in string.indices where string[index] == 0x22 {
      append(string.span, start..<index, escape: .text)
      append("\\\"")
      start = index + 1
    }
    append(string.span, start..<string.count, escape: .text)
    append("\"")
  }

  /// How many columns of a terminal what was written behind `start` takes, colours not counted.
  func columns(from start: Int) -> Int {
    withBytes { bytes in
      var text: [UInt8] = []
      var isInEscape = false
      for index in start..<bytes.count {
        let byte = bytes[index]
        // Names are made safe, so an escape is a colour of ours and ends with m.
        if byte == 0x1B { isInEscape = true }
        if !isInEscape { text.append(byte) }
        if byte == 0x6D { isInEscape = false }
      }
      if text.allSatisfy({ $0 < 0x80 }) { return text.count }
      return String(decoding: text, as: UTF8.self).columns
    }
  }

  /// Writes blanks up to `column` columns behind `start`, and two at least.
  mutating func padColumns(from start: Int, to column: Int) {
    for _ in 0..<max(column - columns(from: start), 2) { append(byte: 0x20) }
  }
}
