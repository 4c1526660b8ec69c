import Foundation
import LanCore
import LanSystem
import LanWire
import TestKit
import Testing

@testable import LanCLI

private let wall: Int64 = 1_764_464_000_123_456_789

private func origin(_ provider: ResolveProvider = .mdns) -> ResolveOrigin {
  var origin = ResolveOrigin(provider, elapsed: 1_234_567)
  if provider == .mdns {
    (origin.interfaceIndex, origin.interface, origin.ttl) = (2, "v0", 120)
  }
  return origin
}

private func query(_ text: String) throws -> ResolveQuery {
  try ResolveQuery.parse(text, ResolveQuery.Hints { $0 == "ssh" ? 22 : nil })
}

private func address(_ text: String, port: UInt16? = nil) throws -> ResolvedAddress {
  ResolvedAddress(
    name: "tv.local", address: try #require(IPAddress(parsing: text)), port: port,
    origin: origin())
}

private func service(_ text: [[UInt8]]?) throws -> ResolvedService {
  let name = try ServiceInstanceName(
    instance: Array("Border Router #0F07".utf8),
    type: ServiceType(service: "meshcop", transport: "udp"), domain: .local)
  return ResolvedService(
    name: name, host: try DNSName("tv.local"), port: 49_154, text: text, origin: origin())
}

private func json(
  _ write: (inout ResolveJSON, inout OutputBuffer) throws -> Void
) rethrows -> String {
  var json = ResolveJSON()
  var out = OutputBuffer(capacity: 64)
  try write(&json, &out)
  return out.withBytes { bytes in
    String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
  }
}

private func text(_ answer: ResolveAnswer, _ action: ResolveAction? = nil) -> String {
  var out = OutputBuffer(capacity: 64)
  ResolveText(style: TerminalStyle(isOn: false)).append(answer, action, to: &out)
  return out.withBytes { bytes in
    String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
  }
}

/// A line of every kind, for the schema.
private func everyLine() throws -> String {
  let query = try query("tv.local:22")
  return try json { json, out in
    let addresses = [
      try address("fe80::1", port: 22), try address("192.0.2.7"), try address("2001:db8::7"),
    ]
    for value in addresses {
      json.append(.address(value), .removed, rule: .matchingScope, of: query, at: wall, to: &out)
      json.append(.address(value), nil, of: query, at: wall, to: &out)
    }
    for strings in [nil, [[]], [[0x61, 0x3D, 0, 0, 1], [0x3D]]] as [[[UInt8]]?] {
      json.append(.service(try service(strings)), nil, of: query, at: wall, to: &out)
    }
    let name = try DNSName("tv.local")
    let all: [DNSRecordData] = [
      .a(IPv4Address(bits: 1)), .ptr(name), .txt([[0x61]]), .hinfo(cpu: [0x22], os: []),
      .srv(priority: 1, weight: 2, port: 3, target: name), .nsec(next: name, types: [.a, .aaaa]),
      .unknown(DNSRecordType(rawValue: 65_280), [1, 2]),
    ]
    for data in all {
      let record = ResolvedRecord(name: name, data: data, origin: origin(.dns))
      json.append(.record(record), .added, of: query, at: wall, to: &out)
    }
    let found = ResolveContradiction(deciding: [addresses[1]], other: [addresses[0]])
    json.append(found, of: query, at: wall, to: &out)
    let failures: [ResolveFailure] = [
      .notFound, .noAddress, .noAnswer, .placeholder, .timeout, .cancelled, .noInterface,
      .failed("SERVFAIL"), .failed(""),
    ]
    for failure in failures { json.append(failure, of: query, at: wall, to: &out) }
    json.append(ResolveLedger(count: 2, isAny: false), elapsed: 5_000, at: wall, to: &out)
  }
}

@Suite("What resolve writes") struct ResolveOutputTests {
  @Test("an address: what the contract names, nothing absent spelled out") func addressLine() throws
  {
    let query = try query("tv.local:22")
    let line = try json {
      $0.append(.address(try address("fe80::1", port: 22)), nil, of: query, at: wall, to: &$1)
    }
    #expect(
      line == """
        {"schema":"lantool.resolve/1","event":"address","time":"2025-11-30T00:53:20.123456Z",\
        "seq":1,"query":"tv.local:22","name":"tv.local","address":"fe80::1%v0","family":"ipv6",\
        "port":22,"provider":"mdns","interface":"v0","interfaceIndex":2,"ttlSeconds":120,\
        "elapsedMicroseconds":1234}

        """)
  }

  @Test("a service: the instance raw, the name escaped, TXT decoded (RE-15)") func serviceLine()
    throws
  {
    let query = try query("Border Router #0F07._meshcop._udp.local")
    let line = try json {
      $0.append(
        .service(try service([[0x61, 0x74, 0x3D, 0, 0, 1]])), nil, of: query, at: wall, to: &$1)
    }
    #expect(line.contains(#""instance":"Border Router #0F07","type":"_meshcop._udp""#))
    #expect(line.contains(#""host":"tv.local","port":49154,"priority":0,"weight":0"#))
    #expect(line.contains(#""txt":{"at":{"base64":"AAAB"}}"#))
  }

  @Test("text begins with what can be connected to, and never steers a terminal") func lines()
    throws
  {
    let first = text(.address(try address("fe80::1", port: 22)))
    #expect(first.hasPrefix("[fe80::1%v0]:22 ") && first.contains("tv.local  mdns  v0  ttl 120"))
    #expect(text(.address(try address("192.0.2.7"))).hasPrefix("192.0.2.7 "))
    #expect(text(.address(try address("192.0.2.7")), .removed).hasPrefix("- 192.0.2.7 "))
    let shown = text(.service(try service([[0x61, 0x74, 0x3D, 0, 0x1B, 1]])))
    #expect(shown.hasPrefix("# Border Router #0F07._meshcop._udp.local: tv.local:49154"))
    #expect(shown.contains(#""at=\000\027\001""#))
    #expect(!shown.dropLast().unicodeScalars.contains { $0.value < 0x20 })
  }

  @Test("a contradiction is one sentence that says who decides (RE-11)") func contradiction() throws
  {
    let found = ResolveContradiction(
      deciding: [try address("192.0.2.99")], other: [try address("192.0.2.20")])
    #expect(
      ResolveText.sentence(found, of: try query("tv.local"))
        == "the hosts file says that 'tv.local' is 192.0.2.99, multicast DNS says 192.0.2.20 on v0; "
        + "the hosts file decides")
  }

  @Test("every line fits the schema") func schema() throws {
    #expect(try SchemaCheck.faults(try everyLine(), of: "resolve") == "")
  }
}
