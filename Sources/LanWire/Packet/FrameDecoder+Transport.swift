/// UDP, TCP and the control messages.
extension FrameDecoder {
  /// UDP (RFC 768): the header's length decides, within what the IP packet has.
  func udp(
    _ bytes: Span<UInt8>, _ start: Int, _ end: Int, _ ip: IPFacts, _ walk: inout FrameWalk,
    _ events: inout FrameEvents
  ) {
    guard end &- start >= 8 else {
      return walk.malformed(.truncated, at: start, &events)
    }
    let header = bytes.extracting(start..<(start &+ 8))
    let claimed = Int(header.word16(4))
    let available = end &- start
    var length = claimed
    var fault = UDPDatagram.LengthFault.none
    if claimed < 8 {
      // Length 0 is that of a jumbogram (RFC 2675 section 4).
      let isJumbo = claimed == 0 && ip.isLengthFromCapture && available > 0xFFFF
      length = isJumbo ? available : 8
      if !isJumbo { fault = .tooSmall }
    } else if claimed > available {
      length = available
      if !walk.isPacketCut { fault = .longerThanPacket }
    } else if claimed < available, !ip.isLengthFromCapture {
      fault = .shorterThanPacket
    }
    let source = header.word16(0)
    let destination = header.word16(2)
    let payload = (start &+ 8)..<(start &+ length)
    if Self.mayBeTunnel(source, destination), tunnels,
      tunnel(bytes, payload, destination, ip, walk, &events)
    {
      return
    }
    events.events.append(
      .datagram(
        UDPDatagram(
          payload: payload, storage: walk.storage,
          isCut: claimed > available && walk.isPacketCut, isFragmented: walk.isFragmented,
          hasOverlap: walk.hasOverlap, lengthFault: fault, sourcePort: source,
          destinationPort: destination, ip: ip, link: walk.link, tunnels: walk.tunnels)))
  }

  /// Everything that is not UDP and not an extension header.
  func transport(
    _ bytes: Span<UInt8>, _ start: Int, _ end: Int, _ number: UInt8, _ ip: IPFacts,
    _ walk: inout FrameWalk, _ events: inout FrameEvents
  ) {
    switch number {
    case 17: return udp(bytes, start, end, ip, &walk, &events)
    case 4, 41, 47:
      if tunnels, ipTunnel(bytes, start, end, number, ip, walk, &events) { return }
    default: break
    }
    var packet = IPPacket(
      protocolNumber: number, payload: start..<max(start, end), storage: walk.storage,
      isCut: walk.isPacketCut, ip: ip, link: walk.link, tunnels: walk.tunnels)
    if number == 6 {
      guard end &- start >= 20 else {
        return walk.malformed(.truncated, at: start, &events)
      }
      packet.sourcePort = bytes.uint16(at: start)
      packet.destinationPort = bytes.uint16(at: start &+ 2)
      let header = max(Int(bytes[start &+ 12] >> 4) &* 4, 20)
      packet.payload = min(start &+ header, end)..<end
    }
    events.events.append(.packet(packet))
    switch number {
    case 2: igmp(bytes, start, end, ip, walk, &events)
    case 58 where ip.isIPv6: icmpv6(bytes, start, end, ip, walk, &events)
    default: break
    }
  }
}
