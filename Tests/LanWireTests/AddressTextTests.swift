import LanWire
import Testing

@Suite struct AddressTextTests {
  @Test(
    "IPv6 text is what inet_ntop prints",
    arguments: [
      (0xFE80_0000_0000_0000 as UInt64, 1 as UInt64, "fe80::1"), (0, 0, "::"), (0, 1, "::1"),
      (0x2001_0DB8_0000_0000, 0x0001_0000_0000_0001, "2001:db8::1:0:0:1"),
      (0x2001_0DB8_0001_0002, 0x0003_0004_0005_0006, "2001:db8:1:2:3:4:5:6"),
      (0x2001_0DB8_0001_0002, 0x0003_0004_0000_0000, "2001:db8:1:2:3:4::"),
      (0, 0xFFFF_C000_0201, "::ffff:192.0.2.1"), (0, 0xC000_0201, "::192.0.2.1"),
      (0x0001_0000_0002_0003, 0x0004_0005_0006_0007, "1:0:2:3:4:5:6:7"),
    ])
  func ipv6(high: UInt64, low: UInt64, text: String) {
    #expect(IPv6Address(high: high, low: low).description == text)
  }

  @Test("a link-layer address is six hexadecimal pairs") func mac() {
    #expect(MACAddress(bits: 0x0200_5E00_00FB).description == "02:00:5e:00:00:fb")
  }
}
