import LanWire
import TestKit
import Testing

@Suite("Names")
struct DNSNameTests {
  @Test(
    "a name is written as text and read back",
    arguments: [
      ([[UInt8]](), "."),
      ([Array("printer".utf8), Array("local".utf8)], "printer.local"),
      ([Array("a.b\\c d".utf8), Array("local".utf8)], "a\\.b\\\\c d.local"),
      ([[0, 9, 27, 127], Array("x".utf8)], "\\000\\009\\027\\127.x"),
      ([Array("Café 🖨".utf8)], "Café 🖨"),
      ([[0xFF, 0xFE, 0x80, 0x61]], "\\255\\254\\128a"),
      ([[0xC3, 0x28, 0xE2, 0x82]], "\\195(\\226\\130"),
      ([[0xED, 0xA0, 0x80, 0xC0, 0xAF]], "\\237\\160\\128\\192\\175"),
      ([[0xF4, 0x90, 0x80, 0x80, 0xF0, 0x9F, 0x96, 0xA8]], "\\244\\144\\128\\128🖨"),
      ([[0xE0, 0x80, 0xAF, 0xE2, 0x82, 0xAC]], "\\224\\128\\175€"),
    ])
  func presentation(labels: [[UInt8]], text: String) throws {
    let name = try DNSName(labels: labels)
    #expect(name.description == text)
    #expect(try DNSName(text).wire == name.wire)
    #expect(name.labels == labels)
    #expect(name.labelCount == labels.count)
  }

  @Test("text may end in a dot and may escape any character")
  func textForms() throws {
    #expect(try DNSName("host.local.") == DNSName("host.local"))
    #expect(try DNSName("\\h\\111st.local").description == "host.local")
    #expect(try DNSName("\\é").description == "é")
  }

  @Test(
    "text that is no name is refused at its byte",
    arguments: [
      ("", WireError(.badFormat, at: 0)),
      (".a", WireError(.badFormat, at: 0)),
      ("a..b", WireError(.badFormat, at: 2)),
      ("ab\\", WireError(.badFormat, at: 2)),
      ("ab\\25", WireError(.badFormat, at: 2)),
      ("ab\\256", WireError(.badFormat, at: 2)),
      ("ab\\2x6", WireError(.badFormat, at: 2)),
      ("a." + String(repeating: "x", count: 64), WireError(.badLength, at: 2)),
      (
        Array(repeating: String(repeating: "x", count: 63), count: 4).joined(separator: "."),
        WireError(.nameTooLong, at: 192)
      ),
    ])
  func badText(text: String, error: WireError) {
    #expect(throws: error) { try DNSName(text) }
  }

  @Test("a label has 1 to 63 octets and a name at most 255")
  func limits() throws {
    let long = [UInt8](repeating: 0x78, count: 63)
    let most = try DNSName(labels: [long, long, long, [UInt8](repeating: 0x78, count: 61)])
    #expect(most.wire.count == 255)
    #expect(throws: WireError(.nameTooLong, at: 192)) {
      try DNSName(labels: [long, long, long, [UInt8](repeating: 0x78, count: 62)])
    }
    #expect(throws: WireError(.badLength, at: 0)) { try DNSName(labels: [long + [1]]) }
    #expect(throws: WireError(.badLength, at: 2)) { try DNSName(labels: [[1], []]) }
    #expect(try DNSName(labels: [[UInt8]](repeating: [0x61], count: 127)).labelCount == 127)
    #expect(throws: WireError.self) {
      try DNSName(labels: [[UInt8]](repeating: [0x61], count: 128))
    }
    #expect(throws: WireError.self) { try most.prepending([0x61]) }
  }

  @Test("names are equal when only the case of ASCII letters differs")
  func equality() throws {
    let one = try DNSName("Printer._IPP._tcp.local")
    let two = try DNSName("pRINTER._ipp._TCP.LOCAL")
    #expect(one == two)
    #expect(one.hashValue == two.hashValue)
    #expect(one.viewHash == two.viewHash)
    #expect(try DNSName("É.local") != DNSName("é.local"))
    #expect(try DNSName("caf\u{E9}.local") != DNSName("cafe\u{301}.local"))
    #expect(try DNSName("a.b") != DNSName("a\\.b"))
    #expect(try DNSName("[.x") != DNSName("{.x"))
    #expect(try DNSName("@.x") != DNSName("`.x"))
    let same: Set = [one, two]
    #expect(same.count == 1)
  }

  @Test("a compressed name equals and hashes like the same name written out")
  func acrossMessages() throws {
    let message = DNSBytes.message(
      counts: [2, 0, 0, 0], DNSBytes.question(DNSBytes.name("Host.LOCAL")),
      DNSBytes.question([3] + Array("WWW".utf8) + DNSBytes.pointer(12)))
    let name = try DNSName("www.host.local")
    let equalities = [12, 28].map { name.equals(message.span, at: $0) }
    #expect(equalities == [false, true])
    #expect(try DNSName(message.span, at: 28) == name)
    #expect(DNSNameView.hash(message.span, at: 28) == name.viewHash)
    #expect(try DNSName(message.span, at: 28).description == "WWW.Host.LOCAL")
    #expect(throws: WireError.self) { try DNSName(message.span, at: -1) }
    #expect(throws: WireError.self) { try DNSName(message.span, at: message.count) }
  }

  @Test("a name gives its parent, its first label and its ancestors")
  func family() throws {
    let name = try DNSName("Mine\\.x._ipp._tcp.local")
    #expect(name.firstLabel == Array("Mine.x".utf8))
    #expect(name.parent?.description == "_ipp._tcp.local")
    #expect(DNSName.root.parent == nil)
    #expect(DNSName.root.firstLabel == nil)
    #expect(name.hasSuffix(try DNSName("_TCP.local")))
    #expect(name.hasSuffix(name))
    #expect(name.hasSuffix(.root))
    #expect(!name.hasSuffix(try DNSName("cp.local")))
    #expect(!name.hasSuffix(try DNSName("a.b.c.d.e.f.g.h.i.j.k.l.m")))
    // The bytes agree, the labels don't: "x" + 1 + "y" against the label "y".
    #expect(!(try DNSName(labels: [[0x78, 1, 0x79]])).hasSuffix(try DNSName("y")))
    #expect(try name.parent?.prepending(Array("mine.X".utf8)) == name)
    #expect(try DNSName("host").appending(Array("local".utf8)) == DNSName("host.local"))
    #expect(try DNSName("_ipp._tcp").appending(DNSName("local")) == DNSName("_ipp._tcp.local"))
  }
}
