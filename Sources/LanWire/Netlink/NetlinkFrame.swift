/// The protocol of a netlink socket (`NETLINK_*`).
@frozen public struct NetlinkProtocol: Hashable, Sendable {
  /// The kernel's number.
  public var rawValue: UInt16

  /// The protocol of number `rawValue`.
  @inlinable public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// Links, addresses, routes and their like.
  public static let route = NetlinkProtocol(rawValue: 0)
  /// Families that have names, such as `nl80211`.
  public static let generic = NetlinkProtocol(rawValue: 16)
}

/// A datagram in a capture of link type `LinkType.netlink`.
///
/// In front of the messages stand 16 bytes in network order: which way it went (6 to user space, 7 to
/// the kernel, as Linux numbers packet types), the hardware type 824, ten zeros, the protocol.
@frozen public struct NetlinkFrame: Hashable, Sendable {
  /// Bytes in front of the messages.
  public static let headerSize = 16

  /// The protocol.
  public var netlinkProtocol: NetlinkProtocol
  /// True for a request to the kernel, false for a reply or an event from it.
  public var isToKernel: Bool
  /// Where the messages are.
  public var messages: Range<Int>

  /// Reads the frame in `range`.
  ///
  /// - Throws: `.truncated` for less than 16 bytes, `.badFormat` for another hardware type.
  public init(_ bytes: Span<UInt8>, _ range: Range<Int>) throws(WireError) {
    guard range.upperBound <= bytes.count, range.count >= Self.headerSize else {
      throw WireError(.truncated, at: min(range.upperBound, bytes.count))
    }
    let start = range.lowerBound
    guard bytes.uint16(at: start &+ 2) == HardwareType.netlink.rawValue else {
      throw WireError(.badFormat, at: start &+ 2)
    }
    isToKernel = bytes.uint16(at: start) == 7
    netlinkProtocol = NetlinkProtocol(rawValue: bytes.uint16(at: start &+ 14))
    messages = (start &+ Self.headerSize)..<range.upperBound
  }

  /// Appends a frame around the messages of one datagram.
  public static func append(
    _ messages: Span<UInt8>, _ netlinkProtocol: NetlinkProtocol, isToKernel: Bool,
    to output: inout [UInt8]
  ) {
    output.append(contentsOf: [0, isToKernel ? 7 : 6])
    output.appendLittle(HardwareType.netlink.rawValue.byteSwapped)
    for _ in 0..<10 { output.append(0) }
    output.appendLittle(netlinkProtocol.rawValue.byteSwapped)
    output.append(span: messages)
  }
}
