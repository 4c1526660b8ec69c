import LanWire
import TestKit
import Testing

@Suite("Wireless headers and group membership")
struct PacketWirelessTests {
  /// LLC, SNAP and the multicast DNS query of the trouble reports.
  static let snap =
    "aaaa030000000800" + "4500004000010000ff1118a9c0000207e00000fb14e914e9002c0000"
    + "000000000001000000000000075f776974617032045f746370056c6f63616c00000c8001"
  static let header = "080001005e0000fb02000000000a02000000000b0000".replacing(
    "0800", with: "08020000", maxReplacements: 1)

  @Test("PPI, Prism and AVS headers lead to the frame behind them")
  func headersBefore() {
    let wlan = Self.header + Self.snap
    let ppi = "00000800" + "69000000" + wlan
    let prism = "44000000" + "10000000" + "0000000000000000" + wlan
    let avs = "80211001" + "00000010" + "0000000000000000" + wlan
    for (text, link) in [(ppi, LinkType.ppi), (prism, .prism), (avs, .prism)] {
      let found = datagrams(decoded(hex(text), link))
      #expect(found.count == 1 && found.first?.payload.count == 36)
      #expect(found.first?.link.destinationMAC == MACAddress(bits: 0x0100_5E00_00FB))
      #expect(found.first?.link.sourceMAC == MACAddress(bits: 0x0200_0000_000B))
    }
  }

  @Test("each frame of an A-MSDU is decoded with its own addresses")
  func aggregate() {
    // QoS data whose control field says A-MSDU; each part has 72 bytes behind its length.
    let qos = Self.header.replacing("0802", with: "8802", maxReplacements: 1) + "8000"
    let part = { (source: String) in "01005e0000fb" + source + "0048" + Self.snap }
    let frame = hex(qos + part("020000000001") + "0000" + part("020000000002"))
    let found = datagrams(decoded(frame, .wlan))
    #expect(found.map { $0.link.sourceMAC?.bits } == [0x0200_0000_0001, 0x0200_0000_0002])
    #expect(found.allSatisfy { $0.payload.count == 36 })
  }

  private func memberships(_ text: String) -> [GroupMembership] {
    decoded(hex(text)).events.compactMap {
      if case .membership(let membership) = $0 { membership } else { nil }
    }
  }

  @Test("IGMP and MLD messages name the group and what is said of it")
  func memberships() {
    let link = "01005e0000fb0200000000010800"
    let old = memberships(
      link + "46c0002000000000010200000a140001e00000fb94040000" + "16000904e00000fb")
    #expect(old.map(\.kind) == [.report] && old.first?.group.isMDNSGroup == true)
    let version3 = memberships(
      link + "46c0003000000000010200000a140001e000001694040000" + "2200000000000002"
        + "04000000e00000fb" + "03000000e00000fc")
    #expect(version3.map(\.kind) == [.report, .leave])
    let mld = memberships(
      "333300000016" + "020000000001" + "86dd" + "6000000000240001"
        + "fe800000000000000000000000000001" + "ff020000000000000000000000000016"
        + "3a00050200000100" + "8f00000000000001"
        + "04000000ff0200000000000000000000000000fb")
    #expect(mld.map(\.kind) == [.report] && mld.first?.group.isMDNSGroup == true)
  }

  @Test("router advertisements and ARP tell prefixes and addresses")
  func neighbours() {
    let advertisement = decoded(
      hex(
        "333300000001" + "020000000001" + "86dd" + "6000000000303aff"
          + "fe800000000000000000000000000001" + "ff020000000000000000000000000001"
          + "86000000400007080000000000000000" + "030440c000015180000038400000000020010db8"
          + "000000000000000000000000"))
    guard case .prefix(let prefix)? = advertisement.events.last else {
      Issue.record("no prefix")
      return
    }
    #expect("\(prefix.prefix)" == "2001:db8::" && prefix.length == 64 && prefix.isOnLink)
    let arp = decoded(
      hex(
        "ffffffffffff020000000001" + "0806" + "0001080006040001" + "020000000001" + "0a140001"
          + "000000000000" + "0a140002"))
    guard case .arp(let message)? = arp.events.last else {
      Issue.record("no ARP message")
      return
    }
    #expect("\(message.sender) \(message.target)" == "10.20.0.1 10.20.0.2")
  }
}
