/// IPv4 and IPv6 with their options and extension headers.
extension FrameDecoder {
  /// IPv4 (RFC 791).
  ///
  /// A total length of 0 is what segmentation offload leaves behind.
  func ipv4(
    _ bytes: Span<UInt8>, _ start: Int, _ end: Int, _ walk: inout FrameWalk,
    _ events: inout FrameEvents
  ) {
    guard end &- start >= 20 else {
      return walk.malformed(.truncated, at: start, &events)
    }
    let fixed = bytes.extracting(start..<(start &+ 20))
    let header = Int(fixed[0] & 15) &* 4
    let total = Int(fixed.word16(2))
    guard fixed[0] >> 4 == 4, header >= 20, total >= header || total == 0 else {
      return walk.malformed(.badLength, at: start, &events)
    }
    guard header <= end &- start else {
      return walk.malformed(.truncated, at: start, &events)
    }
    var ip = IPFacts(v4: fixed)
    var stop = end
    if total == 0 {
      ip.isLengthFromCapture = true
      walk.isPacketCut = walk.isFrameCut
    } else {
      walk.isPacketCut = total > end &- start
      stop = min(end, start &+ total)
    }
    let place = fixed.word16(6)
    guard place & 0x3FFF == 0 else {
      return fragment(
        start &+ header, stop, fixed[9], UInt32(fixed.word16(4)),
        Int(place & 0x1FFF) &* 8, place & 0x2000 != 0, ip, walk, &events)
    }
    payload(bytes, start &+ header, stop, fixed[9], ip, &walk, &events)
  }

  /// IPv6 (RFC 8200).
  ///
  /// A payload length of 0 is that of a jumbogram or of offload.
  func ipv6(
    _ bytes: Span<UInt8>, _ start: Int, _ end: Int, _ walk: inout FrameWalk,
    _ events: inout FrameEvents
  ) {
    guard end &- start >= 40 else {
      return walk.malformed(.truncated, at: start, &events)
    }
    let fixed = bytes.extracting(start..<(start &+ 40))
    guard fixed[0] >> 4 == 6 else {
      return walk.malformed(.badFormat, at: start, &events)
    }
    var ip = IPFacts(v6: fixed)
    let length = Int(fixed.word16(4))
    let next = fixed[6]
    var stop = end
    if length == 0, next != 59 {
      ip.isLengthFromCapture = true
      walk.isPacketCut = walk.isFrameCut
    } else {
      walk.isPacketCut = length > end &- start &- 40
      stop = min(end, start &+ 40 &+ length)
    }
    payload(bytes, start &+ 40, stop, next, ip, &walk, &events)
  }

  /// What follows an IP header: extension headers are stepped over (RFC 8200 section 4).
  func payload(
    _ bytes: Span<UInt8>, _ start: Int, _ end: Int, _ first: UInt8, _ ip: IPFacts,
    _ walk: inout FrameWalk, _ events: inout FrameEvents
  ) {
    if first == 17 { return udp(bytes, start, end, ip, &walk, &events) }
    let isIPv6 = ip.isIPv6
    var next = first
    var offset = start
    // Each header has at least 8 bytes, so the bytes bound the loop.
    while true {
      var length = 8
      switch next {
      case 0 where isIPv6, 43 where isIPv6, 60 where isIPv6, 135 where isIPv6,
        139 where isIPv6, 140 where isIPv6:
        guard end &- offset >= 8 else {
          return walk.malformed(.truncated, at: offset, &events)
        }
        length = (Int(bytes[offset &+ 1]) &+ 1) &* 8
      case 51:
        guard end &- offset >= 12 else {
          return walk.malformed(.truncated, at: offset, &events)
        }
        length = max((Int(bytes[offset &+ 1]) &+ 2) &* 4, 12)
      case 44 where isIPv6:
        guard end &- offset >= 8 else {
          return walk.malformed(.truncated, at: offset, &events)
        }
        let place = bytes.uint16(at: offset &+ 2)
        // An atomic fragment (RFC 6946) is a whole packet.
        guard place & 0xFFF9 == 0 else {
          return fragment(
            offset &+ 8, end, bytes[offset], bytes.uint32(at: offset &+ 4),
            Int(place & 0xFFF8), place & 1 == 1, ip, walk, &events)
        }
      default: return transport(bytes, offset, end, next, ip, &walk, &events)
      }
      guard length <= end &- offset else {
        return walk.malformed(.badLength, at: offset, &events)
      }
      next = bytes[offset]
      offset &+= length
    }
  }

  private func fragment(
    _ start: Int, _ end: Int, _ number: UInt8, _ identification: UInt32, _ offset: Int,
    _ hasMore: Bool, _ ip: IPFacts, _ walk: FrameWalk, _ events: inout FrameEvents
  ) {
    events.hasFragments = true
    events.events.append(
      .fragment(
        IPFragment(
          protocolNumber: number, identification: identification, offset: offset,
          hasMore: hasMore, payload: start..<max(start, end), storage: walk.storage,
          isCut: walk.isPacketCut, ip: ip, link: walk.link, tunnels: walk.tunnels,
          depth: walk.depth)))
  }
}
