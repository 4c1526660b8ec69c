import CLan
public import LanWire

/// An address with a port, and the link for a link-local address.
public struct SocketEndpoint: Hashable, Sendable {
  /// The address.
  public var address: IPAddress
  /// The port in host order; 0 lets the kernel choose.
  public var port: UInt16
  /// The index of the interface that a link-local IPv6 address belongs to; 0 for any other.
  public var scope: UInt32

  /// An endpoint from its parts.
  public init(_ address: IPAddress, port: UInt16, scope: UInt32 = 0) {
    self.address = address
    self.port = port
    self.scope = scope
  }
}

extension SocketEndpoint: CustomStringConvertible {
  /// `192.0.2.7:5353` or `[fe80::1%2]:5353`.
  public var description: String {
    switch address {
    case .v4(let value): "\(value):\(port)"
    case .v6(let value): scope == 0 ? "[\(value)]:\(port)" : "[\(value)%\(scope)]:\(port)"
    }
  }
}

extension SocketEndpoint {
  /// The endpoint as the C side has it; nil where that has none.
  init?(_ raw: lan_endpoint, port: UInt16? = nil) {
    self.init(.v4(IPv4Address(bits: 0)), port: port ?? raw.port, scope: raw.scope)
    let bytes = unsafe withUnsafeBytes(of: raw.address) { source in
      InlineArray<16, UInt8> { unsafe source[$0] }
    }
    switch raw.family {
    case 4: address = .v4(IPv4Address(bytes.span, at: 0))
    case 6: address = .v6(IPv6Address(bytes.span, at: 0))
    default: return nil
    }
  }

  /// The endpoint for the C side.
  var raw: lan_endpoint {
    var raw = lan_endpoint()
    raw.port = port
    raw.scope = scope
    unsafe withUnsafeMutableBytes(of: &raw.address) { bytes in
      switch address {
      case .v4(let value):
        unsafe bytes.storeBytes(of: value.bits.bigEndian, as: UInt32.self)
      case .v6(let value):
        unsafe bytes.storeBytes(of: value.high.bigEndian, as: UInt64.self)
        unsafe bytes.storeBytes(of: value.low.bigEndian, toByteOffset: 8, as: UInt64.self)
      }
    }
    raw.family = address.isIPv6 ? 6 : 4
    return raw
  }
}
