import Foundation
import LanCore
import LanWire
import TestKit
import Testing

@testable import LanCLI

private typealias Sample = SampleMessage

/// The answers of a response with `records`.
private func answers(_ records: DNSRecord...) throws -> [NSDictionary] {
  try #require(objects(trace(Sample.response(records))).first).records("answers")
}

@Suite("JSON Lines of sniff") struct SniffJSONTests {
  @Test("a multicast query has every field of the contract and nothing else") func query() throws {
    let payload = try Sample.query(
      ["_ipp._tcp.local"], unicast: true,
      known: [Sample.pointer("_ipp._tcp.local", to: "P._ipp._tcp.local")],
      additionals: [.opt(udpPayloadSize: 1440, options: [DNSOption(code: 4, value: [0, 1])])])
    let line = try #require(lines(trace(payload), ["--json"]).first)
    let expected = """
      {"schema": "lantool.sniff/1", "event": "message", "time": "2023-11-14T22:13:20.123456Z",
      "seq": 1, "frame": 1, "sourceMac": "02:00:00:00:00:07", "source": "10.0.0.7",
      "sourcePort": 5353, "destination": "224.0.0.251", "destinationPort": 5353, "hopLimit": 255,
      "protocol": "mdns", "length": \(payload.count), "id": 0, "kind": "query", "goodbyes": 0,
      "opcode": 0, "authoritative": false, "truncated": false, "rcode": 0,
      "questions": [{"name": "_ipp._tcp.local", "type": "PTR", "class": "IN",
      "unicastResponse": true}],
      "answers": [{"name": "_ipp._tcp.local", "type": "PTR", "class": "IN", "cacheFlush": false,
      "ttlSeconds": 4500, "data": {"name": "P._ipp._tcp.local"}}],
      "authorities": [],
      "additionals": [{"name": ".", "type": "OPT", "data": {"udpPayloadSize": 1440,
      "extendedRcode": 0, "version": 0, "dnssecOk": false,
      "options": [{"code": 4, "name": "Owner", "hex": "0001"}]}}]}
      """
    #expect(try object(line) == object(expected), "\(line)")
  }

  @Test("LLMNR has conflict and tentative in place of three fields") func llmnr() throws {
    let question = DNSQuestion(name: try DNSName("h"), type: .any, class: .any)
    let answer = try Sample.record("h", ttl: 30, .a(IPv4Address(bits: 0xC000_0201)))
    let payload = try DNSMessage(
      id: 77, flags: 0x8503, questions: [question], answers: [answer]
    ).encoded()
    let sent = trace(payload, port: 5355)
    sent.batch.messages[0].envelope.hopLimit = 1
    let found = try #require(objects(sent).first)
    for (key, value) in [
      ("protocol", "llmnr"), ("id", 77), ("conflict", true), ("tentative", true), ("rcode", 3),
      ("kind", "response"), ("hopLimit", 1),
    ] as [(String, any Equatable)] {
      #expect(found[key] as? NSObject == value as? NSObject, "\(key)")
    }
    #expect(found["authoritative"] == nil)
    #expect(
      found.records("questions") == [["name": "h", "type": "ANY", "class": "ANY"] as NSDictionary])
    #expect(
      try found.records("answers")
        == [
          object(
            #"{"name": "h", "type": "A", "class": "IN", "ttlSeconds": 30, "#
              + #""data": {"address": "192.0.2.1"}}"#)
        ])
  }

  @Test("the data of a type has the contract's shape") func shapes() throws {
    let host = try DNSName("host.local")
    let shapes: [(DNSRecordData, String, String)] = [
      (.a(IPv4Address(bits: 0xC000_0207)), "A", #"{"address": "192.0.2.7"}"#),
      (
        .aaaa(IPv6Address(high: 0x2001_0DB8 << 32, low: 1)), "AAAA", #"{"address": "2001:db8::1"}"#
      ),
      (.ptr(host), "PTR", #"{"name": "host.local"}"#),
      (.cname(host), "CNAME", #"{"name": "host.local"}"#),
      (.ns(.root), "NS", #"{"name": "."}"#),
      (
        .srv(priority: 1, weight: 65535, port: 631, target: host), "SRV",
        #"{"priority": 1, "weight": 65535, "port": 631, "target": "host.local"}"#
      ),
      (.txt([Array("a=1".utf8)]), "TXT", #"{"txt": {"a": "1"}}"#),
      (.txt([[]]), "TXT", #"{"txt": {}}"#),
      (
        .nsec(next: host, types: [.a, .aaaa, .init(rawValue: 65280)]), "NSEC",
        #"{"next": "host.local", "types": ["A", "AAAA", "TYPE65280"]}"#
      ),
      (.nsec(next: host, types: []), "NSEC", #"{"next": "host.local", "types": []}"#),
      (
        .hinfo(cpu: Array("ARM \"64\"".utf8), os: [0x1B, 0xFF]), "HINFO",
        #"{"cpu": "ARM \"64\"", "os": "\\027\\255"}"#
      ),
      (.unknown(.init(rawValue: 65280), [0, 1, 0xAB]), "TYPE65280", #"{"hex": "0001ab"}"#),
      (.unknown(.init(rawValue: 65280), []), "TYPE65280", #"{"hex": ""}"#),
      (.mx(preference: 1, exchange: .root), "MX", #"{"hex": "000100"}"#),
    ]
    let records = try shapes.map { try Sample.record("n.local", $0.0) }
    let found = try #require(objects(trace(Sample.response(records))).first).records("answers")
    #expect(found.count == shapes.count)
    for (record, (_, type, data)) in zip(found, shapes) {
      #expect(record["type"] as? String == type)
      #expect(record["data"] as? NSDictionary == (try object(data)), "\(type)")
      #expect(record["class"] as? String == "IN" && record["ttlSeconds"] as? Int == 120)
      #expect(record["problem"] == nil)
    }
  }

  @Test("data that is not what its type demands is given in hexadecimal with what is wrong")
  func unreadable() throws {
    let record = DNSBytes.record(DNSBytes.name("h.local"), type: 1, [1, 2, 3])
    let payload = DNSBytes.message(flags: 0x8400, counts: [0, 1, 0, 0], record)
    let found = try #require(objects(trace(payload)).first).records("answers")[0]
    #expect(found["data"] as? NSDictionary == ["hex": "010203"])
    #expect((found["problem"] as? String)?.isEmpty == false)
  }

  @Test("OPT's class and TTL are its data, whatever they hold") func opt() throws {
    let option = DNSRecord.opt(
      udpPayloadSize: 65535, extendedRcode: 1, version: 2, dnssecOk: true,
      options: [DNSOption(code: 65001, value: [])])
    let payload = try Sample.query(["h.local"], additionals: [option])
    let found = try #require(objects(trace(payload)).first)
    #expect(
      found.records("additionals")
        == [
          try object(
            #"{"name": ".", "type": "OPT", "data": {"udpPayloadSize": 65535, "extendedRcode": 1, "#
              + #""version": 2, "dnssecOk": true, "options": [{"code": 65001, "hex": ""}]}}"#)
        ])
    #expect(found["goodbyes"] as? Int == 0)
  }

  @Test(
    "classes and the top bit are told apart",
    arguments: [
      (1, "IN", false), (0x8001, "IN", true), (2, "CLASS2", false), (0x8002, "CLASS2", true),
      (255, "ANY", false), (254, "NONE", false), (3, "CH", false), (0x7FFF, "CLASS32767", false),
    ] as [(UInt16, String, Bool)])
  func classes(_ raw: UInt16, _ name: String, _ topBit: Bool) throws {
    let owner = DNSBytes.name("h.local")
    let payload = DNSBytes.message(
      counts: [1, 1, 0, 0], DNSBytes.question(owner, class: raw),
      DNSBytes.record(owner, type: 1, class: raw, [1, 2, 3, 4]))
    let found = try #require(objects(trace(payload)).first)
    let question = found.records("questions")[0]
    let answer = found.records("answers")[0]
    #expect(question["class"] as? String == name && answer["class"] as? String == name)
    #expect(question["unicastResponse"] as? Bool == topBit)
    #expect(answer["cacheFlush"] as? Bool == topBit)
  }

  @Test(
    "names are in presentation form",
    arguments: [
      ([Array("a.b".utf8)], #"a\.b"#), ([Array(#"a\b"#.utf8)], #"a\\b"#),
      ([[0x00, 0x1F, 0x7F, 0xFF]], #"\000\031\127\255"#), ([Array("Büro 日本 😀".utf8)], "Büro 日本 😀"),
      ([Array("say \"x\"".utf8), Array("local".utf8)], #"say "x".local"#), ([], "."),
      ([Array("\u{2028}\u{85}".utf8)], "\u{2028}\u{85}"), ([[0xC3], [0xA9]], #"\195.\169"#),
      ([Array(repeating: 0x2E, count: 63)], String(repeating: #"\."#, count: 63)),
    ] as [([[UInt8]], String)])
  func names(_ labels: [[UInt8]], _ text: String) throws {
    let name = try DNSName(labels: labels)
    let record = DNSRecord(name: name, ttl: 1, data: .ptr(name))
    let found = try answers(record)[0]
    #expect(found["name"] as? String == text)
    #expect((found["data"] as? NSDictionary)?["name"] as? String == text)
    #expect(name.description == text)
  }

  @Test("a malformed message has its reason, the place, and what could be read before it")
  func malformed() throws {
    let whole = try Sample.response([
      Sample.address("h.local"), Sample.pointer("a.local", to: "b.local"),
    ])
    let found = try #require(objects(trace(Array(whole.dropLast()))).first)
    #expect(found["event"] as? String == "malformed")
    #expect((found["reason"] as? String)?.isEmpty == false)
    #expect((found["offset"] as? Int).map { (1..<whole.count).contains($0) } == true)
    #expect(found["source"] as? String == "10.0.0.7" && found["id"] as? Int == 0)
    #expect(found.records("answers").count == 1)
    let short = try #require(objects(trace([0, 0, 0])).first)
    #expect(short["offset"] as? Int == 3)
    #expect(short["id"] == nil && short["questions"] == nil && short["kind"] == nil)
  }

  @Test("a frame without a time has no time, a link-local sender its zone when live")
  func timeAndZone() throws {
    let sent = SniffTrace()
    let query = try Sample.query(["h.local"])
    sent.send(query, at: nil, from: "fe80::7", interface: 2)
    sent.send(query, at: 5, from: "2001:db8::7", to: "fe80::9", interface: 2)
    sent.send(query, at: 5, from: "169.254.1.1", interface: 3)
    let live = try objects(sent, interfaces: [2: "eth\"0"])
    #expect(live[0]["time"] == nil)
    #expect(live[1]["time"] as? String == "1970-01-01T00:00:00.000000Z")
    #expect(live.map { $0["interface"] as? String } == ["eth\"0", "eth\"0", nil])
    #expect(live[0]["source"] as? String == "fe80::7%eth\"0")
    #expect(live[0]["destination"] as? String == "ff02::fb")
    #expect(live[1]["source"] as? String == "2001:db8::7")
    #expect(live[1]["destination"] as? String == "fe80::9%eth\"0")
    #expect(live[2]["source"] as? String == "169.254.1.1")
    // The inner network of a tunnel is another one.
    sent.batch.messages[0].envelope.isTunnelled = true
    #expect(try objects(sent, interfaces: [2: "eth0"])[0]["source"] as? String == "fe80::7")
    let file = try objects(sent)
    #expect(file[0]["source"] as? String == "fe80::7" && file[0]["interface"] == nil)
  }

  @Test("findings keep every character of their text") func findings() throws {
    let sent = trace(try Sample.query(["h.local"]))
    let rule = LintRule("a-rule", .warning, "RFC 6762 section 6", "Demand.", "Advice.")
    let text = "the name 'say \"x\" \\ \n' is \u{2028} odd"
    sent.batch.findings = [
      Finding(rule, severity: .error, text: text, frames: [1], source: .v4(.mdnsGroup)),
      Finding(rule, text: "", frames: [1], source: .v4(.mdnsGroup)),
    ]
    sent.batch.messages[0].findings = 0..<2
    let found = try #require(objects(sent).first).records("findings")
    #expect(
      found == [
        [
          "rule": "a-rule", "severity": "error", "section": "RFC 6762 section 6",
          "text": "the name 'say \"x\" \\ \\010' is \u{2028} odd",
        ],
        ["rule": "a-rule", "severity": "warning", "section": "RFC 6762 section 6", "text": ""],
      ] as [NSDictionary])
  }

  @Test("messages that were put together are shown from their own bytes") func reassembled() throws
  {
    let first = try Sample.query(["first.local"])
    let second = try Sample.query(["second.local"])
    let sent = trace(first)
    sent.send(second)
    for index in 0..<2 {
      let payload = index == 0 ? first : second
      let start = sent.batch.reassembled.count
      sent.batch.reassembled += payload
      sent.batch.messages[index].isReassembled = true
      sent.batch.messages[index].payload = start..<sent.batch.reassembled.count
    }
    sent.bytes = []
    let names = try objects(sent).map { $0.records("questions")[0]["name"] as? String }
    #expect(names == ["first.local", "second.local"])
    #expect(
      try lines(sent, ["--oneline", "--time=none"]).map { $0.hasSuffix("first.local") } == [
        true, false,
      ])
    #expect(try lines(sent, ["--fields=questions"]) == ["PTR first.local", "PTR second.local"])
  }
}
