import LanCore
import LanWire
import TestKit
import Testing

@Suite struct MessageRuleTests {
  static let cases = MessageRuleCase.header + MessageRuleCase.records + MessageRuleCase.contents

  @Test(
    "A message that breaks a rule yields that rule and its neighbour does not", arguments: cases)
  func oneRule(_ item: MessageRuleCase) {
    let bad = item.bad.findings().filter { $0.rule.id == item.id }
    #expect(bad.count == 1)
    #expect(bad.first?.frames == [7])
    #expect(bad.first.map { !$0.text.isEmpty } == true)
    #expect(!item.good.findings().contains { $0.rule.id == item.id })
  }

  @Test func everyRuleOfOneMessageHasACaseAndCanBeExplained() {
    let ids = Self.cases.map(\.id)
    #expect(Set(ids).count == 47)
    for (place, id) in ids.enumerated() { #expect(LintRules.all[place].id == id) }
    for id in ids { #expect(LintRules.rule(id)?.section.hasPrefix("RFC ") == true) }
    #expect(LintRules.rule("no-such-rule") == nil)
  }

  @Test func aFindingNamesTheRecordAndTheEffect() throws {
    let sample = MessageSample(
      flags: 0x8400,
      answers: [
        SampleRecord(
          wire("_http._tcp.local"), 12, ttl: 4500, hex("04 612e625c") + wire("_http._tcp.local"))
      ])
    let finding = try #require(sample.findings().first)
    #expect(finding.rule.id == "cache-flush-on-shared")
    #expect(finding.severity == .error)
    #expect(
      finding.text == "shared PTR record of _http._tcp.local with the cache-flush bit; "
        + "it wipes other hosts' answers from caches")
  }

  @Test func namesInFindingsAreInPresentationForm() throws {
    let sample = MessageSample(
      flags: 0,
      questions: [hex("06 612e5c07e9c3 056c6f63616c 00 0001 0001")])
    let finding = try #require(
      sample.findings().first { $0.rule.id == "name-control-character" })
    #expect(finding.text == #"control character in the name a\.\\\007\233\195.local"#)
  }

  @Test func aFlagshipPlaceholderIsNoFinding() {
    let sample = MessageSample(
      flags: 0x8400,
      answers: [
        SampleRecord(wire("Me._printer._tcp.local"), 33, srv("h.local", port: 0))
      ])
    #expect(!sample.findings().contains { $0.rule.id == "srv-target" })
    let other = MessageSample(
      flags: 0x8400,
      answers: [
        SampleRecord(wire("Me._printer._tcp.local"), 33, srv("h.local", port: 0, priority: 1))
      ])
    #expect(other.findings().contains { $0.rule.id == "srv-target" })
  }

  @Test func aTargetThatIsAnAliasIsFound() {
    let sample = MessageSample(
      flags: 0x8400,
      answers: [
        SampleRecord(wire("Me._http._tcp.local"), 33, srv("www.local")),
        SampleRecord(wire("WWW.local"), 5, ttl: 4500, wire("h.local")),
      ])
    let finding = sample.findings().first { $0.rule.id == "srv-target" }
    #expect(finding?.text.hasSuffix("which is an alias") == true)
  }

  @Test func aTunnelledMessageIsNotJudgedByItsHopLimit() {
    let sample = MessageSample(flags: 0, questions: [question("_http._tcp.local", 12)])
    #expect(sample.with { $0.hopLimit = 1 }.findings().map(\.severity) == [.info])
    let tunnelled = sample.with {
      $0.hopLimit = 1
      $0.isTunnelled = true
    }
    #expect(tunnelled.findings().isEmpty)
  }

  @Test func aCutMessageIsNotCalledMalformed() {
    let whole = MessageSample(
      flags: 0x8400,
      answers: [SampleRecord(wire("_http._tcp.local"), 12, ttl: 4500, wire("a._http._tcp.local"))])
    for count in 0..<whole.bytes.count {
      let cut = MessageSample(bytes: Array(whole.bytes.prefix(count)))
      let ids = Set(cut.with { $0.isCut = true }.findings().map(\.rule.id))
      #expect(ids.isDisjoint(with: ["malformed-name", "malformed-message", "not-dns"]))
      // And no prefix of it, cut or damaged, makes the linter trap.
      _ = cut.findings()
    }
  }

  @Test func aBadRecordDoesNotHideTheFaultsOfItsNeighbours() {
    let sample = MessageSample(
      flags: 0x8400,
      answers: [
        SampleRecord(wire("h.local"), 47, wire("h.local") + hex("00ff 40")),
        SampleRecord(wire("_http._tcp.local"), 12, ttl: 4500, wire("a._http._tcp.local")),
      ])
    let ids = sample.findings().map(\.rule.id)
    #expect(ids.contains("nsec-block"))
    #expect(ids.contains("cache-flush-on-shared"))
  }

  @Test func otherProtocolsOnThePortAreNamed() throws {
    let payloads: [([UInt8], String)] = [
      (Array("M-SEARCH * HTTP/1.1\r\n".utf8), "SSDP message of 21 bytes"),
      (Array("[1,2]".utf8), "JSON text of 5 bytes"),
      (hex("0000"), "NAT-PMP message"),
      (hex("0080 0000 00001234 c0000201"), "NAT-PMP message"),
      (hex("aabbcc"), "3 bytes, too few for a DNS header, on UDP port 5353"),
      ([UInt8](repeating: 0x9C, count: 64), "64 bytes that are no DNS message"),
    ]
    for (bytes, words) in payloads {
      let findings = MessageSample(bytes: bytes).findings()
      #expect(findings.map(\.rule.id) == ["not-dns"])
      #expect(findings.first?.text.hasPrefix(words) == true)
    }
  }

  @Test func rulesOfMulticastDNSDoNotJudgeOtherProtocols() {
    let sample = MessageSample(id: 7, flags: 0x0100, questions: [question("wpad", 1)])
    #expect(sample.with { $0.destinationPort = 5355 }.findings(.llmnr).isEmpty)
    let damaged = MessageSample(flags: 0, questions: [hex("c00c 0001 0001")])
    #expect(damaged.findings(.llmnr).map(\.rule.id) == ["malformed-name"])
  }
}
