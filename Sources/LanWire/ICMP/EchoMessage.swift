/// An echo request or reply of ICMP (RFC 792) or ICMPv6 (RFC 4443 section 4).
public struct EchoMessage: Hashable, Sendable {
  /// Tells the asker's messages from those of others.
  public var identifier: UInt16
  /// Tells the asker's messages apart.
  public var sequence: UInt16
  /// What comes back as it was sent.
  public var payload: [UInt8]
  /// True for ICMPv6.
  public var isIPv6: Bool

  /// A message from its parts.
  public init(identifier: UInt16, sequence: UInt16, payload: [UInt8], isIPv6: Bool) {
    self.identifier = identifier
    self.sequence = sequence
    self.payload = payload
    self.isIPv6 = isIPv6
  }

  /// The reply in `bytes`; nil for anything else.
  ///
  /// - Parameters:
  ///   - bytes: What a socket gave.
  ///   - isIPv6: Whether it is ICMPv6.
  ///   - hasIPHeader: Whether an IPv4 header stands in front, as raw sockets give it.
  public init?(reply bytes: Span<UInt8>, isIPv6: Bool, hasIPHeader: Bool) {
    var start = 0
    if hasIPHeader {
      guard bytes.count >= 20, bytes[0] >> 4 == 4 else { return nil }
      start = Int(bytes[0] & 15) * 4
      guard start >= 20 else { return nil }
    }
    guard bytes.count >= start + 8, bytes[start] == (isIPv6 ? 129 : 0), bytes[start + 1] == 0
    else { return nil }
    self.init(
      identifier: bytes.uint16(at: start + 4), sequence: bytes.uint16(at: start + 6), payload: [],
      isIPv6: isIPv6)
    for index in (start + 8)..<bytes.count { payload.append(bytes[index]) }
  }

  /// The request; in IPv6 the kernel fills in the checksum, which covers addresses too.
  public var bytes: [UInt8] {
    var bytes: [UInt8] = [isIPv6 ? 128 : 8, 0, 0, 0]
    for number in [identifier, sequence] {
      bytes.append(UInt8(number >> 8))
      bytes.append(UInt8(number & 0xFF))
    }
    bytes += payload
    if !isIPv6 {
      let sum = Self.checksum(bytes)
      bytes[2] = UInt8(sum >> 8)
      bytes[3] = UInt8(sum & 0xFF)
    }
    return bytes
  }

  /// The Internet checksum (RFC 1071).
  private static func checksum(_ bytes: [UInt8]) -> UInt16 {
    var sum: UInt32 = 0
    for (index, byte) in bytes.enumerated() {
      sum &+= index % 2 == 0 ? UInt32(byte) << 8 : UInt32(byte)
      sum = sum & 0xFFFF &+ sum >> 16
    }
    return ~UInt16(truncatingIfNeeded: sum)
  }
}
