/// Packets inside packets.
extension FrameDecoder {
  private static let vxlanPort: UInt16 = 4789
  private static let genevePort: UInt16 = 6081
  private static let gtpPort: UInt16 = 2152

  /// True for the ports of tunnels over UDP, unless a name server answers such a port.
  static func mayBeTunnel(_ source: UInt16, _ destination: UInt16) -> Bool {
    switch destination {
    case vxlanPort, genevePort, gtpPort: source != 53 && source != 5353 && source != 5355
    default: false
    }
  }

  /// Goes one tunnel inward; nil where that is too deep.
  private func inner(
    _ kind: Tunnel.Kind, _ ip: IPFacts, _ walk: FrameWalk, _ events: inout FrameEvents
  ) -> FrameWalk? {
    var walk = walk
    guard Int(walk.tunnels.count) < Self.tunnelDepth, walk.enter() else { return nil }
    let tunnel = Tunnel(kind: kind, source: ip.source, destination: ip.destination)
    walk.tunnels = events.nest(tunnel, in: walk.tunnels)
    return walk
  }

  /// A tunnel over UDP; false when the payload is not one.
  func tunnel(
    _ bytes: Span<UInt8>, _ range: Range<Int>, _ port: UInt16, _ ip: IPFacts,
    _ walk: FrameWalk, _ events: inout FrameEvents
  ) -> Bool {
    let (start, end) = (range.lowerBound, range.upperBound)
    guard end &- start >= 8 else { return false }
    switch port {
    case Self.vxlanPort:
      // Only the flag that says "the network identifier is valid" may be set.
      guard bytes.uint32(at: start) == 0x0800_0000,
        var walk = inner(.vxlan, ip, walk, &events)
      else { return false }
      ethernet(bytes, start &+ 8, end, &walk, &events)
    case Self.genevePort:
      let header = 8 &+ Int(bytes[start] & 0x3F) &* 4
      guard bytes[start] >> 6 == 0, header <= end &- start,
        var walk = inner(.geneve, ip, walk, &events)
      else { return false }
      wrapped(bytes, bytes.uint16(at: start &+ 2), start &+ header, end, &walk, &events)
    default:
      guard let offset = gtpPayload(bytes, start, end),
        var walk = inner(.gtp, ip, walk, &events)
      else { return false }
      rawIP(bytes, offset, end, &walk, &events)
    }
    return true
  }

  /// Where the user packet of a GTP-U version 1 message begins; nil for other messages.
  private func gtpPayload(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Int? {
    guard bytes[start] & 0xF0 == 0x30, bytes[start &+ 1] == 0xFF else { return nil }
    guard bytes[start] & 7 != 0 else { return start &+ 8 }
    var offset = start &+ 12
    guard offset <= end else { return nil }
    var next = bytes[start] & 4 != 0 ? bytes[offset &- 1] : 0
    while next != 0 {
      guard offset < end else { return nil }
      let length = Int(bytes[offset]) &* 4
      guard length > 0, length <= end &- offset else { return nil }
      next = bytes[offset &+ length &- 1]
      offset &+= length
    }
    return offset
  }

  /// IP in IP or GRE; false when it is not followed inward.
  func ipTunnel(
    _ bytes: Span<UInt8>, _ start: Int, _ end: Int, _ number: UInt8, _ ip: IPFacts,
    _ walk: FrameWalk, _ events: inout FrameEvents
  ) -> Bool {
    let isIPv6 = ip.isIPv6
    switch number {
    case 4:
      guard var walk = inner(isIPv6 ? .fourInSix : .ipip, ip, walk, &events) else { return false }
      ipv4(bytes, start, end, &walk, &events)
      return true
    case 41:
      guard var walk = inner(isIPv6 ? .sixInSix : .sixInFour, ip, walk, &events) else {
        return false
      }
      ipv6(bytes, start, end, &walk, &events)
      return true
    default: return gre(bytes, start, end, ip, walk, &events)
    }
  }

  /// GRE (RFC 2784, RFC 2890) and its version 1, which carries PPP (RFC 2637).
  private func gre(
    _ bytes: Span<UInt8>, _ start: Int, _ end: Int, _ ip: IPFacts, _ walk: FrameWalk,
    _ events: inout FrameEvents
  ) -> Bool {
    guard end &- start >= 4 else { return false }
    let flags = bytes.uint16(at: start)
    let type = bytes.uint16(at: start &+ 2)
    // Source routes (0x4000) are obsolete and of variable length.
    guard flags & 0x4000 == 0, flags & 7 <= 1 else { return false }
    var offset = start &+ 4
    let hasSequence = flags & 0x1000 != 0
    if flags & 0x8000 != 0 { offset &+= 4 }
    if flags & 0x2000 != 0 { offset &+= 4 }
    if hasSequence { offset &+= 4 }
    if flags & 7 == 1, flags & 0x80 != 0 { offset &+= 4 }
    if type == 0x88BE || type == 0x22EB {
      return erspan(bytes, type, offset, end, hasSequence, ip, walk, &events)
    }
    guard offset <= end, var walk = inner(.gre, ip, walk, &events) else { return false }
    wrapped(bytes, type, offset, end, &walk, &events)
    return true
  }

  /// ERSPAN: type I has no header, type II one of 8 bytes, type III one of 12 or 20.
  private func erspan(
    _ bytes: Span<UInt8>, _ type: UInt16, _ start: Int, _ end: Int, _ hasSequence: Bool,
    _ ip: IPFacts, _ walk: FrameWalk, _ events: inout FrameEvents
  ) -> Bool {
    var offset = start
    if type == 0x88BE {
      if hasSequence { offset &+= 8 }
    } else {
      guard end &- start >= 12 else { return false }
      offset &+= bytes[start &+ 11] & 1 == 1 ? 20 : 12
    }
    guard offset <= end, var walk = inner(.erspan, ip, walk, &events) else { return false }
    ethernet(bytes, offset, end, &walk, &events)
    return true
  }

  /// What GRE and Geneve number by Ethernet types, a bridged frame among them.
  private func wrapped(
    _ bytes: Span<UInt8>, _ type: UInt16, _ start: Int, _ end: Int, _ walk: inout FrameWalk,
    _ events: inout FrameEvents
  ) {
    switch type {
    case 0x6558: ethernet(bytes, start, end, &walk, &events)
    case 0x880B: ppp(bytes, start, end, &walk, &events)
    case 0..<0x600: break
    default: etherType(bytes, type, start, end, &walk, &events)
    }
  }
}
