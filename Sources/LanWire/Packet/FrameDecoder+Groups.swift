/// Group membership (IGMP, MLD) and router advertisements.
extension FrameDecoder {
  /// IGMP (RFC 1112, RFC 2236, RFC 3376).
  func igmp(
    _ bytes: Span<UInt8>, _ start: Int, _ end: Int, _ ip: IPFacts, _ walk: FrameWalk,
    _ events: inout FrameEvents
  ) {
    guard end &- start >= 8 else { return }
    let kind: GroupMembership.Kind
    switch bytes[start] {
    case 0x11: kind = .query
    case 0x12, 0x16: kind = .report
    case 0x17: kind = .leave
    case 0x22: return groupRecords(bytes, start, end, ip, walk, &events)
    default: return
    }
    let group = IPAddress.v4(IPv4Address(bytes, at: start &+ 4))
    events.events.append(
      .membership(GroupMembership(kind: kind, group: group, ip: ip, link: walk.link)))
  }

  /// MLD (RFC 2710, RFC 3810) and router advertisements (RFC 4861).
  func icmpv6(
    _ bytes: Span<UInt8>, _ start: Int, _ end: Int, _ ip: IPFacts, _ walk: FrameWalk,
    _ events: inout FrameEvents
  ) {
    guard end &- start >= 8 else { return }
    let kind: GroupMembership.Kind
    switch bytes[start] {
    case 130: kind = .query
    case 131: kind = .report
    case 132: kind = .leave
    case 134: return prefixes(bytes, start, end, ip, walk, &events)
    case 143: return groupRecords(bytes, start, end, ip, walk, &events)
    default: return
    }
    guard end &- start >= 24 else { return }
    let group = IPAddress.v6(IPv6Address(bytes, at: start &+ 8))
    events.events.append(
      .membership(GroupMembership(kind: kind, group: group, ip: ip, link: walk.link)))
  }

  /// The records of an IGMPv3 or MLDv2 report, which differ only in the size of addresses.
  private func groupRecords(
    _ bytes: Span<UInt8>, _ start: Int, _ end: Int, _ ip: IPFacts, _ walk: FrameWalk,
    _ events: inout FrameEvents
  ) {
    let size = ip.isIPv6 ? 16 : 4
    var left = Int(bytes.uint16(at: start &+ 6))
    var offset = start &+ 8
    while left > 0, end &- offset >= 4 &+ size {
      let sources = Int(bytes.uint16(at: offset &+ 2))
      if let kind = Self.kind(ofRecord: bytes[offset], sources: sources) {
        let group: IPAddress =
          size == 16
          ? .v6(IPv6Address(bytes, at: offset &+ 4)) : .v4(IPv4Address(bytes, at: offset &+ 4))
        events.events.append(
          .membership(GroupMembership(kind: kind, group: group, ip: ip, link: walk.link)))
      }
      offset &+= 4 &+ size &* (sources &+ 1) &+ Int(bytes[offset &+ 1]) &* 4
      left &-= 1
    }
  }

  /// "Include nobody" is leaving; a blocked source (type 6) says nothing about the group.
  private static func kind(ofRecord type: UInt8, sources: Int) -> GroupMembership.Kind? {
    switch type {
    case 1, 3: sources == 0 ? .leave : .report
    case 2, 4, 5: .report
    default: nil
    }
  }

  private func prefixes(
    _ bytes: Span<UInt8>, _ start: Int, _ end: Int, _ ip: IPFacts, _ walk: FrameWalk,
    _ events: inout FrameEvents
  ) {
    var offset = start &+ 16
    while end &- offset >= 8 {
      let length = Int(bytes[offset &+ 1]) &* 8
      guard length > 0, length <= end &- offset else { return }
      if bytes[offset] == 3, length == 32 {
        events.events.append(
          .prefix(
            RouterPrefix(
              prefix: IPv6Address(bytes, at: offset &+ 16),
              length: min(bytes[offset &+ 2], 128), isOnLink: bytes[offset &+ 3] & 0x80 != 0,
              ip: ip, link: walk.link)))
      }
      offset &+= length
    }
  }
}
