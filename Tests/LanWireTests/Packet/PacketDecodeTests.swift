import LanWire
import TestKit
import Testing

/// The events of one frame.
func decoded(
  _ bytes: [UInt8], _ link: LinkType = .ethernet, originalLength: Int? = nil,
  tunnels: Bool = true
) -> FrameEvents {
  var events = FrameEvents()
  FrameDecoder(tunnels: tunnels).decode(
    bytes.span, linkType: link, originalLength: originalLength ?? bytes.count, into: &events)
  return events
}

/// The datagrams among the events.
func datagrams(_ events: FrameEvents) -> [UDPDatagram] {
  events.events.compactMap { if case .datagram(let datagram) = $0 { datagram } else { nil } }
}

/// The events of each frame of a fixture.
func decodedFixture(_ name: String, tunnels: Bool = true) throws -> [FrameEvents] {
  CaptureFile(try CaptureFile.fixture(name)).frames.map {
    decoded(
      $0.bytes, $0.packet.linkType, originalLength: $0.packet.originalLength, tunnels: tunnels)
  }
}

@Suite("Frames of the trouble reports")
struct PacketCaseTests {
  static func frame(_ file: String) throws -> CapturedFrame {
    try #require(CaptureFile(hex(file)).frames.first)
  }

  @Test("SN-01: a tagged multicast DNS query is found and its VLAN told")
  func tagged() throws {
    let frame = try Self.frame(
      """
      d4c3b2a1020004000000000000000000000004000100000000f15365e8030000520000005200000001005e\
      0000fb0200000000018100001f08004500004000010000ff1118a9c0000207e00000fb14e914e9002c0000\
      000000000001000000000000075f776974617032045f746370056c6f63616c00000c8001
      """)
    let datagram = try #require(datagrams(decoded(frame.bytes)).first)
    #expect(datagram.link.vlan.count == 1 && datagram.link.vlan[0] == 31)
    #expect(datagram.destinationPort == 5353 && datagram.payload.count == 36)
    #expect(datagram.destination.isMDNSGroup)
  }

  @Test("SN-03: a cooked capture is read as such, an unknown link type is named")
  func cooked() throws {
    let frame = try Self.frame(
      """
      d4c3b2a1020004000000000000000000000004007100000000f15365e80300005000000050000000000400\
      010006020000000001000008004500004000010000ff1118a9c0000207e00000fb14e914e9002c00000000\
      00000001000000000000075f776974617032045f746370056c6f63616c00000c8001
      """)
    #expect(frame.packet.linkType == .linuxSLL)
    let datagram = try #require(datagrams(decoded(frame.bytes, .linuxSLL)).first)
    #expect("\(datagram.source)" == "192.0.2.7" && datagram.payload.count == 36)
    #expect(datagram.link.packetType == .outgoing)
    #expect(datagram.link.sourceMAC == MACAddress(bits: 0x0200_0000_0001))
    let strange = decoded(frame.bytes, LinkType(rawValue: 258)).events
    guard case .unsupported(let type)? = strange.first else {
      Issue.record("no event for an unknown link type")
      return
    }
    #expect(type.description == "PKTAP")
  }

  @Test("SN-07: with an IPv4 length of 0 the capture tells the payload's length")
  func offloadedLength() throws {
    let frame = try Self.frame(
      """
      d4c3b2a1020004000000000000000000000004000100000000f15365e80300007600000076000000020000\
      000002020000000001080045000000000140004006b6e7c0000207c00002089c401092000003e8000007d0\
      50180400000000004141414141414141414141414141414141414141414141414141414141414141414141\
      4141414141414141414141414141414141414141414141414141414141
      """)
    guard case .packet(let packet)? = decoded(frame.bytes).events.first else {
      Issue.record("no packet")
      return
    }
    #expect(packet.protocolNumber == 6 && packet.sourcePort == 40_000)
    #expect(packet.destinationPort == 4242 && packet.payload.count == 64)
    #expect(packet.ip.isLengthFromCapture && !packet.isCut)
  }

  @Test("SN-09: extension headers are stepped over, a later fragment has no ports")
  func extensionHeaders() throws {
    let first = try Self.frame(
      """
      d4c3b2a1020004000000000000000000000004000100000000f15365e80300006a0000006a000000020000\
      00000202000000000186dd60000000003400ff20010db800000000000000000000000720010db800000000\
      0000000000000008110001040000000014e914e9002c0000000000000001000000000000075f7769746170\
      32045f746370056c6f63616c00000c8001
      """)
    let datagram = try #require(datagrams(decoded(first.bytes)).first)
    #expect(datagram.destinationPort == 5353 && datagram.payload.count == 36)
    let later = try Self.frame(
      """
      d4c3b2a1020004000000000000000000000004000100000000f15365e80300005600000056000000020000\
      00000202000000000186dd6000000000202cff20010db800000000000000000000000720010db800000000\
      0000000000000008110005c80000123414e914e95a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a
      """)
    let events = decoded(later.bytes)
    #expect(datagrams(events).isEmpty && events.hasFragments)
    guard case .fragment(let fragment)? = events.events.first else {
      Issue.record("no fragment")
      return
    }
    #expect(fragment.offset == 1480 && fragment.identification == 0x1234)
    #expect(!fragment.hasMore && fragment.protocolNumber == 17)
  }
}

@Suite("Encapsulations")
struct PacketDecodeTests {
  @Test("tunnels are looked into and their outer addresses told, unless switched off")
  func tunnels() throws {
    let frames = try decodedFixture("syn-tunnels.pcap")
    let kinds = frames.flatMap { events in
      datagrams(events).map { datagram in
        (0..<Int(datagram.tunnels.count)).compactMap {
          events.tunnel($0, of: datagram.tunnels)?.kind.rawValue
        }.joined(separator: " ")
      }
    }
    #expect(
      kinds == [
        "gre", "gre", "gre", "gre", "gre", "vxlan", "vxlan", "geneve", "ipip", "6in4", "4in6",
        "6in6", "gtp",
      ])
    for events in frames {
      let datagram = try #require(datagrams(events).first)
      let tunnel = try #require(events.tunnel(0, of: datagram.tunnels))
      #expect(tunnel.source != datagram.source && datagram.destinationPort == 5353)
    }
    let outside = try decodedFixture("syn-tunnels.pcap", tunnels: false)
    #expect(outside.flatMap(datagrams).allSatisfy { $0.destinationPort != 5353 })
  }

  @Test("wrong UDP lengths are told and never lead out of the packet")
  func oddLengths() throws {
    let frames = try decodedFixture("syn-udp-odd.pcap")
    let faults = frames.map { datagrams($0).first?.lengthFault }
    #expect(
      faults == [
        UDPDatagram.LengthFault.none, UDPDatagram.LengthFault.none, .shorterThanPacket,
        .longerThanPacket, .tooSmall, .tooSmall, UDPDatagram.LengthFault.none, nil, nil,
        UDPDatagram.LengthFault.none,
      ])
    #expect(
      frames.map { datagrams($0).first?.payload.count } == [
        33, 33, 28, 33, 0, 0, 33, nil, nil, 33,
      ])
    #expect(datagrams(frames[6]).first?.ip.isLengthFromCapture == true)
    for index in [7, 8] {
      guard case .malformed? = frames[index].events.first else {
        Issue.record("frame \(index + 1) is not called malformed")
        continue
      }
    }
  }

  @Test("UDP checksums: absent, wrong and right")
  func checksums() throws {
    let frames = CaptureFile(try CaptureFile.fixture("syn-udp-odd.pcap")).frames
    let results = try frames.prefix(2).map { frame in
      let datagram = try #require(datagrams(decoded(frame.bytes)).first)
      return UDPChecksum.isValid(datagram, in: frame.bytes.span)
    }
    #expect(results == [nil, false])
    let tagged = CaptureFile(try CaptureFile.fixture("syn-eth-tags.pcap")).frames
    for frame in tagged {
      let datagram = try #require(datagrams(decoded(frame.bytes)).first)
      #expect(UDPChecksum.isValid(datagram, in: frame.bytes.span) == true)
    }
  }

  @Test("frames that were cut are marked so and not called malformed")
  func cutFrames() throws {
    let frames = try decodedFixture("syn-fmt-snaplen.pcap")
    #expect(frames.flatMap(datagrams).allSatisfy { $0.isCut })
    #expect(frames.prefix(3).map { datagrams($0).first?.payload.count } == [34, 18, 12])
    for events in frames {
      #expect(!events.events.contains { if case .malformed = $0 { true } else { false } })
    }
  }

  @Test("a packet quoted in an ICMP error is no datagram")
  func quoted() throws {
    let frames = try decodedFixture("syn-icmp-quotes-mdns.pcap")
    #expect(frames.flatMap(datagrams).isEmpty)
  }

  @Test("priority tags count as tags, and of two tags the outer one comes first")
  func tags() throws {
    let lists = try decodedFixture("syn-eth-tags.pcap").flatMap(datagrams).map { datagram in
      (0..<Int(datagram.link.vlan.count)).map { datagram.link.vlan[$0] }
    }
    #expect(lists[7] == [0])
    #expect(lists[4] == [200, 30] && lists[5] == [200, 30] && lists[6] == [200, 30])
  }

  @Test("the second cooked header tells the interface")
  func cookedInterface() throws {
    let all = try decodedFixture("syn-sll2.pcap").flatMap(datagrams)
    #expect(all.count == 8 && all.allSatisfy { $0.link.interfaceIndex != 0 })
  }
}
