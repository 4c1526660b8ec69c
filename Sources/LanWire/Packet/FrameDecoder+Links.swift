/// The link types besides Ethernet that lead to IP in a step or two.
extension FrameDecoder {
  func otherLink(
    _ bytes: Span<UInt8>, _ type: LinkType, _ end: Int, _ walk: inout FrameWalk,
    _ events: inout FrameEvents
  ) {
    switch type.rawValue {
    case 0, 108: loopback(bytes, end, &walk, &events)
    case 9: ppp(bytes, 0, end, &walk, &events)
    case 12, 14, 101, 228, 229: rawIP(bytes, 0, end, &walk, &events)
    case 50: serialPPP(bytes, end, &walk, &events)
    case 51: pppoe(bytes, 0, end, &walk, &events)
    case 104: ciscoHDLC(bytes, end, &walk, &events)
    case 105: wlan(bytes, 0, end, isPadded: false, &walk, &events)
    case 113: cooked(bytes, end, &walk, &events)
    case 119: prism(bytes, end, &walk, &events)
    case 127: radiotap(bytes, end, &walk, &events)
    case 192: perPacketInformation(bytes, end, &walk, &events)
    case 239: netfilterLog(bytes, end, &walk, &events)
    case 276: cookedTwo(bytes, end, &walk, &events)
    default: events.events.append(.unsupported(type))
    }
  }

  /// IP without a link header: the first four bits tell the version.
  func rawIP(
    _ bytes: Span<UInt8>, _ start: Int, _ end: Int, _ walk: inout FrameWalk,
    _ events: inout FrameEvents
  ) {
    guard start < end else { return }
    switch bytes[start] >> 4 {
    case 4: ipv4(bytes, start, end, &walk, &events)
    case 6: ipv6(bytes, start, end, &walk, &events)
    default: break
    }
  }

  /// BSD loopback: the family's number in either byte order.
  ///
  /// The systems that write this link type number IPv6 as 24, 28 or 30; 10 is Linux's number,
  /// whose loopback looks like Ethernet.
  private func loopback(
    _ bytes: Span<UInt8>, _ end: Int, _ walk: inout FrameWalk, _ events: inout FrameEvents
  ) {
    guard end >= 4 else { return walk.malformed(.truncated, at: 0, &events) }
    let number = bytes.uint32(at: 0)
    switch number > 0xFFFF ? number.byteSwapped : number {
    case 2: ipv4(bytes, 4, end, &walk, &events)
    case 24, 28, 30: ipv6(bytes, 4, end, &walk, &events)
    default: break
    }
  }

  private func serialPPP(
    _ bytes: Span<UInt8>, _ end: Int, _ walk: inout FrameWalk, _ events: inout FrameEvents
  ) {
    guard end >= 4 else { return walk.malformed(.truncated, at: 0, &events) }
    if bytes[0] == 0x0F || bytes[0] == 0x8F {
      ciscoHDLC(bytes, end, &walk, &events)
    } else {
      ppp(bytes, 0, end, &walk, &events)
    }
  }

  private func ciscoHDLC(
    _ bytes: Span<UInt8>, _ end: Int, _ walk: inout FrameWalk, _ events: inout FrameEvents
  ) {
    guard end >= 4 else { return walk.malformed(.truncated, at: 0, &events) }
    let type = bytes.uint16(at: 2)
    guard type >= 0x600 else { return }
    walk.depth = 1
    etherType(bytes, type, 4, end, &walk, &events)
  }

  /// Linux cooked header, version 1 (16 bytes).
  private func cooked(
    _ bytes: Span<UInt8>, _ end: Int, _ walk: inout FrameWalk, _ events: inout FrameEvents
  ) {
    guard end >= 16 else { return walk.malformed(.truncated, at: 0, &events) }
    walk.link.packetType = Self.packetType(bytes.uint16(at: 0))
    if bytes.uint16(at: 4) == 6 { walk.link.sourceMAC = MACAddress(bytes, at: 6) }
    cookedPayload(bytes, bytes.uint16(at: 14), 16, end, &walk, &events)
  }

  /// Linux cooked header, version 2 (20 bytes).
  private func cookedTwo(
    _ bytes: Span<UInt8>, _ end: Int, _ walk: inout FrameWalk, _ events: inout FrameEvents
  ) {
    guard end >= 20 else { return walk.malformed(.truncated, at: 0, &events) }
    walk.link.interfaceIndex = bytes.uint32(at: 4)
    walk.link.packetType = Self.packetType(UInt16(bytes[10]))
    if bytes[11] == 6 { walk.link.sourceMAC = MACAddress(bytes, at: 12) }
    cookedPayload(bytes, bytes.uint16(at: 0), 20, end, &walk, &events)
  }

  private func cookedPayload(
    _ bytes: Span<UInt8>, _ type: UInt16, _ start: Int, _ end: Int, _ walk: inout FrameWalk,
    _ events: inout FrameEvents
  ) {
    walk.depth = 1
    if type == 4 {
      logicalLink(bytes, start, end, &walk, &events)
    } else if type >= 0x600 {
      etherType(bytes, type, start, end, &walk, &events)
    }
  }

  private static func packetType(_ number: UInt16) -> LinkFacts.PacketType {
    number <= 4 ? LinkFacts.PacketType(rawValue: UInt8(number) &+ 1) ?? .unknown : .unknown
  }

  /// Linux netfilter log: 4 bytes with the family first, then typed parts; 9 is the packet.
  private func netfilterLog(
    _ bytes: Span<UInt8>, _ end: Int, _ walk: inout FrameWalk, _ events: inout FrameEvents
  ) {
    guard end >= 8 else { return walk.malformed(.truncated, at: 0, &events) }
    // The parts are in the byte order of the capturing host: their types are small numbers.
    let isBigEndian = bytes.uint16(at: 6) < 0x100
    var offset = 4
    while end &- offset >= 4 {
      let length = Int(bytes.uint16(at: offset, isBigEndian))
      guard length >= 4, length <= end &- offset else {
        return walk.malformed(.badLength, at: offset, &events)
      }
      if bytes.uint16(at: offset &+ 2, isBigEndian) & 0x7FFF == 9 {
        return rawIP(bytes, offset &+ 4, offset &+ length, &walk, &events)
      }
      offset &+= (length &+ 3) & ~3
    }
  }
}
