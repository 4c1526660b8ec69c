public import LanWire

/// Decodes frames and puts fragmented packets together, as one step.
///
/// Ranges of events with storage `.reassembled` count in `reassembled`, which holds until the
/// next frame is decoded.
public struct PacketAssembler: Sendable {
  /// The decoder of single frames.
  public var decoder: FrameDecoder
  /// The open packets and the counts of what became of them.
  public private(set) var reassembler = FragmentReassembler()
  /// Payloads of the packets that the last frame completed.
  public private(set) var reassembled: [UInt8] = []
  /// Why the last frame made an open packet be thrown away; nil if it did not.
  public private(set) var lastDrop: FragmentReassembler.Drop?

  /// An assembler that decodes with `decoder`.
  public init(decoder: FrameDecoder = FrameDecoder()) { self.decoder = decoder }

  /// Replaces `events` with what the frame `bytes` holds or completes.
  ///
  /// `originalLength` is the frame's length on the wire, `fcsLength` the bytes of frame check
  /// sequence at its end, `time` its capture time.
  public mutating func decode(
    _ bytes: Span<UInt8>, linkType: LinkType, originalLength: Int, fcsLength: Int = 0,
    at time: CaptureTime?, into events: inout FrameEvents
  ) {
    events.removeAll()
    lastDrop = nil
    decoder.decode(
      bytes, linkType: linkType, originalLength: originalLength, fcsLength: fcsLength,
      into: &events)
    if events.hasFragments { reassemble(bytes, time, &events) }
  }

  private mutating func reassemble(
    _ bytes: Span<UInt8>, _ time: CaptureTime?, _ events: inout FrameEvents
  ) {
    reassembled.removeAll(keepingCapacity: true)
    // A completed packet may hold a fragment of another one; the decoder bounds the nesting.
    var index = 0
    while index < events.events.count {
      if case .fragment(let fragment) = events.events[index] {
        switch fragment.storage {
        case .frame: add(fragment, bytes, time, &events)
        case .reassembled:
          let copy = reassembled
          add(fragment, copy.span, time, &events)
        }
      }
      index += 1
    }
  }

  private mutating func add(
    _ fragment: IPFragment, _ bytes: Span<UInt8>, _ time: CaptureTime?,
    _ events: inout FrameEvents
  ) {
    switch reassembler.add(fragment, bytes, at: time, into: &reassembled) {
    case .incomplete: break
    case .dropped(let reason): lastDrop = reason
    case .complete(let range, let protocolNumber, let hasOverlap):
      var last = fragment
      last.protocolNumber = protocolNumber
      decoder.decodeReassembled(
        reassembled.span, range, last: last, hasOverlap: hasOverlap, into: &events)
    }
  }
}
