/// The checksum of a UDP datagram (RFC 768, RFC 8200 section 8.1).
public enum UDPChecksum {
  /// Whether the checksum of `datagram` fits; `bytes` are those that its `storage` names.
  ///
  /// Nil where that cannot be told: no checksum over IPv4, a cut payload, an impossible length.
  /// A host's own frames are often captured before its network card fills the checksum in.
  public static func isValid(_ datagram: UDPDatagram, in bytes: Span<UInt8>) -> Bool? {
    let start = datagram.payload.lowerBound - 8
    let end = datagram.payload.upperBound
    guard start >= 0, end <= bytes.count, !datagram.isCut else { return nil }
    switch datagram.lengthFault {
    case .none, .shorterThanPacket: break
    case .tooSmall, .longerThanPacket: return nil
    }
    let isIPv6 = datagram.source.isIPv6
    guard bytes.uint16(at: start + 6) != 0 else { return isIPv6 ? false : nil }
    var sum = UInt64(end - start) + 17 + words(datagram.source) + words(datagram.destination)
    var offset = start
    while end - offset >= 2 {
      sum += UInt64(bytes.uint16(at: offset))
      offset += 2
    }
    if offset < end { sum += UInt64(bytes[offset]) << 8 }
    while sum > 0xFFFF { sum = sum & 0xFFFF + sum >> 16 }
    return sum == 0xFFFF
  }

  private static func words(_ address: IPAddress) -> UInt64 {
    switch address {
    case .v4(let value): words(UInt64(value.bits))
    case .v6(let value): words(value.high) + words(value.low)
    }
  }

  private static func words(_ value: UInt64) -> UInt64 {
    value >> 48 + value >> 32 & 0xFFFF + value >> 16 & 0xFFFF + value & 0xFFFF
  }
}
