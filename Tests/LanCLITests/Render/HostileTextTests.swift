import LanCore
import LanSystem
import LanWire
import TestKit
import Testing

@testable import LanCLI

private typealias Sample = SampleMessage

/// What a hostile host could want to print.
enum Hostile {
  static let text = "\u{1B}[31m\r\n\t\u{7F}\u{9B}2J\u{202E}\u{2066}\u{2028}\u{85}\u{FEFF}\u{E0041}"

  /// A message from a host of that name, with it everywhere.
  static func trace() throws -> SniffTrace {
    let bytes = Array(text.utf8)
    let name = try DNSName(labels: [bytes, [0xFF, 0x1B], Array("local".utf8)])
    var options = SniffOptions()
    options.names = true
    let trace = SniffTrace(options)
    let records: [DNSRecordData] = [
      .a(IPv4Address(bits: 0x0A00_0007)), .ptr(name), .txt([bytes, Array("k=".utf8) + bytes]),
      .hinfo(cpu: bytes, os: [0x1B, 0x9B, 0xFF]), .nsec(next: name, types: [.a]),
      .srv(priority: 0, weight: 0, port: 1, target: name), .cname(name),
      .soa(
        DNSStartOfAuthority(
          primary: name, mailbox: name, serial: 1, refresh: 1, retry: 1, expire: 1, minimum: 1)),
      .mx(preference: 1, exchange: name), .unknown(.init(rawValue: 65280), bytes),
    ]
    let message = DNSMessage(
      flags: 0x8400, questions: [DNSQuestion(name: name, type: .ptr)],
      answers: records.map { DNSRecord(name: name, ttl: 120, data: $0) })
    trace.send(try message.encoded(), interface: 2)
    let rule = LintRule("rule", .error, "RFC 6762 section 6", "Demand.", "Advice.")
    trace.batch.findings = [
      Finding(rule, text: "'\(text)'", frames: [1], source: .v4(.mdnsGroup))
    ]
    trace.batch.messages[0].findings = 0..<1
    return trace
  }
}

@Suite("Hostile names") struct HostileTextTests {
  @Test(
    "nothing that could steer a terminal is shown as it is",
    arguments: [
      ["--time=none"], ["--oneline"], ["--time=utc", "--color=never"],
      ["--fields=interface,questions,answers,authorities,additionals,findings"],
    ])
  func escaped(_ words: [String]) throws {
    let shown = try rendered(Hostile.trace(), words, interfaces: [2: Hostile.text])
    #expect(shown.contains("\\027[31m"))
    for scalar in shown.unicodeScalars {
      let isPlain = scalar.value >= 0x20 && scalar.value < 0x7F
      #expect(isPlain || scalar == "\n" || scalar == "\t")
    }
    let tabs = shown.unicodeScalars.filter { $0 == "\t" }.count
    #expect(tabs == (words[0].hasPrefix("--fields") ? 5 : 0))
  }

  @Test("JSON keeps controls escaped and stays one line") func json() throws {
    let shown = try lines(Hostile.trace(), ["--json"], interfaces: [2: Hostile.text])
    #expect(shown.count == 1)
    #expect(shown[0].unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F })
    _ = try object(shown[0])
  }

  @Test("the totals at the end are safe as well") func totals() throws {
    var options = SniffOptions()
    options.statistics = true
    options.lint = true
    let sent = SniffTrace(options)
    let name = try DNSName(labels: [Array(Hostile.text.utf8), [0x1B, 0x22]])
    let payload = try DNSMessage(questions: [DNSQuestion(name: name, type: .ptr)]).encoded()
    sent.send(payload)
    let rule = LintRule("rule", .error, "RFC 6762 section 6", "Demand.", "Advice.")
    let finding = FindingSummary(
      Finding(rule, text: Hostile.text + "\"", frames: [1], source: .v4(.mdnsGroup)))
    let summary = SniffSummary(
      analyzer: sent.analyzer, frames: 1, findings: [finding], dropped: 0, now: nil)
    var out = OutputBuffer(capacity: 1)
    summary.appendText(TerminalStyle(isOn: false), to: &out)
    let text = out.withBytes { bytes in
      String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
    }
    #expect(text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value < 0x7F || $0 == "\n" })
    var json = OutputBuffer(capacity: 1)
    summary.appendJSON(to: &json)
    let found = json.withBytes { bytes in
      String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
    }.split(separator: "\n")
    #expect(found.count == 2)
    let first = try object(String(found[0]))
    #expect(first["event"] as? String == "finding" && first["seq"] as? Int == 2)
    #expect(first["frames"] as? [Int] == [1] && first["count"] as? Int == 1)
    #expect(first["source"] as? String == "224.0.0.251")
    let last = try object(String(found[1]))
    #expect(last["event"] as? String == "summary" && last["messages"] as? Int == 1)
    #expect(last["frames"] as? Int == 1 && last["malformed"] as? Int == 0)
    #expect(last["dropped"] as? Int == 0 && last["time"] == nil)
    #expect(last.records("names")[0]["name"] as? String == name.description)
    #expect(last.records("hosts")[0]["query"] as? Int == 1)
    #expect(last.records("types")[0]["type"] as? String == "PTR")
  }

  @Test("a name of letters from elsewhere stays as it is") func harmless() throws {
    let payload = try Sample.response([Sample.address("Büro 日本 👩‍💻.local")])
    #expect(try lines(trace(payload), ["--oneline"])[0].contains("A Büro 日本 👩‍💻.local = "))
  }

  @Test("the sender's name stands before its address") func names() throws {
    var options = SniffOptions()
    options.names = true
    let sent = SniffTrace(options)
    sent.send(try Sample.response([Sample.address("My\\.host.local", last: 7)]))
    let line = try lines(sent, ["--time=none", "--oneline"], interfaces: [0: "eth0"])[0]
    #expect(line.hasPrefix("announcement  eth0 My\\.host (10.0.0.7) > 224.0.0.251  "))
  }
}
