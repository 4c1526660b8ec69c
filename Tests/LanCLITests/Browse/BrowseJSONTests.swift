import Foundation
import LanCore
import LanSystem
import LanWire
import Testing

@testable import LanCLI

private typealias Samples = BrowseSamples

private func line(
  _ service: DiscoveredService, _ change: ServiceChange = .added, isResolving: Bool = true
) -> String {
  var json = BrowseJSON()
  return Samples.written {
    json.append(service, change, isResolving: isResolving, at: Samples.time, to: &$0)
  }
}

private func members(_ line: String) throws -> NSDictionary { try object(line) }

/// One line of each kind, and hostile ones.
private func everyLine() -> String {
  var json = BrowseJSON()
  var hostile = Samples.named(Array("a\"\\\u{1}\n\u{9B}é.".utf8) + [0xFF], on: 9, "v\"0")
  hostile.text = [
    [0x3D], Array("k=\"\n".utf8), Array("K=2".utf8), [0xFF, 0x3D, 0], Array("t".utf8),
  ]
  hostile.subtypes = ["_universal"]
  hostile.isOwn = true
  var reserved = Samples.resolved()
  reserved.port = 0
  reserved.heardOver = .ipv6
  var unicast = Samples.resolved("Web", Samples.http, on: nil, nil)
  unicast.origin = .dns
  unicast.heardOver = []
  let causes: [MDNSRemovalCause] = [.goodbye, .expired, .flushed, .interfaceDown, .noResponse]
  var summary = BrowseSummary()
  return Samples.written { out in
    for service in [Samples.resolved(), hostile, reserved, unicast] {
      json.append(service, .added, isResolving: true, at: Samples.time, to: &out)
      json.append(service, .updated, isResolving: false, at: nil, to: &out)
    }
    for cause in causes {
      json.append(Samples.resolved(), .removed(cause), isResolving: true, at: 0, to: &out)
    }
    for isAdded in [true, false] {
      json.append(
        Samples.http, isAdded: isAdded, domain: Samples.local, interface: "v0",
        interfaceIndex: 2, at: 0, to: &out)
      for kind in BrowsingDomainKind.allCases {
        json.append(
          Samples.local, kind, isAdded: isAdded, interface: nil, interfaceIndex: nil, at: 0,
          to: &out)
      }
    }
    json.appendSettled(services: 3, at: 0, to: &out)
    for subject: BrowseConfiguration.Subject in [.services, .types, .domains] {
      summary.subject = subject
      json.append(summary, at: 0, to: &out)
    }
    for entry in ServiceTypeDatabase.all { json.append(entry, at: 0, to: &out) }
  }
}

@Suite("browse as JSON Lines") struct BrowseJSONTests {
  @Test("a resolved service has the contract's fields, in their order") func resolved() {
    #expect(
      line(Samples.resolved()) == """
        {"schema":"lantool.browse/1","event":"added","time":"2026-11-30T00:53:20.123456Z","seq":1,\
        "instance":"Deck","serviceName":"Deck._witap2._tcp.local","type":"_witap2._tcp",\
        "typeMeaning":"WiTap game, version 2","domain":"local","interface":"v0",\
        "interfaceIndex":2,"heardOver":["ipv4","ipv6"],"origin":"mdns","host":"tv.local",\
        "port":4242,"addresses":["192.0.2.20","fe80::20%v0"],"priority":0,"weight":0,\
        "txt":{"v":"2"},"ttlSeconds":4500}

        """)
  }

  @Test("what is not known is left out, and an incomplete service says so") func incomplete() throws
  {
    let service = Samples.named(Array("Deck".utf8))
    let plain = try members(line(service))
    for key in ["host", "port", "addresses", "txt", "priority", "weight", "ttlSeconds", "own"] {
      #expect(plain[key] == nil, "\(key)")
    }
    #expect(plain["complete"] as? Bool == false)
    #expect(try members(line(service, isResolving: false))["complete"] == nil)
    #expect(try members(line(service, .removed(.expired)))["complete"] == nil)
  }

  @Test("port 0 is a placeholder (RFC 6763 section 8)") func placeholder() throws {
    var service = Samples.resolved()
    service.port = 0
    #expect(try members(line(service))["placeholder"] as? Bool == true)
    #expect(try members(line(Samples.resolved()))["placeholder"] == nil)
  }

  @Test("the instance is raw and the service name escaped") func names() throws {
    let name = "a.b\\c \"d\" \u{7}\u{9B}é"
    let service = Samples.named(Array(name.utf8))
    let object = try members(line(service))
    #expect(object["instance"] as? String == name)
    #expect(
      object["serviceName"] as? String == "a\\.b\\\\c \"d\" \\007\u{9B}é._witap2._tcp.local")
    #expect(!line(service).unicodeScalars.contains("\u{7}"))
    let broken = try members(line(Samples.named([0x41, 0xFF])))
    #expect(broken["instance"] as? String == "A\u{FFFD}")
    #expect(broken["serviceName"] as? String == "A\\255._witap2._tcp.local")
  }

  @Test("BR-01: a line break in a TXT string forges no line and can be read back")
  func forgedLine() throws {
    let forged = "note=\"\n+;eth9;IPv4;Ghost;_http._tcp;local\t="
    let text = line(Samples.resolved(text: [forged, "a"]))
    #expect(text.split(separator: "\n").count == 1 && text.hasSuffix("\n"))
    let txt = try #require(try members(text)["txt"] as? NSDictionary)
    let value = try #require((txt["note"] as? NSDictionary)?["base64"] as? String)
    #expect(Data(base64Encoded: value) == Data(forged.utf8.dropFirst(5)))
    #expect(txt["a"] as? Bool == true)
  }

  @Test("an empty TXT record is an empty object, an unknown one is left out") func emptyText()
    throws
  {
    for text in [[], [""]] {
      let txt = try members(line(Samples.resolved(text: text)))["txt"] as? NSDictionary
      #expect(txt?.count == 0)
    }
  }

  @Test("each cause of a removal has its word") func causes() throws {
    let causes: [MDNSRemovalCause: String] = [
      .goodbye: "goodbye", .expired: "expired", .flushed: "flushed",
      .interfaceDown: "interface-down", .noResponse: "no-response",
    ]
    for (cause, word) in causes {
      let object = try members(line(Samples.resolved(), .removed(cause)))
      #expect(object["event"] as? String == "removed" && object["cause"] as? String == word)
    }
  }

  @Test("every kind of line fits the schema, and the numbers have no gap") func schema() throws {
    let lines = everyLine()
    for (index, line) in lines.split(separator: "\n").enumerated() {
      #expect(try object(String(line))["seq"] as? Int == index + 1)
    }
    #expect(try SchemaCheck.faults(lines, of: "browse") == "")
  }
}
