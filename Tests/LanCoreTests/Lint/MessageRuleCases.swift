import LanCore
import LanWire
import TestKit
import Testing

/// A rule with a message that breaks it and a near one that does not.
struct MessageRuleCase: CustomTestStringConvertible {
  let id: String
  let bad: MessageSample
  let good: MessageSample

  init(_ id: String, _ bad: MessageSample, _ good: MessageSample) {
    self.id = id
    self.bad = bad
    self.good = good
  }

  var testDescription: String { id }
}

private let host = wire("h.local")
private let type = wire("_http._tcp.local")
private let instance = wire("Web._http._tcp.local")
private let address = SampleRecord(host, 1, [192, 0, 2, 1])
private let address6 = SampleRecord(host, 28, hex("fe800000000000000000000000000001"))
private let pointer = SampleRecord(type, 12, ttl: 4500, instance, class: 1)

private func response(
  _ answers: [SampleRecord] = [address, address6], id: UInt16 = 0, flags: UInt16 = 0x8400,
  questions: [[UInt8]] = [], authority: [SampleRecord] = [], additional: [SampleRecord] = [],
  tail: [UInt8] = []
) -> MessageSample {
  MessageSample(
    id: id, flags: flags, questions: questions, answers: answers, authority: authority,
    additional: additional, tail: tail)
}

private func query(
  _ questions: [[UInt8]] = [question("_http._tcp.local", 12)], id: UInt16 = 0, flags: UInt16 = 0,
  answers: [SampleRecord] = [], authority: [SampleRecord] = []
) -> MessageSample {
  MessageSample(
    id: id, flags: flags, questions: questions, answers: answers, authority: authority)
}

private func legacy(_ records: [SampleRecord], question: Bool = true) -> MessageSample {
  response(records, id: 9, questions: question ? [LanCoreTests.question("h.local", 1)] : []).with {
    $0.destination = .v4(IPv4Address(bits: 0xC000_0202))
    $0.destinationPort = 40_000
  }
}

private func nsec(_ next: [UInt8], _ bitmap: String) -> SampleRecord {
  SampleRecord(host, 47, next + hex(bitmap))
}

private func text(_ strings: String...) -> MessageSample {
  let data = strings.flatMap { txt($0) }
  return response([SampleRecord(instance, 16, ttl: 4500, data)])
}

extension MessageRuleCase {
  static let header: [MessageRuleCase] = [
    .init("resp-src-port", response().with { $0.sourcePort = 40_000 }, response()),
    .init("ip-ttl", response().with { $0.hopLimit = 1 }, response()),
    .init("id-nonzero-response", response(id: 5), response()),
    .init("id-nonzero-query", query(id: 5), query(id: 5).with { $0.sourcePort = 40_000 }),
    .init("opcode", response(flags: 0xAC00), response()),
    .init("rcode", response(flags: 0x8403), response()),
    .init("aa-clear-response", response(flags: 0x8000), response()),
    .init("aa-set-query", query(flags: 0x0400), query()),
    .init("tc-response", response(flags: 0x8600), query(flags: 0x0200)),
    .init("reserved-bits", query(flags: 0x0100), query(flags: 0x0100).with { $0.sourcePort = 99 }),
    .init("question-in-response", response(questions: [question("h.local", 1)]), response()),
    .init("empty-response", response([]), response()),
    .init("authority-in-response", response(authority: [address]), response()),
    .init(
      "oversize",
      response([
        SampleRecord(
          wire("x.local"), 10, ttl: 4500, [UInt8](repeating: 0, count: 8_960), class: 1)
      ]),
      response([
        SampleRecord(
          wire("x.local"), 10, ttl: 4500, [UInt8](repeating: 0, count: 8_930), class: 1)
      ])),
    .init(
      "fragmented", response().with { $0.isFragmented = true },
      response([pointer]).with { $0.isFragmented = true }),
    .init("not-dns", MessageSample(bytes: Array("{\"type\":\"hello\"}".utf8)), response()),
    .init("malformed-name", query([hex("c00c 0001 0001")]), query()),
    .init(
      "malformed-message", MessageSample(bytes: Array(response().bytes.dropLast(3))), response()),
    .init(
      "forward-pointer", query([hex("c012 000c 0001"), hex("016c056c6f63616c00 000c 0001")]),
      query([hex("016c056c6f63616c00 000c 0001"), hex("c00c 000c 0001")])),
    .init("trailing-bytes", response(tail: [0, 0, 0]), response()),
  ]

  static let records: [MessageRuleCase] = [
    .init(
      "cache-flush-in-known-answer",
      query(answers: [SampleRecord(type, 12, ttl: 4500, instance)]), query(answers: [pointer])),
    .init(
      "cache-flush-in-probe", query([question("h.local", 255)], authority: [address]),
      query(
        [question("h.local", 255)], authority: [SampleRecord(host, 1, [192, 0, 2, 1], class: 1)])),
    .init(
      "cache-flush-on-shared", response([SampleRecord(type, 12, ttl: 4500, instance)]),
      response([pointer])),
    .init(
      "unique-without-cache-flush", response([SampleRecord(host, 1, [192, 0, 2, 1], class: 1)]),
      response([
        SampleRecord(
          wire("Mac._device-info._tcp.local"), 16, ttl: 4500, txt("model=x"), class: 1)
      ])),
    .init(
      "ttl-unusual", response([SampleRecord(host, 1, ttl: 60, [192, 0, 2, 1])]),
      response([SampleRecord(host, 1, ttl: 0, [192, 0, 2, 1]), address6])),
    .init(
      "ttl-differs-in-rrset",
      response([address, SampleRecord(wire("H.LOCAL"), 1, ttl: 4500, [192, 0, 2, 2])]),
      response([address, SampleRecord(host, 1, ttl: 0, [192, 0, 2, 2])])),
    .init(
      "legacy-response", legacy([address]),
      legacy([SampleRecord(host, 1, ttl: 10, [192, 0, 2, 1], class: 1)])),
    .init("class", query([question("h.local", 1, class: 3)]), query([question("h.local", 1)])),
    .init(
      "nsec-next-name", response([nsec(wire("other.local"), "0001 40")]),
      response([nsec(wire("H.local"), "0001 40")])),
    .init(
      "nsec-block", response([nsec(host, "0001 40 0101 40")]), response([nsec(host, "0001 40")])),
    .init(
      "nsec-bit", response([nsec(host, "0006 400000000001")]),
      response([nsec(host, "0004 40000008")])),
    .init(
      "nsec-contradiction", response([address], additional: [nsec(host, "0004 00000008")]),
      response([address], additional: [nsec(host, "0001 40")])),
    .init(
      "other-family-missing", response([address]),
      response([address], additional: [nsec(host, "0001 40")])),
    .init(
      "opt-misplaced", response([SampleRecord([0], 41, ttl: 0, [], class: 1440)]),
      response(additional: [SampleRecord([0], 41, ttl: 0, [], class: 1440)])),
    .init("rdata-size", response([SampleRecord(host, 1, [192, 0, 2])]), response()),
  ]

  static let contents: [MessageRuleCase] = [
    .init(
      "name-control-character",
      response([SampleRecord(wire("bad\u{7}.local"), 1, [192, 0, 2, 1])]),
      response()),
    .init(
      "name-not-utf8",
      response([SampleRecord(hex("04636166e9 056c6f63616c 00"), 1, [192, 0, 2, 1])]),
      response([SampleRecord(wire("café.local"), 1, [192, 0, 2, 1])])),
    .init(
      "name-punycode", query([question("xn--caf-dma.local", 1)]),
      query([question("xn-caf-dma.local", 1)])),
    .init(
      "name-not-local", query([question("printer.example.com", 1)]),
      query([question("1.2.254.169.in-addr.arpa", 12)])),
    .init("soa-or-ns-query", query([question("corp.local", 6)]), query([question("h.local", 1)])),
    .init(
      "srv-target", response([SampleRecord(instance, 33, srv("www.example.com"))]),
      response([SampleRecord(instance, 33, srv("h.local", port: 0))])),
    .init(
      "service-type",
      response([SampleRecord(wire("_averyveryverylongname._tcp.local"), 12, ttl: 4500, instance)]),
      response([SampleRecord(wire("_exactlyfifteen1._tcp.local"), 12, ttl: 4500, instance)])),
    .init("txt-zero-length", response([SampleRecord(instance, 16, [])]), text("")),
    .init("txt-keys", text("a=1", "A=2"), text("a=1", "b=2", "c", "")),
    .init(
      "txt-size",
      response([
        SampleRecord(
          instance, 16, ttl: 4500,
          (0..<6).flatMap { txt("k\($0)=" + String(repeating: "v", count: 240)) })
      ]), text("k=" + String(repeating: "v", count: 240))),
    .init(
      "subtype-target",
      response([
        SampleRecord(
          wire("_color._sub._http._tcp.local"), 12, ttl: 4500, wire("P._ipp._tcp.local"), class: 1)
      ]),
      response([
        SampleRecord(wire("_color._sub._http._tcp.local"), 12, ttl: 4500, instance, class: 1)
      ])),
    .init(
      "enum-target",
      response([
        SampleRecord(wire("_services._dns-sd._udp.local"), 12, ttl: 4500, instance, class: 1)
      ]),
      response([
        SampleRecord(wire("_services._dns-sd._udp.local"), 12, ttl: 4500, type, class: 1)
      ])),
  ]
}
