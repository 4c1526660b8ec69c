public import LanWire

/// An address of an interface.
public struct InterfaceAddress: Hashable, Sendable {
  /// How far an address may be used.
  public enum Standing: String, Hashable, Sendable {
    /// For everything.
    case preferred
    /// Still being checked for duplicates, but usable meanwhile (RFC 4429).
    case optimistic
    /// Still being checked for duplicates, and not usable (RFC 4862 section 5.4).
    case tentative
    /// A duplicate of another host's address (RFC 4862 section 5.4.5).
    case failed
    /// Not for new connections (RFC 4862 section 5.5.4).
    case deprecated

    /// True if packets can be sent from the address.
    public var isUsable: Bool { self != .tentative && self != .failed }
  }

  /// The address itself: the kernel's "local" where it tells one, else its "address".
  public var address: IPAddress
  /// Bits of the network's prefix.
  public var prefixLength: UInt8
  /// The number of the interface.
  public var interfaceIndex: UInt32
  /// How far it may be used.
  public var standing: Standing
  /// The address of the far end of a point-to-point link.
  public var peer: IPAddress?
  /// Seconds for which it stays preferred; nil for ever.
  public var preferredSeconds: UInt32?
  /// Seconds for which it stays at all; nil for ever.
  public var validSeconds: UInt32?

  /// An address with its standing.
  public init(
    _ address: IPAddress, prefixLength: UInt8, interfaceIndex: UInt32,
    standing: Standing = .preferred
  ) {
    self.address = address
    self.prefixLength = prefixLength
    self.interfaceIndex = interfaceIndex
    self.standing = standing
  }

  /// The prefix of the address.
  public var prefix: IPPrefix { IPPrefix(address, prefixLength) }

  /// True if both mean the same; a refreshed lifetime means nothing.
  public func means(sameAs other: InterfaceAddress) -> Bool {
    var same = other
    same.preferredSeconds = preferredSeconds
    same.validSeconds = validSeconds
    return same == self
  }
}
