import LanCore
import LanWire
import TestKit
import Testing

@testable import LanCLI

private typealias Sample = SampleMessage

@Suite("Columns of sniff") struct SniffFieldsTests {
  private func columns(_ trace: SniffTrace, _ fields: String) throws -> [[String]] {
    try lines(trace, ["--fields", fields], interfaces: [0: "eth0"]).map {
      $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
  }

  @Test("columns come in the order asked for, tabs between them") func order() throws {
    let sent = trace(
      try Sample.response(
        [Sample.address("h.local"), Sample.address("i.local", ttl: 0)],
        additionals: [Sample.record("h.local", .txt([Array("a=1".utf8)]))]))
    let length = String(sent.batch.messages[0].payload.count)
    let expected = [
      ("kind", "announcement"), ("frame", "1"), ("time", "2023-11-14T22:13:20.123456Z"),
      ("interface", "eth0"), ("vlan", ""), ("sourceMac", "02:00:00:00:00:07"),
      ("source", "10.0.0.7"), ("sourcePort", "5353"), ("destination", "224.0.0.251"),
      ("destinationPort", "5353"), ("hopLimit", "255"), ("tunnel", ""), ("protocol", "mdns"),
      ("length", length), ("id", "0"), ("goodbyes", "1"), ("opcode", "0"),
      ("authoritative", "true"), ("truncated", "false"), ("rcode", "0"), ("questions", ""),
      ("answers", "A h.local 120 10.0.0.7; A i.local 0 10.0.0.7"), ("authorities", ""),
      ("additionals", #"TXT h.local 120 "a=1""#), ("findings", ""),
    ]
    #expect(expected.count == SniffFields.Field.allCases.count)
    let found = try columns(sent, expected.map(\.0).joined(separator: ","))
    #expect(found == [expected.map(\.1)])
    #expect(try columns(sent, "frame,frame") == [["1", "1"]])
  }

  @Test("questions are separated, findings are the rules' names") func lists() throws {
    let sent = trace(try Sample.query(["a.local", "b.local"]))
    let rules = ["one-rule", "two-rule"].map { LintRule($0, .error, "s", "d", "a") }
    sent.batch.findings = rules.map { Finding($0, text: "", frames: [], source: .v4(.mdnsGroup)) }
    sent.batch.messages[0].findings = 0..<2
    #expect(
      try columns(sent, "questions,findings")
        == [["PTR a.local; PTR b.local", "one-rule,two-rule"]])
  }

  @Test("a message without a header or time leaves the columns empty") func empty() throws {
    let sent = SniffTrace()
    sent.send([0], at: nil)
    #expect(
      try columns(sent, "id,kind,goodbyes,rcode,time,source") == [["", "", "", "", "", "10.0.0.7"]])
  }

  @Test("LLMNR has no authoritative bit") func llmnr() throws {
    let payload = try Sample.response([Sample.address("h")], flags: 0x8400)
    #expect(try columns(trace(payload, port: 5355), "protocol,authoritative") == [["llmnr", ""]])
  }

  @Test("every column is offered to the shell's completion") func declared() {
    #expect(Set(SniffDeclaration.fields) == Set(SniffFields.Field.allCases.map(\.rawValue)))
  }

  @Test("an unknown column is refused with the one that was meant") func unknown() throws {
    let error = try #require(throws: UsageError.self) { try configuration(["--fields=frme"]) }
    #expect(error.suggestion == "frame" && error.message.contains("'frme'"))
  }
}
