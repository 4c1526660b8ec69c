/// The destination of a route event and nothing else: what a watcher of many routes needs to know.
///
/// Read without allocating; whoever needs more reads the whole `RouteMessage`.
@frozen public struct RoutePrefix: Hashable, Sendable {
  /// The IP version.
  public var family: NetlinkAddressFamily
  /// Leading bits of the destination.
  public var length: UInt8
  /// The destination; nil for the default route.
  public var destination: IPAddress?

  /// Reads the destination of a message of type `.newRoute` or `.deleteRoute`.
  ///
  /// - Throws: `.truncated` or `.badLength`.
  @inlinable public init(_ message: NetlinkMessage, in bytes: Span<UInt8>) throws(WireError) {
    var (start, attributes) = try message.split(bytes, after: 12)
    family = NetlinkAddressFamily(rawValue: bytes[start])
    length = bytes[start &+ 1]
    guard length > 0 else { return }
    while let attribute = try attributes.next(bytes) {
      guard attribute.type == 1 else { continue }
      destination = attribute.address(bytes, family)
      return
    }
  }

  /// True where a packet to `address` may be meant: the address lies in the prefix, or the message
  /// did not tell one.
  @inlinable public func covers(_ address: IPAddress) -> Bool {
    guard family == NetlinkAddressFamily(of: address) else { return false }
    guard length > 0, let destination else { return true }
    switch (destination, address) {
    case (.v4(let own), .v4(let other)):
      return length <= 32 && (own.bits ^ other.bits) >> (32 &- UInt32(length)) == 0
    case (.v6(let own), .v6(let other)):
      let high = own.high ^ other.high
      guard length > 64 else { return high >> (64 &- UInt64(length)) == 0 }
      return length <= 128 && high == 0 && (own.low ^ other.low) >> (128 &- UInt64(length)) == 0
    default: return false
    }
  }
}
