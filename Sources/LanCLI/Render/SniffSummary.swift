import LanCore
import LanSystem
import LanWire

/// The end of a run: findings about the whole capture, totals, and the summary.
struct SniffSummary {
  let analyzer: SniffAnalyzer
  /// Frames of the capture, counted as Wireshark counts them.
  let frames: Int
  let findings: [FindingSummary]
  /// Frames lost by the kernel or, in a file, as its packets tell.
  let dropped: UInt64
  /// The clock at the end; nil for a file, which has no time of its own.
  let now: Int64?

  // MARK: JSON

  /// Writes the findings and the summary as JSON Lines.
  func appendJSON(to out: inout OutputBuffer) {
    var head = JSONLineHead("lantool.sniff/1", after: analyzer.sequence)
    for finding in findings {
      head.append("finding", at: now, to: &out)
      append(finding, to: &out)
    }
    head.append("summary", at: now, to: &out)
    out.appendJSON("frames", frames)
    out.appendJSON("messages", analyzer.messages)
    out.appendJSON("malformed", analyzer.malformed)
    out.appendJSON("dropped", dropped)
    if analyzer.options.statistics { appendStatistics(to: &out) }
    out.append("}\n")
  }

  private func append(_ finding: FindingSummary, to out: inout OutputBuffer) {
    out.appendJSON("rule", finding.rule.id)
    out.append(",\"severity\":\"")
    out.append(finding.severity.word)
    out.append("\",\"section\":")
    out.appendJSON(string: finding.rule.section)
    out.append(",\"source\":\"")
    out.append(AddressText(finding.source))
    out.append("\",\"frames\":[")
    for (index, frame) in finding.frames.enumerated() {
      if index > 0 { out.append(",") }
      out.append(frame)
    }
    out.append("],\"count\":")
    out.append(finding.count)
    out.appendJSON("text", finding.text)
    out.append("}\n")
  }

  private func appendStatistics(to out: inout OutputBuffer) {
    out.append(",\"hosts\":[")
    for (index, host) in analyzer.statistics.hosts.enumerated() {
      out.append(index > 0 ? ",{\"source\":\"" : "{\"source\":\"")
      out.append(AddressText(host.address))
      out.append("\",\"messages\":")
      out.append(host.messages)
      for kind in MessageKind.allCases where host.kinds[Int(kind.rawValue)] > 0 {
        out.append(",\"")
        out.append(kind.word)
        out.append("\":")
        out.append(host.kinds[Int(kind.rawValue)])
      }
      if host.malformed > 0 { out.appendJSON("malformed", host.malformed) }
      out.appendJSON("bytes", host.bytes)
      out.append("}")
    }
    out.append("],\"types\":[")
    for (index, entry) in analyzer.statistics.types.enumerated() {
      out.append(index > 0 ? ",{\"type\":\"" : "{\"type\":\"")
      out.append(entry.type)
      out.append("\"")
      append(entry.occurrences, to: &out)
    }
    out.append("],\"names\":[")
    for (index, entry) in analyzer.statistics.names.enumerated() {
      out.append(index > 0 ? ",{\"name\":\"" : "{\"name\":\"")
      out.append(entry.name.span, 0..<entry.name.count, escape: .jsonText)
      out.append("\"")
      append(entry.occurrences, to: &out)
    }
    out.append("]")
  }

  private func append(
    _ occurrences: SniffStatistics.Occurrences, to out: inout OutputBuffer
  ) {
    out.appendJSON("questions", occurrences.questions)
    out.appendJSON("records", occurrences.records)
    out.append("}")
  }
}

extension SniffSummary {
  // MARK: Text

  /// Findings and totals for people, as far as they were asked for.
  func appendText(_ style: TerminalStyle, to out: inout OutputBuffer) {
    if analyzer.options.lint { appendFindings(style, to: &out) }
    if analyzer.options.statistics { appendTotals(style, to: &out) }
  }

  /// The line for standard error at the end of a live run.
  var line: String {
    func count(_ number: Int, _ noun: String) -> String {
      "\(number) \(noun)\(number == 1 ? "" : "s")"
    }
    var text =
      "\(count(frames, "frame")), \(count(analyzer.messages, "message")), "
      + "\(analyzer.malformed) malformed, \(dropped) dropped"
    if dropped > 0 { text += " (the picture is incomplete; a larger --buffer-size loses fewer)" }
    return text
  }

  private func appendFindings(_ style: TerminalStyle, to out: inout OutputBuffer) {
    out.append("\nfindings\n")
    if findings.isEmpty { out.append("  none\n") }
    for finding in findings {
      out.append("  ")
      style.begin(finding.severity.tone, to: &out)
      let start = out.count
      out.append(finding.severity.word)
      out.pad(from: start, to: 9)
      style.end(to: &out)
      let column = out.count
      out.append(text: finding.rule.id)
      out.pad(from: column, to: 28)
      let source = out.count
      out.append(AddressText(finding.source))
      out.pad(from: source, to: 26)
      out.append(finding.count)
      out.append(finding.count == 1 ? " time, frame " : " times, frames ")
      for (index, frame) in finding.frames.prefix(8).enumerated() {
        if index > 0 { out.append(",") }
        out.append(frame)
      }
      if finding.count > 8 { out.append(",...") }
      out.append("\n             ")
      out.append(text: finding.text, escape: .shown)
      out.append(" (")
      out.append(text: finding.rule.section)
      out.append(")\n")
    }
  }

  private func appendTotals(_ style: TerminalStyle, to out: inout OutputBuffer) {
    let statistics = analyzer.statistics
    style.begin(.bold, to: &out)
    out.append("\nhost                                     messages  queries   probes  answers")
    out.append(" announce  goodbye malformed      bytes\n")
    style.end(to: &out)
    for host in statistics.hosts {
      let start = out.count
      out.append(AddressText(host.address))
      out.pad(from: start, to: 40)
      out.append(column: host.messages, width: 9)
      for kind in MessageKind.allCases {
        out.append(column: host.kinds[Int(kind.rawValue)], width: 9)
      }
      out.append(column: host.malformed, width: 10)
      out.append(column: host.bytes, width: 11)
      out.append("\n")
    }
    if statistics.otherHosts > 0 {
      out.append("others (more hosts than are kept apart)")
      out.append(column: statistics.otherHosts, width: 10)
      out.append("\n")
    }
    appendHead("type", style, to: &out)
    for entry in statistics.types {
      let start = out.count
      out.append(entry.type)
      out.pad(from: start, to: 12)
      append(columns: entry.occurrences, to: &out)
      out.append("\n")
    }
    appendHead("name", style, to: &out)
    for entry in statistics.names {
      out.append("            ")
      append(columns: entry.occurrences, to: &out)
      out.append("  ")
      out.append(entry.name.span, 0..<entry.name.count, escape: .shown)
      out.append("\n")
    }
    if statistics.otherNames > 0 {
      out.append("            ")
      out.append(column: statistics.otherNames, width: 10)
      out.append("            others (more names than are kept apart)\n")
    }
  }

  private func appendHead(
    _ noun: StaticString, _ style: TerminalStyle, to out: inout OutputBuffer
  ) {
    style.begin(.bold, to: &out)
    out.append("\n")
    out.append(noun)
    out.append("         questions   records\n")
    style.end(to: &out)
  }

  private func append(
    columns occurrences: SniffStatistics.Occurrences, to out: inout OutputBuffer
  ) {
    out.append(column: occurrences.questions, width: 10)
    out.append(column: occurrences.records, width: 10)
  }
}

extension OutputBuffer {
  /// Writes a number right-aligned in `width` columns.
  mutating func append(column number: Int, width: Int) {
    let digits = String(number)
    for _ in 0..<max(0, width - digits.utf8.count) { append(" ") }
    append(text: digits)
  }
}
