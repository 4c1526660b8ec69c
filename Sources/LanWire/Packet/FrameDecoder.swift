/// Finds the UDP datagrams, fragments and other packets of a frame.
///
/// It keeps nothing between frames and allocates nothing but room in the caller's events. What a
/// header claims beyond the captured bytes is marked as cut; nothing traps.
public struct FrameDecoder: Sendable {
  /// How many layers may be nested before the rest is left alone.
  static let nesting: UInt8 = 12
  /// How many tunnels are followed inward.
  public static let tunnelDepth = 4

  /// Whether to look into GRE, VXLAN, Geneve, GTP-U and IP in IP.
  public var tunnels: Bool

  /// A decoder that follows tunnels inward unless told not to.
  public init(tunnels: Bool = true) { self.tunnels = tunnels }

  /// Decodes the frame `bytes` and appends to `events` what it holds.
  ///
  /// `originalLength` is the frame's length on the wire, `fcsLength` the bytes of frame check
  /// sequence at its end. Ranges in the events count from the start of `bytes`.
  public func decode(
    _ bytes: Span<UInt8>, linkType: LinkType, originalLength: Int, fcsLength: Int = 0,
    into events: inout FrameEvents
  ) {
    var end = bytes.count
    // A check sequence is there only as far as the capture kept the frame's end.
    if fcsLength > 0 {
      end = min(end, max(originalLength &- fcsLength, 0))
    }
    var walk = FrameWalk(isFrameCut: originalLength > bytes.count)
    if linkType.rawValue == 1 {
      ethernet(bytes, 0, end, &walk, &events)
    } else {
      otherLink(bytes, linkType, end, &walk, &events)
    }
  }

  /// Decodes the payload of an IP packet that was put together from fragments.
  ///
  /// `range` of `bytes` is the payload, `last` the fragment that completed it, whose frame
  /// `events` is about. Ranges in the new events count from the start of `bytes`.
  public func decodeReassembled(
    _ bytes: Span<UInt8>, _ range: Range<Int>, last: IPFragment, hasOverlap: Bool,
    into events: inout FrameEvents
  ) {
    guard range.lowerBound >= 0, range.upperBound <= bytes.count else { return }
    var walk = FrameWalk(isFrameCut: false)
    walk.link = last.link
    walk.tunnels = last.tunnels
    walk.depth = last.depth &+ 1
    walk.storage = .reassembled
    walk.isFragmented = true
    walk.hasOverlap = hasOverlap
    guard walk.depth < Self.nesting else { return }
    payload(
      bytes, range.lowerBound, range.upperBound, last.protocolNumber, last.ip, &walk, &events)
  }
}

/// What is known on the way from the outside of a frame to its inside.
struct FrameWalk {
  var link = LinkFacts()
  var tunnels = TunnelList()
  var depth: UInt8 = 0
  var storage = PacketStorage.frame
  var isFragmented = false
  var hasOverlap = false
  /// The frame was cut by the capture.
  let isFrameCut: Bool
  /// The IP packet claims more bytes than there are.
  var isPacketCut = false

  init(isFrameCut: Bool) { self.isFrameCut = isFrameCut }

  /// Enters a layer; false when they are nested too deep.
  mutating func enter() -> Bool {
    depth &+= 1
    return depth < FrameDecoder.nesting
  }

  /// Reports headers that are no good; a cut frame is not malformed.
  func malformed(_ reason: WireError.Reason, at offset: Int, _ events: inout FrameEvents) {
    guard !isFrameCut, !isPacketCut else { return }
    events.events.append(.malformed(WireError(reason, at: offset)))
  }
}
