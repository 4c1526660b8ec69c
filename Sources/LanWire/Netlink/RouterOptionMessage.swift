/// Options of a router advertisement that the kernel leaves to user space (RTM_NEWNDUSEROPT).
public struct RouterOptionMessage: Hashable, Sendable {
  /// A prefix by which IPv4 addresses are reached through NAT64 (RFC 8781).
  public struct TranslationPrefix: Hashable, Sendable {
    /// The prefix, with zeros behind its bits.
    public var prefix: IPv6Address
    /// How many bits it has: 32, 40, 48, 56, 64 or 96.
    public var length: UInt8
    /// Seconds for which it holds; 0 takes it back.
    public var lifetime: UInt32
  }

  /// The index of the link that it came in on.
  public var index: UInt32
  /// The ICMPv6 type: 134 is a router advertisement.
  public var type: UInt8
  /// The router.
  public var router: IPv6Address?
  /// The address of a captive portal's interface (RFC 8910); nil for none.
  public var portal: String?
  /// The NAT64 prefix; nil for none.
  public var translation: TranslationPrefix?

  /// Reads a message of type `.newUserOption` from the bytes that it was found in.
  ///
  /// - Throws: `.truncated` or `.badLength`, for the message or an option in it.
  public init(_ message: NetlinkMessage, in bytes: Span<UInt8>) throws(WireError) {
    let (start, _) = try message.split(bytes, after: 16)
    index = bytes.littleUInt32(at: start &+ 4)
    type = bytes[start &+ 8]
    let first = start &+ 16
    let size = Int(bytes.littleUInt16(at: start &+ 2))
    guard size <= message.payload.upperBound &- first else {
      throw WireError(.truncated, at: first)
    }
    // Neighbour discovery options are IPv6's; the family of the structure tells nothing else.
    if bytes[start] == NetlinkAddressFamily.ipv6.rawValue {
      try readOptions(first..<(first &+ size), bytes)
    }
    let behind = min(first &+ (size &+ 3) & ~3, message.payload.upperBound)
    var attributes = NetlinkAttributes(bytes, behind..<message.payload.upperBound)
    while let attribute = try attributes.next(bytes) {
      guard attribute.type == 1, case .v6(let address) = attribute.address(bytes, .ipv6)
      else { continue }
      router = address
    }
  }

  /// Options have a type and a length in units of 8 bytes (RFC 4861 section 4.6).
  private mutating func readOptions(_ range: Range<Int>, _ bytes: Span<UInt8>) throws(WireError) {
    var offset = range.lowerBound
    while range.upperBound &- offset >= 2 {
      let size = Int(bytes[offset &+ 1]) &* 8
      guard size > 0, size <= range.upperBound &- offset else {
        throw WireError(size == 0 ? .badLength : .truncated, at: offset)
      }
      switch bytes[offset] {
      case 37:
        let text = NetlinkAttribute(type: 37, value: (offset &+ 2)..<(offset &+ size))
        portal = text.text(bytes)
      case 38 where size == 16: readTranslation(offset, bytes)
      default: break
      }
      offset &+= size
    }
  }

  private mutating func readTranslation(_ offset: Int, _ bytes: Span<UInt8>) {
    let word = bytes.uint16(at: offset &+ 2)
    let lengths: [UInt8] = [96, 64, 56, 48, 40, 32]
    guard Int(word & 7) < lengths.count else { return }
    // 12 bytes of the prefix are sent; the lifetime counts in units of 8 seconds.
    translation = TranslationPrefix(
      prefix: IPv6Address(
        high: bytes.uint64(at: offset &+ 4), low: UInt64(bytes.uint32(at: offset &+ 12)) << 32),
      length: lengths[Int(word & 7)], lifetime: UInt32(word & 0xFFF8))
  }
}
