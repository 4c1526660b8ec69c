/// Ethernet and what is numbered by its types.
extension FrameDecoder {
  func ethernet(
    _ bytes: Span<UInt8>, _ start: Int, _ end: Int, _ walk: inout FrameWalk,
    _ events: inout FrameEvents
  ) {
    guard end &- start >= 14 else {
      return walk.malformed(.truncated, at: start, &events)
    }
    // The link facts are those of the outermost frame.
    let header = bytes.extracting(start..<(start &+ 14))
    if walk.depth == 0 {
      walk.link.destinationMAC = header.mac(0)
      walk.link.sourceMAC = header.mac(6)
    }
    etherType(bytes, header.word16(12), start &+ 14, end, &walk, &events)
  }

  /// What follows an Ethernet type; VLAN tags are taken off on the way.
  func etherType(
    _ bytes: Span<UInt8>, _ first: UInt16, _ start: Int, _ end: Int, _ walk: inout FrameWalk,
    _ events: inout FrameEvents
  ) {
    if first == 0x0800 { return ipv4(bytes, start, end, &walk, &events) }
    var type = first
    var offset = start
    while type == 0x8100 || type == 0x88A8 || type == 0x9100 || type == 0x9200 {
      guard end &- offset >= 4 else {
        return walk.malformed(.truncated, at: offset, &events)
      }
      walk.link.vlan.append(bytes.uint16(at: offset))
      type = bytes.uint16(at: offset &+ 2)
      offset &+= 4
    }
    switch type {
    case 0x0800: ipv4(bytes, offset, end, &walk, &events)
    case 0x86DD: ipv6(bytes, offset, end, &walk, &events)
    case 0x0806: arp(bytes, offset, end, walk, &events)
    case 0x8847, 0x8848: mpls(bytes, offset, end, &walk, &events)
    case 0x8864: pppoe(bytes, offset, end, &walk, &events)
    case 0..<0x600:
      // IEEE 802.3: the number is a length, what follows it is padding.
      logicalLink(bytes, offset, min(end, offset &+ Int(type)), &walk, &events)
    default: break
    }
  }

  /// IEEE 802.2 with SNAP (RFC 1042); other service access points are not IP.
  func logicalLink(
    _ bytes: Span<UInt8>, _ start: Int, _ end: Int, _ walk: inout FrameWalk,
    _ events: inout FrameEvents
  ) {
    guard end &- start >= 8, bytes.uint16(at: start) == 0xAAAA, bytes[start &+ 2] == 3,
      walk.enter()
    else { return }
    let organization = bytes.uint32(at: start &+ 2) & 0xFF_FFFF
    // 00:00:f8 is the bridge-tunnel encapsulation of IEEE 802.1H.
    guard organization == 0 || organization == 0xF8 else { return }
    let type = bytes.uint16(at: start &+ 6)
    guard type >= 0x600 else { return }
    etherType(bytes, type, start &+ 8, end, &walk, &events)
  }

  /// MPLS (RFC 3032): under the label stack the first four bits tell the IP version.
  func mpls(
    _ bytes: Span<UInt8>, _ start: Int, _ end: Int, _ walk: inout FrameWalk,
    _ events: inout FrameEvents
  ) {
    var offset = start
    while end &- offset >= 4 {
      let isBottom = bytes[offset &+ 2] & 1 == 1
      offset &+= 4
      if isBottom { return rawIP(bytes, offset, end, &walk, &events) }
    }
    walk.malformed(.truncated, at: offset, &events)
  }

  /// PPPoE session data (RFC 2516).
  func pppoe(
    _ bytes: Span<UInt8>, _ start: Int, _ end: Int, _ walk: inout FrameWalk,
    _ events: inout FrameEvents
  ) {
    guard end &- start >= 6 else {
      return walk.malformed(.truncated, at: start, &events)
    }
    guard bytes.uint16(at: start) == 0x1100 else { return }
    let length = Int(bytes.uint16(at: start &+ 4))
    ppp(bytes, start &+ 6, min(end, start &+ 6 &+ length), &walk, &events)
  }

  /// PPP (RFC 1661, RFC 1662), address, control and the protocol's high byte being optional.
  func ppp(
    _ bytes: Span<UInt8>, _ start: Int, _ end: Int, _ walk: inout FrameWalk,
    _ events: inout FrameEvents
  ) {
    var offset = start
    if end &- offset >= 2, bytes.uint16(at: offset) == 0xFF03 { offset &+= 2 }
    guard end &- offset >= 2, walk.enter() else { return }
    let isShort = bytes[offset] & 1 == 1
    let number = isShort ? UInt16(bytes[offset]) : bytes.uint16(at: offset)
    offset &+= isShort ? 1 : 2
    switch number {
    case 0x0021: ipv4(bytes, offset, end, &walk, &events)
    case 0x0057: ipv6(bytes, offset, end, &walk, &events)
    case 0x0281, 0x0283: mpls(bytes, offset, end, &walk, &events)
    default: break
    }
  }

  private func arp(
    _ bytes: Span<UInt8>, _ start: Int, _ end: Int, _ walk: FrameWalk,
    _ events: inout FrameEvents
  ) {
    // Ethernet (1), IPv4 (0x0800), addresses of 6 and 4 bytes.
    guard end &- start >= 28, bytes.uint64(at: start) >> 16 == 0x0001_0800_0604 else { return }
    events.events.append(
      .arp(
        ARPMessage(
          operation: bytes.uint16(at: start &+ 6), senderMAC: MACAddress(bytes, at: start &+ 8),
          sender: IPv4Address(bytes, at: start &+ 14),
          target: IPv4Address(bytes, at: start &+ 24), link: walk.link)))
  }
}
