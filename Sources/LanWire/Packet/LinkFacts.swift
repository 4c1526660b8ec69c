/// The VLAN tags of a frame, outermost first; at most four are kept.
@frozen public struct VLANTags: Hashable, Sendable {
  /// How many tags are kept.
  public private(set) var count: UInt8 = 0
  @usableFromInline var packed: UInt64 = 0

  /// No tags.
  @inlinable public init() {}

  /// VLAN identifier of tag `index`, 0 for a priority tag; 0 too where there is no such tag.
  @inlinable public subscript(index: Int) -> UInt16 {
    index >= 0 && index < Int(count) ? tag(index) & 0xFFF : 0
  }

  /// Priority (0 to 7) of tag `index`; 0 where there is no such tag.
  @inlinable public func priority(_ index: Int) -> UInt8 {
    index >= 0 && index < Int(count) ? UInt8(tag(index) >> 13) : 0
  }

  @usableFromInline func tag(_ index: Int) -> UInt16 {
    UInt16(truncatingIfNeeded: packed >> UInt64(index &* 16))
  }

  mutating func append(_ tag: UInt16) {
    guard count < 4 else { return }
    packed |= UInt64(tag) << UInt64(count &* 16)
    count &+= 1
  }
}

/// What the outermost link layer of a frame says.
@frozen public struct LinkFacts: Hashable, Sendable {
  /// Who got a frame, as a Linux cooked header tells.
  @frozen public enum PacketType: UInt8, Sendable {
    /// Not told.
    case unknown
    /// Sent to the capturing host.
    case toHost
    /// Sent to everybody.
    case broadcast
    /// Sent to a group.
    case multicast
    /// Sent by somebody else to somebody else.
    case toOther
    /// Sent by the capturing host.
    case outgoing
  }

  // Whole words instead of optionals: events are copied for each packet.
  @usableFromInline var sourceBits = LinkFacts.noAddress
  @usableFromInline var destinationBits = LinkFacts.noAddress
  @usableFromInline static var noAddress: UInt64 { .max }

  /// VLAN tags, outermost first; those of a bridged inner frame follow the outer ones.
  public var vlan = VLANTags()
  /// Number of the interface on the capturing host (cooked header version 2); 0 if not told.
  public var interfaceIndex: UInt32 = 0
  /// Who got the frame.
  public var packetType = PacketType.unknown

  init() {}

  /// The sender's link-layer address.
  @inlinable public var sourceMAC: MACAddress? {
    get { sourceBits == Self.noAddress ? nil : MACAddress(bits: sourceBits) }
    set { sourceBits = newValue?.bits ?? Self.noAddress }
  }

  /// The receiver's link-layer address.
  @inlinable public var destinationMAC: MACAddress? {
    get { destinationBits == Self.noAddress ? nil : MACAddress(bits: destinationBits) }
    set { destinationBits = newValue?.bits ?? Self.noAddress }
  }
}
