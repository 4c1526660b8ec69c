import LanCore
import LanSystem
import LanWire
import Testing

@testable import LanCLI

private func configure(_ words: [[UInt8]], host: String = "deck") throws -> ServeConfiguration {
  let parsed = try ArgumentParser(command: .serve).parse(words)
  return try ServeConfiguration(parsed, hostName: { Array(host.utf8) })
}

private func configure(_ words: String..., host: String = "deck") throws -> ServeConfiguration {
  try configure(words.map { Array($0.utf8) }, host: host)
}

private func refusal(_ words: String...) -> String {
  do {
    _ = try configure(words.map { Array($0.utf8) })
    return "accepted"
  } catch {
    return "\(error)"
  }
}

private func texts(_ strings: [[UInt8]]) -> [String] {
  strings.map { String(decoding: $0, as: UTF8.self) }
}

@Suite("What serve is asked to do") struct ServeConfigurationTests {
  @Test("bare: _witap2._tcp, the host's name, the kernel's port, echo with mode=echo, link only")
  func bare() throws {
    let serve = try configure()
    #expect("\(serve.type)" == "_witap2._tcp" && serve.instance == Array("deck".utf8))
    #expect(!serve.isNameGiven && serve.port == 0 && serve.mode == .echo)
    #expect(texts(serve.strings(file: [])) == ["mode=echo"])
    #expect(!serve.server.allowsAnyone && serve.publishes && serve.serves && !serve.isBounded)
  }

  @Test("a game that is named by its type is played, in its own bytes") func games() throws {
    #expect(try configure("--type", "_witap._tcp").mode == .tap(.witap1))
    #expect(try configure("--type", "_witap2._tcp").mode == .tap(.witap2))
    #expect(try configure("--type", "_WiTap2._tcp.local.").mode == .tap(.witap2))
    #expect(try configure("--type", "_witap2._tcp", "--mode", "echo").mode == .echo)
    #expect(try configure("--type", "_http._tcp").mode == .echo)
    #expect(try configure("--type", "_game._tcp", "--mode", "tap").mode == .tap(.witap2))
    #expect(texts(try configure("--type", "_witap._tcp").strings(file: [])) == ["mode=tap"])
  }

  @Test("names and values are the bytes that were typed") func bytes() throws {
    let serve = try configure([
      Array("--name".utf8), [0xC3, 0xA9], Array("--txt=k=".utf8) + [0x01, 0xFF],
      Array("--subtype".utf8), [0xFE],
    ])
    #expect(serve.instance == [0xC3, 0xA9] && serve.isNameGiven && serve.subtypes == [[0xFE]])
    #expect(serve.text == [Array("k=".utf8) + [0x01, 0xFF]])
  }

  @Test("a name that is no UTF-8 is refused, not repaired") func broken() {
    #expect(throws: UsageError.self) { try configure([Array("--name".utf8), [0x61, 0xFF]]) }
    #expect(throws: UsageError.self) { try configure([Array("--host".utf8), [0x61, 0xFF]]) }
  }

  @Test("TXT: a mode that is given stands, keys without value and with an empty one differ")
  func text() throws {
    let serve = try configure("--txt", "a", "--txt", "b=", "--txt", "Mode=x")
    #expect(texts(serve.strings(file: [])) == ["a", "b=", "Mode=x"])
  }

  @Test("a file's attributes take the place of the same keys") func file() throws {
    let serve = try configure("--txt", "n=1", "--txt", "a=2")
    let lines = ServeAttributes.lines(of: Array("N=10\n\nz\r\n".utf8))
    #expect(texts(serve.strings(file: lines)) == ["mode=echo", "N=10", "a=2", "z"])
  }

  @Test("what is over a limit is refused (64)") func limits() {
    let long = String(repeating: "x", count: 64)
    #expect(refusal("--name", long).contains("64 bytes, and a label has at most 63"))
    #expect(refusal("--name", String(repeating: "x", count: 63)) == "accepted")
    #expect(refusal("--name", "").contains("must not be empty"))
    #expect(refusal("--name", "a\nb").contains("control characters"))
    #expect(refusal("--subtype", long).contains("--subtype"))
    #expect(refusal("--host", long).contains("--host"))
    #expect(refusal("--host", "a.b").contains("one label"))
    let value = "k=" + String(repeating: "v", count: 253)
    #expect(refusal("--txt", value) == "accepted")
    #expect(refusal("--txt", value + "v").contains("256 bytes"))
    #expect(refusal("--txt", "=v").contains("needs a key"))
    #expect(refusal("--txt", "ü=v").contains("printable ASCII"))
    #expect(refusal("--txt", "a=1", "--txt", "A").contains("given twice"))
    #expect(refusal("--port", "65536").contains("0 to 65535"))
  }

  @Test("a TXT record that fits into no packet is refused") func size() throws {
    let words = (0..<40).flatMap { ["--txt", "k\($0)=" + String(repeating: "v", count: 240)] }
    #expect(throws: UsageError.self) { try configure(words.map { Array($0.utf8) }) }
    #expect(throws: Never.self) { try configure(words.prefix(20).map { Array($0.utf8) }) }
  }

  @Test("a type is held to the rules and spelt out") func types() {
    for bad in [
      "_a--b._tcp", "_-a._tcp", "_123._tcp", "_sixteencharacter._tcp", "http", "http._tcp",
      "_http", "_http._sctp", "_http._tcp.example.org", "Deck._http._tcp", "",
    ] {
      #expect(refusal("--type", bad).contains("no service type"), "\(bad)")
    }
    #expect(refusal("--type", "http").contains("'_http._tcp'"))
    #expect(refusal("--type", "_ntp._udp").contains("--publish-only"))
    #expect(refusal("--type", "_ntp._udp", "--publish-only", "--port", "123") == "accepted")
  }

  @Test("subtypes may stand behind the type or apart") func subtypes() throws {
    let serve = try configure("--type", "_ipp._tcp,_universal", "--subtype", "_cups")
    #expect(texts(serve.subtypes) == ["_universal", "_cups"])
  }

  @Test("publishing for others needs their port, and says nothing of a mode")
  func publishOnly() throws {
    #expect(refusal("--publish-only").contains("needs the --port"))
    #expect(refusal("--proxy-address", "192.0.2.9").contains("--host"))
    #expect(refusal("--proxy-address", "192.0.2.9", "--host", "tv").contains("needs the --port"))
    #expect(refusal("--proxy-address", "tv", "--host", "tv", "--port", "1").contains("an address"))
    #expect(refusal("--publish-only", "--port", "1", "--mode", "tap").contains("contradict"))
    #expect(refusal("--no-publish", "--name", "x").contains("contradict"))
    let serve = try configure(
      "--type", "_ipp._tcp", "--port", "631", "--host", "tv.local.", "--proxy-address",
      "2001:db8::9", "--proxy-address", "192.0.2.9")
    #expect(!serve.serves && serve.hostLabel == Array("tv".utf8))
    #expect(serve.proxyAddresses.count == 2 && serve.strings(file: []).isEmpty)
  }

  @Test("limits reach the server; none means none") func server() throws {
    let serve = try configure(
      "--max-connections", "10", "--max-per-peer", "2", "--max-bytes", "1K", "--idle", "none",
      "--stall", "1s", "--allow", "any", "-4", "-i", "v0", "--port", "7")
    #expect(serve.server.connectionLimit == 10 && serve.server.perPeerLimit == 2)
    #expect(serve.server.byteLimit == 1_024 && serve.server.idleLimit == nil)
    #expect(serve.server.stallLimit == .seconds(1) && serve.server.allowsAnyone)
    #expect(serve.server.families == .ipv4 && serve.server.interfaces == ["v0"])
    #expect(serve.server.port == 7)
    #expect(try configure().server.byteLimit == ServeConfiguration.byteLimit)
  }

  @Test("a board needs a game") func tiles() throws {
    #expect(refusal("--tiles").contains("--mode tap"))
    #expect(try configure("--mode", "tap", "--tiles").hasTiles)
    #expect(refusal("--mode", "tap", "--tiles", "--json").contains("contradict"))
  }

  @Test("a count or a duration bounds the run") func bounds() throws {
    #expect(try configure("-c", "1").isBounded)
    #expect(try configure("--duration", "1s").isBounded)
    #expect(try !configure("--timeout", "1s").isBounded)
  }

  @Test("a machine without a name has one all the same") func nameless() throws {
    #expect(try configure(host: "").instance == Array("lantool".utf8))
  }
}
