import Glibc
import LanWire
import TestKit
import Testing

/// The address as the C library reads it, in network order.
private func system(_ text: String) -> [UInt8]? {
  for (family, count) in [(AF_INET, 4), (AF_INET6, 16)] {
    var bytes = [UInt8](repeating: 0, count: 16)
    if inet_pton(family, text, &bytes) == 1 { return Array(bytes.prefix(count)) }
  }
  return nil
}

private func octets(_ address: IPAddress) -> [UInt8] {
  switch address {
  case .v4(let address):
    (0..<4).reversed().map { UInt8(truncatingIfNeeded: address.bits >> ($0 * 8)) }
  case .v6(let address):
    [address.high, address.low].flatMap { half in
      (0..<8).reversed().map { UInt8(truncatingIfNeeded: half >> ($0 * 8)) }
    }
  }
}

@Suite("Addresses as people type them") struct AddressParsingTests {
  static let texts = [
    "0.0.0.0", "255.255.255.255", "192.0.2.7", "01.2.3.4", "1.2.3", "1.2.3.4.5", "1.2.3.256",
    "1..2.3", "1.2.3.", ".1.2.3", "1.2.3.4 ", " 1.2.3.4", "+1.2.3.4", "1.2.3.-4", "0x1.2.3.4",
    "00.0.0.0", "1.2.3.04", "999.1.1.1", "1.2.3.4\n", "", ":", "::", ":::", "::1", "1::", "1:::2",
    "1::2::3", "fe80::1", "FE80::ABCD", "1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9",
    "1:2:3:4:5:6:7::", "::2:3:4:5:6:7:8", "1::3:4:5:6:7:8", "1:2:3:4::5:6:7:8", ":1:2:3:4:5:6:7:8",
    "1:2:3:4:5:6:7:8:", "1:", ":1", "::1:", "::ffff:192.0.2.7", "::192.0.2.7",
    "1:2:3:4:5:6:1.2.3.4",
    "1:2:3:4:5:6:7:1.2.3.4", "1:2:3:4:5:1.2.3.4", "::1.2.3.4:5", "1.2.3.4::", "::1.2.3",
    "::1.2.3.256", "::01.2.3.4", "12345::", "g::", "::00001", "::-1", "::+1", "fe80::1%eth0",
    "::1/64", "[::1]", "１.2.3.4", "::１", "1:2:3:4:5:6:7::8", "::0:0:0:0:0:0:0", "0::0", "x",
    "::\u{301}", "1\u{301}.2.3.4",
  ]

  @Test(
    "a text is an address exactly when the C library says so, and the same one",
    arguments: texts)
  func likeSystem(_ text: String) {
    #expect(IPAddress(parsing: text).map(octets) == system(text))
  }

  @Test("random texts of the characters of addresses are judged as the C library judges them")
  func random() {
    var generator = SeededGenerator(seed: 7)
    let alphabet = Array("0123456789abcdefF:::::...")
    var failures: [String] = []
    for _ in 0..<20_000 {
      let count = Int.random(in: 1...24, using: &generator)
      let text = String(
        (0..<count).map { _ in alphabet[Int.random(in: 0..<alphabet.count, using: &generator)] })
      if IPAddress(parsing: text).map(octets) != system(text) { failures.append(text) }
    }
    #expect(failures == [])
  }

  @Test("what is written is read back, and looks as the C library writes it") func roundTrip() {
    var generator = SeededGenerator(seed: 11)
    var failures: [String] = []
    for index in 0..<5_000 {
      // Runs of zeros are what the short form is about.
      let mask = UInt64.random(in: 0...UInt64.max, using: &generator)
      let sparse = (0..<4).reduce(UInt64(0)) {
        $0 | (mask >> (UInt64($1) * 9) & 1 == 0 ? 0 : 0xFFFF << (UInt64($1) * 16))
      }
      let high = UInt64.random(in: 0...UInt64.max, using: &generator) & sparse
      let low = UInt64.random(in: 0...UInt64.max, using: &generator) & ~sparse
      let address: IPAddress =
        index % 4 == 0
        ? .v4(IPv4Address(bits: UInt32(truncatingIfNeeded: mask)))
        : .v6(IPv6Address(high: high, low: low))
      let text = address.description
      var buffer = [CChar](repeating: 0, count: 64)
      let family = address.isIPv6 ? AF_INET6 : AF_INET
      inet_ntop(family, octets(address), &buffer, 64)
      let expected = String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
      if text != expected || IPAddress(parsing: text) != address { failures.append(text) }
    }
    #expect(failures == [])
  }

  @Test(
    "a link-layer address has six pairs with colons or hyphens",
    arguments: [
      ("02:00:00:00:00:07", 0x0200_0000_0007), ("02-00-00-AB-cd-07", 0x0200_00AB_CD07),
      ("2:0:0:0:0:7", 0x0200_0000_0007), ("ff:ff:ff:ff:ff:ff", 0xFFFF_FFFF_FFFF),
      ("02:00:00:00:00", nil), ("02:00:00:00:00:07:08", nil), ("02:00:00:00:00:", nil),
      ("02:00:00:00:00:+7", nil), ("02:00:00:00:00:g7", nil), ("020000000007", nil), ("", nil),
      ("02:00:00:00:00:007", nil), ("::::::", nil),
    ] as [(String, UInt64?)])
  func mac(_ text: String, _ bits: UInt64?) {
    #expect(MACAddress(parsing: text)?.bits == bits)
    if let address = MACAddress(parsing: text) {
      #expect(MACAddress(parsing: address.description) == address)
    }
  }
}
