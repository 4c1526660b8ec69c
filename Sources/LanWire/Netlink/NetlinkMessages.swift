/// One message in lent bytes: its header and where its payload is.
@frozen public struct NetlinkMessage: Hashable, Sendable {
  /// The header.
  public var header: NetlinkHeader
  /// Where the message starts.
  public var start: Int
  /// Where the payload is.
  public var payload: Range<Int>

  /// Where the whole message is, header included.
  @inlinable public var bytes: Range<Int> { start..<payload.upperBound }

  /// True for the parts of a dump that missed changes and must be repeated.
  @inlinable public var isInterrupted: Bool { header.flags.contains(.dumpInterrupted) }

  @inlinable init(header: NetlinkHeader, start: Int, payload: Range<Int>) {
    self.header = header
    self.start = start
    self.payload = payload
  }
}

/// Walks the messages of one datagram, which is lent to each call.
///
/// Every length is checked before it is used; `.noop` messages are stepped over. What follows the
/// last message and is too short for a header is padding.
@frozen public struct NetlinkMessages: Sendable {
  @usableFromInline var offset: Int
  @usableFromInline let end: Int

  /// A walk over `bytes`, or over `range` of them.
  @inlinable public init(_ bytes: Span<UInt8>, _ range: Range<Int>? = nil) {
    let reader = ByteReader(bytes, from: range?.lowerBound ?? 0, to: range?.upperBound)
    offset = reader.offset
    end = reader.end
  }

  /// The next message; nil at the end of the datagram.
  ///
  /// - Throws: `.badLength` for a length below 16, `.truncated` for one beyond the datagram; the walk
  ///   is over then.
  @inlinable public mutating func next(_ bytes: Span<UInt8>) throws(WireError) -> NetlinkMessage? {
    while end &- offset >= NetlinkHeader.size, end <= bytes.count {
      let start = offset
      let header = try NetlinkHeader(bytes, at: start)
      guard header.length >= 16 else { throw failure(.badLength, at: start) }
      guard header.length <= UInt32(clamping: end &- start) else {
        throw failure(.truncated, at: start)
      }
      let length = Int(header.length)
      offset = min(start &+ (length &+ 3) & ~3, end)
      if header.type == .noop { continue }
      return NetlinkMessage(
        header: header, start: start,
        payload: (start &+ NetlinkHeader.size)..<(start &+ length))
    }
    // 4 bytes or more are no padding: the tail of a message that was cut.
    guard end &- offset < 4 else { throw failure(.truncated, at: offset) }
    return nil
  }

  @inlinable mutating func failure(_ reason: WireError.Reason, at place: Int) -> WireError {
    offset = end
    return WireError(reason, at: place)
  }
}
