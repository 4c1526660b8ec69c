import LanWire
import Testing

@Suite("TXT attributes")
struct DNSTextTests {
  private func strings(_ texts: String...) -> [[UInt8]] { texts.map { Array($0.utf8) } }

  @Test("keys come in order with a value, an empty value or none")
  func entries() {
    let text = DNSText(strings("txtvers=1", "flag", "empty=", "path=/a=b"))
    #expect(
      text.entries == [
        DNSText.Entry(key: Array("txtvers".utf8), value: Array("1".utf8)),
        DNSText.Entry(key: Array("flag".utf8), value: nil),
        DNSText.Entry(key: Array("empty".utf8), value: []),
        DNSText.Entry(key: Array("path".utf8), value: Array("/a=b".utf8)),
      ])
    #expect(!text.isLossy)
    #expect(text.entry("FLAG")?.key == Array("flag".utf8))
    #expect(text.entry("missing") == nil)
    #expect(DNSText.strings(text.entries) == strings("txtvers=1", "flag", "empty=", "path=/a=b"))
  }

  @Test("the first of duplicate keys wins, whatever their case")
  func duplicates() {
    let text = DNSText(strings("Key=1", "kEY=2", "KEY"))
    #expect(text.entries == [DNSText.Entry(key: Array("Key".utf8), value: Array("1".utf8))])
    #expect(text.isLossy)
  }

  @Test("a string without a key says nothing")
  func missingKeys() {
    let text = DNSText(strings("=value", "", "k=v"))
    #expect(text.entries == [DNSText.Entry(key: Array("k".utf8), value: Array("v".utf8))])
    #expect(text.isLossy)
    #expect(!DNSText([[]]).isLossy)
    #expect(!DNSText([]).isLossy)
    #expect(DNSText([[], []]).isLossy)
    #expect(DNSText.strings([]) == [[]])
  }

  @Test("values may be any bytes")
  func binary() {
    let text = DNSText([Array("bin=".utf8) + [0, 0xFF, 0x3D]])
    #expect(text.entry("bin")?.value == [0, 0xFF, 0x3D])
  }
}
