import LanCore
import LanWire

/// The frame decoder and the reassembly of fragments, up to the DNS messages inside.
///
/// The input is a link type in two bytes, then frames, each behind its length in two bytes.
func examine(_ input: Span<UInt8>) {
  guard input.count >= 2 else { return }
  let linkType = LinkType(rawValue: input.uint16(at: 0))
  var assembler = PacketAssembler()
  var events = FrameEvents()
  var index = DNSMessageIndex()
  var offset = 2
  var time: Int64 = 0
  while input.count - offset >= 2 {
    let length = min(Int(input.uint16(at: offset)), input.count - offset - 2)
    let frame = input.extracting(offset + 2..<offset + 2 + length)
    offset += 2 + length
    time += 1_000_000
    assembler.decode(
      frame, linkType: linkType, originalLength: length,
      at: CaptureTime(nanoseconds: time, fractionDigits: 9), into: &events)
    for event in events.events { examine(event, frame, assembler, &index) }
  }
}

private func examine(
  _ event: FrameEvent, _ frame: Span<UInt8>, _ assembler: PacketAssembler,
  _ index: inout DNSMessageIndex
) {
  switch event {
  case .datagram(let datagram):
    index.removeAll()
    switch datagram.storage {
    case .frame: read(datagram.payload, of: frame, &index)
    case .reassembled: read(datagram.payload, of: assembler.reassembled.span, &index)
    }
  case .fragment(let fragment):
    if fragment.storage == .frame { check(fragment.payload, in: frame) }
  case .packet(let packet):
    if packet.storage == .frame { check(packet.payload, in: frame) }
  case .malformed(let error):
    require(error.offset >= 0, "an offset is not negative")
  case .membership, .prefix, .arp, .unsupported: break
  }
}

private func read(_ payload: Range<Int>, of bytes: Span<UInt8>, _ index: inout DNSMessageIndex) {
  check(payload, in: bytes)
  _ = index.read(bytes.extracting(payload))
}

private func check(_ payload: Range<Int>, in bytes: Span<UInt8>) {
  require(
    payload.lowerBound >= 0 && payload.upperBound <= bytes.count,
    "a payload is inside of what it counts in")
}
