/// IEEE 802.11 and the headers that capturing drivers put before it.
extension FrameDecoder {
  /// Radiotap: little-endian; its flags tell of a check sequence and of padding.
  func radiotap(
    _ bytes: Span<UInt8>, _ end: Int, _ walk: inout FrameWalk, _ events: inout FrameEvents
  ) {
    guard end >= 8 else { return walk.malformed(.truncated, at: 0, &events) }
    let length = Int(bytes.littleUInt16(at: 2))
    guard length >= 8, length <= end else {
      return walk.malformed(.badLength, at: 2, &events)
    }
    let flags = radiotapFlags(bytes, length)
    let hasFCS = flags & 0x10 != 0 && !walk.isFrameCut
    wlan(
      bytes, length, hasFCS ? end &- 4 : end, isPadded: flags & 0x20 != 0, &walk, &events)
  }

  private func radiotapFlags(_ bytes: Span<UInt8>, _ length: Int) -> UInt8 {
    let present = bytes.littleUInt32(at: 4)
    guard present & 2 != 0 else { return 0 }
    var offset = 8
    var word = present
    // The top bit says that another word of presence bits follows.
    while word >> 31 == 1 {
      guard length &- offset >= 4 else { return 0 }
      word = bytes.littleUInt32(at: offset)
      offset &+= 4
    }
    // Field 0 is a time of 8 bytes, aligned to 8; field 1 the flags.
    if present & 1 != 0 { offset = ((offset &+ 7) & ~7) &+ 8 }
    return offset < length ? bytes[offset] : 0
  }

  /// PPI: a header with a length and the link type of what follows.
  func perPacketInformation(
    _ bytes: Span<UInt8>, _ end: Int, _ walk: inout FrameWalk, _ events: inout FrameEvents
  ) {
    guard end >= 8 else { return walk.malformed(.truncated, at: 0, &events) }
    let length = Int(bytes.littleUInt16(at: 2))
    guard length >= 8, length <= end else {
      return walk.malformed(.badLength, at: 2, &events)
    }
    switch bytes.littleUInt32(at: 4) {
    case 1: ethernet(bytes, length, end, &walk, &events)
    case 101: rawIP(bytes, length, end, &walk, &events)
    case 105:
      let hasFCS = informationHasFCS(bytes, length) && !walk.isFrameCut
      wlan(bytes, length, hasFCS ? end &- 4 : end, isPadded: false, &walk, &events)
    case let other:
      events.events.append(.unsupported(LinkType(rawValue: UInt16(truncatingIfNeeded: other))))
    }
  }

  /// Field 2 ("802.11 common") has flags behind its time; the lowest tells of the sequence.
  private func informationHasFCS(_ bytes: Span<UInt8>, _ length: Int) -> Bool {
    var offset = 8
    while length &- offset >= 4 {
      let type = bytes.littleUInt16(at: offset)
      let size = Int(bytes.littleUInt16(at: offset &+ 2))
      guard size <= length &- offset &- 4 else { return false }
      if type == 2, size >= 10 { return bytes[offset &+ 12] & 1 == 1 }
      offset &+= 4 &+ size
    }
    return false
  }

  /// Prism, or the AVS header that shares its number: both begin with a code and a length.
  func prism(
    _ bytes: Span<UInt8>, _ end: Int, _ walk: inout FrameWalk, _ events: inout FrameEvents
  ) {
    guard end >= 8 else { return walk.malformed(.truncated, at: 0, &events) }
    let isBigEndian = bytes[0] == 0 || bytes.uint32(at: 0) >> 12 == 0x8_0211
    let length = Int(bytes.uint32(at: 4, isBigEndian))
    guard length >= 8, length <= end else {
      return walk.malformed(.badLength, at: 4, &events)
    }
    wlan(bytes, length, end, isPadded: false, &walk, &events)
  }

  /// A data frame of IEEE 802.11; encrypted, empty and other frames hold nothing to read.
  func wlan(
    _ bytes: Span<UInt8>, _ start: Int, _ end: Int, isPadded: Bool, _ walk: inout FrameWalk,
    _ events: inout FrameEvents
  ) {
    guard end &- start >= 24 else {
      if end &- start < 10 { walk.malformed(.truncated, at: start, &events) }
      return
    }
    let kind = bytes[start]
    let flags = bytes[start &+ 1]
    // Version 0, type 2 (data), with data, not protected.
    guard kind & 0x4F == 0x08, flags & 0x40 == 0 else { return }
    let isWDS = flags & 3 == 3
    let isQoS = kind & 0x80 != 0
    var length = isWDS ? 30 : 24
    let qos = length
    if isQoS { length &+= flags & 0x80 != 0 ? 6 : 2 }
    if isPadded { length = (length &+ 3) & ~3 }
    guard end &- start >= length else {
      return walk.malformed(.truncated, at: start, &events)
    }
    addresses(bytes, start, flags, &walk)
    walk.depth = 1
    if isQoS, bytes[start &+ qos] & 0x80 != 0 {
      aggregate(bytes, start &+ length, end, walk, &events)
    } else {
      logicalLink(bytes, start &+ length, end, &walk, &events)
    }
  }

  /// Which of the addresses are sender and receiver depends on the two distribution bits.
  private func addresses(
    _ bytes: Span<UInt8>, _ start: Int, _ flags: UInt8, _ walk: inout FrameWalk
  ) {
    let isToSystem = flags & 1 != 0
    let isFromSystem = flags & 2 != 0
    let destination = isToSystem ? 16 : 4
    let source = isFromSystem ? (isToSystem ? 24 : 16) : 10
    walk.link.destinationMAC = MACAddress(bytes, at: start &+ destination)
    walk.link.sourceMAC = MACAddress(bytes, at: start &+ source)
  }

  /// An A-MSDU: frames in a row, each with addresses, a length, and padding to 4 bytes.
  private func aggregate(
    _ bytes: Span<UInt8>, _ start: Int, _ end: Int, _ walk: FrameWalk,
    _ events: inout FrameEvents
  ) {
    var offset = start
    while end &- offset >= 14 {
      let length = Int(bytes.uint16(at: offset &+ 12))
      var inner = walk
      inner.link.destinationMAC = MACAddress(bytes, at: offset)
      inner.link.sourceMAC = MACAddress(bytes, at: offset &+ 6)
      let data = offset &+ 14
      logicalLink(bytes, data, min(end, data &+ length), &inner, &events)
      offset &+= (14 &+ length &+ 3) & ~3
    }
  }
}
