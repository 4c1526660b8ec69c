public import LanWire

/// A DNS server that the host's resolver asks.
public struct NameServer: Hashable, Sendable {
  /// Its address.
  public var address: IPAddress
  /// The interface of a link-local address; empty for none.
  public var zone: String

  /// A server.
  public init(_ address: IPAddress, zone: String = "") {
    self.address = address
    self.zone = zone
  }
}
