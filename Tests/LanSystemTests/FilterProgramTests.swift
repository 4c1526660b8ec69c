import TestKit
import Testing

@testable import LanSystem

// The frames of cases SN-01, SN-03 and SN-09, without their file headers.
private let tagged = hex(
  """
  01005e0000fb02000000000181 00001f08004500004000010000ff1118a9c0000207e00000fb14e914e9002c0000
  000000000001000000000000075f776974617032045f746370056c6f63616c00000c8001
  """)
private let cooked = hex(
  """
  00040001000602000000000100000800 4500004000010000ff1118a9c0000207e00000fb14e914e9002c0000
  000000000001000000000000075f776974617032045f746370056c6f63616c00000c8001
  """)
private let hopByHop = hex(
  """
  02000000000202000000000186dd60000000003400ff20010db8000000000000000000000007
  20010db8000000000000000000000008110001040000000014e914e9002c0000
  000000000001000000000000075f776974617032045f746370056c6f63616c00000c8001
  """)
private let laterFragment = hex(
  """
  02000000000202000000000186dd6000000000202cff20010db8000000000000000000000007
  20010db8000000000000000000000008110005c80000123414e914e95a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a
  """)

@Suite("FilterProgram") struct FilterProgramTests {
  private func matches(_ expression: String, _ frame: [UInt8], linkType: Int = 1) throws -> Bool {
    try FilterProgram(expression, linkType: linkType)
      .matches(frame.span, originalLength: frame.count)
  }

  @Test(
    "SN-01: a filter sees through a VLAN tag unless it speaks of tags itself",
    arguments: [
      ("udp port 5353", true), ("vlan and udp port 5353", true), ("vlan 31", true),
      ("vlan 30", false), ("", true), ("udp port 53", false), ("not udp port 5353", false),
      ("src host 192.0.2.7", true), ("not vlan", false), ("ether[12:2] = 0x8100", true),
      ("ether src 02:00:00:00:00:01", true), ("greater 1000", false), ("less 1000", true),
    ])
  func vlan(expression: String, expected: Bool) throws {
    #expect(try matches(expression, tagged) == expected)
  }

  @Test("SN-01: two tags are no more in the way than one") func doubleTag() throws {
    let frame = Array(tagged[..<12]) + hex("88a80001") + tagged[12...]
    #expect(try matches("udp port 5353", frame))
  }

  @Test("SN-03: a cooked frame is filtered by its own link type") func cookedFrame() throws {
    #expect(try matches("src host 192.0.2.7", cooked, linkType: 113))
    #expect(try matches("udp port 5353", cooked, linkType: 113))
    #expect(try !matches("udp port 53", cooked, linkType: 113))
  }

  @Test("SN-09: a filter sees through IPv6 extension headers unless it speaks of them itself")
  func extensionHeaders() throws {
    #expect(try matches("udp port 5353", hopByHop))
    #expect(try !matches("not udp port 5353", hopByHop))
    #expect(try matches("ip6[6] == 0", hopByHop))
    #expect(try matches("host 2001:db8::7", hopByHop))
  }

  @Test("SN-09: a later fragment passes a port filter, to be judged when it is put together")
  func fragments() throws {
    #expect(try matches("udp port 53", laterFragment))
    #expect(try !matches("host 192.0.2.1", laterFragment))
    #expect(try matches("host 2001:db8::7", laterFragment))
  }

  @Test("bare IP has its own number in files") func rawIP() throws {
    #expect(try matches("udp port 5353", Array(cooked[16...]), linkType: 101))
  }

  @Test("frames cut at every length neither crash nor match a port that is cut off")
  func everyLength() throws {
    for frame in [tagged, hopByHop, laterFragment] {
      for expression in ["udp port 5353", "vlan and udp port 5353", "ip6[6] == 0"] {
        let program = try FilterProgram(expression, linkType: 1)
        for count in 0..<frame.count {
          let cut = Array(frame[..<count])
          let matched = program.matches(cut.span, originalLength: frame.count)
          if count < 38, expression.contains("port"), frame != laterFragment { #expect(!matched) }
        }
      }
    }
  }

  @Test("a bad expression is refused with libpcap's words") func badExpression() throws {
    let error = #expect(throws: CaptureError.self) {
      _ = try FilterProgram("udp prot 5353", linkType: 1)
    }
    guard case .badFilter("udp prot 5353", let detail) = error else {
      Issue.record("not badFilter: \(String(describing: error))")
      return
    }
    #expect(detail.contains("syntax error"))
  }

  @Test("an expression that a link type cannot be asked is refused for it alone")
  func severalLinkTypes() throws {
    #expect(try matches("vlan", tagged, linkType: 1))
    #expect(throws: CaptureError.self) { _ = try FilterProgram("vlan", linkType: 113) }
  }

  @Test(
    "the live filter compiles for every link type and passes what a decoder must see",
    arguments: [
      (1, tagged, true), (1, hopByHop, true), (1, laterFragment, true), (113, cooked, true),
      (276, [UInt8](repeating: 0, count: 60), false), (101, Array(cooked[16...]), true),
      (0, [UInt8](repeating: 0, count: 60), false),
    ])
  func liveFilter(linkType: Int, frame: [UInt8], expected: Bool) throws {
    let text = LiveFilter(ports: [5353, 5355]).expression(linkType: linkType)
    #expect(text.contains("vlan") == (linkType == 1))
    #expect(try matches(text, frame, linkType: linkType) == expected)
  }
}

@Suite("CaptureError") struct CaptureErrorTests {
  @Test("a message says what failed, on what, why, and what to do") func words() {
    #expect(
      CaptureError.libraryMissing(detail: "no file").description
        == "cannot load libpcap (no file); install it with 'apt-get install libpcap0.8'")
    #expect(
      CaptureError.permissionDenied(
        interface: "eth0", remedy: Privilege.remedy(for: .netRaw)
      ).description.hasPrefix(
        "cannot capture on eth0: permission denied; run as root or 'setcap cap_net_raw+ep /"))
    #expect(
      SystemError(call: "bind", errno: 98, subject: "[::]:5353").description
        == "bind on [::]:5353: address already in use")
  }
}
